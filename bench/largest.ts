import { z } from 'zod'
import { listClearance, listClinicalRecords } from '#contract/clinical-records/clinical-records.ts'
import { competencyPageSize } from '#contract/competencies/competency-grid.ts'
import { listExams, listRechecks } from '#contract/competencies/exam-admin.ts'
import { listProcedureLogs } from '#contract/competencies/log-verification.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { searchDocuments } from '#contract/documents/documents.ts'
import { getEvaluationResults } from '#contract/evaluations/evaluation-results.ts'
import { searchEvaluations } from '#contract/evaluations/evaluations.ts'
import { searchUsers } from '#contract/people/people.ts'
import { listProgress } from '#contract/progress/progress.ts'
import { getMatrix } from '#contract/requirements/matrix.ts'
import { listPackets } from '#contract/requirements/packets.ts'
import { listWaitingProofs } from '#contract/requirements/proof-review.ts'
import { listVerifications, listVerifiedStudents } from '#contract/requirements/verifications.ts'
import { listDoseReadings } from '#contract/safety/doses.ts'
import { listIncidents } from '#contract/safety/incidents.ts'
import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { gridPageSize } from '#contract/scheduling/schedule-grid.ts'
import { pageSites } from '#contract/sites/sites.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
import { listMissedTimeRecords } from '#contract/time/missed-shifts.ts'
import { listTimeRecords } from '#contract/time/time-records.ts'
import { getTimeSummaries } from '#contract/time/time-summaries.ts'
import { dayFromNow, get } from './calls.ts'
import { type Installation, processorSeconds, type SignedIn } from './installation.ts'
import { median, type Request, send } from './load.ts'
import { options, windowMs } from './options.ts'
import type { Figure } from './table.ts'

/** A call in no sort and filter may cost more than this, in milliseconds of processor. */
const mostMs = 100

/** Lists whose every sort and filter is measured, with what a page of them may cost and should. */
const lists: readonly {
  what: string
  endpoint: AnyEndpoint
  bars: [must: number, stretch: number]
  /** What is asked besides, where a list is of several kinds. */
  query?: Record<string, string>
}[] = [
  { what: 'approve list', endpoint: listTimeRecords, bars: [12, 4] },
  { what: 'assignments', endpoint: listShiftAssignments, bars: [12, 4] },
  { what: 'people', endpoint: searchUsers, bars: [12, 4] },
  { what: 'evaluation status', endpoint: searchEvaluations, bars: [12, 4] },
  { what: 'missed records', endpoint: listMissedTimeRecords, bars: [12, 4] },
  { what: 'background checks', endpoint: listVerifications, bars: [12, 4], query: { Type: '1' } },
  { what: 'immunizations', endpoint: listVerifications, bars: [12, 4], query: { Type: '2' } },
  {
    what: 'students by background check',
    endpoint: listVerifiedStudents,
    bars: [12, 4],
    query: { Type: '1' },
  },
  { what: 'students by immunization', endpoint: listVerifiedStudents, bars: [12, 4], query: { Type: '2' } },
  { what: 'waiting proofs', endpoint: listWaitingProofs, bars: [12, 4] },
  { what: 'packets', endpoint: listPackets, bars: [12, 4] },
  { what: 'students and requirements', endpoint: getMatrix, bars: [60, 25] },
  { what: 'sites', endpoint: pageSites, bars: [12, 4] },
  { what: 'documents', endpoint: searchDocuments, bars: [12, 4] },
  { what: 'competency exams', endpoint: listExams, bars: [12, 4] },
  { what: 'rechecks', endpoint: listRechecks, bars: [12, 4] },
  { what: 'logs of procedures', endpoint: listProcedureLogs, bars: [12, 4] },
  { what: 'progress', endpoint: listProgress, bars: [12, 4] },
  { what: 'students by clearance and records', endpoint: listClearance, bars: [12, 4] },
  { what: 'clinical records', endpoint: listClinicalRecords, bars: [12, 4] },
  { what: 'dosimeter readings', endpoint: listDoseReadings, bars: [12, 4] },
  { what: 'incidents', endpoint: listIncidents, bars: [12, 4] },
  { what: 'hours summary', endpoint: getHoursSummary, bars: [25, 8] },
  { what: 'time totals', endpoint: getTimeSummaries, bars: [25, 8] },
  { what: 'evaluation results', endpoint: getEvaluationResults, bars: [25, 8] },
]

