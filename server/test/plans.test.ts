import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEndpoints } from '#contract/index.ts'
import { listProgress } from '#contract/progress/progress.ts'
import { getHome } from '#contract/reports/reports.ts'
import { getHoursSummary, type HoursRow } from '#contract/time/hours-summary.ts'
import { transaction } from '#server/core/database/pool.ts'
import { generate } from '#server/demo/generate.ts'
import { makeDueEvaluations } from '#server/modules/evaluations/making.commands.ts'
import { countProgress } from '#server/modules/progress/progress.commands.ts'
import { countReads } from './count-reads.ts'
import { type Installation, startInstallation } from './installation.ts'

/**
 * Every list of a program, asked on big data: no large table may be read from end to end. PostgreSQL counts such reads
 * itself, so this holds for whatever statement a call sends.
 */
const large = [
  'time_record',
  'shift_assignment',
  'shift_day',
  'evaluation',
  'evaluation_answer',
  'evaluation_item_month',
  'evaluation_item_day',
  'verification',
  'account',
  'student_hours',
  'time_sum',
  'procedure_log',
  'procedure_sum',
  'procedure_site_week',
  'competency_standing',
  'exam_attempt',
  'exam_attempt_item',
  'exam_signature',
  'lab_check',
  'rotation_student',
  // Their first months.
  'audit_history',
  'mail_history',
]
const programId = 5
let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
  await generate(installation.owner.options.connectionString!, {
    scale: 10,
  })
  // As the worker does: without it what totals read is empty.
  // What it reads from end to end is told of at once, and not while the lists are read.
  await installation.owner.query('analyze time_sum, student_hours; select pg_stat_force_next_flush()')
}, 300_000)
afterAll(() => installation?.stop())

const fullReads = async (): Promise<Map<string, number>> => {
  await countReads(installation)
  const { rows } = await installation.owner.query<{ name: string; count: number }>(
    `select relname as name, seq_scan as count from pg_stat_user_tables where relname = any ($1)`,
    [large],
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Calls of a program that need nothing but the program, and those whose query has no required part. */
const lists = allEndpoints.filter(
  ({ method, path }) => method === 'GET' && path.includes(':programId') && path.match(/:/g)?.length === 1,
)

test('no list of a program reads a large table from end to end', { timeout: 120_000 }, async () => {
  const { rows } = await installation.owner.query(
    'select id as "Id" from account where program_id = $1 and access_level = 69 limit 1',
    [programId],
  )
  const student = await installation.owner.query(
    'select id as "Id" from account where program_id = $1 and access_level = 39 limit 1',
    [programId],
  )
  const procedure = await installation.owner.query(
    `select t.id::integer, m.list_id::integer as list from skill t
      join major_study m on m.program_id = t.program_id and m.id = t.major_study_id where t.program_id = $1 limit 1`,
    [programId],
  )
  const grid = `/programs/${programId}/competency-lists/${procedure.rows[0].list}/grid`
  const coordinator = await installation.as(rows[0])
  const before = await fullReads()
  const answered: string[] = []
  for (const endpoint of lists) {
    const path = endpoint.path.replace(':programId', String(programId))
    const { status } = await coordinator.send('GET', path)
    if (status === 200) answered.push(endpoint.path)
  }
  for (const path of [
    `/programs/${programId}/users/list?search=lind&sort=-AccessLevel`,
    `/programs/${programId}/time-records?Insight=3`,
    `/programs/${programId}/time-records?EditedFrom=2026-03-10&EditedThrough=2030-01-01`,
    `/programs/${programId}/scheduling-options?Kind=editor`,
    `/programs/${programId}/time-records?StudentId=${rows[0].Id}`,
    `/programs/${programId}/shift-assignments?sort=LastName&pageSize=100`,
    `/programs/${programId}/evaluations?IsLate=true`,
    `/programs/${programId}/evaluations?Status=1&sort=EndDate`,
    `/programs/${programId}/evaluations?sort=-EndDate`,
    `/programs/${programId}/evaluation-results?By=subject`,
    `/programs/${programId}/evaluation-results?By=site&FromDate=2026-03-10&ThroughDate=2030-01-01`,
    `/programs/${programId}/evaluation-results?SubjectId=${student.rows[0].Id}`,
    `/programs/${programId}/procedure-logs?page=20`,
    `/programs/${programId}/procedure-logs?State=submitted`,
    `/programs/${programId}/procedure-logs?StudentId=${student.rows[0].Id}`,
    `/programs/${programId}/procedure-logs?WithRepeats=true&FromDate=2026-03-10`,
    `/programs/${programId}/students/${student.rows[0].Id}/competencies`,
    `/programs/${programId}/students/${student.rows[0].Id}/competencies/places`,
    `${grid}/head`,
    `${grid}?Offset=60`,
    `${grid}?State=ready&sort=-Ready`,
    `${grid}?search=lind&IsBehind=true`,
    `${grid}/sites`,
    `/programs/${programId}/students/${student.rows[0].Id}/competencies/${procedure.rows[0].id}/history`,
    `/programs/${programId}/verifications?Type=2&search=lind`,
    `/programs/${programId}/verifications/students?Type=2&sort=-Missing`,
  ]) {
    expect((await coordinator.send('GET', path)).status, path).toBe(200)
  }
  const asStudent = await installation.as(student.rows[0])
  for (const path of [
    '/evaluations/results',
    '/procedure-log',
    '/procedure-log/places',
    '/procedure-log/context',
    '/procedure-log/standing',
  ])
    expect((await asStudent.send('GET', path)).status, path).toBe(200)
  expect(answered.length).toBeGreaterThan(15)
  const after = await fullReads()
  const read = large.filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0))
  expect(read).toEqual([])
})

