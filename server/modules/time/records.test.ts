import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { listSchedulingOptions } from '#contract/scheduling/scheduling-options.ts'
import {
  approveTimeRecords,
  decideTimeChange,
  getReminderEmail,
  listDecided,
  listDecisions,
  mailUnmatched,
  previewApproval,
  rejectTimeRecords,
  undoDecisions,
  writeAboutRecords,
} from '#contract/time/approvals.ts'
import { exportHoursSummary, getHoursSummary } from '#contract/time/hours-summary.ts'
import { listMissedTimeRecords, mailMissed } from '#contract/time/missed-shifts.ts'
import * as contract from '#contract/time/time-records.ts'
import { getTimeSummaries } from '#contract/time/time-summaries.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { forgetPositions } from './positions.jobs.ts'

let installation: Installation
let program: MadeProgram
let site: { Id: number; Name: string }
let student: MadePerson
let coordinator: Caller

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const noon = (days: number) => `${ago(days * day).slice(0, 10)}T12:00:00Z`
const later = (instant: string, minutes: number) =>
  new Date(Date.parse(instant) + minutes * minute).toISOString()

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner, { time_zone: 'UTC' })
  site = await makeSite(installation.owner, program, { time_zone: 'UTC' })
  student = await makeStudent(installation.owner, program)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})

const params = () => ({ programId: program.Id })
const at = (recordId: number) => ({ programId: program.Id, recordId })
const record = async (kind: string, occurredAt: string, more: Record<string, unknown> = {}) => {
  const { reasons, ...rest } = more
  const { id } = await makeRow(installation.owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    site_id: site.Id,
    kind,
    occurred_at: occurredAt,
    date: occurredAt.slice(0, 10),
    ...(reasons !== undefined && { reasons: JSON.stringify(reasons) }),
    ...rest,
  })
  return id as number
}
/** A clock-in and clock-out that belong together. */
const pair = async (from: string, minutes: number, more: Record<string, unknown> = {}) => {
  const inId = await record('in', from, more)
  const outId = await record('out', later(from, minutes), { ...more, partner_id: inId, minutes })
  await installation.owner.query('update time_record set partner_id = $1 where id = $2', [outId, inId])
  return { inId, outId }
}
const list = (query: Record<string, unknown> = {}) =>
  coordinator.ok(contract.listTimeRecords, { params: params(), query: query as never })
const approve = (body: Record<string, unknown>, caller = coordinator) =>
  caller.ok(approveTimeRecords, { params: params(), body: body as never })
const hours = async () => {
  const { rows } = await installation.owner.query(
    `select coalesce(sum(approved_minutes), 0)::int as approved, coalesce(sum(pending_minutes), 0)::int as pending
     from student_hours where student_id = $1`,
    [student.Id],
  )
  return rows[0] as { approved: number; pending: number }
}

describe('the list', () => {
  test('D3-081 has type, student, date, time, time change request, IPName and location', async () => {
    await pair(noon(2), 510, { network_name: 'HGH-Imaging', shift_type: 'day', offset_minutes: -2 })
    const { Items, Total } = await list({ Status: 'pending' })
    expect(Total).toBe(2)
    expect(Items[0]).toMatchObject({
      Type: 'out',
      Student: expect.stringMatching(/^Last\d+, First\d+$/),
      StudentLevel: 'Level 1',
      Date: noon(2).slice(0, 10),
      Time: '20:30',
      Minutes: 510,
      TimeChangeRequest: null,
      IPName: 'HGH-Imaging',
      Location: site.Name,
      Insight: 1,
      Status: 'pending',
    })
  })

  test('D3-079 the insight choices part the pending records, and the counts agree with the lists', async () => {
    await pair(noon(2), 480)
    await pair(noon(3), 480, { insight: 2, reasons: [{ Code: 'no_position' }] })
    await record('exception', noon(4), { insight: 3, reasons: [{ Code: 'self_reported' }], minutes: 60 })
    await record('in', noon(5), { insight: 3, reasons: [{ Code: 'offline' }] })
    await record('in', ago(10 * minute), { insight: 2 })
    const counts = await coordinator.ok(contract.countTimeRecords, { params: params() })
    expect(counts).toEqual({
      Clean: 2,
      NeedReview: 3,
      CarefulReview: 1,
      Unmatched: 1,
      All: 7,
      Minutes: 1020,
      Ready: { Clean: 2, NeedReview: 2, CarefulReview: 1, CleanMinutes: 480 },
    })
    for (const [Insight, name] of [
      ['1', 'Clean'],
      ['2', 'NeedReview'],
      ['3', 'CarefulReview'],
      ['u', 'Unmatched'],
      ['0', 'All'],
    ] as const) {
      const { Total, Items } = await list({ Status: 'pending', Insight })
      expect(Total, name).toBe(counts[name])
      expect(Items).toHaveLength(counts[name])
    }
  })

  test('D3-079 a time change of a punch without its other half hides no other record', async () => {
    await pair(noon(2), 480)
    await record('in', noon(5), {
      insight: 3,
      reasons: [{ Code: 'change_asked' }],
      change_status: 'asked',
      change_to: later(noon(5), 5),
    })
    // Of the clock-ins that run, another time is asked for one, and one was a mistake.
    const asked = { change_status: 'asked', change_to: ago(20 * minute) }
    await record('in', ago(10 * minute), asked)
    await record('in', ago(9 * minute), { ...asked, change_is_removal: true })
    const counts = await coordinator.ok(contract.countTimeRecords, { params: params() })
    expect(counts).toMatchObject({ Clean: 2, CarefulReview: 2, Unmatched: 1, All: 5 })
    for (const [Insight, name] of [
      ['1', 'Clean'],
      ['3', 'CarefulReview'],
      ['u', 'Unmatched'],
    ] as const)
      expect((await list({ Status: 'pending', Insight })).Total, name).toBe(counts[name])
    expect((await approve({ Filter: { Status: 'pending', Insight: '1' } })).Approved).toBe(2)
  })

  test('a clock-in that still runs is not unmatched; one whose shift has ended is', async () => {
    const rotation = await makeRotation(installation.owner, program)
    const shift = await makeShift(installation.owner, program, { site })
    const assign = async (from: string, to: string) =>
      (
        await makeRow(installation.owner, 'shift_assignment', {
          program_id: program.Id,
          rotation_id: rotation.Id,
          site_shift_id: shift.Id,
          site_id: site.Id,
          student_id: student.Id,
          date: from.slice(0, 10),
          starts_at: from,
          ends_at: to,
        })
      ).id
    await record('in', ago(9 * hour), { assignment_id: await assign(ago(9 * hour), ago(hour)) })
    await record('in', ago(30 * minute), { assignment_id: await assign(ago(30 * minute), ago(-hour)) })
    const { Items } = await list({ Insight: 'u' })
    expect(Items).toHaveLength(1)
    expect(Items[0]!.ShiftEndsAt).toBeTruthy()
  })

  test('D3-075 filters by area, site, student, level, cohort, type and days', async () => {
    const area = (await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'CT' })).id
    const other = await makeSite(installation.owner, program, { area_id: area, time_zone: 'UTC' })
    const second = await makeStudent(installation.owner, program, { student_level_id: 2, cohort: '2027' })
    await record('exception', noon(2), { minutes: 60 })
    const mine = await record('in', noon(3), { student_id: second.Id, site_id: other.Id })
    for (const query of [
      { AreaId: area },
      { SiteId: other.Id },
      { StudentId: second.Id },
      { StudentLevelId: 2 },
      { StudentLevelIds: [2] },
      { Cohort: '2027' },
      { Type: 'in' },
      { ThroughDate: noon(3).slice(0, 10) },
      { FromDate: noon(3).slice(0, 10), ThroughDate: noon(3).slice(0, 10) },
    ]) {
      const { Items, Total } = await list(query)
      expect(
        Items.map(({ Id }) => Id),
        JSON.stringify(query),
      ).toEqual([mine])
      expect(Total).toBe(1)
    }
    expect(
      (await coordinator.call(contract.listTimeRecords, { params: params(), query: { Where: 1 } as never }))
        .status,
    ).toBe(400)
  })

  test('D3-077 the personal filters narrow the list while they are enabled', async () => {
    const me = await makePerson(installation.owner, Level.Coord, { program })
    const caller = await installation.as(me)
    const second = await makeStudent(installation.owner, program)
    await record('exception', noon(2))
    const theirs = await record('exception', noon(3), { student_id: second.Id })
    await makeRow(installation.owner, 'personal_filter', {
      account_id: me.Id,
      is_student_enabled: true,
      student_ids: [second.Id],
    })
    const query = { MyStudents: true, MySites: true }
    const { Items } = await caller.ok(contract.listTimeRecords, { params: params(), query })
    expect(Items.map(({ Id }) => Id)).toEqual([theirs])
    expect((await list(query)).Items).toHaveLength(2)
  })

  test('pages by cursor see every record once, whatever comes in meanwhile', async () => {
    for (let days = 2; days < 12; days++) await record('exception', noon(days))
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await list({ pageSize: 3, ...(cursor && { cursor }) })
      seen.push(...page.Items.map(({ Id }) => Id))
      cursor = page.NextCursor ?? undefined
      await record('exception', noon(1))
    } while (cursor)
    expect(seen).toHaveLength(10)
    expect(new Set(seen).size).toBe(10)
  })

  test('a cursor that was cut, changed, or given by another list is refused', async () => {
    for (let days = 2; days < 5; days++) await record('exception', noon(days))
    const NextCursor = (await list({ pageSize: 1 })).NextCursor!
    const forged = Buffer.from('-2026-01-01|1').toString('base64url')
    const strays = [NextCursor.slice(0, -2), `${NextCursor}x`, `${NextCursor.slice(0, -1)}_`, forged, '']
    for (const cursor of strays)
      expect(
        await coordinator.call(contract.listTimeRecords, { params: params(), query: { cursor } }),
      ).toMatchObject({ status: 400, body: { Errors: [{ Field: 'cursor' }] } })
    const query = { cursor: NextCursor, sort: 'Date' as const }
    expect((await coordinator.call(contract.listTimeRecords, { params: params(), query })).status).toBe(400)
  })

  test('days and times are those of the site', async () => {
    const tokyo = await makeSite(installation.owner, program, { time_zone: 'Asia/Tokyo' })
    await record('exception', '2026-11-02T16:30:00Z', {
      site_id: tokyo.Id,
      date: '2026-11-03',
      ends_at: '2026-11-02T18:00:00Z',
    })
    expect((await list()).Items[0]).toMatchObject({ Date: '2026-11-03', Time: '01:30', EndTime: '03:00' })
  })
})

