import { expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { acceptDraft } from '#contract/placement/acceptances.ts'
import { checkPlacementPlan } from '#contract/placement/plans.ts'
import { makeRow } from '#server/test/factories.ts'
import { makeDraftOf, planMonday, startPlanning } from '#server/test/placement-plan.ts'
import { agreedOn } from './agreed-places.rules.ts'

const placing = startPlanning()

const params = () => ({ programId: placing.made.program.Id, planId: placing.made.plan.Id })
/** The first site's answer to a request, as decided. */
const agree = (places: number, more: object = {}) =>
  makeRow(placing.installation.owner, 'place_request', {
    program_id: placing.made.program.Id,
    site_id: placing.made.sites[0]!.Id,
    start_date: planMonday,
    end_date: addDays(planMonday, 13),
    places: 5,
    recipient_name: 'Grace Pell',
    recipient_email: 'grace@example.org',
    answer_by: planMonday,
    answer: 'fewer',
    offered_places: places,
    offered_from: planMonday,
    offered_through: addDays(planMonday, 13),
    answered_at: new Date(),
    is_accepted: true,
    decided_at: new Date(),
    ...more,
  })
const placesOfFirst = async () =>
  (await placing.made.coordinator.ok(checkPlacementPlan, { params: params() })).Demand.find(
    ({ SiteId }) => SiteId === placing.made.sites[0]!.Id,
  )?.Places

test('a plan counts what a site agreed to in the blocks that it is about; what is not accepted counts nothing', async () => {
  expect(await placesOfFirst()).toEqual([1, 1])
  await agree(0, { is_accepted: null, decided_at: null })
  await agree(0, { is_accepted: false })
  expect(await placesOfFirst()).toEqual([1, 1])
  await agree(0)
  expect(await placesOfFirst()).toEqual([0, 1])
})

test('more places than the shifts of a site have are no more than the shifts', async () => {
  await agree(9)
  expect(await placesOfFirst()).toEqual([1, 1])
})

test('a draft that uses more places than a site has agreed to meanwhile is refused with the reason, and nothing half is kept', async () => {
  const { Draft } = await makeDraftOf(placing.made)
  await agree(0)
  const accept = (body: object) =>
    placing.made.coordinator.call(acceptDraft, { params: { ...params(), draftId: Draft.Id }, body })
  const refused = await accept({})
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    Refused: expect.arrayContaining([
      expect.objectContaining({ Message: expect.stringContaining('Harbor') }),
    ]),
  })
  const { rows } = await placing.installation.owner.query(
    'select count(*)::int as count from shift_assignment where program_id = $1',
    [placing.made.program.Id],
  )
  expect(rows[0].count).toBe(0)
  // The other block is not concerned.
  expect((await accept({ Blocks: [1] })).status).toBe(200)
})

test('of each level the newest answer counts, and the levels together', () => {
  const all = { SiteId: 7, StartDate: '2032-03-01', EndDate: '2032-03-31' }
  const agreed = [
    { ...all, StudentLevelId: 1, Places: 3 },
    { ...all, StudentLevelId: 2, Places: 4 },
    { ...all, StudentLevelId: 1, Places: 2, EndDate: '2032-03-15' },
  ]
  expect(agreedOn(agreed, 7, '2032-03-10')).toBe(6)
  expect(agreedOn(agreed, 7, '2032-03-20')).toBe(7)
  expect(agreedOn(agreed, 7, '2032-04-01')).toBeUndefined()
  expect(agreedOn(agreed, 8, '2032-03-10')).toBeUndefined()
})