test('who the home page counts is who the list it opens shows, and whoever is short there is at risk for it', {
  timeout: 120_000,
}, async () => {
  const { owner, services } = installation
  const { rows } = await owner.query(
    `select u.id as "Id", (now() at time zone p.time_zone)::date::text as today from account u join program p on p.id = u.program_id
      where u.program_id = $1 and u.access_level = 69 limit 1`,
    [programId],
  )
  await transaction(services.pool, { accountId: null, programIds: [programId] }, (db) =>
    countProgress(db, programId, rows[0].today),
  )
  const coordinator = await installation.as(rows[0])
  const params = { programId }
  const home = await coordinator.ok(getHome, { params })
  const hours = async (query: object) => {
    const pages: HoursRow[] = []
    for (let page = 1; page < 50; page++) {
      const { Items } = await coordinator.ok(getHoursSummary, {
        params,
        query: { RotationId: home.Rotation!.Id, page, pageSize: 200, ...query },
      })
      pages.push(...Items)
      if (Items.length < 200) break
    }
    return pages
  }
  const idsOf = (students: readonly { StudentId: number }[]) =>
    students.map(({ StudentId }) => StudentId).toSorted((one, other) => one - other)
  const everybody = await hours({})
  const short = await hours({ IsShort: true })
  // By hand: what will be there is less than what is asked.
  expect(idsOf(short)).toEqual(idsOf(everybody.filter(({ Projection, Target }) => Projection < Target)))
  expect(short.length).toBeGreaterThan(0)
  expect(home.Rotation!.Students - home.Rotation!.OnTime).toBe(short.length)
  const risky = await coordinator.ok(listProgress, {
    params,
    query: { IsAtRisk: true, pageSize: 200, sort: '-Risks' },
  })
  expect(home.AtRisk.Count).toBe(risky.Total)
  const studying = await owner.query<{ id: number }>(
    'select id from account where program_id = $1 and access_level = 39 and deactivated_at is null and deleted_at is null',
    [programId],
  )
  const isHere = new Set(studying.rows.map(({ id }) => Number(id)))
  const { rows: counted } = await owner.query<{ StudentId: number }>(
    `select student_id as "StudentId" from student_progress where program_id = $1 and 'hours' = any (risks)`,
    [programId],
  )
  const atRisk = new Set(idsOf(counted))
  expect(idsOf(short).filter((id) => isHere.has(id) && !atRisk.has(id))).toEqual([])
})

test('evaluations make themselves without reading a large table from end to end', {
  timeout: 120_000,
}, async () => {
  const { rows } = await installation.owner.query(
    `update evaluation_template set is_automatic = true, automatic_from = current_date - 20, make_on = 'shift', make_each = 'site'
      where program_id = $1 and is_active and not is_anonymous and evaluator_role in ('student', 'supervisor') returning id`,
    [programId],
  )
  expect(rows.length).toBeGreaterThan(1)
  const before = await fullReads()
  const make = () =>
    transaction(installation.services.pool, { accountId: null, programIds: [programId] }, (db) =>
      makeDueEvaluations(db, programId),
    )
  expect((await make()).made).toBeGreaterThan(10)
  expect((await make()).made).toBe(0)
  const after = await fullReads()
  expect(large.filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0))).toEqual([])
})