describe('D3-082 approving', () => {
  test('the ticked ones only, with the sum of their hours, and once', async () => {
    const one = await pair(noon(2), 510)
    await pair(noon(3), 300)
    const done = await approve({ Ids: [one.inId, one.outId] })
    expect(done).toMatchObject({ Approved: 2, Minutes: 510 })
    expect(await hours()).toEqual({ approved: 510, pending: 300 })
    expect(await approve({ Ids: [one.inId, one.outId] })).toMatchObject({ Approved: 0, DecidedAt: null })
  })

  test('one half says that the other waits and no hours; the second half says the hours of the shift', async () => {
    const { inId, outId } = await pair(noon(2), 510)
    expect(await approve({ Ids: [inId] })).toMatchObject({ Approved: 1, ShiftMinutes: 0, Halves: 1 })
    expect(await approve({ Ids: [outId] })).toMatchObject({ Approved: 1, ShiftMinutes: 510, Halves: 0 })
    const other = await pair(noon(3), 300)
    expect(await approve({ Ids: [other.outId] })).toMatchObject({ ShiftMinutes: 0, Halves: 1 })
    expect(await approve({ Ids: [other.inId] })).toMatchObject({ Minutes: 0, ShiftMinutes: 300, Halves: 0 })
    const both = await pair(noon(4), 240)
    const reported = await record('exception', noon(5), { ends_at: noon(5), minutes: 30 })
    expect(await approve({ Ids: [both.inId, both.outId, reported] })).toMatchObject({
      Minutes: 270,
      ShiftMinutes: 270,
      Halves: 0,
    })
  })

  test('all of a filter, exactly what the filter lists', async () => {
    await pair(noon(2), 60)
    await pair(noon(3), 60, { insight: 3, reasons: [{ Code: 'far_away', Value: 9000 }] })
    const Filter = { Status: 'pending', Insight: '1' }
    const { Total } = await list(Filter)
    expect((await approve({ Filter })).Approved).toBe(Total)
    expect((await list({ Status: 'pending' })).Total).toBe(2)
    expect((await approve({ Filter: { Insight: 3 } })).Approved).toBe(2)
  })

  test('A65 a punch without its other half is never approved, by name or by filter', async () => {
    const lost = await record('in', noon(5))
    const running = await record('in', ago(10 * minute))
    await pair(noon(3), 60)
    expect(await approve({ Ids: [lost, running] })).toMatchObject({ Approved: 0, DecidedAt: null })
    expect(await approve({ Filter: { Insight: 'u' } })).toMatchObject({ Approved: 0 })
    expect(await approve({ Filter: {}, IncludeCareful: true })).toMatchObject({ Approved: 2, Minutes: 60 })
    expect((await list({ Status: 'pending' })).Items.map(({ Id }) => Id)).toEqual([running, lost])
  })

  test('A65 a filter takes careful records only when it says so, and the preview names why they are', async () => {
    await pair(noon(2), 60)
    await pair(noon(3), 90, { insight: 3, reasons: [{ Code: 'far_away', Value: 9000 }] })
    await record('exception', noon(4), {
      insight: 3,
      minutes: 30,
      reasons: [{ Code: 'self_reported' }, { Code: 'no_position' }],
    })
    await record('absence', noon(5), { insight: 3, minutes: 480, reasons: [{ Code: 'self_reported' }] })
    await record('in', noon(6), { insight: 3, reasons: [{ Code: 'offline' }] })
    await pair(noon(7), 45, { insight: 2, reasons: [{ Code: 'outside_tolerance', Value: 20 }] })
    const preview = await coordinator.ok(previewApproval, { params: params(), query: {} })
    expect(preview).toEqual({
      Records: 8,
      Minutes: 225,
      Careful: 4,
      CarefulMinutes: 120,
      Reasons: [
        { Code: 'far_away', Count: 2 },
        { Code: 'self_reported', Count: 2 },
      ],
      NeedReview: 2,
      NeedReviewMinutes: 45,
      NeedReviewReasons: [{ Code: 'outside_tolerance', Count: 2 }],
      ChangeAsked: 0,
    })
    expect(await approve({ Filter: { Insight: '1' } })).toMatchObject({ Approved: 2, Minutes: 60 })
    expect(await approve({ Filter: {} })).toMatchObject({ Approved: 2, Minutes: 45 })
    expect(await approve({ Filter: {}, IncludeCareful: true })).toMatchObject({ Approved: 4, Minutes: 120 })
  })

  test('an approval or rejection that was undone or replaced stays in the history, with who and when, and is no edit', async () => {
    const other = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program, first_name: 'Ana', last_name: 'Reyes' }),
    )
    const { inId, outId } = await pair(noon(2), 60)
    const first = await approve({ Ids: [inId, outId] }, other)
    await other.ok(undoDecisions, { params: params(), body: { DecidedAt: first.DecidedAt! } })
    const undone = {
      At: expect.any(String),
      UndoneAt: expect.any(String),
      By: 'Ana Reyes',
      UndoneBy: 'Ana Reyes',
    }
    for (const id of [inId, outId]) {
      const found = await coordinator.ok(contract.getTimeRecord, { params: at(id) })
      expect(found).toMatchObject({ Status: 'pending', DecidedAt: null, History: [], Edits: 0 })
      expect(found.Decisions).toEqual([{ ...undone, Status: 'approved', Reason: '', IsTakenBack: false }])
      expect(Date.parse(found.Decisions[0]!.At)).toBe(Math.floor(Date.parse(first.DecidedAt!) / 1000) * 1000)
    }
    // What is approved again and rejected: the approval was replaced; the other half lost its own.
    await approve({ Ids: [inId, outId] }, other)
    await other.ok(rejectTimeRecords, {
      params: params(),
      body: { Ids: [outId], Reason: 'Not there', SeenApproved: [outId] },
    })
    const decisions = async (id: number) =>
      (await coordinator.ok(contract.getTimeRecord, { params: at(id) })).Decisions
    const replaced = { ...undone, UndoneAt: null, UndoneBy: '' }
    expect(await decisions(outId)).toMatchObject([undone, { ...replaced, Status: 'approved' }])
    expect(await decisions(inId)).toMatchObject([undone, { ...undone, Status: 'approved' }])
  })

  test('a half whose approved partner is rejected waits for approval again', async () => {
    const { inId, outId } = await pair(noon(2), 60)
    await approve({ Ids: [inId, outId] })
    await coordinator.ok(rejectTimeRecords, {
      params: params(),
      body: { Ids: [outId], Reason: 'x', SeenApproved: [outId] },
    })
    const half = await coordinator.ok(contract.getTimeRecord, { params: at(inId) })
    expect(half).toMatchObject({ Status: 'pending', Insight: 'u', DecidedBy: null })
  })

  test('A73 the hours that wait are hours: absences add none', async () => {
    await pair(noon(2), 60)
    await record('absence', noon(5), { minutes: 480 })
    const counts = await coordinator.ok(contract.countTimeRecords, { params: params() })
    expect(counts).toMatchObject({ All: 3, Minutes: 60, Ready: { CleanMinutes: 60 } })
  })

  test('the answer names what was left out and why: by name, and of a filter', async () => {
    const { inId, outId } = await pair(noon(2), 60)
    const asked = await pair(noon(3), 60)
    await installation.owner.query(
      `update time_record set change_to = occurred_at, change_status = 'asked', change_reason = 'x' where id = $1`,
      [asked.inId],
    )
    const lost = await record('in', noon(5))
    const running = await record('in', ago(10 * minute))
    const careful = await record('exception', noon(6), {
      insight: 3,
      minutes: 30,
      ends_at: later(noon(6), 30),
    })
    const over = await record('exception', later(noon(2), 30), { minutes: 60, ends_at: later(noon(2), 90) })
    const reasonsOf = ({ LeftOut }: { LeftOut: { Id: number; Reason: string }[] }) =>
      Object.fromEntries(LeftOut.map(({ Id, Reason }) => [Id, Reason]))
    const expected = {
      [inId]: 'overlaps',
      [outId]: 'overlaps',
      [over]: 'overlaps',
      [asked.inId]: 'change_asked',
      [asked.outId]: 'change_asked',
      [lost]: 'unmatched',
      [running]: 'running',
    }
    const all = await approve({ Filter: {} })
    expect(all).toMatchObject({ Approved: 0, Minutes: 0, DecidedAt: null, LeftOutCount: 8 })
    expect(reasonsOf(all)).toEqual({ ...expected, [careful]: 'careful' })
    const messageOf = (id: number) => all.LeftOut.find(({ Id }) => Id === id)?.Message
    const on = (instant: string) => `${instant.slice(5, 7)}/${instant.slice(8, 10)}/${instant.slice(0, 4)}`
    expect(messageOf(over)).toBe(
      `${on(noon(2))} 12:30–13:30, ${site.Name}: it overlaps ${on(noon(2))} 13:00, ${site.Name}, so the hours would count twice. Edit or reject one of them.`,
    )
    expect(messageOf(outId)).toMatch(/: it overlaps .+ 12:30–13:30/)
    expect(messageOf(running)).toMatch(/the shift still runs/)
    // The one of them that somebody chose counts, and then the other one does not.
    const chosen = await approve({ Ids: [inId, outId, lost] })
    expect(chosen).toMatchObject({ Approved: 2, Minutes: 60, LeftOutCount: 1 })
    expect(reasonsOf(chosen)).toEqual({ [lost]: 'unmatched' })
    expect(reasonsOf(await approve({ Ids: [over, outId] }))).toEqual({
      [over]: 'overlaps',
      [outId]: 'decided',
    })
    expect(await hours()).toEqual({ approved: 60, pending: 150 })
    // Nobody refuses a time change by approving; once it is decided, its shift is approved.
    await coordinator.ok(decideTimeChange, { params: at(asked.inId), body: { Accept: false } })
    expect(await approve({ Ids: [asked.inId, asked.outId] })).toMatchObject({ Approved: 2, LeftOut: [] })
    expect(await approve({ Filter: { Status: 'approved' } })).toMatchObject({ Approved: 0, LeftOutCount: 0 })
  })

  test('a time change is decided with its approval, from either half, or nothing of both happens', async () => {
    const ask = async (id: number, minutes: number) =>
      installation.owner.query(
        `update time_record set change_to = occurred_at + make_interval(mins => $2), change_status = 'asked', change_reason = 'x' where id = $1`,
        [id, minutes],
      )
    const read = (id: number) => coordinator.ok(contract.getTimeRecord, { params: at(id) })
    for (const [TimeChanges, Status, Minutes] of [
      ['accept', 'accepted', 80],
      ['decline', 'refused', 60],
    ] as const) {
      const { inId, outId } = await pair(noon(TimeChanges === 'accept' ? 2 : 3), 60, { insight: 3 })
      await ask(outId, 20)
      // The other half says why it waits.
      expect((await read(inId)).Reasons).toEqual([{ Code: 'change_asked' }])
      const before = await read(outId)
      const approved = await approve({ Ids: [inId, outId], TimeChanges })
      expect(approved).toMatchObject({ Approved: 2, Minutes, LeftOut: [] })
      expect((await read(outId)).TimeChangeRequest?.Status).toBe(Status)
      // Undone, it is asked for again, and nothing of it has happened.
      await coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt: approved.DecidedAt! } })
      const { TimeChangeRequest, OccurredAt, Minutes: now } = before
      expect(await read(outId)).toMatchObject({
        Status: 'pending',
        OccurredAt,
        Minutes: now,
        TimeChangeRequest: { ...TimeChangeRequest, Status: 'asked' },
        Reasons: expect.arrayContaining([{ Code: 'change_asked' }]),
        Insight: 3,
      })
    }
    const half = await pair(noon(4), 60)
    await ask(half.outId, 20)
    expect(await approve({ Ids: [half.inId], TimeChanges: 'accept' })).toMatchObject({ Approved: 1 })
    const over = await pair(noon(5), 60)
    await ask(over.outId, 20)
    await record('exception', later(noon(5), 30), {
      minutes: 60,
      ends_at: later(noon(5), 90),
      status: 'approved',
    })
    const refused = await coordinator.call(approveTimeRecords, {
      params: params(),
      body: { Ids: [over.inId, over.outId], TimeChanges: 'decline' },
    })
    expect([refused.status, (refused.body as any).Code]).toEqual([409, 'left_out'])
    expect(await read(over.outId)).toMatchObject({
      Status: 'pending',
      TimeChangeRequest: { Status: 'asked' },
    })
  })

  test('an undone approval leaves alone the time change of the other half that was decided before', async () => {
    const { inId, outId } = await pair(noon(2), 60)
    const ask = (id: number) =>
      installation.owner.query(
        `update time_record set change_to = occurred_at - interval '20 minutes', change_status = 'asked', change_reason = 'x' where id = $1`,
        [id],
      )
    const read = (id: number) => coordinator.ok(contract.getTimeRecord, { params: at(id) })
    await ask(inId)
    await coordinator.ok(decideTimeChange, { params: at(inId), body: { Accept: true } })
    const before = await read(inId)
    await ask(outId)
    const { DecidedAt } = await approve({ Ids: [inId, outId], TimeChanges: 'accept' })
    await coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt: DecidedAt! } })
    const { OccurredAt, TimeChangeRequest } = before
    expect(await read(inId)).toMatchObject({ OccurredAt, TimeChangeRequest })
    expect((await read(outId)).TimeChangeRequest?.Status).toBe('asked')
  })

  test('what was decided together is listed for a day, and taken back with a trace', async () => {
    const one = await pair(noon(2), 100)
    const two = await pair(noon(3), 50)
    const three = await record('exception', noon(4), { minutes: 30, ends_at: later(noon(4), 30) })
    const { DecidedAt } = await approve({ Ids: [one.inId, one.outId, two.inId, two.outId] })
    await coordinator.ok(rejectTimeRecords, { params: params(), body: { Ids: [three], Reason: 'x' } })
    const listed = () => coordinator.ok(listDecisions, { params: params() })
    expect(await listed()).toMatchObject([
      { Status: 'rejected', Records: 1, Minutes: 30 },
      { DecidedAt, Status: 'approved', Records: 4, Minutes: 150 },
    ])
    const other = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    expect(await other.ok(listDecisions, { params: params() })).toEqual([])
    await coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt: DecidedAt! } })
    expect(await listed()).toMatchObject([{ Status: 'rejected' }])
    const { rows } = await installation.owner.query(
      `select detail from audit where program_id = $1 and action = 'POST /programs/:programId/time-records/undos'`,
      [program.Id],
    )
    expect(rows).toMatchObject([{ detail: { DecidedAt, Undone: 4 } }])
    await installation.owner.query(
      "update time_record set decided_at = decided_at - interval '25 hours' where id = $1",
      [three],
    )
    expect(await listed()).toEqual([])
  })

  test('neither ids nor a filter, or both, are refused', async () => {
    for (const body of [{}, { Ids: [1], Filter: {} }, { Ids: [] }]) {
      const { status } = await coordinator.call(approveTimeRecords, {
        params: params(),
        body: body as never,
      })
      expect(status).toBe(400)
    }
  })

  test('a thousand at once are one call of few statements, and the sums stay exact', async () => {
    await installation.owner.query(
      `insert into time_record (program_id, student_id, site_id, kind, occurred_at, date, minutes)
       select $1, $2, $3, 'exception', now() - make_interval(hours => n), current_date, 30 from generate_series(1, 1000) n`,
      [program.Id, student.Id, site.Id],
    )
    expect(await approve({ Filter: { Status: 'pending' } })).toMatchObject({
      Approved: 1000,
      Minutes: 30_000,
    })
    expect(await hours()).toEqual({ approved: 30_000, pending: 0 })
  })

  test('undo makes exactly that approval pending again', async () => {
    const first = await pair(noon(2), 100)
    await approve({ Ids: [first.outId] })
    const second = await pair(noon(3), 200)
    const { DecidedAt } = await approve({ Ids: [second.inId, second.outId] })
    const { Undone } = await coordinator.ok(undoDecisions, {
      params: params(),
      body: { DecidedAt: DecidedAt! },
    })
    expect(Undone).toBe(2)
    expect(await hours()).toEqual({ approved: 100, pending: 200 })
  })

  test('one of many that were decided together is undone alone, with its other half', async () => {
    const [one, two] = [await pair(noon(2), 100), await pair(noon(3), 200)]
    const three = await record('exception', noon(4), { minutes: 30, ends_at: later(noon(4), 30) })
    const unlike = await pair(noon(5), 400)
    const body = { Ids: [one.inId, one.outId, two.inId, two.outId, three] }
    const DecidedAt = (await approve(body)).DecidedAt!
    await approve({ Ids: [unlike.inId, unlike.outId] })
    const decided = async (page = 1, pageSize = 10) => {
      const query = { DecidedAt, page, pageSize }
      const { Items, Total } = await coordinator.ok(listDecided, { params: params(), query })
      return [Items.map(({ Id }) => Id), Total]
    }
    const undo = (Ids?: number[]) =>
      coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt, ...(Ids && { Ids }) } })
    expect(await decided()).toEqual([[three, two.inId, two.outId, one.inId, one.outId], 5])
    expect(await decided(2, 3)).toEqual([[one.inId, one.outId], 5])
    // A record of another approval is not undone by the name of this one.
    expect(await undo([one.outId, unlike.inId])).toEqual({ Undone: 2 })
    expect(await hours()).toEqual({ approved: 630, pending: 100 })
    expect(await undo([one.outId])).toEqual({ Undone: 0 })
    expect(await undo([three])).toEqual({ Undone: 1 })
    expect(await decided()).toEqual([[two.inId, two.outId], 2])
    expect(await coordinator.ok(listDecisions, { params: params() })).toMatchObject([
      { Records: 2, Minutes: 400 },
      { DecidedAt, Records: 2, Minutes: 200 },
    ])
    const { rows } = await installation.owner.query(
      `select detail, (select jsonb_agg(r ->> 'Type') from jsonb_array_elements(detail -> 'Records') r) as told from audit
       where program_id = $1 and action = 'POST /programs/:programId/time-records/undos' and subject_id = $2 order by id`,
      [program.Id, student.Id],
    )
    expect(rows).toMatchObject([
      { detail: { DecidedAt, Chosen: 2, Undone: 2 }, told: ['Clock in', 'Clock out'] },
      { detail: { DecidedAt, Chosen: 1, Undone: 1 }, told: ['Exception'] },
    ])
    expect(await undo()).toEqual({ Undone: 2 })
    expect(await hours()).toEqual({ approved: 400, pending: 330 })
  })

  test('nobody undoes or lists what another approved', async () => {
    const { outId } = await pair(noon(2), 100)
    const DecidedAt = (await approve({ Ids: [outId] })).DecidedAt!
    const other = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    for (const body of [{ DecidedAt }, { DecidedAt, Ids: [outId] }])
      expect(await other.ok(undoDecisions, { params: params(), body })).toEqual({ Undone: 0 })
    expect(await other.ok(listDecided, { params: params(), query: { DecidedAt } })).toMatchObject({
      Total: 0,
    })
  })

  test('two people who approve the same records at once approve each of them once', async () => {
    for (let days = 2; days < 22; days++) await pair(noon(days), 60)
    const other = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const answers = await Promise.all([approve({ Filter: {} }), approve({ Filter: {} }, other)])
    expect(answers.reduce((sum, { Approved }) => sum + Approved, 0)).toBe(40)
    expect(await hours()).toEqual({ approved: 20 * 60, pending: 0 })
  })
})