const asBrowsers = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, 'accept-encoding': 'br, gzip' },
})

/**
 * Milliseconds of processor a call costs when its statements are prepared and planned, and its code is compiled: of the first
 * hundred calls of a kind each takes up to twice as much. A sort or filter of a list follows many calls of that list.
 */
const costOf = async (at: Installation, request: Request, warmCalls = 200): Promise<number> => {
  const warming = performance.now()
  for (let warm = 0; warm < 3 || (warm < warmCalls && performance.now() - warming < 1_000); warm++)
    await send(at.ours.origin, request)
  const used = () => processorSeconds(at.ours.pid) + at.databaseSeconds()
  const windows: number[] = []
  // The database cleans up after other parts of the bench meanwhile, which is none of the call's cost: the middle of three.
  while (windows.length < 3) {
    const started = performance.now()
    const before = used()
    let answered = 0
    // The system counts in hundredths of a second: below a tenth of one they would show.
    while (
      answered < 100 &&
      ((answered < 3 && performance.now() - started < 1_000) ||
        used() - before < (options.quick ? 0.05 : 0.12))
    ) {
      await send(at.ours.origin, request)
      answered++
    }
    windows.push(((used() - before) * 1000) / answered)
  }
  return median(windows)
}

type Ids = Record<string, string | number>

/** One of each that a filter can name, from the middle of the program. */
const idsOf = async (at: Installation, programId: number): Promise<Ids> => {
  const { rows } = await at.owner.query(
    `select (select student_id::integer from shift_assignment where program_id = $1 order by student_id offset 1000 limit 1) as "StudentId",
      (select site_id::integer from site_shift where program_id = $1 order by id limit 1) as "SiteId",
      (select id::integer from rotation where program_id = $1 order by id desc limit 1) as "RotationId",
      (select area_id::integer from site where program_id = $1 and area_id is not null order by id limit 1) as "AreaId",
      (select template_id::integer from evaluation where program_id = $1 order by id limit 1) as "TemplateId",
      (select skill_id::integer from exam_attempt where program_id = $1 order by id limit 1) as "ProcedureId",
      (select cohort from account where program_id = $1 and cohort <> '' order by id offset 100 limit 1) as "Cohort",
      (current_date - 60)::text as "FromDate", current_date::text as "ThroughDate"`,
    [programId],
  )
  return { ...rows[0], search: 'ma', SubjectId: rows[0].StudentId }
}

type Field = { enum?: unknown[]; const?: unknown; type?: string; anyOf?: Field[]; items?: Field }

/** The calls of a list: as it opens, in each sort, and with each filter. */
const variantsOf = (endpoint: AnyEndpoint, ids: Ids): { name: string; query: Record<string, string> }[] => {
  const { properties = {}, required = [] } = z.toJSONSchema(endpoint.query as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, Field>; required?: string[] }
  const valuesOf = (name: string, field: Field): unknown[] => {
    if (['page', 'pageSize', 'cursor'].includes(name)) return []
    const kinds = [field, ...(field.anyOf ?? []), ...(field.items ? [field.items] : [])]
    const values = kinds.flatMap((kind) => kind.enum ?? (kind.const === undefined ? [] : [kind.const]))
    if (values.length > 0) return values
    if (kinds.some(({ type }) => type === 'boolean')) return [true]
    return ids[name] === undefined || ids[name] === null ? [] : [ids[name]]
  }
  const all = Object.entries(properties).flatMap(([name, field]) =>
    valuesOf(name, field).map((value) => ({ name: `${name}=${value}`, query: { [name]: String(value) } })),
  )
  const asked = Object.fromEntries(
    // A number that has to be given is the first of a few kinds.
    required.map((name) => [name, String(valuesOf(name, properties[name]!)[0] ?? 1)]),
  )
  if (properties.pageSize) asked.pageSize = '50'
  return [
    { name: 'as it opens', query: asked },
    ...all.map(({ name, query }) => ({ name, query: { ...asked, ...query } })),
  ]
}

