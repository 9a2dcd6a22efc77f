import { expect, test } from 'vitest'
import { usualWeights, type Weights } from '#contract/placement/weights.ts'
import { planFacts, shiftFacts, siteFacts, studentFacts } from '#server/test/placement-facts.ts'
import { buildModel } from '../plan/indexed-plan.rules.ts'
import { openHighs } from '../solve/linear.solver.ts'
import { instanceOf } from '../solve/plan-instance.rules.ts'
import { solve } from '../solve/solve.solver.ts'
import { explain } from './explain.rules.ts'

/** Two students of whom the first still has to log what is done at the second site, and two sites of one place. */
const model = buildModel(
  planFacts({
    blocks: 1,
    Students: [
      studentFacts(1, { SiteIds: [1, 2], Owed: { Total: 4, BySite: new Map([[2, 3]]) } }),
      studentFacts(2, { SiteIds: [2, 1] }),
    ],
    Sites: [siteFacts(1), siteFacts(2)],
    Shifts: [shiftFacts(1, 1), shiftFacts(2, 2)],
  }),
)
const draftWith = async (weights: Partial<Weights>) => {
  const { instance } = instanceOf(model, { weights: { ...usualWeights, ...weights }, places: [], cells: [] })
  const [done] = [...solve(await openHighs(), instance, { seed: 1, steps: 1 })].slice(-1)
  return { model, instance, assignment: done?.assignment ?? new Int16Array() }
}
const sitesOf = ({ assignment }: { assignment: Int16Array }) =>
  Array.from(assignment, (o) => model.options[o]?.SiteId)

test('what students still have to log draws them to where it is done, as far as it is weighed against their ranks', async () => {
  expect(sitesOf(await draftWith({}))).toEqual([1, 2])
  expect(sitesOf(await draftWith({ Needs: 20 }))).toEqual([1, 2])
  expect(sitesOf(await draftWith({ Needs: 100 }))).toEqual([2, 1])
})

test('the reasons name it: of the place that she has, and of those who came first elsewhere', async () => {
  const drafted = await draftWith({ Needs: 100 })
  expect(explain(drafted, 0, 0).at(-1)?.Text).toBe('3 still to log are done there.')
  expect(explain(drafted, 1, 0)[0]?.Text).toBe(
    'The only place is taken: 1 with more still to log that is done there.',
  )
})
