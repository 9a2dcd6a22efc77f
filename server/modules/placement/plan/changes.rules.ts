import { isDeepStrictEqual } from 'node:util'
import { placesOfPlan } from './indexed-plan.rules.ts'
import type { Plan } from './plan.rules.ts'

const mostNames = 3

const named = (students: Plan['Students']): string => {
  const more = students.length - mostNames
  const names = students.slice(0, mostNames).map(({ Name }) => Name)
  return more > 0 ? `${names.join('; ')} and ${more} more` : names.join('; ')
}

const rulesOf = ({ Template, Blocks, Rules, MostRanks, RanksPer, Rotations, Options, ...plan }: Plan) => [
  [Template, Blocks, Rules, MostRanks, RanksPer, Rotations, Options],
  [plan.ActiveFrom, plan.ActiveThrough, plan.DaysOff],
]

/**
 * What has changed in a plan since a draft of it was started, one sentence each, so that nobody mistakes the draft for the current state.
 * Only what the draft depends on counts, not, say, a place taken on a shift that the plan does not use.
 */
export const changesSince = (before: Plan, now: Plan): string[] => {
  const [were, are] = [before, now].map(({ Students }) => new Set(Students.map(({ Id }) => Id)))
  const left = before.Students.filter(({ Id }) => !are?.has(Id))
  const joined = now.Students.filter(({ Id }) => !were?.has(Id))
  const stayed = ({ Students }: Plan) =>
    Students.filter(({ Id }) => were?.has(Id) && are?.has(Id)).map(({ Name: _, Owed: __, ...each }) => each)
  const parts = [
    left.length > 0 && `${named(left)} left the plan`,
    joined.length > 0 && `${named(joined)} joined the plan`,
    !isDeepStrictEqual(placesOfPlan(before), placesOfPlan(now)) && 'Places changed',
    !isDeepStrictEqual(stayed(before), stayed(now)) &&
      'Rankings, pins, exclusions or requirements of students changed',
    !isDeepStrictEqual([before.Placed, before.Accepted], [now.Placed, now.Accepted]) &&
      'Other shifts of the students changed',
    !isDeepStrictEqual(rulesOf(before), rulesOf(now)) && 'Rules or dates changed',
  ]
  return parts
    .filter((part) => part !== false)
    .map((part) => `${part} while this draft was made. Solve it again to use what holds now.`)
}
