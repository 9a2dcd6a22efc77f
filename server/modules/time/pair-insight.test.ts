import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getHome } from '#contract/reports/reports.ts'
import { approveTimeRecords, previewApproval } from '#contract/time/approvals.ts'
import { countTimeRecords, listPendingShifts, listTimeRecords } from '#contract/time/time-records.ts'
import { makePerson, makeProgram, makeRow, makeSite, makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const insights = [1, 2, 3] as const
type Insight = (typeof insights)[number]
const codes = { 1: [], 2: ['outside_tolerance'], 3: ['far_away'] } as const

/**
 * A program with a pair of every two insights, each of one hour, and a second one whose clock-out a student wants changed; a clock-in
 * whose other half is decided, one that has none, and an exception.
 */
const start = async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const site = await makeSite(owner, program, { time_zone: 'UTC' })
  const student = await makeStudent(owner, program)
  const params = { programId: program.Id }
  const coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  let days = 2
  const record = async (kind: string, insight: Insight, hour: number, more: object = {}) => {
    const at = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const { id } = await makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      site_id: site.Id,
      kind,
      occurred_at: `${at}T${hour}:00:00Z`,
      date: at,
      minutes: kind === 'in' ? 0 : 60,
      insight,
      reasons: JSON.stringify(codes[insight].map((Code) => ({ Code }))),
      ...more,
    })
    return id as number
  }
  const pair = async (first: Insight, second: Insight, ofOut: object = {}) => {
    days += 1
    const inId = await record('in', first, 12)
    const outId = await record('out', second, 13, { partner_id: inId, ...ofOut })
    await owner.query('update time_record set partner_id = $1 where id = $2', [outId, inId])
    return { inId, outId }
  }
  const pairs: { inId: number; outId: number; insight: Insight }[] = []
  for (const first of insights)
    for (const second of insights)
      pairs.push({ ...(await pair(first, second)), insight: Math.max(first, second) as Insight })
  const asked = await pair(1, 1, { change_status: 'asked', change_reason: 'x' })
  const decided = await pair(3, 1)
  await owner.query(`update time_record set status = 'approved' where id = $1`, [decided.inId])
  days += 1
  const lone = await record('in', 1, 12)
  const exception = await record('exception', 3, 18)
  const idsOf = (insight: Insight) =>
    pairs.filter((each) => each.insight === insight).flatMap(({ inId, outId }) => [inId, outId])
  return { params, coordinator, idsOf, asked, decided, lone, exception }
}

const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)

test('a pair is as clean as its graver half, the same in lists, counts, the question, home and the approvals', async () => {
  const { params, coordinator, idsOf, asked, decided, lone, exception } = await start()
  const askedIds = [asked.inId, asked.outId]
  // By hand: what of each insight can be approved. The half whose other one is decided stands for itself.
  const ready = {
    1: [...idsOf(1), decided.outId],
    2: idsOf(2),
    3: [...idsOf(3), exception],
  }
  expect([ready[1].length, ready[2].length, ready[3].length]).toEqual([3, 6, 11])

  const list = async (Insight: '1' | '2' | '3') => {
    const query = { Status: 'pending', Insight, pageSize: 500 } as const
    const { Items, Total } = await coordinator.ok(listTimeRecords, { params, query })
    for (const each of Items) expect(each.Insight).toBe(Number(Insight))
    expect(Total).toBe(Items.length)
    return sorted(Items.map(({ Id }) => Id))
  }
  expect(await list('1')).toEqual(sorted(ready[1]))
  expect(await list('2')).toEqual(sorted(ready[2]))
  expect(await list('3')).toEqual(sorted([...ready[3], ...askedIds]))
  const every = await coordinator.ok(listTimeRecords, { params, query: { Insight: '3', pageSize: 500 } })
  expect(every.Items).toHaveLength(ready[3].length + askedIds.length + 1)

  const counts = await coordinator.ok(countTimeRecords, { params })
  expect(counts).toMatchObject({ Clean: 3, NeedReview: 6, CarefulReview: 13, Unmatched: 1, All: 23 })
  expect(counts.Ready).toEqual({ Clean: 3, NeedReview: 6, CarefulReview: 11, CleanMinutes: 120 })
  expect((await coordinator.ok(getHome, { params })).Clean).toMatchObject({ Count: 3, Minutes: 120 })
  const leftOut = { Status: 'pending' as const, IsLeftOut: true }
  const { Total: LeftOut } = await coordinator.ok(listTimeRecords, { params, query: leftOut })
  expect(LeftOut).toBe(counts.All - counts.Ready.Clean - counts.Ready.NeedReview - counts.Ready.CarefulReview)

  const preview = (query: { Insight?: '1' | '2' | '3' }) => coordinator.ok(previewApproval, { params, query })
  expect(await preview({})).toMatchObject({
    Records: 20,
    Careful: 11,
    CarefulMinutes: 360,
    NeedReview: 6,
    NeedReviewMinutes: 180,
    ChangeAsked: 2,
  })
  expect(await preview({ Insight: '1' })).toMatchObject({
    Records: 3,
    Minutes: 120,
    Careful: 0,
    ChangeAsked: 0,
  })
  expect(await preview({ Insight: '3' })).toMatchObject({ Records: 11, Careful: 11, ChangeAsked: 2 })

  // Whoever looks at shifts has the same: of clean ones a pair and the half.
  const shifts = await coordinator.ok(listPendingShifts, { params, query: { pageSize: 500 } })
  expect(shifts.Totals).toMatchObject({ Shifts: 13, Clean: 2 })
  const clean = shifts.Items.filter(({ Insight }) => Insight === 1).flatMap(({ Records }) => Records)
  expect(sorted(clean.filter(({ Status }) => Status === 'pending').map(({ Id }) => Id))).toEqual(
    sorted(ready[1]),
  )
  const codesShown = shifts.Items.flatMap(({ Records }) => Records.flatMap(({ Reasons }) => Reasons))
  expect(codesShown.map(({ Code }) => Code)).not.toContain('other_half')

  const approve = (body: object) => coordinator.ok(approveTimeRecords, { params, body: body as never })
  expect(await approve({ Filter: { Insight: '1' } })).toMatchObject({
    Approved: 3,
    Halves: 0,
    LeftOutCount: 0,
  })
  expect(await approve({ Filter: {} })).toMatchObject({
    Approved: 6,
    Halves: 0,
    LeftOutReasons: [
      { Reason: 'careful', Count: 11 },
      { Reason: 'change_asked', Count: 2 },
      { Reason: 'unmatched', Count: 1 },
    ],
  })
  expect(await approve({ Filter: { Insight: '3' } })).toMatchObject({
    Approved: 11,
    Halves: 0,
    LeftOutReasons: [{ Reason: 'change_asked', Count: 2 }],
  })
  const left = await coordinator.ok(listTimeRecords, { params, query: { Status: 'pending' } })
  expect(sorted(left.Items.map(({ Id }) => Id))).toEqual(sorted([...askedIds, lone]))
})