describe('A30 pending records by shift', () => {
  const shifts = (query: Record<string, unknown> = {}) =>
    coordinator.ok(contract.listPendingShifts, { params: params(), query: query as never })

  test('a pair is one row with the clock-in first; what needs a look comes before the rest', async () => {
    const clean = await pair(noon(2), 480)
    const careful = await pair(noon(3), 300, { insight: 3, reasons: [{ Code: 'offline' }] })
    const lost = await record('in', noon(4))
    await record('in', ago(10 * minute))
    const answer = await shifts()
    expect(
      answer.Items.map(({ Records, Minutes, Insight }) => [Records.map(({ Id }) => Id), Minutes, Insight]),
    ).toEqual([
      [[careful.inId, careful.outId], 300, 3],
      [[lost], 0, 'u'],
      [[clean.inId, clean.outId], 480, 1],
    ])
    expect([answer.Total, answer.Totals]).toEqual([3, { Shifts: 3, Clean: 1, Minutes: 780 }])
    const last = await shifts({ page: 2, pageSize: 2 })
    expect(last.Items.map(({ Insight }) => Insight)).toEqual([1])
    expect(last.Totals.Shifts).toBe(3)
  })

  test('the graver half speaks for the pair, and a half that is decided still shows', async () => {
    const one = await pair(noon(2), 480)
    await installation.owner.query(
      `update time_record set insight = 2, reasons = '[{"Code": "no_position"}]' where id = $1`,
      [one.inId],
    )
    expect((await shifts()).Items[0]!.Insight).toBe(2)
    await approve({ Ids: [one.inId] })
    const [item] = (await shifts()).Items
    expect(item!.Records.map(({ Status }) => Status)).toEqual(['approved', 'pending'])
    expect(item!.Insight).toBe(1)
  })
})

