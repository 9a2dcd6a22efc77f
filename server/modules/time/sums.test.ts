import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { getOutcomes } from '#contract/reports/outcomes.ts'
import { getHome } from '#contract/reports/reports.ts'
import { getHoursSummary, type HoursFilters, type HoursRow } from '#contract/time/hours-summary.ts'
import { countTimeRecords } from '#contract/time/time-records.ts'
import { getTimeSummaries, type TimeFilters, timeGroups } from '#contract/time/time-summaries.ts'
import { type Db, transaction } from '#server/core/database/pool.ts'
import {
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
import { recount, wrongSums } from '#server/test/stored-sums.ts'
import { saveAttendanceDays } from './attendance.jobs.ts'
import { recountRotations } from './kept.commands.ts'
import { changedStudents } from './kept.queries.ts'
import { project } from './projection.rules.ts'
import { checkTimeSums, keepRotationHours, movePlans, rotationsDue } from './sums.jobs.ts'
import { missingHours, timeSums, wrongRotations } from './time-sums.commands.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const inProgram = <T>(programId: number, work: (db: Db) => Promise<T>): Promise<T> =>
  transaction(installation.services.pool, { accountId: null, programIds: [programId] }, work)
/** Keeps the hours of rotations as of a moment, as if the job had not run since. */
const recountAt = (programId: number, moment?: RawBuilder<unknown>): Promise<void> =>
  inProgram(programId, (db) => recountRotations(db, programId, moment))

/** Days around now, so that shifts lie before, around and after it. */
const days = 90
const today = () => new Date().toISOString().slice(0, 10)
const dayOf = (number: number) => addDays(today(), (number % days) - 60)

interface Started {
  program: MadeProgram
  faculty: Caller
  director: Caller
  area: number
  students: number[]
  rotations: { id: number }[]
  /** The second lies in the area. */
  sites: { id: number; shift: number }[]
  records: number[]
  assignments: number[]
}

const kinds = ['in', 'out', 'exception', 'makeup', 'absence']
const statuses = ['pending', 'approved', 'rejected']

const addRecord = async (started: Started, number: number, value: number): Promise<void> => {
  const kind = kinds[number % 5]!
  const date = dayOf(value)
  const { id } = await makeRow(installation.owner, 'time_record', {
    program_id: started.program.Id,
    student_id: started.students[value % 3],
    site_id: number % 4 === 0 ? null : started.sites[value % 2]!.id,
    rotation_id: value % 5 === 0 ? null : started.rotations[number % 2]!.id,
    kind,
    date,
    occurred_at: `${date}T${String(number % 24).padStart(2, '0')}:30:00Z`,
    minutes: kind === 'in' ? 0 : 1 + ((value * 7) % 600),
    // One of the latest, some of which are of today, or any other.
    assignment_id:
      (number % 3 === 0 ? started.assignments.at(-1 - (value % 4)) : started.assignments[value % 20]) ?? null,
    status: statuses[value % 3],
  })
  started.records.push(id)
}

/** Each on a day and hour of its own, as no student is at two places at once. */
const addAssignment = async (started: Started, value: number, isToday = false): Promise<void> => {
  const count = started.assignments.length
  const site = started.sites[value % 2]!
  const day = isToday ? today() : dayOf(count * 3 + (value % 3))
  const begin = Date.parse(`${day}T00:00:00Z`) + (count % 3) * 8 * 3_600_000
  const { id } = await makeRow(installation.owner, 'shift_assignment', {
    program_id: started.program.Id,
    rotation_id: started.rotations[value % 2]!.id,
    site_shift_id: site.shift,
    site_id: site.id,
    student_id: started.students[count % 3],
    date: new Date(begin).toISOString().slice(0, 10),
    starts_at: new Date(begin).toISOString(),
    ends_at: new Date(begin + (60 + (value % 400)) * 60_000).toISOString(),
  })
  started.assignments.push(id)
}

const start = async (): Promise<Started> => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const area = (await makeRow(owner, 'area', { program_id: program.Id, name: 'North' })).id
  const sites: Started['sites'] = []
  for (const area_id of [null, area]) {
    const site = await makeSite(owner, program, { time_zone: 'UTC', area_id })
    sites.push({ id: site.Id, shift: (await makeShift(owner, program, { site, capacity: 500 })).Id })
  }
  const rotations: Started['rotations'] = []
  for (const target of [6_000, 9_000])
    rotations.push({ id: (await makeRotation(owner, program, { target_minutes: target })).Id })
  const started: Started = {
    program,
    faculty: await installation.as(await makePerson(owner, Level.Faculty, { program })),
    director: await installation.as(await makePerson(owner, Level.Director, { program })),
    area,
    students: [],
    rotations,
    sites,
    records: [],
    assignments: [],
  }
  for (let number = 0; number < 3; number++) started.students.push((await makeStudent(owner, program)).Id)
  for (let number = 0; number < 15; number++) await addRecord(started, number, number * 37)
  for (let number = 0; number < 15; number++) await addAssignment(started, number * 11)
  return started
}

