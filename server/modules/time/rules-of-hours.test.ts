import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { getStudentHours, listStudentRecords } from '#contract/students/students.ts'
import { approveTimeRecords, rejectTimeRecords, undoDecisions } from '#contract/time/approvals.ts'
import * as clock from '#contract/time/clock.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import {
  checkHoursRule,
  creditOf,
  type HoursRule,
  listHoursRules,
  noRule,
  removeHoursRule,
  saveHoursRule,
} from '#contract/time/rules-of-hours.ts'
import * as records from '#contract/time/time-records.ts'
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
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { wrongSums } from '#server/test/stored-sums.ts'
import { timeSums } from './time-sums.commands.ts'

let installation: Installation
let program: MadeProgram
let site: { Id: number; Name: string }
let rotation: { Id: number }
let siteShift: { Id: number }
let student: MadePerson
let phone: Caller
let coordinator: Caller

const zone = 'America/New_York'
const dayOf = (moment: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(moment))
const today = () => dayOf(Date.now())

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: zone })
  site = await makeSite(owner, program, { time_zone: zone, allow_overnight: true })
  rotation = await makeRotation(owner, program)
  siteShift = await makeShift(owner, program, { site, capacity: 500 })
  student = await makeStudent(owner, program)
  phone = await installation.as(student)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
})

const params = () => ({ programId: program.Id })
const at = (recordId: number) => ({ params: { programId: program.Id, recordId } })
const meal = { MealMinutes: 30 }

/** Rules as they may stand after a while: the calls take none of days that are over. */
const setRules = (rules: readonly HoursRule[]) =>
  installation.owner.query('update program set hours_rules = $2 where id = $1', [
    program.Id,
    JSON.stringify(rules),
  ])
const save = (rule: Partial<HoursRule>) =>
  coordinator.ok(saveHoursRule, { params: params(), body: { ...noRule, From: today(), ...rule } })
const assign = async (startsAt: string, endsAt: string) => {
  const { id } = await makeRow(installation.owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: siteShift.Id,
    site_id: site.Id,
    student_id: student.Id,
    date: dayOf(Date.parse(startsAt)),
    starts_at: startsAt,
    ends_at: endsAt,
  })
  return id as number
}
const add = (Kind: records.TimeKind, date: string, time: string, end?: string) =>
  coordinator.ok(records.addTimeRecord, {
    params: params(),
    body: {
      StudentId: student.Id,
      Kind,
      SiteId: site.Id,
      Date: date,
      Time: time,
      // Of a time that comes twice the first one is meant.
      TimeIsSecond: false,
      ...(end && { EndTime: end }),
    },
  })
/** A clock-in and clock-out on a day, or one into the next. */
const pair = async (date: string, from: string, to: string) => {
  const begin = await add('in', date, from)
  return { inId: begin.Id, out: await add('out', to > from ? date : addDays(date, 1), to) }
}
const read = async (id: number) => coordinator.ok(records.getTimeRecord, at(id))