describe('approving absences', () => {
  test('tells each student once, of a day by its date; hours are told of by their record alone', async () => {
    const other = await makeStudent(installation.owner, program)
    await pair(noon(2), 480)
    const own = await record('absence', noon(3), { minutes: 480 })
    const [first, second] = [
      await record('absence', noon(3), { student_id: other.Id, minutes: 480 }),
      await record('absence', noon(4), { student_id: other.Id, minutes: 480 }),
    ]
    await approve({ Filter: {} })
    await approve({ Ids: [own, first, second] })
    const { rows } = await installation.owner.query(
      'select account_id, text, link from notification where account_id = any ($1) order by account_id = $2 desc',
      [[student.Id, other.Id], student.Id],
    )
    expect(rows).toEqual([
      {
        account_id: student.Id,
        text: `Your absence on ${formatDate(noon(3).slice(0, 10))} was approved.`,
        link: '/new/hours',
      },
      { account_id: other.Id, text: '2 of your absences were approved.', link: '/new/hours' },
    ])
  })
})

describe('rejecting', () => {
  const reject = (Ids: number[], caller = coordinator, Reason = 'Left early') =>
    caller.call(rejectTimeRecords, { params: params(), body: { Ids, Reason } })

  test('needs a reason, tells the student, and leaves the other half unmatched without hours', async () => {
    const { inId, outId } = await pair(noon(2), 510)
    expect((await reject([inId], coordinator, ' ')).status).toBe(400)
    expect((await reject([inId])).body).toMatchObject({ Rejected: 1 })
    expect(await hours()).toEqual({ approved: 0, pending: 0 })
    const { Items } = await list({ Insight: 'u' })
    expect(Items.map(({ Id }) => Id)).toEqual([outId])
    const { rows } = await installation.owner.query('select text from notification where account_id = $1', [
      student.Id,
    ])
    expect(rows[0].text).toMatch(/was rejected: Left early/)
  })

  test('takes back no approval that the caller has not seen', async () => {
    const { inId, outId } = await pair(noon(2), 510)
    await approve({ Ids: [inId, outId] })
    const unseen = await reject([inId])
    expect([unseen.status, (unseen.body as any).Code]).toEqual([409, 'approved'])
    expect(await hours()).toEqual({ approved: 510, pending: 0 })
    const seen = await coordinator.ok(rejectTimeRecords, {
      params: params(),
      body: { Ids: [inId], Reason: 'x', SeenApproved: [inId, outId] },
    })
    expect(seen.Rejected).toBe(1)
  })

  test('undo joins the halves again', async () => {
    const { inId } = await pair(noon(2), 510)
    const { body } = await reject([inId])
    await coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt: body.DecidedAt! } })
    expect(await hours()).toEqual({ approved: 0, pending: 510 })
    expect((await list({ Insight: 'u' })).Items).toEqual([])
  })
})

describe("D3-007 a supervisor's sites", () => {
  let supervisor: Caller
  let theirs: { inId: number; outId: number }
  let foreign: { inId: number; outId: number }
  beforeEach(async () => {
    const own = await makeSite(installation.owner, program, { time_zone: 'UTC' })
    supervisor = await installation.as(await makeSupervisor(installation.owner, program, [own.Id]))
    theirs = await pair(noon(2), 120, { site_id: own.Id })
    foreign = await pair(noon(3), 240)
  })
  test('bound list and counts', async () => {
    const { Items, Total } = await supervisor.ok(contract.listTimeRecords, { params: params() })
    expect(Items.map(({ Id }) => Id).toSorted()).toEqual([theirs.inId, theirs.outId].toSorted())
    expect(Total).toBe(2)
    expect(await supervisor.ok(contract.countTimeRecords, { params: params() })).toMatchObject({
      All: 2,
      Minutes: 120,
    })
  })
  test('bound approval, rejection and every single record: others are simply not there', async () => {
    expect(await approve({ Ids: [foreign.outId, theirs.outId] }, supervisor)).toMatchObject({
      Approved: 1,
      Minutes: 120,
    })
    expect(await approve({ Filter: {} }, supervisor)).toMatchObject({ Approved: 1 })
    const rejected = await supervisor.ok(rejectTimeRecords, {
      params: params(),
      body: { Ids: [foreign.inId], Reason: 'x' },
    })
    expect(rejected.Rejected).toBe(0)
    expect((await supervisor.call(contract.getTimeRecord, { params: at(foreign.inId) })).status).toBe(404)
    const edit = { Date: noon(3).slice(0, 10), Time: '11:00', Reason: 'x' }
    expect(
      (await supervisor.call(contract.editTimeRecord, { params: at(foreign.inId), body: edit })).status,
    ).toBe(404)
    expect((await supervisor.call(contract.deleteTimeRecord, { params: at(foreign.inId) })).status).toBe(404)
    expect(await hours()).toEqual({ approved: 120, pending: 240 })
  })
  test('bound the export', async () => {
    const { body } = await supervisor.send('GET', `/programs/${program.Id}/time-records/export?Format=csv`)
    expect(
      body.split('\r\n').filter((line: string) => /^\w/.test(line) && !line.startsWith('T')),
    ).toHaveLength(2)
  })
  test('ForbidCsLogclockEditing leaves changes to the program', async () => {
    const edit = { Date: noon(2).slice(0, 10), Time: '11:00', Reason: 'x' }
    const change = () => supervisor.call(contract.editTimeRecord, { params: at(theirs.inId), body: edit })
    expect((await change()).status).toBe(200)
    await installation.owner.query(
      'update site set forbid_cs_logclock_editing = true where program_id = $1',
      [program.Id],
    )
    const refused = await change()
    expect(refused.status).toBe(422)
    expect((refused.body as any).Code).toBe('ForbidCsLogclockEditing')
    expect(
      (await coordinator.call(contract.editTimeRecord, { params: at(theirs.inId), body: edit })).status,
    ).toBe(200)
  })
})

test('E1 a supervisor does not accept a time change where the site forbids their changes', async () => {
  const own = await makeSite(installation.owner, program, { time_zone: 'UTC' })
  const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [own.Id]))
  const { outId } = await pair(noon(2), 120, { site_id: own.Id })
  await installation.owner.query(
    `update time_record set change_to = occurred_at + interval '20 minutes', change_reason = 'x', change_status = 'asked'
     where id = $1`,
    [outId],
  )
  await installation.owner.query('update site set forbid_cs_logclock_editing = true where id = $1', [own.Id])
  const decide = (Accept: boolean) =>
    supervisor.call(decideTimeChange, { params: at(outId), body: { Accept } })
  const refused = await decide(true)
  expect([refused.status, (refused.body as any).Code]).toEqual([422, 'ForbidCsLogclockEditing'])
  expect((await decide(false)).status).toBe(200)
})

test('E1 a deleted record of such a site is not restored by a supervisor either', async () => {
  const own = await makeSite(installation.owner, program, { time_zone: 'UTC' })
  const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [own.Id]))
  const id = await record('exception', noon(2), { site_id: own.Id, minutes: 60 })
  await supervisor.ok(contract.deleteTimeRecord, { params: at(id) })
  await installation.owner.query('update site set forbid_cs_logclock_editing = true where id = $1', [own.Id])
  expect((await supervisor.call(contract.restoreTimeRecord, { params: at(id) })).status).toBe(422)
})

test('E1 what comes back over other hours is refused by name, and nothing changes', async () => {
  const id = await record('exception', noon(2), { minutes: 60, ends_at: later(noon(2), 60) })
  await coordinator.ok(contract.deleteTimeRecord, { params: at(id) })
  await pair(later(noon(2), 30), 60)
  const { status, body } = await coordinator.call(contract.restoreTimeRecord, { params: at(id) })
  expect([status, (body as any).Code]).toEqual([409, 'overlap'])
  expect((body as any).Message).toMatch(/^First\d+ Last\d+ has other time on .+ from 12:30 to 13:30 at Site/)
  expect((await coordinator.call(contract.getTimeRecord, { params: at(id) })).status).toBe(404)
})