test('a half that is fine by itself says that the other one is why', async () => {
  const { params, coordinator, idsOf } = await start()
  const { Items } = await coordinator.ok(listTimeRecords, { params, query: { Insight: '3', pageSize: 500 } })
  const reasons = Items.filter(({ Id }) => idsOf(3).includes(Id)).map(({ Reasons }) =>
    Reasons.map(({ Code }) => Code).join(),
  )
  expect(reasons.toSorted()).toEqual(
    [
      ...Array.from({ length: 6 }, () => 'far_away'),
      ...Array.from({ length: 2 }, () => 'other_half'),
      ...Array.from({ length: 2 }, () => 'outside_tolerance,other_half'),
    ].toSorted(),
  )
})

test('the question before an approval has a reason for each record that is not clean', async () => {
  const { params, coordinator } = await start()
  expect(await coordinator.ok(previewApproval, { params, query: {} })).toMatchObject({
    Careful: 11,
    Reasons: [
      { Code: 'far_away', Count: 7 },
      { Code: 'other_half', Count: 4 },
    ],
    NeedReview: 6,
    NeedReviewReasons: [
      { Code: 'outside_tolerance', Count: 4 },
      { Code: 'other_half', Count: 2 },
    ],
  })
})

test('a filter that names one half takes the pair: clock-outs alone, or the days of a shift that began before them', async () => {
  const { owner } = installation
  for (const narrow of ['type', 'days'] as const) {
    const { params, coordinator, idsOf } = await start()
    const [first] = idsOf(3)
    const filter =
      narrow === 'type'
        ? ({ Type: 'out' } as const)
        : await (async () => {
            // The clock-in was the evening before.
            const { rows } = await owner.query<{ date: string }>(
              `update time_record r set date = date - 1, occurred_at = occurred_at - interval '1 day' where r.id = $1
              returning (date + 1)::text as date`,
              [first],
            )
            return { FromDate: rows[0]!.date, ThroughDate: rows[0]!.date }
          })()
    const preview = await coordinator.ok(previewApproval, { params, query: filter })
    const done = await coordinator.ok(approveTimeRecords, {
      params,
      body: { Filter: { Status: 'pending', ...filter }, IncludeCareful: true },
    })
    expect([narrow, done.Approved, done.Halves]).toEqual([narrow, preview.Records, 0])
    expect(preview.Reasons.map(({ Code }) => Code)).toEqual(['far_away', 'other_half'])
    const { rows } = await owner.query(
      `select count(*)::int as halves from time_record r join time_record q on q.program_id = r.program_id and q.id = r.partner_id
      where r.program_id = $1 and r.decided_by is not null and q.status = 'pending'`,
      [params.programId],
    )
    expect(rows).toEqual([{ halves: 0 }])
  }
})