describe('the rules of a program', () => {
  test('hold from today or later on, are read latest first, and can be changed and removed until their day is over', async () => {
    const next = addDays(today(), 7)
    await save({ From: next, RoundTo: '15' })
    const { Rules } = await save(meal)
    expect(Rules.map(({ From }) => From)).toEqual([next, today()])
    await save({ From: next, RoundTo: '6' })
    expect(await coordinator.ok(listHoursRules, { params: params() })).toEqual({
      Today: today(),
      Rules: [
        { ...noRule, From: next, RoundTo: '6' },
        { ...noRule, ...meal, From: today() },
      ],
    })
    expect(
      await coordinator.call(saveHoursRule, {
        params: params(),
        body: { ...noRule, ...meal, From: addDays(today(), -1) },
      }),
    ).toMatchObject({ status: 422, body: { Code: 'From', Errors: [{ Field: 'From' }] } })
    await setRules([{ ...noRule, ...meal, From: addDays(today(), -1) }])
    const remove = (from: string) => coordinator.call(removeHoursRule, { params: { ...params(), from } })
    expect(await remove(addDays(today(), -1))).toMatchObject({ status: 422 })
    expect(await remove(next)).toMatchObject({ status: 404 })
  })

  test('leave records of earlier days and approved ones as they are, and count pending ones anew', async () => {
    const { owner } = installation
    const planned = addDays(today(), 20)
    await assign(`${planned}T12:00:00Z`, `${planned}T20:30:00Z`)
    const old = await pair('2026-09-01', '07:00', '15:30')
    const makeup = await add('makeup', addDays(today(), 9), '07:00', '15:30')
    const approved = await add('makeup', addDays(today(), 10), '07:00', '15:30')
    await coordinator.ok(approveTimeRecords, { params: params(), body: { Ids: [approved.Id] } })
    const check = (rule: Partial<HoursRule>) =>
      coordinator.ok(checkHoursRule, { params: params(), body: { ...noRule, From: today(), ...rule } })
    const projection = async () =>
      (await coordinator.ok(getHoursSummary, { params: params() })).Items.find(
        ({ StudentId }) => StudentId === student.Id,
      )!.Projection
    const before = await projection()
    const lower = { Recounted: 1, Minutes: -30, Planned: 1, PlannedMinutes: -30 }
    expect(await check(meal)).toEqual(lower)
    const later = await check({ ...meal, From: addDays(today(), 11) })
    expect(later).toEqual({ ...lower, Recounted: 0, Minutes: 0 })
    const none = { Recounted: 0, Minutes: 0, Planned: 0, PlannedMinutes: 0 }
    expect(await check({ ...meal, From: addDays(today(), 21) })).toEqual(none)
    expect(await read(makeup.Id)).toMatchObject({ Minutes: 510 })
    expect((await save(meal)).Recounted).toBe(1)
    // What was announced is what comes.
    expect((await projection()) - before).toBe(lower.Minutes + lower.PlannedMinutes)
    expect(await check(meal)).toEqual(none)
    expect(await check({})).toEqual({ Recounted: 1, Minutes: 30, Planned: 1, PlannedMinutes: 30 })
    expect(await read(makeup.Id)).toMatchObject({ Minutes: 480, ClockMinutes: 510, MealMinutes: 30 })
    expect(await read(approved.Id)).toMatchObject({ Minutes: 510, ClockMinutes: 510, MealMinutes: 0 })
    expect(await read(old.out.Id)).toMatchObject({ Minutes: 510, ClockMinutes: 510 })
    const hoursOf = async () =>
      (await coordinator.ok(getHoursSummary, { params: params() })).Items.find(
        ({ StudentId }) => StudentId === student.Id,
      )
    expect(await hoursOf()).toMatchObject({ Approved: 510, Pending: 990, Parts: { Assigned: 480 } })
    await coordinator.ok(removeHoursRule, { params: { ...params(), from: today() } })
    expect(await read(makeup.Id)).toMatchObject({ Minutes: 510, ClockMinutes: 510, MealMinutes: 0 })
    expect(await hoursOf()).toMatchObject({ Pending: 1020, Parts: { Assigned: 510 } })
    expect(await wrongSums(owner, timeSums, program.Id)).toEqual([])
  })

  test('may take a break off again after as many hours each, of planned shifts too; never one before it is due', async () => {
    const repeating = { MealMinutes: 30, MealRepeats: true }
    await save(repeating)
    const makeup = await add('makeup', addDays(today(), 9), '07:00', '19:30')
    expect(await read(makeup.Id)).toMatchObject({ Minutes: 690, ClockMinutes: 750, MealMinutes: 60 })
    // Who sends a rule of before leaves out what came since: it stays.
    const { MealRepeats: _, ...before } = { ...noRule, ...repeating, From: today(), RoundTo: '15' as const }
    const { Rules } = await coordinator.ok(saveHoursRule, { params: params(), body: before })
    expect(Rules).toMatchObject([{ MealRepeats: true, RoundTo: '15' }])
    const refused = { ...noRule, ...repeating, From: today(), MealMinutes: 60, MealAfterHours: 1 }
    expect(await coordinator.call(saveHoursRule, { params: params(), body: refused })).toMatchObject({
      status: 422,
      body: { Errors: [{ Field: 'MealMinutes' }] },
    })
    for (const MealAfterHours of [0, 2.5, 6]) {
      const rule = { ...noRule, ...repeating, MealAfterHours }
      const { rows } = await installation.owner.query<{ length: number; off: number }>(
        `select length, meal_break($1, '2026-11-19', length) as off from generate_series(0, 1500) length`,
        [JSON.stringify([rule])],
      )
      for (const { length, off } of rows)
        expect([length, off]).toEqual([
          length,
          creditOf(rule, { startsAt: 0, endsAt: length * 60_000 }, null).mealMinutes,
        ])
    }
  })

  test('are for those who may change the settings, of their own program', async () => {
    const body = { ...noRule, ...meal, From: today() }
    expect((await phone.call(saveHoursRule, { params: params(), body })).status).toBe(403)
    expect((await phone.call(checkHoursRule, { params: params(), body })).status).toBe(403)
    const other = await makeProgram(installation.owner)
    expect((await coordinator.call(saveHoursRule, { params: { programId: other.Id }, body })).status).toBe(
      404,
    )
  })
})