test('records edited in a period are found by who edited them, with what they were before, in the list, the count and the file', async () => {
  const other = await makePerson(installation.owner, Level.Coord, {
    program,
    first_name: 'Ana',
    last_name: 'Reyes',
  })
  const ana = await installation.as(other)
  const second = await makeSite(installation.owner, program, { time_zone: 'UTC', name: 'Second' })
  await installation.owner.query(`update program set time_zone = 'America/Los_Angeles' where id = $1`, [
    program.Id,
  ])
  const edit = async (caller: Caller, id: number, body: object, editedAt: string) => {
    const { Date: on } = await caller.ok(contract.getTimeRecord, { params: at(id) })
    await caller.ok(contract.editTimeRecord, {
      params: at(id),
      body: { Date: on, Reason: 'Badge', ...body } as never,
    })
    await installation.owner.query(
      `update time_record set history = jsonb_set(history, '{-1,At}', to_jsonb($2::text)) where id = $1`,
      [id, editedAt],
    )
  }
  const { inId, outId } = await pair(noon(40), 240)
  const makeup = await record('makeup', noon(41), { minutes: 60, ends_at: later(noon(41), 60) })
  await record('exception', noon(42), { minutes: 30, ends_at: later(noon(42), 30) })
  // Six in the evening of March 4 and one in the morning of March 5, where the program is.
  await edit(coordinator, inId, { Time: '11:55' }, '2026-03-05T02:00:00Z')
  await edit(ana, inId, { Time: '11:50' }, '2026-03-05T09:00:00Z')
  await edit(ana, outId, { Time: '16:05' }, '2026-03-20T12:00:00Z')
  await edit(ana, makeup, { Time: '12:00', EndTime: '13:30', SiteId: second.Id }, '2026-03-05T09:30:00Z')
  const found = async (query: Record<string, unknown>) => {
    const { Items, Total } = await list(query)
    expect(Total).toBe(Items.length)
    const { All } = await coordinator.ok(contract.countTimeRecords, {
      params: params(),
      query: query as never,
    })
    expect(All).toBe(Items.length)
    const asked = new URLSearchParams({ ...(query as object), Format: 'csv' })
    const { body } = await coordinator.send('GET', `/programs/${program.Id}/time-records/export?${asked}`)
    const lines = String(body)
      .trim()
      .split('\n')
      .filter((line) => !line.includes('Total: '))
    if (Object.keys(query).length === 0) expect(lines).toHaveLength(Items.length + 1)
    return Items.map(({ Id }) => Id).toSorted()
  }
  const [march4, march5] = ['2026-03-04', '2026-03-05']
  expect(await found({})).toHaveLength(4)
  expect(await found({ EditedFrom: march4, EditedThrough: march4 })).toEqual([inId])
  expect(await found({ EditedFrom: march5, EditedThrough: march5 })).toEqual([inId, makeup])
  expect(await found({ EditedFrom: '2026-03-06' })).toEqual([outId])
  expect(await found({ EditedThrough: '2026-03-03' })).toEqual([])
  expect(await found({ EditedById: other.Id })).toEqual([inId, outId, makeup])
  // One edit meets both: theirs of that day was somebody else's.
  expect(await found({ EditedById: other.Id, EditedFrom: march4, EditedThrough: march4 })).toEqual([])
  // The file has a row for each edit of the days, also those that were edited again.
  const edits = async (query: Record<string, string>) => {
    const asked = new URLSearchParams({ ...query, Format: 'csv' })
    const { body } = await coordinator.send('GET', `/programs/${program.Id}/time-records/export?${asked}`)
    const [head, ...lines] = String(body).trim().split('\r\n')
    expect(head).toMatch(
      /Edited,Edited by,Type,Student,Student level,Before,After,Reason,Record ID,Student ID$/,
    )
    return lines.map((line) =>
      line.replace(/"([^"]*)"/g, (_all, text: string) => text.replaceAll(',', ';')).split(','),
    )
  }
  const day40 = noon(40).slice(0, 10)
  const told = `${day40.slice(5, 7)}/${day40.slice(8)}/${day40.slice(0, 4)}`
  const [only, ...none] = await edits({ EditedFrom: march4, EditedThrough: march4 })
  expect(none).toEqual([])
  expect(only?.slice(0, 3)).toEqual(['03/04/2026 18:00', expect.any(String), 'Clock in'])
  expect(only?.slice(5, 8)).toEqual([`${told} 12:00; ${site.Name}`, `${told} 11:55; ${site.Name}`, 'Badge'])
  const theirs = await edits({ EditedById: String(other.Id) })
  expect(theirs.map((cells) => [cells[0], cells[1], cells[2]])).toEqual([
    ['03/20/2026 05:00', 'Ana Reyes', 'Clock out'],
    ['03/05/2026 01:30', 'Ana Reyes', 'Makeup'],
    ['03/05/2026 01:00', 'Ana Reyes', 'Clock in'],
  ])
  expect(theirs[1]?.[6]).toMatch(/12:00–13:30; Second$/)
  expect(theirs[2]?.[5]).toBe(`${told} 11:55; ${site.Name}`)
  const [row] = (await list({ EditedFrom: march5, Type: 'makeup' })).Items
  expect(row).toMatchObject({
    Time: '12:00',
    EndTime: '13:30',
    Location: 'Second',
    Edits: 1,
    LastEdit: {
      At: '2026-03-05T09:30:00Z',
      By: 'Ana Reyes',
      WasDate: noon(41).slice(0, 10),
      WasTime: '12:00',
      WasEndTime: '13:00',
      WasLocation: site.Name,
      Reason: 'Badge',
    },
  })
  expect((await coordinator.ok(contract.getTimeRecord, { params: at(makeup) })).History).toMatchObject([
    { EndsAt: later(noon(41), 60).replace('.000', ''), Site: site.Name },
  ])
  const choices = await coordinator.ok(listSchedulingOptions, { params: params(), query: { Kind: 'editor' } })
  expect(choices.Items).toHaveLength(2)
  expect(choices.Items.map(({ Id, Name }) => [Id, Name])).toContainEqual([other.Id, 'Reyes, Ana'])
})

describe('A32 a night', () => {
  const night = async () => {
    const date = noon(3).slice(0, 10)
    const rotation = await makeRotation(installation.owner, program)
    const shift = await makeShift(installation.owner, program, { site })
    const { id } = await makeRow(installation.owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: student.Id,
      date,
      starts_at: `${date}T23:00:00Z`,
      ends_at: later(`${date}T23:00:00Z`, 510),
    })
    return { date, morning: noon(2).slice(0, 10), assignment_id: id as number }
  }

  test('a clock-out that staff add in the morning belongs to the shift of the night', async () => {
    const { date, morning, assignment_id } = await night()
    const inId = await record('in', `${date}T22:54:00Z`, { assignment_id })
    const out = await coordinator.ok(contract.addTimeRecord, {
      params: params(),
      body: { StudentId: student.Id, Kind: 'out', Date: morning, Time: '07:31', PartnerId: inId },
    })
    expect(out).toMatchObject({
      Date: morning,
      Time: '07:31',
      ShiftEnd: '07:30',
      OffsetMinutes: 1,
      Minutes: 517,
    })
  })

  test('an edit of the clock-out keeps its day and its shift', async () => {
    const { date, morning, assignment_id } = await night()
    const { outId } = await pair(`${date}T22:54:00Z`, 517, { assignment_id })
    await installation.owner.query('update time_record set date = occurred_at::date where id = $1', [outId])
    const { Date: on } = await coordinator.ok(contract.getTimeRecord, { params: at(outId) })
    const edited = await coordinator.ok(contract.editTimeRecord, {
      params: at(outId),
      body: { Date: on, Time: '07:20', Reason: 'x' },
    })
    expect(edited).toMatchObject({ Date: morning, Time: '07:20', OffsetMinutes: -10, ShiftStart: '23:00' })
  })
})