const steps = [
  'record',
  'assign',
  'pair',
  'unpair',
  'status',
  'minutes',
  'delete',
  'restore',
  'move record',
  'note',
  'remove',
  'return',
  'move shift',
  'lengthen',
  'many',
  'past',
  'days',
  'keep',
  'target',
  'access',
] as const
interface Change {
  step: (typeof steps)[number]
  which: number
  value: number
}

/** Whether the database refuses it, as shifts of one student never overlap and one with records stays; then nothing has changed. */
const isRefused = (error: unknown): boolean =>
  ['23P01', '23503'].includes((error as { code?: string }).code ?? '')

const apply = async (started: Started, { step, which, value }: Change): Promise<void> => {
  const { owner } = installation
  const { program, records, assignments, sites, rotations, students } = started
  const record = [program.Id, records[which % records.length]]
  const shift = [program.Id, assignments[which % assignments.length]]
  const change = (set: string, values: unknown[] = []) =>
    owner.query(`update time_record set ${set} where program_id = $1 and id = $2`, [...record, ...values])
  const changeShift = (set: string, values: unknown[] = []) =>
    owner.query(`update shift_assignment set ${set} where program_id = $1 and id = $2`, [...shift, ...values])
  switch (step) {
    case 'record':
      return addRecord(started, which, value)
    case 'assign':
      return addAssignment(started, value, value % 2 === 0)
    case 'pair':
      await change('partner_id = id')
      return
    case 'unpair':
      await change('partner_id = null')
      return
    case 'status':
      await change('status = $3', [statuses[value % 3]])
      return
    case 'minutes':
      await change('minutes = $3', [1 + (value % 700)])
      return
    case 'delete':
    case 'restore':
      await change(`deleted_at = ${step === 'delete' ? 'now()' : 'null'}`)
      return
    case 'move record':
      // Its moment goes along: it is within a day of the date, anywhere on earth.
      await change(
        `date = $3, occurred_at = occurred_at + ($3::date - date) * interval '24 hours', site_id = $4, rotation_id = $5,
          student_id = $6, kind = $7`,
        [
          dayOf(value),
          [null, sites[0]!.id, sites[1]!.id][value % 3],
          [null, rotations[0]!.id, rotations[1]!.id][value % 3],
          students[value % 3],
          kinds[value % 5],
        ],
      )
      return
    case 'note':
      await change("reason = 'x', mailed_at = now()")
      return
    case 'remove':
    case 'return':
      await changeShift(`removed_at = ${step === 'remove' ? 'now()' : 'null'}`)
      return
    case 'move shift':
      await changeShift(
        "date = date + 31, starts_at = starts_at + interval '31 days', ends_at = ends_at + interval '31 days'",
      )
      return
    case 'lengthen':
      await changeShift(
        'ends_at = starts_at + make_interval(mins => $3), rotation_id = $4, site_id = $5, site_shift_id = $6, meal_minutes = $7',
        [
          30 + (value % 900),
          rotations[value % 2]!.id,
          sites[value % 2]!.id,
          sites[value % 2]!.shift,
          [0, 15, 30][which % 3],
        ],
      )
      return
    case 'many':
      await owner.query(`update time_record set status = $2 where program_id = $1 and id % 2 = $3`, [
        program.Id,
        statuses[value % 3],
        which % 2,
      ])
      await owner.query(
        'update shift_assignment set removed_at = now() where program_id = $1 and id % 7 = $2',
        [program.Id, value % 7],
      )
      return
    case 'past':
      // As if the job had not run for some days.
      await owner.query(
        `insert into plan_until as p (program_id, until) values ($1, now() - make_interval(hours => $2))
        on conflict (program_id) do update set until = excluded.until`,
        [program.Id, value % 900],
      )
      await owner.query('delete from student_hours where program_id = $1', [program.Id])
      await inProgram(program.Id, (db) =>
        sql`insert into student_hours ${missingHours(program.Id)}`.execute(db),
      )
      return value % 2 === 0 ? undefined : movePlans.work({}, installation.services)
    case 'days':
      return saveAttendanceDays.work({}, installation.services)
    case 'keep':
      if (value % 2 === 0) return keepRotationHours.work({}, installation.services)
      // As if that job had not run for some time.
      await recountAt(program.Id, sql`now() - make_interval(hours => ${value % 200})`)
      return
    case 'target':
      await owner.query('update rotation set target_minutes = $3 where program_id = $1 and id = $2', [
        program.Id,
        rotations[which % 2]!.id,
        600 + ((value * 60) % 9_000),
      ])
      return
    case 'access':
      await owner.query(
        'update account set deactivated_at = case when deactivated_at is null then now() end where program_id = $1 and id = $2',
        [program.Id, students[which % 3]],
      )
      return
  }
}