const figure = (what: string, value: number, [must, stretch]: [number, number], note = ''): Figure => ({
  what,
  value,
  text: `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`,
  must,
  stretch,
  bar: `≤ ${must} / ≤ ${stretch} ms`,
  note,
})

const someone = async (at: Installation, programId: number, level: number): Promise<SignedIn | undefined> => {
  const { rows } = await at.owner.query(
    `select id::integer from account where program_id = $1 and access_level = $2 and deleted_at is null
      and deactivated_at is null order by id limit 1`,
    [programId, level],
  )
  return rows[0] && (await at.signIn([rows[0].id]))[0]
}

/** The schedule of everybody for thirteen weeks: its head and first page, a page further down, and what others wait meanwhile. */
const gridFigures = async (at: Installation, staff: SignedIn, ids: Ids): Promise<Figure[]> => {
  const grid = `/programs/${staff.programId}/shift-assignments/grid`
  const dates = `FromDate=${dayFromNow(-30)}&ThroughDate=${dayFromNow(60)}`
  const asked = (path: string) => asBrowsers(get(staff, path))
  const [head, first, conflicts] = [
    asked(`${grid}/days?${dates}`),
    asked(`${grid}?${dates}`),
    asked(`${grid}/conflicts?${dates}`),
  ] as const
  const page = (number: number) => asked(`${grid}?${dates}&Offset=${number * gridPageSize}`)
  const firstScreen = (await costOf(at, head)) + (await costOf(at, first))
  const scrolling = await costOf(at, page(20))
  const ofEverybody = await costOf(at, conflicts)
  const others = asked(
    `/programs/${staff.programId}/shift-assignments?StudentId=${ids.StudentId}&pageSize=50`,
  )
  await send(at.ours.origin, others)
  let isOver = false
  const opening = (async () => {
    while (!isOver) {
      await Promise.all([send(at.ours.origin, head), send(at.ours.origin, first)])
      await send(at.ours.origin, conflicts)
      for (let next = 1; next < 6 && !isOver; next++) await send(at.ours.origin, page(next))
    }
  })()
  const waits: number[] = []
  const began = performance.now()
  while (performance.now() - began < windowMs * 2) {
    const asking = performance.now()
    await send(at.ours.origin, others)
    waits.push(performance.now() - asking)
  }
  isOver = true
  await opening
  return [
    figure('l schedule grid first screen, 13 weeks', firstScreen, [60, 25]),
    figure('l schedule grid, scrolling a page', scrolling, [40, 15]),
    figure(
      'l schedule grid: slowest other call meanwhile',
      Math.max(...waits),
      [100, 40],
      `of ${waits.length}, by the clock; median ${median(waits).toFixed(1)} ms`,
    ),
    figure(
      'l schedule grid: conflicts of everybody',
      ofEverybody,
      [150, 60],
      'asked for when the first screen is there',
    ),
  ]
}

/** The competency grid of everybody by eighty procedures: its first screen, a page further down, filters, and where procedures are. */
const competencyFigures = async (at: Installation, staff: SignedIn, listId: number): Promise<Figure[]> => {
  const program = `/programs/${staff.programId}`
  const grid = `${program}/competency-lists/${listId}/grid`
  const cost = (path: string) => costOf(at, asBrowsers(get(staff, path)))
  const first = (await cost(`${grid}/head`)) + (await cost(grid))
  return [
    figure('l competency grid first screen', first, [60, 25]),
    figure(
      'l competency grid, scrolling a page',
      await cost(`${grid}?Offset=${20 * competencyPageSize}`),
      [40, 15],
    ),
    figure('l competency grid by state', await cost(`${grid}?State=ready`), [40, 15]),
    figure('l competency grid: who is behind', await cost(`${grid}?IsBehind=true&sort=Passed`), [40, 15]),
    figure('l procedures by site', await cost(`${grid}/sites`), [60, 25]),
  ]
}