describe('D3-084 changes', () => {
  test('an edit moves the minutes of the pair and keeps the old value', async () => {
    const { inId, outId } = await pair(noon(2), 480)
    const edited = await coordinator.ok(contract.editTimeRecord, {
      params: at(inId),
      body: { Date: noon(2).slice(0, 10), Time: '11:30', Reason: 'Phone was locked' },
    })
    expect(edited).toMatchObject({ Time: '11:30', Edits: 1 })
    const out = await coordinator.ok(contract.getTimeRecord, { params: at(outId) })
    expect(out.Minutes).toBe(510)
    const { History } = await coordinator.ok(contract.getTimeRecord, { params: at(inId) })
    expect(History).toMatchObject([
      { OccurredAt: expect.stringMatching(/T12:00:00Z$/), Reason: 'Phone was locked' },
    ])
    expect(await hours()).toEqual({ approved: 0, pending: 510 })
    // Whoever moves a half, a pair that is much longer than a shift is looked at closely, until it is not.
    const move = (id: number, on: string, Time: string) =>
      coordinator.ok(contract.editTimeRecord, { params: at(id), body: { Date: on, Time, Reason: 'x' } })
    const insight = async () => (await coordinator.ok(contract.getTimeRecord, { params: at(outId) })).Insight
    await move(inId, noon(3).slice(0, 10), '21:00')
    expect(await insight()).toBe(3)
    await move(inId, noon(2).slice(0, 10), '11:30')
    expect(await insight()).toBe(1)
    await move(outId, noon(1).slice(0, 10), '11:00')
    expect(await insight()).toBe(3)
    const alone = await record('out', noon(6))
    const added = await coordinator.ok(contract.addTimeRecord, {
      params: params(),
      body: {
        StudentId: student.Id,
        Kind: 'in',
        Date: noon(7).slice(0, 10),
        Time: '13:00',
        PartnerId: alone,
      },
    })
    // The clock-in is fine by itself, but not the 23 hours that it makes.
    expect(added).toMatchObject({ Insight: 3, Reasons: [{ Code: 'by_staff' }, { Code: 'other_half' }] })
    expect(await coordinator.ok(contract.getTimeRecord, { params: at(alone) })).toMatchObject({
      Minutes: 23 * 60,
      Insight: 3,
      Reasons: [{ Code: 'too_long', Value: 23 * 60 }],
    })
  })

  test('an edit is refused when the end would come first, when hours overlap, or the clocks skip the time', async () => {
    const { inId } = await pair(noon(2), 60)
    await pair(later(noon(2), 120), 60)
    const edit = (Time: string, on = noon(2).slice(0, 10)) =>
      coordinator.call(contract.editTimeRecord, { params: at(inId), body: { Date: on, Time, Reason: 'x' } })
    expect((await edit('13:30')).status).toBe(422)
    const { outId } = await pair(noon(4), 60)
    const over = await coordinator.call(contract.editTimeRecord, {
      params: at(outId),
      body: { Date: noon(2).slice(0, 10), Time: '14:30', Reason: 'x' },
    })
    expect([409, 422]).toContain(over.status)
    await installation.owner.query("update site set time_zone = 'America/New_York' where id = $1", [site.Id])
    expect((await edit('02:30', '2026-03-08')).body).toMatchObject({ Code: 'skipped_time' })
  })

  test('an accepted change gives the punch its time and settles the doubt; a refused one leaves both', async () => {
    const asked = (to: string) => ({
      change_to: to,
      change_reason: 'Stayed longer',
      change_status: 'asked',
      insight: 3,
      reasons: [{ Code: 'change_asked' }],
    })
    const one = await pair(noon(2), 480)
    await installation.owner.query(
      `update time_record set change_to = $2, change_status = 'asked', change_reason = 'x', insight = 3, reasons = '[{"Code":"change_asked"}]' where id = $1`,
      [one.outId, later(noon(2), 510)],
    )
    const accepted = await coordinator.ok(decideTimeChange, {
      params: at(one.outId),
      body: { Accept: true },
    })
    expect(accepted).toMatchObject({ Time: '20:30', Minutes: 510, Insight: 1, Reasons: [] })
    // What it was stays to be seen, also after the next edit.
    const was = { WasDate: noon(2).slice(0, 10), WasTime: '20:00', Time: '20:30', Status: 'accepted' }
    expect(accepted.TimeChangeRequest).toMatchObject(was)
    const edited = await coordinator.ok(contract.editTimeRecord, {
      params: at(one.outId),
      body: { Date: accepted.Date, Time: '20:40', Reason: 'As the supervisor wrote' },
    })
    expect(edited).toMatchObject({ Time: '20:40', TimeChangeRequest: was })
    await coordinator.ok(contract.editTimeRecord, {
      params: at(one.outId),
      body: { Date: accepted.Date, Time: '20:30', Reason: 'As it was' },
    })
    expect(await hours()).toEqual({ approved: 0, pending: 510 })
    const two = await record('in', noon(4), asked(later(noon(4), -30)))
    const refused = await coordinator.ok(decideTimeChange, {
      params: at(two),
      body: { Accept: false, Reason: 'The roster says 12:00' },
    })
    expect(refused).toMatchObject({ Time: '12:00', Reasons: [], TimeChangeRequest: { WasTime: '12:00' } })
    const again = await coordinator.call(decideTimeChange, {
      params: at(two),
      body: { Accept: true },
    })
    expect(again.status).toBe(409)
  })

  test('an edit by staff decides an open change only by another time, and the student is told what became of it', async () => {
    const day = noon(4).slice(0, 10)
    const change = async (Time: string) => {
      const id = await record('in', noon(4), {
        change_to: later(noon(4), -30),
        change_reason: 'I came early',
        change_status: 'asked',
        insight: 3,
        reasons: [{ Code: 'change_asked' }],
      })
      const body = { Date: day, Time, SiteId: site.Id, Reason: 'As the roster says' }
      const { TimeChangeRequest, Reasons } = await coordinator.ok(contract.editTimeRecord, {
        params: at(id),
        body,
      })
      const { rows } = await installation.owner.query(
        "select text from notification where account_id = $1 and kind = 'time_change_decided' order by id desc limit 1",
        [student.Id],
      )
      await installation.owner.query('update time_record set deleted_at = now() where id = $1', [id])
      return [TimeChangeRequest?.Status, Reasons.map(({ Code }) => Code), rows[0]?.text]
    }
    const told = (what: string) => expect.stringMatching(new RegExp(`11:30 was ${what}: As the roster says$`))
    expect(await change('12:00')).toEqual(['asked', ['change_asked'], undefined])
    expect(await change('12:10')).toEqual(['refused', [], told('declined')])
    expect(await change('11:30')).toEqual(['accepted', [], told('accepted')])
  })

  test('D3-083 the other half makes a pair of an unmatched punch', async () => {
    const inId = await record('in', noon(3))
    const added = await coordinator.ok(contract.addTimeRecord, {
      params: params(),
      body: {
        StudentId: student.Id,
        Kind: 'out',
        PartnerId: inId,
        Date: noon(3).slice(0, 10),
        Time: '20:00',
      },
    })
    expect(added).toMatchObject({
      Type: 'out',
      Minutes: 480,
      PartnerId: inId,
      Source: 'staff',
      Location: site.Name,
      Insight: 2,
      Reasons: [{ Code: 'by_staff' }],
    })
    expect((await list({ Insight: 'u' })).Total).toBe(0)
    // No clock saw it: it is not approved along with what is clean.
    expect(await approve({ Filter: { Insight: '1' } })).toMatchObject({ Approved: 0 })
    const twice = await coordinator.call(contract.addTimeRecord, {
      params: params(),
      body: {
        StudentId: student.Id,
        Kind: 'out',
        PartnerId: inId,
        Date: noon(3).slice(0, 10),
        Time: '21:00',
      },
    })
    expect(twice.status).toBe(409)
  })

  test('every filter alone is answered by the list, its counts, what can be approved and the file', async () => {
    await pair(noon(3), 300)
    const { StudentId, SiteId } = (await list()).Items[0]!
    const day = noon(3).slice(0, 10)
    const values: Record<string, unknown> = {
      Status: 'pending',
      IsTakenBack: true,
      AreaId: 1,
      SiteId,
      StudentId,
      StudentLevelId: 1,
      StudentLevelIds: [1, 2],
      Cohort: '2026',
      Type: 'out',
      IsLate: true,
      IsLeftOut: true,
      FromDate: day,
      ThroughDate: day,
      EditedFrom: day,
      EditedThrough: day,
      EditedById: 1,
      MyStudents: true,
      MySites: true,
      Insight: '1',
    }
    const { shape } = contract.TimeFilters
    expect(Object.keys(shape).toSorted()).toEqual(Object.keys(values).toSorted())
    for (const [name, value] of Object.entries(values)) {
      const query = { [name]: value }
      const isCounted = name !== 'Status' && name !== 'Insight'
      const answers = await Promise.all([
        coordinator.call(contract.listTimeRecords, { params: params(), query }),
        coordinator.call(contract.exportTimeRecords, {
          params: params(),
          query: { ...query, Format: 'csv' },
        }),
        coordinator.call(previewApproval, { params: params(), query }),
        isCounted
          ? coordinator.call(contract.countTimeRecords, { params: params(), query })
          : { status: 200 },
      ])
      expect([name, ...answers.map(({ status }) => status)]).toEqual([name, 200, 200, 200, 200])
    }
  })

  test('a clock-out by staff leaves the forgotten clock-in of the day before alone, unless it is named', async () => {
    const inId = await record('in', noon(3))
    const out = (Time: string, more: { PartnerId?: number; SiteId?: number }) =>
      coordinator.ok(contract.addTimeRecord, {
        params: params(),
        body: { StudentId: student.Id, Kind: 'out', Date: noon(2).slice(0, 10), Time, ...more },
      })
    expect(await out('10:00', { SiteId: site.Id })).toMatchObject({ Minutes: 0, PartnerId: null })
    expect(await out('11:00', { PartnerId: inId })).toMatchObject({ Minutes: 23 * 60, PartnerId: inId })
  })

  test('a record is added for own students only', async () => {
    const stranger = await makeStudent(installation.owner)
    const teacher = await makePerson(installation.owner, Level.Faculty, { program })
    for (const person of [stranger, teacher]) {
      const { status } = await coordinator.call(contract.addTimeRecord, {
        params: params(),
        body: {
          StudentId: person.Id,
          Kind: 'exception',
          SiteId: site.Id,
          Date: noon(3).slice(0, 10),
          Time: '08:00',
        },
      })
      expect(status).toBe(404)
    }
  })

  test('a deleted record is gone with its hours and comes back with them', async () => {
    const { inId } = await pair(noon(2), 300)
    await coordinator.ok(contract.deleteTimeRecord, { params: at(inId) })
    expect(await hours()).toEqual({ approved: 0, pending: 0 })
    await coordinator.ok(contract.restoreTimeRecord, { params: at(inId) })
    expect(await hours()).toEqual({ approved: 0, pending: 300 })
  })

  test('a rejected record that was deleted and restored stays apart from its other half until the rejection is undone', async () => {
    const { inId, outId } = await pair(noon(2), 300)
    const { DecidedAt } = await coordinator.ok(rejectTimeRecords, {
      params: params(),
      body: { Ids: [outId], Reason: 'x' },
    })
    await coordinator.ok(contract.deleteTimeRecord, { params: at(outId) })
    await coordinator.ok(contract.restoreTimeRecord, { params: at(outId) })
    expect((await coordinator.ok(contract.getTimeRecord, { params: at(inId) })).PartnerId).toBeNull()
    await coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt: DecidedAt! } })
    expect((await coordinator.ok(contract.getTimeRecord, { params: at(inId) })).PartnerId).toBe(outId)
    expect(await hours()).toEqual({ approved: 0, pending: 300 })
  })
})