describe('a punch', () => {
  test('is told and kept as it was, with what counts of it beside', async () => {
    await setRules([
      { ...noRule, ...meal, From: '2026-01-01', RoundTo: '15', FromShiftStart: true, ToShiftEnd: true },
    ])
    const hour = 3_600_000
    const start = Math.floor(Date.now() / hour) * hour - 9 * hour
    await assign(new Date(start).toISOString(), new Date(start + 8 * hour).toISOString())
    const punch = (Kind: 'in' | 'out', moment: number, key: string) =>
      phone.ok(
        clock.punch,
        { body: { Kind, SiteId: site.Id, OccurredAt: new Date(moment).toISOString() } },
        { headers: { 'idempotency-key': key } },
      )
    const begun = await punch('in', start - 12 * 60_000, 'begin-key')
    expect(begun).toMatchObject({ Minutes: 0, ClockMinutes: 0, MealMinutes: 0 })
    const told = await punch('out', start + 8 * hour + 7 * 60_000, 'end-key-of-it')
    expect(told).toMatchObject({ Minutes: 450, ClockMinutes: 499, MealMinutes: 30 })
    // What is told of a new one is what is read of it.
    expect(await punch('out', start + 8 * hour + 7 * 60_000, 'end-key-of-it')).toEqual(told)
    const { Items } = await phone.ok(clock.listOwnRecords)
    expect(Items).toMatchObject([{ Minutes: 450, ClockMinutes: 499, MealMinutes: 30, In: { Id: begun.Id } }])
  })

  test('without its other half counts nothing, and the rule again when that comes back', async () => {
    await setRules([{ ...noRule, ...meal, From: '2026-01-01' }])
    const { inId, out } = await pair('2026-09-01', '07:00', '15:30')
    expect(out).toMatchObject({ Minutes: 480, ClockMinutes: 510, MealMinutes: 30 })
    await coordinator.ok(records.deleteTimeRecord, at(inId))
    expect(await read(out.Id)).toMatchObject({ Minutes: 0, ClockMinutes: 0, MealMinutes: 0 })
    await coordinator.ok(records.restoreTimeRecord, at(inId))
    expect(await read(out.Id)).toMatchObject({ Minutes: 480, ClockMinutes: 510, MealMinutes: 30 })
    const moved = { Date: '2026-09-01', Time: '12:30', Reason: 'x' }
    await coordinator.ok(records.editTimeRecord, { ...at(inId), body: moved })
    expect(await read(out.Id)).toMatchObject({ Minutes: 180, ClockMinutes: 180, MealMinutes: 0 })
  })
})