interface RawRecord {
  student_id: number
  site_id: number | null
  rotation_id: number | null
  kind: string
  date: string
  minutes: number
  status: string
  is_past: boolean
}
interface RawShift {
  student_id: number
  site_id: number
  rotation_id: number
  date: string
  minutes: number
  is_past: boolean
  is_ahead: boolean
}

/** What a filter leaves of every record and shift that counts. */
const readRaw = async ({ program, area, sites }: Started, filter: TimeFilters & HoursFilters) => {
  const { owner } = installation
  const records = await owner.query<RawRecord>(
    `select student_id, site_id, rotation_id, kind, date, minutes, status, occurred_at <= now() as is_past
    from time_record where program_id = $1 and deleted_at is null and status <> 'rejected' and kind <> 'in'
      and (kind <> 'out' or partner_id is not null)`,
    [program.Id],
  )
  const shifts = await owner.query<RawShift>(
    `select a.student_id, a.site_id, a.rotation_id, a.date, (extract(epoch from a.ends_at - a.starts_at) / 60)::integer - a.meal_minutes as minutes,
      a.ends_at <= now() as is_past, a.ends_at > now() and (a.starts_at > now() or not exists (select from time_record r
        where r.program_id = $1 and r.assignment_id = a.id and r.kind in ('out', 'absence', 'exception')
          and r.deleted_at is null and r.status <> 'rejected')) as is_ahead
    from shift_assignment a where a.program_id = $1 and a.removed_at is null`,
    [program.Id],
  )
  const { RotationId, SiteId, AreaId, StudentId, FromDate, ThroughDate } = filter
  const isLeft = (row: Pick<RawRecord, 'student_id' | 'site_id' | 'rotation_id' | 'date'>): boolean =>
    (!RotationId || row.rotation_id === RotationId) &&
    (!SiteId || row.site_id === SiteId) &&
    (!AreaId || (AreaId === area && row.site_id === sites[1]!.id)) &&
    (!StudentId || row.student_id === StudentId) &&
    (!FromDate || row.date >= FromDate) &&
    (!ThroughDate || row.date <= ThroughDate)
  return { records: records.rows.filter(isLeft), shifts: shifts.rows.filter(isLeft) }
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0)
const isWork = ({ kind }: { kind: string }): boolean => ['out', 'exception', 'makeup'].includes(kind)