describe('a half and its other half', () => {
  const date = noon(2).slice(0, 10)
  const moment = (time: string) => `${date}T${time}:00Z`
  const shown = async (id: number) => {
    const { Status, Minutes, PartnerId } = await coordinator.ok(contract.getTimeRecord, { params: at(id) })
    return { Status, Minutes, PartnerId }
  }
  const reject = async (...Ids: number[]) =>
    (
      await coordinator.ok(rejectTimeRecords, {
        params: params(),
        body: { Ids, Reason: 'x', SeenApproved: Ids },
      })
    ).DecidedAt!
  const undo = (DecidedAt: string) =>
    coordinator.call(undoDecisions, { params: params(), body: { DecidedAt } })
  const edit = (id: number, Time: string) =>
    coordinator.call(contract.editTimeRecord, { params: at(id), body: { Date: date, Time, Reason: 'x' } })
  const failureOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { Code: string }).Code,
  ]

  test('have minutes together, and none apart, also when the one that was rejected is edited', async () => {
    const { inId, outId } = await pair(moment('08:00'), 240)
    const alone = { Status: 'pending', Minutes: 0, PartnerId: null }
    const rejectedIn = await reject(inId)
    expect((await edit(inId, '08:00')).status).toBe(200)
    expect(await shown(outId)).toEqual(alone)
    const rejectedOut = await reject(outId)
    await undo(rejectedOut)
    expect(await shown(outId)).toEqual(alone)
    expect(await shown(inId)).toEqual({ ...alone, Status: 'rejected' })
    const { Items } = await list()
    expect(Items.map(({ Minutes }) => Minutes)).toEqual([0, 0])
    const { body } = await coordinator.send('GET', `/programs/${program.Id}/time-records/export?Format=csv`)
    expect(body).not.toContain('240')
    await undo(rejectedIn)
    expect(await shown(outId)).toEqual({ Status: 'pending', Minutes: 240, PartnerId: inId })
    await reject(outId)
    expect(await shown(outId)).toEqual({ ...alone, Status: 'rejected' })
    expect(await hours()).toEqual({ approved: 0, pending: 0 })
  })

  test('come together again only in order, and near enough', async () => {
    const { inId, outId } = await pair(moment('08:00'), 240)
    const restore = (id: number) => coordinator.call(contract.restoreTimeRecord, { params: at(id) })
    await coordinator.ok(contract.deleteTimeRecord, { params: at(inId) })
    await edit(outId, '07:30')
    const refused = await restore(inId)
    expect(failureOf(refused)).toEqual([422, 'order'])
    expect((refused.body as unknown as { Message: string }).Message).toMatch(
      /^The clock-in of First\d+ Last\d+ on .+ 08:00 would not come before the clock-out on .+ 07:30\. Nothing was changed; edit the clock-out first\.$/,
    )
    expect((await coordinator.call(contract.getTimeRecord, { params: at(inId) })).status).toBe(404)
    await edit(outId, '11:00')
    expect((await restore(inId)).status).toBe(200)
    expect(await shown(outId)).toMatchObject({ Minutes: 180, PartnerId: inId })

    const rejected = await reject(inId)
    await edit(outId, '08:00')
    expect(failureOf(await undo(rejected))).toEqual([422, 'order'])
    expect((await edit(inId, '07:00')).status).toBe(200)
    expect((await undo(rejected)).status).toBe(200)
    expect(await shown(outId)).toMatchObject({ Minutes: 60, PartnerId: inId })

    const again = await reject(outId)
    await coordinator.ok(contract.editTimeRecord, {
      params: at(inId),
      body: { Date: noon(4).slice(0, 10), Time: '07:00', Reason: 'x' },
    })
    expect(failureOf(await undo(again))).toEqual([422, 'too_long'])
    expect(await shown(inId)).toMatchObject({ Status: 'pending', PartnerId: null })
    expect(await hours()).toEqual({ approved: 0, pending: 0 })
  })

  test('come together again in whatever order they come back', async () => {
    const { inId, outId } = await pair(moment('08:00'), 240)
    const together = { Status: 'pending', Minutes: 240, PartnerId: inId }
    const first = await reject(inId)
    // One after the other, and at once.
    const second = await reject(outId)
    await undo(first)
    await undo(second)
    expect(await shown(outId)).toEqual(together)
    for (let round = 0; round < 4; round++) {
      const one = await reject(inId)
      const [, other] = await Promise.all([undo(one), reject(outId)])
      await undo(other)
      expect(await shown(outId)).toEqual(together)
      expect(await hours()).toEqual({ approved: 0, pending: 240 })
    }
    await coordinator.ok(contract.deleteTimeRecord, { params: at(inId) })
    await coordinator.ok(contract.deleteTimeRecord, { params: at(outId) })
    await coordinator.ok(contract.restoreTimeRecord, { params: at(inId) })
    await coordinator.ok(contract.restoreTimeRecord, { params: at(outId) })
    expect(await shown(outId)).toEqual(together)
  })

  test('that was approved and deleted waits for approval with the other one', async () => {
    const { inId, outId } = await pair(moment('08:00'), 240)
    await approve({ Ids: [inId, outId] })
    await coordinator.ok(contract.deleteTimeRecord, { params: at(outId) })
    await edit(inId, '06:00')
    await coordinator.ok(contract.restoreTimeRecord, { params: at(outId) })
    expect(await shown(outId)).toEqual({ Status: 'pending', Minutes: 360, PartnerId: inId })
    expect(await hours()).toEqual({ approved: 0, pending: 360 })
  })

  test('counts on every page as its clock-out is approved, and says that the other half waits', async () => {
    const { inId, outId } = await pair(moment('08:00'), 240)
    const count = async () => {
      const { Items } = await coordinator.ok(getHoursSummary, { params: params(), query: {} })
      const { Totals } = await coordinator.ok(getTimeSummaries, { params: params(), query: {} })
      return [await hours(), Items[0]?.Approved, Totals.Approved]
    }
    expect(await approve({ Ids: [inId] })).toMatchObject({ Halves: 1, ShiftMinutes: 0 })
    expect(await count()).toEqual([{ approved: 0, pending: 240 }, 0, 0])
    expect(await approve({ Ids: [outId] })).toMatchObject({ Halves: 0, ShiftMinutes: 240 })
    expect(await count()).toEqual([{ approved: 240, pending: 0 }, 240, 240])
  })

  test('is changed by no supervisor while the other one is approved', async () => {
    const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [site.Id]))
    const { inId, outId } = await pair(moment('08:00'), 240)
    await approve({ Ids: [outId] })
    const body = { Date: date, Time: '06:00', Reason: 'x' }
    expect(failureOf(await supervisor.call(contract.editTimeRecord, { params: at(inId), body }))).toEqual([
      409,
      'decided',
    ])
    expect(failureOf(await supervisor.call(contract.deleteTimeRecord, { params: at(inId) }))).toEqual([
      409,
      'decided',
    ])
    expect(await hours()).toEqual({ approved: 240, pending: 0 })
  })

  test('is there once a minute, whether it is added, moved or brought back', async () => {
    const add = (Kind: 'in' | 'out', Time: string) =>
      coordinator.call(contract.addTimeRecord, {
        params: params(),
        body: { StudentId: student.Id, Kind, SiteId: site.Id, Date: date, Time },
      })
    const first = await add('in', '13:30')
    expect(first.status).toBe(200)
    const second = await add('in', '13:30')
    expect(failureOf(second)).toEqual([409, 'overlap'])
    expect((second.body as unknown as { Message: string }).Message).toMatch(
      /^There is already a clock-in on .+ at 13:30\. Nothing was saved; change that record instead\.$/,
    )
    const later = await add('in', '13:31')
    expect(failureOf(await edit(later.body.Id, '13:30'))).toEqual([409, 'overlap'])
    expect((await edit(later.body.Id, '13:31')).status).toBe(200)
    await coordinator.ok(contract.deleteTimeRecord, { params: at(first.body.Id) })
    expect((await edit(later.body.Id, '13:30')).status).toBe(200)
    expect(
      failureOf(await coordinator.call(contract.restoreTimeRecord, { params: at(first.body.Id) })),
    ).toEqual([409, 'overlap'])
    // A shift may end in the minute in which the next one begins.
    const other = await pair(moment('08:00'), 60)
    expect((await add('in', '09:00')).status).toBe(200)
    expect(failureOf(await add('out', '09:00'))).toEqual([409, 'overlap'])
    expect((await shown(other.outId)).Minutes).toBe(60)
  })

  test('a database whose clock-outs have hours by themselves is put right', async () => {
    const lone = await record('out', noon(3), { minutes: 240, clock_minutes: 270, meal_minutes: 30 })
    const { outId } = await pair(noon(5), 60)
    const rejected = await record('out', noon(4), { minutes: 240, partner_id: outId, status: 'rejected' })
    const adopting = readFileSync(new URL('../../migrations/1000-baseline.sql', import.meta.url), 'utf8')
    await installation.owner.query(/-- The clock-out of a pair[\s\S]*?;\n\n/.exec(adopting)![0])
    expect((await shown(lone)).Minutes).toBe(0)
    expect((await shown(rejected)).Minutes).toBe(0)
    expect((await shown(outId)).Minutes).toBe(60)
  })
})

describe('emails', () => {
  test('D3-083 unmatched punches are written about once a day, one email a student, and it is kept', async () => {
    await record('in', noon(3))
    await record('in', noon(5))
    const silent = await makeStudent(installation.owner, program, { email: '' })
    await record('in', noon(4), { student_id: silent.Id })
    const write = () => coordinator.ok(mailUnmatched, { params: params(), body: {} })
    const { Subject } = await coordinator.ok(getReminderEmail, {
      params: params(),
      query: { Kind: 'unmatched' },
    })
    expect(Subject).toBe('Clock records that lack their other half: …')
    expect(await write()).toEqual({ Mailed: 1, Records: 2, WithoutAddress: 1 })
    expect((await write()).Mailed).toBe(0)
    const { rows } = await installation.owner.query(
      'select html, recipient from mail where program_id = $1',
      [program.Id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].html.match(/no clock-out/g)).toHaveLength(2)
    const { Items } = await list({ Insight: 'u', StudentId: student.Id })
    expect(Items.every(({ MailedAt }) => MailedAt !== null)).toBe(true)
  })

  test('an email to the students of chosen records is text, never markup', async () => {
    const { inId, outId } = await pair(noon(2), 60)
    const answer = await coordinator.ok(writeAboutRecords, {
      params: params(),
      body: { Ids: [inId, outId], Subject: 'Your punch', Text: 'See <script>me</script>\n\nThanks' },
    })
    expect(answer).toEqual({ Mailed: 1, WithoutAddress: 0 })
    const { rows } = await installation.owner.query('select html from mail where program_id = $1', [
      program.Id,
    ])
    expect(rows[0].html).toBe('<p>See &lt;script&gt;me&lt;/script&gt;</p><p>Thanks</p>')
  })
})

describe('D3-046 missed records', () => {
  const assignOn = async (from: string, more: Record<string, unknown> = {}) => {
    const shift = await makeShift(installation.owner, program, { site })
    const rotation = await makeRotation(installation.owner, program)
    const { id } = await makeRow(installation.owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: student.Id,
      date: from.slice(0, 10),
      starts_at: from,
      ends_at: later(from, 480),
      ...more,
    })
    return id as number
  }
  const missed = (caller = coordinator, query: Record<string, unknown> = {}) =>
    caller.ok(listMissedTimeRecords, { params: params(), query: query as never })

  test('are shifts that passed without punch, exception or absence; rejected records do not speak for them', async () => {
    const forgotten = await assignOn(noon(3))
    const worked = await assignOn(noon(5))
    await record('in', noon(5), { assignment_id: worked })
    await assignOn(noon(7))
    await record('absence', noon(7))
    const refused = await assignOn(noon(9))
    await record('exception', noon(9), { status: 'rejected', assignment_id: refused })
    await assignOn(noon(11), { removed_at: ago(day) })
    await assignOn(noon(-2))
    const { Items, Total } = await missed()
    expect(Items.map(({ AssignmentId }) => AssignmentId)).toEqual([forgotten, refused])
    expect(Total).toBe(2)
    expect(Items[0]).toMatchObject({
      StartTime: '12:00',
      EndTime: '20:00',
      Minutes: 480,
      Location: site.Name,
    })
  })
  test('A31 are those that go on too, if asked, from 15 minutes after their begin; they are written about', async () => {
    const of = async () => ({ student_id: (await makeStudent(installation.owner, program)).Id })
    const begun = await assignOn(ago(20 * minute), await of())
    await assignOn(ago(10 * minute), await of())
    const present = await of()
    const come = await assignOn(ago(30 * minute), present)
    await record('in', ago(25 * minute), { ...present, assignment_id: come })
    const ThroughDate = ago(-day).slice(0, 10)
    expect((await missed(coordinator, { ThroughDate })).Total).toBe(0)
    const { Items, Total } = await missed(coordinator, { ThroughDate, IsBegun: true })
    expect(Items.map(({ AssignmentId }) => AssignmentId)).toEqual([begun])
    expect(Total).toBe(1)
    const body = { AssignmentIds: [begun] }
    expect(await coordinator.ok(mailMissed, { params: params(), body })).toMatchObject({ Mailed: 1 })
  })
  test('of a supervisor are those at their sites', async () => {
    await assignOn(noon(3))
    const elsewhere = await installation.as(await makeSupervisor(installation.owner, program, []))
    expect((await missed(elsewhere)).Total).toBe(0)
    const here = await installation.as(await makeSupervisor(installation.owner, program, [site.Id]))
    expect((await missed(here)).Total).toBe(1)
  })
  test('are written about, one email a student', async () => {
    const ids = [await assignOn(noon(3)), await assignOn(noon(5))]
    const answer = await coordinator.ok(mailMissed, {
      params: params(),
      body: { AssignmentIds: ids },
    })
    expect(answer).toEqual({ Mailed: 1, WithoutAddress: 0 })
  })
})