test('hours that end when they begin last a day where they say so and the program has such a shift', async () => {
  const day = '2026-09-01'
  const send = (more: object = {}, caller = coordinator) =>
    caller.call(records.addTimeRecord, {
      params: params(),
      body: {
        StudentId: student.Id,
        Kind: 'exception',
        SiteId: site.Id,
        Date: day,
        Time: '07:00',
        EndTime: '07:00',
        ...more,
      },
    })
  expect(await send()).toMatchObject({ status: 422, body: { Code: 'same_time' } })
  expect(await send({ EndDate: addDays(day, 1) })).toMatchObject({ status: 422, body: { Code: 'too_long' } })
  await installation.owner.query('update site_shift set end_time = start_time where program_id = $1', [
    program.Id,
  ])
  expect(await send()).toMatchObject({ status: 422, body: { Code: 'same_time' } })
  for (const EndDate of [day, addDays(day, 2), addDays(day, -1)])
    expect((await send({ EndDate, EndTime: '06:00' })).body).toMatchObject({ Code: 'EndDate' })
  expect(await send({ EndDate: addDays(day, 1) })).toMatchObject({ status: 200, body: { Minutes: 1440 } })
  // On the night on which the clocks go back it lasts 25 hours.
  expect(await send({ Date: '2025-11-01', EndDate: '2025-11-02' })).toMatchObject({ body: { Minutes: 1500 } })
})

/** The nearest time on a grid of minutes, the later of two; and minutes counted one by one, as somebody would on paper. */
const toGrid = (minute: number, step: number): number => {
  for (let distance = 0; ; distance++) {
    if ((minute + distance) % step === 0) return minute + distance
    if ((minute - distance) % step === 0) return minute - distance
  }
}
interface Raw {
  id: number
  kind: string
  status: string
  from_minute: number
  to_minute: number
  date: string
  shift_from: number | null
  shift_to: number | null
  minutes: number
}
const countByHand = (rules: readonly HoursRule[], raw: Raw): { counts: number; meal: number } => {
  let rule = noRule
  for (const each of rules.toSorted((a, b) => a.From.localeCompare(b.From)))
    if (each.From <= raw.date) rule = each
  let present = 0
  const step = Number(rule.RoundTo)
  const ends = [raw.from_minute, raw.to_minute].map((minute) => (step > 0 ? toGrid(minute, step) : minute))
  const isHeldIn = rule.FromShiftStart && raw.shift_from !== null
  const isHeldOut = rule.ToShiftEnd && raw.shift_to !== null
  const [begin, end] = [
    isHeldIn && raw.from_minute <= raw.shift_from! ? raw.shift_from! : ends[0]!,
    isHeldOut && raw.to_minute >= raw.shift_to! ? raw.shift_to! : ends[1]!,
  ]
  for (let minute = begin; minute < end; minute++)
    if ((!isHeldIn || minute >= raw.shift_from!) && (!isHeldOut || minute < raw.shift_to!)) present++
  let off = 0
  // A break is due each time that the hours are over and somebody is still there.
  for (let due = rule.MealAfterHours * 60; due < present; due += rule.MealAfterHours * 60) {
    off = Math.min(off + rule.MealMinutes, present)
    if (!rule.MealRepeats || rule.MealAfterHours === 0) break
  }
  return { counts: present - off, meal: off }
}

const anyRule = fc.record({
  MealMinutes: fc.constantFrom(0, 20, 30, 45),
  MealAfterHours: fc.constantFrom(0, 2.5, 4, 5.5, 6),
  MealRepeats: fc.boolean(),
  RoundTo: fc.constantFrom('0' as const, '5' as const, '6' as const, '15' as const),
  FromShiftStart: fc.boolean(),
  ToShiftEnd: fc.boolean(),
})
/** The cells of a line of a file. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
const two = (value: number) => String(value).padStart(2, '0')
/** Around the night on which the clocks go back. */
const firstDay = '2025-10-30'
const work = fc.record({
  kind: fc.constantFrom('pair', 'pair', 'pair', 'night', 'exception', 'makeup', 'absence'),
  begin: fc.integer({ min: 0, max: 180 }),
  length: fc.integer({ min: 5, max: 560 }),
  shift: fc.option(
    fc.record({ early: fc.integer({ min: -40, max: 40 }), late: fc.integer({ min: -40, max: 40 }) }),
  ),
  next: fc.constantFrom('nothing', 'nothing', 'edit', 'delete', 'restore', 'reject', 'undo', 'approve'),
})

