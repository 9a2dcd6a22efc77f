import { expect, test } from 'vitest'
import { usualWeights, type Weights } from '#contract/placement/weights.ts'
import { samplePlan, sampleShift, sampleSite, sampleStudent } from '#server/test/sample-plans.ts'
import { indexPlan } from '../plan/indexed-plan.rules.ts'
import { openHighs } from '../solve/linear.solver.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { solve } from '../solve/solve.solver.ts'
import { explain } from './explain.rules.ts'

/** Two students of whom the first still has to log what is done at the second site, and two sites of one place. */
const indexed = indexPlan(
  samplePlan({
    blocks: 1,
    Students: [
      sampleStudent(1, { SiteIds: [1, 2], Owed: { Total: 4, BySite: new Map([[2, 3]]) } }),
      sampleStudent(2, { SiteIds: [2, 1] }),
    ],
    Sites: [sampleSite(1), sampleSite(2)],
    Shifts: [sampleShift(1, 1), sampleShift(2, 2)],
  }),
)
const draftWith = async (weights: Partial<Weights>) => {
  const { instance } = instanceOf(indexed, {
    weights: { ...usualWeights, ...weights },
    places: [],
    cells: [],
  })
  const [done] = [...solve(await openHighs(), instance, { seed: 1, steps: 1 })].slice(-1)
  return { indexed, instance, solution: done?.solution ?? new Int16Array() }
}
const sitesOf = ({ solution }: { solution: Int16Array }) =>
  Array.from(solution, (o) => indexed.options[o]?.SiteId)

test('what students still have to log draws them to where it is done, as far as it is weighed against their ranks', async () => {
  expect(sitesOf(await draftWith({}))).toEqual([1, 2])
  expect(sitesOf(await draftWith({ Needs: 20 }))).toEqual([1, 2])
  expect(sitesOf(await draftWith({ Needs: 100 }))).toEqual([2, 1])
})

test('the reasons name it: of the place that they have, and of those who came first elsewhere', async () => {
  const drafted = await draftWith({ Needs: 100 })
  expect(explain(drafted, 0, 0).at(-1)?.Text).toBe('3 still to log are done there.')
  expect(explain(drafted, 1, 0)[0]?.Text).toBe(
    'The only place is taken: 1 with more still to log that is done there.',
  )
})