describe('D3-073 D3-074 the hours summary', () => {
  const summary = (query: Record<string, unknown> = {}) =>
    coordinator.ok(getHoursSummary, { params: params(), query: query as never })
  const assignTo = async (rotationId: number, from: string) => {
    const shift = await makeShift(installation.owner, program, { site })
    await makeRow(installation.owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotationId,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: student.Id,
      date: from.slice(0, 10),
      starts_at: from,
      ends_at: later(from, 480),
    })
  }

  test('comes as Excel, CSV and PDF', async () => {
    const rotation = await makeRotation(installation.owner, program, { target_minutes: 3000 })
    await assignTo(rotation.Id, noon(4))
    const query = { RotationId: rotation.Id, SiteId: site.Id, FromDate: noon(10).slice(0, 10) }
    const begins = async (Format: 'csv' | 'xlsx' | 'pdf') => {
      const { status, body } = await coordinator.call(exportHoursSummary, {
        params: params(),
        query: { ...query, Format },
      })
      expect(status).toBe(200)
      return String(body)
    }
    expect(await begins('csv')).toContain('Student,Student level')
    expect(await begins('xlsx')).toMatch(/^PK/)
    const pdf = await begins('pdf')
    expect(pdf).toMatch(/^%PDF-1/)
    expect(pdf).toMatch(/\/Count 1\b/)
  })

  test('tells of no difference where no hours are asked', async () => {
    const rotation = await makeRotation(installation.owner, program, { target_minutes: 0 })
    await assignTo(rotation.Id, noon(4))
    const { body } = await coordinator.call(exportHoursSummary, {
      params: params(),
      query: { RotationId: rotation.Id, Format: 'csv' },
    })
    const [titles, row] = String(body)
      .split('\r\n')
      .map((line) => line.replace(/"[^"]*"/, 'Student').split(','))
    expect(row![titles!.indexOf('Projection')]).not.toBe('')
    expect(row![titles!.indexOf('Difference')]).toBe('')
  })

  test('has approved, pending, makeup, target and the projection with its parts', async () => {
    const lastDay = later(noon(0), 200 * 24 * 60).slice(0, 10)
    const rotation = await makeRotation(installation.owner, program, {
      target_minutes: 3000,
      end_date: lastDay,
    })
    for (const days of [4, 6, 8, 10]) await assignTo(rotation.Id, noon(days))
    for (const days of [-2, -4]) await assignTo(rotation.Id, noon(days))
    await pair(noon(4), 500, { rotation_id: rotation.Id, status: 'approved' })
    await pair(noon(6), 400, { rotation_id: rotation.Id })
    await record('absence', noon(8), { rotation_id: rotation.Id, minutes: 480 })
    await record('makeup', noon(-6), {
      rotation_id: rotation.Id,
      minutes: 120,
      ends_at: later(noon(-6), 120),
    })
    const { Items, Totals, Projections, EndDate } = await summary({ RotationId: rotation.Id })
    expect(Items).toHaveLength(1)
    expect(Items[0]).toMatchObject({
      StudentId: student.Id,
      Approved: 500,
      Makeup: 360,
      Target: 3000,
      Parts: {
        Earned: 900,
        Assigned: 960,
        AssignedShifts: 2,
        UsualAbsence: -240,
        AbsentDays: 1,
        PastDays: 4,
        MakeupPlanned: 120,
      },
      Projection: 900 + 960 - 240 + 120,
    })
    expect(Items[0]!.Difference).toBe(Items[0]!.Projection - 3000)
    expect(Totals).toMatchObject({ Approved: 500, Target: 3000, Finish: 0 })
    expect(Projections).toEqual([Items[0]!.Projection])
    expect(EndDate).toBe(lastDay)
  })

  test('filters by site, area, level, cohort and days, and sorts by any column', async () => {
    const second = await makeStudent(installation.owner, program, { student_level_id: 2, cohort: '2028' })
    const area = (await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'MR' })).id
    const other = await makeSite(installation.owner, program, { area_id: area })
    await pair(noon(4), 100, { status: 'approved' })
    await pair(noon(6), 300, { status: 'approved', student_id: second.Id, site_id: other.Id })
    const ids = async (query: Record<string, unknown>) =>
      (await summary(query)).Items.map(({ StudentId }) => StudentId)
    expect(await ids({ SiteId: other.Id })).toEqual([second.Id])
    expect(await ids({ AreaId: area })).toEqual([second.Id])
    expect(await ids({ StudentLevelIds: [1] })).toEqual([student.Id])
    const ofCohort = await summary({ Cohort: '2028' })
    expect(ofCohort.Items).toMatchObject([{ StudentId: second.Id, Cohort: '2028', Approved: 300 }])
    expect(ofCohort.Totals.Approved).toBe(300)
    expect(await ids({ FromDate: noon(5).slice(0, 10) })).toEqual([student.Id])
    expect(await ids({ sort: '-Approved' })).toEqual([second.Id, student.Id])
    expect(await ids({ sort: 'Approved' })).toEqual([student.Id, second.Id])
    expect(
      (
        await coordinator.call(getHoursSummary, {
          params: params(),
          query: { sort: 'Reason' } as never,
        })
      ).status,
    ).toBe(400)
  })

  test('D3-072 tells what the personal filters leave', async () => {
    const me = await makePerson(installation.owner, Level.Coord, { program })
    await makeRow(installation.owner, 'personal_filter', {
      account_id: me.Id,
      is_site_enabled: true,
      site_ids: [site.Id],
    })
    await makeSite(installation.owner, program)
    await pair(noon(4), 100)
    const caller = await installation.as(me)
    const { PersonalFilter } = await caller.ok(getHoursSummary, {
      params: params(),
      query: { MySites: true },
    })
    expect(PersonalFilter).toEqual({ Students: null, Sites: { Chosen: 1, Of: 2 } })
  })

  test('as a file holds the same figures in hours', async () => {
    await pair(noon(4), 510, { status: 'approved' })
    const { body } = await coordinator.send('GET', `/programs/${program.Id}/hours-summary/export?Format=csv`)
    expect(body.split('\r\n')[1]).toMatch(/,8\.5,510,0,0,/)
  })
})

test('D1-075 D3-085 the records as a file: XLSX that opens, text that no spreadsheet runs', async () => {
  await pair(noon(2), 510)
  await record('exception', noon(4), { reason: '=cmd()', minutes: 60 })
  const csv = await coordinator.send('GET', `/programs/${program.Id}/time-records/export?Format=csv`)
  const onScreen = await coordinator.send(
    'GET',
    `/programs/${program.Id}/time-records/export?Format=csv&Columns=screen`,
  )
  expect(String(onScreen.body).split('\n')[0]).toMatch(
    /Type,Student,Date,Time,End time,Hours,Time change request,IPName,Location,Insight,Reasons,Status,Record ID,Student ID/,
  )
  expect(String(csv.body).split('\n')[0]).toMatch(/On the clock \(minutes\).*Reason for the edit,Record ID/)
  expect(csv.body.split('\r\n')[0]).toMatch(/^Type,Student,Student level,Date,Time/)
  expect(csv.body).toContain("'=cmd()")
  const response = await fetch(`${installation.url}/new/api/programs/${program.Id}/time-records/export`)
  expect(response.status).toBe(401)
  const file = await coordinator.send('GET', `/programs/${program.Id}/time-records/export?Format=xlsx`)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-disposition')).toMatch(/Time records\.xlsx/)
})

test('positions are forgotten after PositionRetentionDays, on the record, and the insight stays', async () => {
  await installation.owner.query(
    `update program set options = '{"PositionRetentionDays": 30}' where id = $1`,
    [program.Id],
  )
  const position = {
    latitude: 41.6,
    longitude: -70.9,
    accuracy_m: 9,
    distance_m: 12,
    is_inside: true,
    address: '10.0.0.1',
  }
  const old = await record('exception', noon(31), {
    ...position,
    insight: 2,
    reasons: [{ Code: 'no_position' }],
  })
  const young = await record('exception', noon(29), position)
  await forgetPositions.work({}, installation.services)
  const { rows } = await installation.owner.query(
    'select id, latitude, distance_m, address, insight from time_record where id = any ($1) order by id',
    [[old, young]],
  )
  expect(rows).toMatchObject([
    { latitude: null, distance_m: null, address: null, insight: 2 },
    { latitude: 41.6, distance_m: 12 },
  ])
  const { rows: audit } = await installation.owner.query(
    "select detail from audit where program_id = $1 and action like 'retention%'",
    [program.Id],
  )
  expect(audit).toEqual([{ detail: { Records: 1, Days: 30 } }])
})

test('D3-316 a program without records answers empty lists, and its students have no hours', async () => {
  expect((await list()).Items).toEqual([])
  expect(await coordinator.ok(contract.countTimeRecords, { params: params() })).toMatchObject({
    All: 0,
    Minutes: 0,
  })
  const { Items } = await coordinator.ok(getHoursSummary, { params: params() })
  expect(Items).toMatchObject([{ Approved: 0, Pending: 0, Projection: 0 }])
})

test('A31 asked for the current rotation the summary counts the one that runs today, as the home page does', async () => {
  // On the other side of the date line from UTC, at any time of day, one of the two zones has another day.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Midway']) {
    const theirs = await makeProgram(installation.owner, { time_zone: zone })
    const caller = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: theirs }),
    )
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date())
    const dates = { start_date: today, end_date: today }
    const rotation = await makeRotation(installation.owner, theirs, dates)
    const at = { programId: theirs.Id }
    const asked = await caller.ok(getHoursSummary, { params: at, query: { IsCurrent: true } })
    expect([asked.RotationId, asked.EndDate]).toEqual([rotation.Id, today])
    const all = await caller.ok(getHoursSummary, { params: at })
    expect([all.RotationId, all.EndDate]).toEqual([null, today])
  }
})
