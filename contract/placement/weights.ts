import { z } from 'zod'

const Whole = (min: number, max: number) => z.number().int('must be a whole number').min(min).max(max)

/** What the solver weighs, each from 0 (does not count) to 100. */
export const Weights = z.strictObject({
  /** The ranks that students gave. */
  Rank: Whole(0, 100),
  /** Miles from the student's ZIP code. */
  Distance: Whole(0, 100),
  /** How much more the ranks of students count who are owed points from earlier plans. */
  Fairness: Whole(0, 100),
  /** Changes of site from one block to the next. */
  Changes: Whole(0, 100),
  /** Sites that are filled to the last place while others are empty. */
  Load: Whole(0, 100),
  /** Sites where what a student still has to log is done. */
  Needs: Whole(0, 100).default(0),
})
export type Weights = z.infer<typeof Weights>

export const usualWeights: Weights = { Rank: 60, Distance: 20, Fairness: 50, Changes: 0, Load: 0, Needs: 0 }
