import { beforeEach, expect, test } from 'vitest'
import { explainCell, exportDraft } from '#contract/placement/drafts.ts'
import * as contract from '#contract/placement/plans.ts'
import { changePlan, makeDraftOf, rankFor, startPlanning } from '#server/test/placement-plan.ts'

const placing = startPlanning()

beforeEach(async () => {
  // Harbor has room for all three, the others for one each.
  await placing.installation.owner.query('update site_shift set capacity = 3 where id = $1', [
    placing.made.shifts[0]!.Id,
  ])
})

const at = () => ({ programId: placing.made.program.Id, planId: placing.made.plan.Id })
const getPlan = () => placing.made.coordinator.ok(contract.getPlacementPlanById, { params: at() })
/** Saves the plan with these experiences, each at Harbor. */
const ask = (...experiences: object[]) => {
  return changePlan(placing.made, ({ Rules }) => ({
    Rules: {
      ...Rules,
      Groups: Rules.Groups.map((group) => ({
        ...group,
        Experiences: experiences.map((each) => ({
          Name: 'Harbor',
          SiteIds: [placing.made.sites[0]!.Id],
          Blocks: 0,
          ...each,
        })),
      })),
    },
  }))
}
const askOk = async (...experiences: object[]) => expect((await ask(...experiences)).status).toBe(200)
/** Blocks at Harbor of each student. */
const atHarbor = ({ Rows }: Awaited<ReturnType<typeof makeDraftOf>>) =>
  Rows.map(
    ({ Cells }) => Cells.filter(({ SiteShiftId }) => SiteShiftId === placing.made.shifts[0]!.Id).length,
  )

test('a limit above needs no number at least, keeps as a rule, and its file says how often each student has it', async () => {
  for (const student of [0, 1, 2]) await rankFor(placing.made, student, [0, 1, 2])
  expect(atHarbor(await makeDraftOf(placing.made))).toEqual([2, 2, 2])
  await askOk({ MostBlocks: 1 })
  const draft = await makeDraftOf(placing.made)
  expect(atHarbor(draft)).toEqual([1, 1, 1])
  const csv = await placing.made.coordinator.call(exportDraft, {
    params: { ...at(), draftId: draft.Draft.Id },
    query: { Format: 'csv' },
  })
  const [head = '', first = ''] = String(csv.body).trim().split(/\r?\n/)
  const column = head.split(',').indexOf('Harbor')
  // Before it a title and the name have a comma of their own.
  expect(first.split(',')[column]).toBe('1')
})

test('a wish gives way to ranks that weigh more, and wins over those that weigh less; what is not met is named, and the cell says so', async () => {
  for (const student of [0, 1, 2]) await rankFor(placing.made, student, [0, 1, 2])
  await askOk({ MostBlocks: 1, Weight: 1 })
  const weak = await makeDraftOf(placing.made)
  expect(atHarbor(weak)).toEqual([2, 2, 2])
  expect(weak.Draft.Figures).toMatchObject({ Placed: 6, Missing: 0, Gap: 0 })
  expect(weak.Draft.Figures?.Problems).toContain('3 students have 2 blocks of Harbor, 1 more than is wished.')
  expect(weak.Draft.Figures?.Conflict).toBeUndefined()
  const { Why } = await placing.made.coordinator.ok(explainCell, {
    params: { ...at(), draftId: weak.Draft.Id },
    query: { StudentId: placing.made.students[0]!.Id, Block: 0 },
  })
  expect(Why.find(({ IsOwn }) => IsOwn)?.Text).toBe('More of Harbor than is wished.')
  // Two of three can be elsewhere in a block; the first rank step costs 600 and the second as much again.
  await askOk({ MostBlocks: 1, Weight: 100 })
  const weights = { Rank: 10, Distance: 0, Fairness: 0, Changes: 0, Load: 0, Needs: 0 }
  const strong = await makeDraftOf(placing.made, { Weights: weights })
  expect(atHarbor(strong)).toEqual([1, 1, 1])
})

test('a wish for blocks at least is weighed, too: it draws students there as far as its weight goes', async () => {
  await rankFor(placing.made, 0, [1, 0, 2])
  await rankFor(placing.made, 1, [2, 0, 1])
  await askOk({ Blocks: 2, Weight: 1 })
  const weak = await makeDraftOf(placing.made)
  expect(atHarbor(weak)[0]).toBe(0)
  expect(weak.Draft.Figures?.Problems).toContain(
    '2 students have 0 blocks of Harbor, 2 fewer than is wished.',
  )
  await askOk({ Blocks: 2, Weight: 100 })
  const weights = { Rank: 10, Distance: 0, Fairness: 0, Changes: 0, Load: 0, Needs: 0 }
  expect(atHarbor(await makeDraftOf(placing.made, { Weights: weights }))).toEqual([2, 2, 2])
})

test('the check stops at what a rule cannot have, and warns of what a wish cannot', async () => {
  const kinds = async () =>
    (await placing.made.coordinator.ok(contract.checkPlacementPlan, { params: at() })).Problems.filter(
      ({ Text }) => Text.includes('Night'),
    ).map(({ Kind }) => Kind)
  const nights = { Name: 'Night', SiteIds: [], Types: ['night'], Blocks: 1 }
  await askOk(nights)
  expect(new Set(await kinds())).toEqual(new Set(['stops']))
  await askOk({ ...nights, Weight: 30 })
  expect(new Set(await kinds())).toEqual(new Set(['warns']))
})

test('an experience that asks for nothing is refused by name; a weight is from 1 to 100', async () => {
  expect(await ask({})).toMatchObject({
    status: 422,
    body: { Message: expect.stringContaining('Harbor asks for no number of blocks. Nothing was saved.') },
  })
  for (const Weight of [0, 101]) expect((await ask({ Blocks: 1, Weight })).status).toBe(400)
  await askOk({ Blocks: 1, MostBlocks: 1, Weight: 100 })
  expect((await getPlan()).Rules.Groups[0]?.Experiences[0]).toMatchObject({
    Blocks: 1,
    MostBlocks: 1,
    Weight: 100,
  })
})