const expectTotals = async (started: Started, filter: TimeFilters, By: (typeof timeGroups)[number]) => {
  const { program, area, sites } = started
  const answer = await started.faculty.ok(getTimeSummaries, {
    params: { programId: program.Id },
    query: { ...filter, By, pageSize: 100 },
  })
  const raw = await readRaw(started, filter)
  const facts = [
    ...raw.records.filter(({ kind }) => !filter.Type || kind === filter.Type),
    ...(filter.Type || By === 'type'
      ? []
      : raw.shifts.map((shift) => ({ ...shift, kind: 'planned', status: '' }))),
  ]
  const keyOf = (fact: (typeof facts)[number]): string =>
    ({
      student: `student-${fact.student_id}`,
      site: `site-${fact.site_id ?? '-'}`,
      area: `area-${fact.site_id === sites[1]!.id ? area : '-'}`,
      month: fact.date.slice(0, 7),
      type: fact.kind,
    })[By]
  const sums = (of: typeof facts) => ({
    Students: new Set(of.map(({ student_id }) => student_id)).size,
    Records: of.filter(({ kind }) => kind !== 'planned').length,
    Approved: sum(of, (fact) => (isWork(fact) && fact.status === 'approved' ? fact.minutes : 0)),
    Pending: sum(of, (fact) => (isWork(fact) && fact.status === 'pending' ? fact.minutes : 0)),
    Absence: sum(of, (fact) => (fact.kind === 'absence' ? fact.minutes : 0)),
    Planned:
      filter.Type || By === 'type' ? null : sum(of, (fact) => (fact.kind === 'planned' ? fact.minutes : 0)),
  })
  const byKey = Object.fromEntries([...Map.groupBy(facts, keyOf)].map(([key, of]) => [key, sums(of)]))
  const shown = answer.Items.map(({ Key, Students, Records, Approved, Pending, Absence, Planned }) => [
    Key,
    { Students, Records, Approved, Pending, Absence, Planned },
  ])
  expect(Object.fromEntries(shown)).toEqual(byKey)
  expect(answer.Totals).toEqual(sums(facts))
  const worked = facts.filter((fact) => isWork(fact) && fact.minutes > 0)
  const weeks = [...Map.groupBy(worked, ({ date }) => weekOf(date))]
    .map(([Week, of]) => {
      const { Approved, Pending } = sums(of)
      return { Week, Monday: addDays(Week, 1), Approved, Pending }
    })
    .toSorted((one, other) => (one.Week < other.Week ? -1 : 1))
  expect(answer.Weeks).toEqual(weeks.slice(-10))
}

const expectHours = async (started: Started, filter: HoursFilters) => {
  const { program, students } = started
  const { rows: rotations } = await installation.owner.query<{ id: number; target: number }>(
    'select id, target_minutes as target from rotation where program_id = $1',
    [program.Id],
  )
  const answer = await started.faculty.ok(getHoursSummary, {
    params: { programId: program.Id },
    query: { ...filter, pageSize: 100, sort: 'Student' },
  })
  const { records, shifts } = await readRaw(started, filter)
  const rows = new Map(answer.Items.map((row) => [row.StudentId, row]))
  const { rows: allowed } = await installation.owner.query<{ id: number }>(
    'select id from account where program_id = $1 and deactivated_at is null',
    [program.Id],
  )
  for (const id of students.filter((student) => allowed.some((each) => each.id === student))) {
    const own = records.filter(({ student_id }) => student_id === id)
    const placed = shifts.filter(({ student_id }) => student_id === id)
    const minutes = (is: (row: RawRecord) => boolean) => sum(own.filter(is), (row) => row.minutes)
    const planned = own.filter((row) => row.kind === 'makeup' && row.status === 'pending' && !row.is_past)
    const part = new Set(placed.map(({ rotation_id }) => rotation_id))
    const target = filter.RotationId
      ? rotations.find((rotation) => rotation.id === filter.RotationId)!.target
      : sum(
          rotations.filter((rotation) => part.has(rotation.id)),
          (rotation) => rotation.target,
        )
    const approved = minutes((row) => isWork(row) && row.status === 'approved')
    const pending = minutes((row) => isWork(row) && row.status === 'pending')
    const ahead = placed.filter((shift) => shift.is_ahead)
    const { minutes: projection, parts } = project({
      approved,
      pending,
      makeupPlanned: sum(planned, (row) => row.minutes),
      makeupDate: planned.map(({ date }) => date).toSorted()[0] ?? null,
      assigned: sum(ahead, (shift) => shift.minutes),
      assignedShifts: ahead.length,
      absentDays: own.filter((row) => row.kind === 'absence' && row.is_past).length,
      pastDays: placed.filter((shift) => shift.is_past).length,
    })
    const expected: Partial<HoursRow> = {
      Approved: approved,
      Pending: pending,
      Target: target,
      Projection: projection,
      Difference: projection - target,
      Parts: parts,
    }
    const row = rows.get(id)
    // A record without minutes alone does not list its student.
    const isListed = placed.length > 0 || own.some((record) => record.minutes > 0)
    if (row || isListed) expect(row).toMatchObject(expected)
  }
  expect(answer.Totals.Approved).toBe(sum(answer.Items, (row) => row.Approved))
  expect(answer.Totals.Finish).toBe(answer.Items.filter((row) => row.Difference >= 0).length)
  expect(answer.Projections).toEqual(
    answer.Items.map((row) => row.Projection).toSorted((one, other) => one - other),
  )
}

