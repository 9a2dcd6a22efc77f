import { beforeEach, expect, test } from 'vitest'
import { acceptDraft } from '#contract/placement/acceptances.ts'
import { explainCell, setCells } from '#contract/placement/drafts.ts'
import * as contract from '#contract/placement/plans.ts'
import { makeDraftOf, rankFor, startPlanning } from '#server/test/placement-plan.ts'

const placing = startPlanning()

beforeEach(async () => {
  // Harbor has room for all three, the others for one each.
  await placing.installation.owner.query('update site_shift set capacity = 3 where id = $1', [
    placing.made.shifts[0]!.Id,
  ])
})

const at = () => ({ programId: placing.made.program.Id, planId: placing.made.plan.Id })
const said = { Takes: null, Reserved: 0, Technologists: null }
const say = (AtLeast: number | null, site = 0) =>
  placing.made.coordinator.call(contract.savePlacementSite, {
    params: { ...at(), siteId: placing.made.sites[site]!.Id },
    body: { ...said, AtLeast },
  })
const countAt = (rows: Awaited<ReturnType<typeof makeDraftOf>>['Rows'], block: number) =>
  rows.filter(({ Cells }) =>
    Cells.some(({ Block, SiteShiftId }) => Block === block && SiteShiftId === placing.made.shifts[0]!.Id),
  ).length

test('a site that takes so many or none has so many or none in each block, and says it in the check', async () => {
  for (const [index, order] of [[0], [1, 0], [2, 0]].entries()) await rankFor(placing.made, index, order)
  const free = await makeDraftOf(placing.made)
  expect([countAt(free.Rows, 0), countAt(free.Rows, 1)]).toEqual([1, 1])
  expect((await say(2)).status).toBe(204)
  const { Rows, Draft } = await makeDraftOf(placing.made)
  for (const block of [0, 1]) expect([0, 2, 3]).toContain(countAt(Rows, block))
  expect(Draft.Figures).toMatchObject({ Placed: 6, Gap: 0 })
  await say(4)
  const { Problems, Demand } = await placing.made.coordinator.ok(contract.checkPlacementPlan, {
    params: at(),
  })
  expect(Problems.map(({ Text }) => Text)).toContain(
    'Harbor takes at least 4 students at a time, or none, and has fewer places in blocks 1–2, so nobody is placed there then.',
  )
  expect(Demand[0]).toMatchObject({ Site: 'Harbor', AtLeast: 4 })
  const none = await makeDraftOf(placing.made)
  expect([countAt(none.Rows, 0), countAt(none.Rows, 1)]).toEqual([0, 0])
  expect((await say(1)).status).toBe(400)
})

test('moving or accepting fewer than a site takes is refused with the reason; together they are accepted', async () => {
  for (const index of [0, 1]) await rankFor(placing.made, index, [0])
  await rankFor(placing.made, 2, [1])
  await say(2)
  const { Draft, Rows } = await makeDraftOf(placing.made)
  expect([countAt(Rows, 0), countAt(Rows, 1)]).toEqual([2, 2])
  const params = { ...at(), draftId: Draft.Id }
  const moved = await placing.made.coordinator.call(setCells, {
    params,
    body: {
      Block: 0,
      Cells: [{ StudentId: placing.made.students[0]!.Id, SiteShiftId: placing.made.shifts[2]!.Id }],
    },
  })
  expect(moved).toMatchObject({
    status: 422,
    body: { Message: expect.stringContaining('Harbor takes at least 2 students at a time, or none') },
  })
  const accept = (StudentIds: number[]) =>
    placing.made.coordinator.call(acceptDraft, { params, body: { Blocks: [0], StudentIds } })
  const alone = await accept([placing.made.students[0]!.Id])
  expect(alone).toMatchObject({
    status: 422,
    body: { Message: expect.stringContaining('Harbor takes at least 2') },
  })
  expect((await accept([placing.made.students[0]!.Id, placing.made.students[1]!.Id])).status).toBe(200)
})

test('a student reads why a site has nobody, in words that count no one', async () => {
  await rankFor(placing.made, 0, [0, 1])
  await say(3)
  await rankFor(placing.made, 1, [2])
  await rankFor(placing.made, 2, [2])
  const { Draft } = await makeDraftOf(placing.made)
  const { Why, StudentText } = await placing.made.coordinator.ok(explainCell, {
    params: { ...at(), draftId: Draft.Id },
    query: { StudentId: placing.made.students[0]!.Id, Block: 0 },
  })
  const harbor = Why.find(({ Site }) => Site === 'Harbor')
  if (harbor?.IsOwn) expect(StudentText).toBe('Your first choice.')
  else {
    expect(harbor?.Text).toBe('Takes at least 3 students at a time, or none: nobody is there in this block.')
    expect(StudentText).toContain('you could not be placed there then')
  }
})