/**
 * What calls cost in the largest program, one at a time: Node.js and PostgreSQL together, packed as browsers ask for it.
 * Of a list the call as it opens has the bar; its most expensive sort or filter is named beside it and fails above 100 ms.
 */
export const largestFigures = async (
  at: Installation,
  {
    staff,
    director,
    listId,
    inbox,
  }: { staff: SignedIn; director: SignedIn; listId: number; inbox: readonly Request[] },
): Promise<Figure[]> => {
  const { programId } = staff
  const ids = await idsOf(at, programId)
  const figures: Figure[] = []
  const one = async (what: string, who: SignedIn | undefined, path: string, bars: [number, number]) => {
    if (who) figures.push(figure(what, await costOf(at, asBrowsers(get(who, path))), bars))
  }
  const program = `/programs/${programId}`
  const student = await someone(at, programId, Level.Student)
  await one('l coordinator home', staff, `${program}/home`, [8, 3])
  await one('l student home', student, '/state', [8, 3])
  await one(
    'l supervisor inbox',
    await someone(at, programId, Level.Supervisor),
    `${program}/time-records?Status=pending&pageSize=50`,
    [8, 3],
  )
  const inboxCosts: number[] = []
  for (const request of inbox) inboxCosts.push(await costOf(at, asBrowsers(request)))
  if (inbox.length > 0)
    figures.push(
      figure(
        'l inbox by link first screen',
        inboxCosts.reduce((sum, cost) => sum + cost, 0),
        [8, 3],
        `its two calls: ${inboxCosts.map((cost) => `${cost.toFixed(1)} ms`).join(', ')}`,
      ),
    )
  await one('l approve list', staff, `${program}/time-records?Status=pending&pageSize=50`, [12, 4])
  await one('l its counts', staff, `${program}/time-records/counts`, [12, 4])
  await one('l own results', student, '/evaluations/results', [25, 8])
  await one('l own exams', student, '/exams', [12, 4])
  await one('l director’s page', director, `${program}/outcomes`, [25, 8])
  if (options.list === undefined) {
    figures.push(...(await gridFigures(at, staff, ids)))
    figures.push(...(await competencyFigures(at, staff, listId)))
  }
  for (const { what, endpoint, bars, query: asked } of lists) {
    if (!what.includes(options.list ?? '')) continue
    const path = endpoint.path.replace(':programId', String(programId))
    const costs: { name: string; cost: number }[] = []
    for (const { name, query } of variantsOf(endpoint, ids)) {
      const request = asBrowsers(get(staff, `${path}?${new URLSearchParams({ ...query, ...asked })}`))
      const answered = await send(at.ours.origin, request).catch((error: Error) => error)
      if (answered instanceof Error) console.log(`${what}, ${name}: ${answered.message}`)
      else costs.push({ name, cost: await costOf(at, request, costs.length === 0 ? 200 : 10) })
    }
    const [first, ...others] = costs
    if (!first) continue
    figures.push(figure(`l ${what}`, first.cost, bars))
    const slowest = others.toSorted((x, y) => y.cost - x.cost)
    if (slowest[0])
      figures.push(
        figure(
          `l ${what}: its most expensive sort or filter`,
          slowest[0].cost,
          [mostMs, bars[0]],
          slowest
            .slice(0, 3)
            .map(({ name, cost }) => `${name} ${Math.round(cost)} ms`)
            .join(', '),
        ),
      )
  }
  return figures
}