/** The rotation on the home page comes to what the hours summary of that rotation says, and its shifts to what their records say. */
const expectHome = async ({ program, faculty, director }: Started) => {
  const { owner } = installation
  const params = { programId: program.Id }
  const read = async () => {
    const { Rotation, NotClockedIn, AtSitesNow, Weeks } = await faculty.ok(getHome, { params })
    const { Completion } = await director.ok(getOutcomes, { params, query: { ThroughDate: today() } })
    return { Rotation, NotClockedIn, AtSitesNow, Weeks, Completion }
  }
  const shown = await read()
  const { Rotation, NotClockedIn, AtSitesNow, Weeks, Completion } = shown
  const { rows: shifts } = await owner.query<{ is_missed: boolean; is_open: boolean | null }>(
    `select a.starts_at < now() - interval '15 minutes' and not exists (select from time_record r where r.program_id = $1
        and r.student_id = a.student_id and r.deleted_at is null and r.status <> 'rejected' and (r.assignment_id = a.id or r.date = a.date)
        and r.occurred_at between a.starts_at - interval '1 day' and a.ends_at + interval '12 hours') as is_missed,
      (select bool_or(r.partner_id is null) from time_record r where r.program_id = $1 and r.assignment_id = a.id and r.kind = 'in'
        and r.deleted_at is null) as is_open
    from shift_assignment a where a.program_id = $1 and a.date = $2 and a.removed_at is null`,
    [program.Id, today()],
  )
  expect(NotClockedIn.Count).toBe(shifts.filter((shift) => shift.is_missed).length)
  const worked = await owner.query(
    `select week_of(date) as week, status, sum(minutes)::integer as minutes from time_record where program_id = $1 and deleted_at is null
      and status <> 'rejected' and kind not in ('in', 'absence') and is_matched group by 1, 2`,
    [program.Id],
  )
  const minutesOf = (week: string, status: string): number =>
    worked.rows.find((row) => row.week === week && row.status === status)?.minutes ?? 0
  expect(Weeks).toEqual(
    Array.from({ length: 8 }, (_, index) => addDays(weekOf(today()), -7 * (7 - index))).map((Week) => ({
      Week,
      Monday: addDays(Week, 1),
      ApprovedMinutes: minutesOf(Week, 'approved'),
      PendingMinutes: minutesOf(Week, 'pending'),
    })),
  )
  const last = await owner.query<{ count: number }>(
    `select count(*)::integer as count from shift_assignment where program_id = $1 and date = $2::date - 1 and ends_at > now()
      and removed_at is null`,
    [program.Id, today()],
  )
  expect(sum(AtSitesNow, ({ Expected }) => Expected)).toBe(shifts.length + last.rows[0]!.count)
  if (last.rows[0]!.count === 0) {
    expect(sum(AtSitesNow, ({ In }) => In)).toBe(shifts.filter((shift) => shift.is_open === true).length)
    expect(sum(AtSitesNow, ({ Left }) => Left)).toBe(shifts.filter((shift) => shift.is_open === false).length)
  }
  // Kept with what was marked, all of it anew, and without anything kept.
  await recountAt(program.Id)
  expect(await read()).toEqual(shown)
  await owner.query("delete from event_seen where program_id = $1 and reader = 'rotations'", [program.Id])
  expect(await read()).toEqual(shown)
  expect(Rotation).not.toBeNull()
  const { Totals, Total } = await faculty.ok(getHoursSummary, { params, query: { RotationId: Rotation!.Id } })
  expect(Rotation).toMatchObject({
    ApprovedMinutes: Totals.Approved,
    TargetMinutes: Totals.Target,
    Students: Total,
    OnTime: Totals.Finish,
  })
  expect(Completion).toMatchObject({
    RotationId: Rotation!.Id,
    ApprovedMinutes: Totals.Approved,
    TargetMinutes: Totals.Target,
    Students: Total,
    Reach: Totals.Finish,
  })
  for (const { LevelId, Students, Reach } of Completion!.Levels.filter((level) => level.LevelId !== null)) {
    const ofLevel = await faculty.ok(getHoursSummary, {
      params,
      query: { RotationId: Rotation!.Id, StudentLevelIds: [LevelId!] },
    })
    expect({ Students, Reach }).toEqual({ Students: ofLevel.Total, Reach: ofLevel.Totals.Finish })
  }
}