test('on every page and in every file hours add up to what somebody counts by hand from the raw times', async () => {
  const { owner } = installation
  const time = (minutes: number) => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(anyRule, anyRule),
      fc.integer({ min: 0, max: 6 }),
      fc.array(work, { minLength: 3, maxLength: 8 }),
      async ([first, second], change, works) => {
        const rules = [
          { ...first, From: '2025-01-01' },
          { ...second, From: addDays(firstDay, change) },
        ]
        await setRules(rules)
        student = await makeStudent(owner, program)
        phone = await installation.as(student)
        for (const [index, { kind, begin, length, shift, next }] of works.entries()) {
          const date = addDays(firstDay, index)
          const from = (kind === 'night' ? 21 : 8) * 60 + (kind === 'night' ? begin % 120 : begin)
          const to = from + (kind === 'night' ? 180 + (length % 280) : length)
          const isPair = kind === 'pair' || kind === 'night'
          if (shift && isPair) {
            // The site's clocks are four hours behind UTC until that night, five after it: the shift need not know.
            const startsAt = Date.parse(`${date}T00:00:00-04:00`) + (from + shift.early) * 60_000
            const endsAt = startsAt + (to - from - shift.early + shift.late) * 60_000
            if (endsAt > startsAt)
              await assign(new Date(startsAt).toISOString(), new Date(endsAt).toISOString())
          }
          const made = isPair
            ? await pair(date, time(from), time(to))
            : {
                inId: 0,
                out: await add(kind as records.TimeKind, date, time(from), time(to)),
              }
          const { out } = made
          const id = made.inId || out.Id
          if (next === 'edit')
            await coordinator.ok(records.editTimeRecord, {
              ...at(id),
              body: {
                Date: date,
                Time: time(from - 7),
                ...(!isPair && { EndTime: time(to) }),
                Reason: 'x',
              },
            })
          if (next === 'delete' || next === 'restore') await coordinator.ok(records.deleteTimeRecord, at(id))
          if (next === 'restore') await coordinator.ok(records.restoreTimeRecord, at(id))
          if (next === 'reject' || next === 'undo') {
            const { DecidedAt } = await coordinator.ok(rejectTimeRecords, {
              params: params(),
              body: { Ids: [id], Reason: 'x' },
            })
            if (next === 'undo')
              await coordinator.ok(undoDecisions, { params: params(), body: { DecidedAt: DecidedAt! } })
          }
          if (next === 'approve')
            await coordinator.ok(approveTimeRecords, {
              params: params(),
              body: { Ids: isPair ? [id, out.Id] : [id] },
            })
        }
        const { rows } = await owner.query<Raw>(
          `select r.id, r.kind, r.status, r.minutes, coalesce(q.date, r.date) as date,
            (extract(epoch from coalesce(q.occurred_at, r.occurred_at)) / 60)::int as from_minute,
            (extract(epoch from coalesce(r.ends_at, r.occurred_at)) / 60)::int as to_minute,
            (extract(epoch from a.starts_at) / 60)::int as shift_from, (extract(epoch from a.ends_at) / 60)::int as shift_to
          from time_record r
          left join time_record q on r.kind = 'out' and q.program_id = r.program_id and q.id = r.partner_id
          left join shift_assignment a on r.kind = 'out' and a.program_id = r.program_id and a.id = coalesce(q.assignment_id, r.assignment_id)
          where r.program_id = $1 and r.student_id = $2 and r.deleted_at is null and r.status <> 'rejected'
            and (r.kind = 'out' and r.partner_id is not null or r.kind not in ('in', 'end-key-of-it'))`,
          [program.Id, student.Id],
        )
        const counted = rows.map((raw) => ({ ...raw, ...countByHand(rules, raw) }))
        const total = (kinds: readonly string[], status?: string): number =>
          counted.reduce(
            (sum, { kind, status: is, counts }) =>
              sum + (kinds.includes(kind) && (status === undefined || status === is) ? counts : 0),
            0,
          )
        const workKinds = ['out', 'exception', 'makeup']
        const Approved = total(workKinds, 'approved')
        const Pending = total(workKinds, 'pending')
        const query = { StudentId: student.Id }

        // Each record, as staff, the student and another system read it.
        const { Items } = await coordinator.ok(records.listTimeRecords, {
          params: params(),
          query: { ...query, pageSize: 100 },
        })
        const own = await phone.ok(clock.listOwnRecords, { query: { pageSize: 100 } })
        const page = await coordinator.ok(listStudentRecords, {
          params: { ...params(), studentId: student.Id },
          query: { pageSize: 100 },
        })
        for (const { id, counts, meal: off, from_minute, to_minute } of counted)
          for (const list of [Items, own.Items, page.Items])
            expect(list.find(({ Id }) => Id === id)).toMatchObject({
              Minutes: counts,
              ClockMinutes: to_minute - from_minute,
              MealMinutes: off,
            })

        // Sums.
        const summary = await coordinator.ok(getHoursSummary, { params: params(), query: { pageSize: 100 } })
        const mine = summary.Items.find(({ StudentId }) => StudentId === student.Id)
        expect([mine?.Approved ?? 0, mine?.Pending ?? 0]).toEqual([Approved, Pending])
        const totals = await coordinator.ok(getTimeSummaries, { params: params(), query })
        expect(totals.Totals).toMatchObject({ Approved, Pending, Absence: total(['absence']) })
        const { Ledger } = await phone.ok(clock.getClock)
        if (Ledger.Rotation === null)
          expect([Ledger.ApprovedMinutes, Ledger.PendingMinutes]).toEqual([Approved, Pending])
        const ofStudent = await coordinator.ok(getStudentHours, {
          params: { ...params(), studentId: student.Id },
        })
        expect(ofStudent.All).toMatchObject({ Approved, Pending })

        // Files.
        const file = async (path: string): Promise<Record<string, string | undefined>[]> => {
          const { body } = await coordinator.send('GET', `/programs/${program.Id}/${path}`)
          const [titles = [], ...lines] = String(body).replace('\ufeff', '').trim().split('\r\n').map(cellsOf)
          return lines.map((line) => Object.fromEntries(titles.map((title, place) => [title, line[place]])))
        }
        const inFile = await file(`time-records/export?Format=csv&StudentId=${student.Id}`)
        const sumOf = (title: string, status: string) =>
          inFile
            .filter(
              (line) => ['Clock out', 'Exception', 'Makeup'].includes(line.Type!) && line.Status === status,
            )
            .reduce((sum, line) => sum + Number(line[title]), 0)
        expect([sumOf('Hours (minutes)', 'Approved'), sumOf('Hours (minutes)', 'Pending')]).toEqual([
          Approved,
          Pending,
        ])
        expect(sumOf('On the clock (minutes)', 'Pending')).toBe(
          counted
            .filter(({ kind, status }) => workKinds.includes(kind) && status === 'pending')
            .reduce((sum, { from_minute, to_minute }) => sum + to_minute - from_minute, 0),
        )
        const hours = (await file('hours-summary/export?Format=csv')).find(
          (line) => line.Student === mine?.Student,
        )
        expect([
          Number(hours?.['Approved (minutes)'] ?? 0),
          Number(hours?.['Pending (minutes)'] ?? 0),
        ]).toEqual([Approved, Pending])
        expect(await wrongSums(owner, timeSums, program.Id)).toEqual([])
      },
    ),
    { numRuns: 12, endOnFailure: true },
  )
})