/** Counts of kept sums are those of the records themselves, which answer when days are asked for. */
const expectCounts = async ({ program, faculty }: Started, filter: { SiteId?: number; AreaId?: number }) => {
  const count = (more: { FromDate?: string }) =>
    faculty.ok(countTimeRecords, { params: { programId: program.Id }, query: { ...filter, ...more } })
  expect(await count({})).toEqual(await count({ FromDate: '2000-01-01' }))
}

/** Everything that reads the sums, with filters by the numbers of a property. */
const expectSame = async (started: Started, seed: number): Promise<void> => {
  expect(await wrongSums(installation.owner, timeSums, started.program.Id)).toEqual([])
  const [from, through] = [dayOf(seed), dayOf(seed * 7 + 20)].toSorted() as [string, string]
  const parts = [
    {},
    { RotationId: started.rotations[seed % 2]!.id },
    { SiteId: started.sites[seed % 2]!.id },
    { AreaId: started.area },
    { FromDate: from },
    { FromDate: from, ThroughDate: through },
    { ThroughDate: through, RotationId: started.rotations[seed % 2]!.id },
  ]
  for (const part of parts) await expectHours(started, part)
  await expectHome(started)
  for (const part of [{}, { SiteId: started.sites[seed % 2]!.id }, { AreaId: started.area }])
    await expectCounts(started, part)
  const By = timeGroups[seed % 5]!
  for (const part of parts) await expectTotals(started, part, By)
  await expectTotals(started, { StudentId: started.students[seed % 3]!, FromDate: from }, 'month')
  await expectTotals(started, { StudentLevelIds: [1] }, 'site')
  await expectTotals(
    started,
    { Type: (['out', 'absence', 'makeup'] as const)[seed % 3]!, FromDate: from },
    By,
  )
}

const change: fc.Arbitrary<Change> = fc.record({
  step: fc.constantFrom(...steps),
  which: fc.nat(1000),
  value: fc.nat(1000),
})

test('D3-074 D3-086 what time comes to is kept through any changes as counting by hand finds it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.array(change, { minLength: 8, maxLength: 24 }), fc.nat(1000)), {
        minLength: 2,
        maxLength: 3,
      }),
      async (rounds) => {
        const started = await start()
        for (const [changes, seed] of rounds) {
          for (const each of changes)
            await apply(started, each).catch((error) => {
              if (!isRefused(error)) throw error
            })
          await expectSame(started, seed)
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)

test('D3-074 people who change records and shifts at the same moment are all counted, once each', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 60, maxLength: 120 }), async (changes) => {
      const started = await start()
      const queue = changes.filter(({ step }) => step !== 'past')
      const worker = async () => {
        for (let next = queue.pop(); next; next = queue.pop()) {
          const due = next
          const attempt = (): Promise<void> =>
            apply(started, due).catch((error: { code?: string }) => {
              if (error.code === '40P01') return attempt()
              if (!isRefused(error)) throw error
            })
          await attempt()
          if (queue.length % 10 === 0) await movePlans.work({}, installation.services)
        }
      }
      await Promise.all([worker(), worker(), worker(), worker()])
      await expectSame(started, changes.length)
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

test('D3-074 two plan time at the same site in the same month without waiting for each other in the sums', async () => {
  const started = await start()
  const { owner } = installation
  const insert = `insert into shift_assignment (program_id, rotation_id, site_shift_id, site_id, student_id, date, starts_at, ends_at)
    values ($1, $2, $3, $4, $5, $6::date, $6::date, $6::date + interval '8 hours')`
  const values = (day: number) => [
    started.program.Id,
    started.rotations[0]!.id,
    started.sites[0]!.shift,
    started.sites[0]!.id,
    started.students[day],
    addDays('2031-05-05', day),
  ]
  const [slow, quick] = [await owner.connect(), await owner.connect()]
  try {
    await slow.query('begin')
    await slow.query(insert, values(0))
    await quick.query("set lock_timeout = '2s'")
    expect((await quick.query(insert, values(1))).rowCount).toBe(1)
    await slow.query('commit')
  } finally {
    await quick.query('reset lock_timeout')
    slow.release()
    quick.release()
  }
  await expectSame(started, 1)
})

test('D3-074 a save that began before the moment of past shifts moved on is tried again, not counted by the old one', async () => {
  const started = await start()
  const { owner } = installation
  const save = await owner.connect()
  try {
    await save.query('begin isolation level repeatable read')
    await save.query('select from plan_until')
    await movePlans.work({}, installation.services)
    await expect(
      save.query('update shift_assignment set removed_at = now() where program_id = $1 and id = $2', [
        started.program.Id,
        started.assignments[0],
      ]),
    ).rejects.toMatchObject({ code: '40001' })
  } finally {
    await save.query('rollback')
    save.release()
  }
  await expectSame(started, 1)
})

test('whatever changes right after the hours of rotations were kept is marked, so that it counts at once', async () => {
  const started = await start()
  await addAssignment(started, 7, true)
  const changes: Change['step'][] = [
    'record',
    'status',
    'minutes',
    'delete',
    'restore',
    'move record',
    'assign',
    'remove',
    'return',
    'lengthen',
    'move shift',
    'access',
  ]
  for (const step of changes) {
    await recountAt(started.program.Id)
    // An exception, whose minutes count by themselves, and the shift of today.
    const which = /record|status|minutes|delete|restore/.test(step) ? 2 : started.assignments.length - 1
    await apply(started, { step, which, value: 22 })
    expect([
      step,
      await wrongSums(installation.owner, { wrong: wrongRotations }, started.program.Id),
    ]).toEqual([step, []])
  }
})

test('hours of rotations are due at once where something has happened, and otherwise every five minutes', async () => {
  const started = await start()
  const { owner } = installation
  const { Id } = started.program
  const isDue = async () => {
    const { rows } = await owner.query<{ program_id: number }>(rotationsDue)
    return rows.some(({ program_id }) => program_id === Id)
  }
  const count = async (moment?: RawBuilder<unknown>) => {
    await recountAt(Id, moment)
    return isDue()
  }
  expect(await isDue()).toBe(true)
  expect(await count()).toBe(false)
  await addRecord(started, 2, 22)
  expect(await isDue()).toBe(true)
  await keepRotationHours.work({}, installation.services)
  expect(await isDue()).toBe(false)
  expect(await inProgram(Id, (db) => changedStudents(Id).execute(db))).toMatchObject({ rows: [] })
  expect(await count(sql`now() - interval '6 minutes'`)).toBe(true)
  // A shift that has begun since, of which no record tells.
  await owner.query(
    `update shift_assignment set date = current_date, starts_at = now() - interval '1 minute', ends_at = now() + interval '1 minute'
    where program_id = $1 and id = $2`,
    [Id, started.assignments.at(-1)],
  )
  expect(await count(sql`now() - interval '2 minutes'`)).toBe(true)
  expect(await count()).toBe(false)
})

test('the nightly check names the sums that are wrong, and counting anew repairs them', async () => {
  const started = await start()
  const { owner } = installation
  const { Id } = started.program
  await checkTimeSums.work({}, installation.services)
  await owner.query('update time_sum set minutes = minutes + 1 where program_id = $1', [Id])
  await owner.query('update student_hours set approved_minutes = 1 where program_id = $1', [Id])
  await expect(checkTimeSums.work({}, installation.services)).rejects.toThrow(
    new RegExp(`program ${Id}: \\d+ of time_sum; .*of student_hours`),
  )
  await recount(installation, timeSums, Id)
  await checkTimeSums.work({}, installation.services)
  await expectSame(started, 2)
})
