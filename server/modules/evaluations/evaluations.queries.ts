import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { type EvaluationRow, type FormWords, mostOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Who looks, and where: supervisors see what concerns their sites or was asked of them, and nothing of anonymous forms. */
export interface Viewer {
  Id: number
  AccessLevel: number
  /** The day that counts as today in the program, 'YYYY-MM-DD'. */
  today: string
}

const columns = (today: string) => sql`
  e.id as "Id", e.date as "Date", e.end_date as "EndDate", e.template_id as "TemplateId", t.title as "Template",
  e.evaluator_id as "EvaluatorId",
  case when e.evaluator_id is null then 'Anonymous' else listed_name(v.last_name, v.first_name) end as "Evaluator",
  e.subject_id as "SubjectId", coalesce(listed_name(u.last_name, u.first_name), s.name, '') as "Subject",
  e.site_id as "SiteId", coalesce(s.name, '') as "Site", not e.is_completed and e.stopped_at is null and e.evaluator_id is null and exists (
    select from evaluation_link k where k.program_id = e.program_id and k.evaluation_id = e.id and k.ended_at is null) as "HasLink",
  t.is_anonymous as "IsAnonymous", e.is_completed::integer as "Status", e.stopped_at is not null as "IsStopped",
  coalesce(not e.is_completed and e.stopped_at is null and e.end_date < ${today}::date, false) as "IsLate",
  case when t.is_anonymous then null else e.submitted_at end as "SubmittedAt",
  case when t.is_anonymous then null else e.total_score end as "Score"`

const joins = sql`
  join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
  left join account v on v.id = e.evaluator_id
  left join account u on u.program_id = e.program_id and u.id = e.subject_id
  left join site s on s.program_id = e.program_id and s.id = e.site_id`
const joined = sql`from evaluation e ${joins}`

export interface EvaluationFilter {
  TemplateId?: number | undefined
  AreaId?: number | undefined
  EvaluatorId?: number | undefined
  SubjectId?: number | undefined
  SiteId?: number | undefined
  Status?: number | undefined
  IsLate: boolean
  IsStopped: boolean
  FromDate?: string | undefined
  ThroughDate?: string | undefined
  AlumniOnly: boolean
  StudentLevelIds: number[]
  Cohort?: string | undefined
}
interface Listing {
  sort: string
  page: number
  pageSize: number
}

const sortColumns = {
  Id: sql`e.id`,
  Date: sql`e.date`,
  EndDate: sql`e.end_date`,
  Status: sql`e.is_completed`,
}

const visibleTo = (programId: number, viewer: Viewer) =>
  viewer.AccessLevel >= Level.Faculty
    ? sql`true`
    : sql`(e.evaluator_id = ${viewer.Id} or e.site_id in (
        select site_id from supervisor_site where program_id = ${programId} and account_id = ${viewer.Id})
        and e.template_id not in (
          select id from evaluation_template where program_id = ${programId} and is_anonymous))`

/** The evaluations of a filter, as `from evaluation e … where …`; names are joined only where the filter asks for them. */
export const filtered = (programId: number, viewer: Viewer, filter: EvaluationFilter) => {
  const parts = [
    sql`e.program_id = ${programId} and e.deleted_at is null`,
    visibleTo(programId, viewer),
    ...(filter.TemplateId ? [sql`e.template_id = ${filter.TemplateId}`] : []),
    ...(filter.EvaluatorId ? [sql`e.evaluator_id = ${filter.EvaluatorId}`] : []),
    ...(filter.SubjectId ? [sql`e.subject_id = ${filter.SubjectId}`] : []),
    ...(filter.SiteId ? [sql`e.site_id = ${filter.SiteId}`] : []),
    ...(filter.Status !== undefined ? [sql`e.is_completed = ${filter.Status === 1}`] : []),
    ...(filter.Status === 0 && !filter.IsStopped ? [sql`e.stopped_at is null`] : []),
    ...(filter.IsLate
      ? [sql`not e.is_completed and e.stopped_at is null and e.end_date < ${viewer.today}::date`]
      : []),
    ...(filter.IsStopped ? [sql`not e.is_completed and e.stopped_at is not null`] : []),
    ...(filter.FromDate ? [sql`e.date >= ${filter.FromDate}::date`] : []),
    ...(filter.ThroughDate ? [sql`e.date <= ${filter.ThroughDate}::date`] : []),
    ...(filter.AreaId ? [sql`coalesce(u.area_id, s.area_id) = ${filter.AreaId}`] : []),
    ...(filter.AlumniOnly ? [sql`u.access_level = ${Level.Alumnus}`] : []),
    ...(filter.StudentLevelIds.length > 0 ? [sql`u.student_level_id = any (${filter.StudentLevelIds})`] : []),
    ...(filter.Cohort ? [sql`u.cohort = ${filter.Cohort}`] : []),
  ]
  const needsSubject =
    filter.AreaId || filter.AlumniOnly || filter.StudentLevelIds.length > 0 || filter.Cohort !== undefined
  return sql`from evaluation e
    ${needsSubject ? sql`left join account u on u.program_id = e.program_id and u.id = e.subject_id` : sql``}
    ${filter.AreaId ? sql`left join site s on s.program_id = e.program_id and s.id = e.site_id` : sql``}
    where ${sql.join(parts, sql` and `)}`
}

/**
 * A page of the status list with its exact count; every filter is answered by an index of the program. The rows of the page
 * are found first: names are looked up for them only.
 */
export const searchEvaluations = async (
  db: Db,
  programId: number,
  viewer: Viewer,
  filter: EvaluationFilter & Listing,
) => {
  const found = filtered(programId, viewer, filter)
  const column = sortColumns[filter.sort.replace('-', '') as keyof typeof sortColumns]
  const direction = filter.sort.startsWith('-') ? sql`desc` : sql`asc`
  // Only an end may be missing. The others' indexes hold for an order that does not ask where nulls go.
  const order = sql`${column} ${direction} ${filter.sort.endsWith('EndDate') ? sql`nulls last` : sql``}, e.id ${direction}`
  const [count, { rows }] = await Promise.all([
    sql<{ total: number }>`select count(*) as total ${found}`.execute(db),
    sql<EvaluationRow>`
      select ${columns(viewer.today)}
      from (select e.* ${found} order by ${order}
        limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}) e ${joins}
      order by ${order}`.execute(db),
  ])
  return { Items: rows, Total: count.rows[0]!.total, Page: filter.page, PageSize: filter.pageSize }
}

export const findEvaluationRow = async (
  db: Db,
  programId: number,
  viewer: Viewer,
  evaluationId: number,
): Promise<EvaluationRow | undefined> => {
  const { rows } = await sql<EvaluationRow>`
    select ${columns(viewer.today)} ${joined}
    where e.program_id = ${programId} and e.id = ${evaluationId} and e.deleted_at is null
      and ${visibleTo(programId, viewer)}`.execute(db)
  return rows[0]
}

const listOf = async (
  db: Db,
  programId: number,
  viewer: Viewer,
  where: ReturnType<typeof sql>,
  order: ReturnType<typeof sql>,
) =>
  (
    await sql<EvaluationRow>`select ${columns(viewer.today)} ${joined}
      where e.program_id = ${programId} and e.deleted_at is null and ${where} order by ${order} limit ${mostOwnEvaluations}`.execute(
      db,
    )
  ).rows

/** What a person was asked for and has not submitted, the first due first: at most 100. */
export const listWaitingEvaluations = (db: Db, programId: number, viewer: Viewer) =>
  listOf(
    db,
    programId,
    viewer,
    sql`e.evaluator_id = ${viewer.Id} and not e.is_completed and e.stopped_at is null`,
    sql`e.end_date nulls last, e.id`,
  )

/** What waits for a person, what they filled, and completed evaluations about them that they may see and whose form is not anonymous. */
export const listOwn = async (db: Db, programId: number, viewer: Viewer) => ({
  Waiting: await listWaitingEvaluations(db, programId, viewer),
  Filled: await listOf(
    db,
    programId,
    viewer,
    sql`e.evaluator_id = ${viewer.Id} and e.is_completed`,
    sql`e.submitted_at desc, e.id desc`,
  ),
  AboutMe: await listOf(
    db,
    programId,
    viewer,
    sql`e.subject_id = ${viewer.Id} and e.is_completed and not t.is_anonymous and t.is_shown_to_subject`,
    sql`e.submitted_at desc, e.id desc`,
  ),
})

export interface KeptEvaluation {
  id: number
  template_id: number
  evaluator_id: number | null
  subject_id: number | null
  site_id: number | null
  date: string
  end_date: string | null
  is_completed: boolean
  stopped_at: string | null
  submitted_at: string | null
  signed_name: string
  total_score: number | null
  is_anonymous: boolean
  is_shown_to_subject: boolean
  /** The form as it was submitted; null before. */
  form: FormWords | null
  evaluator: string
  subject: string
  site: string
}

/** One evaluation, locked where it is about to be changed. */
export const findEvaluation = async (
  db: Db,
  programId: number,
  evaluationId: number,
  { locks }: { locks: boolean },
): Promise<KeptEvaluation | undefined> => {
  const { rows } = await sql<KeptEvaluation>`
    select e.id, e.template_id, e.evaluator_id, e.subject_id, e.site_id, e.date, e.end_date, e.is_completed, e.stopped_at, e.submitted_at,
      e.signed_name, e.total_score, t.is_anonymous, t.is_shown_to_subject, f.content as form, coalesce(v.first_name || ' ' || v.last_name, 'Anonymous') as evaluator,
      coalesce(u.first_name || ' ' || u.last_name, s.name, '') as subject, coalesce(s.name, '') as site
    from evaluation e
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
    left join evaluation_form f on f.program_id = e.program_id and f.id = e.form_id
    left join account v on v.id = e.evaluator_id left join account u on u.id = e.subject_id
    left join site s on s.program_id = e.program_id and s.id = e.site_id
    where e.program_id = ${programId} and e.id = ${evaluationId} and e.deleted_at is null
    ${locks ? sql`for update of e` : sql``}`.execute(db)
  return rows[0]
}

export const listAnswers = (db: Db, programId: number, evaluationId: number) =>
  db
    .selectFrom('evaluation_answer')
    .select(['item_id as ItemId', 'score_value_id as ScoreValueId', 'text as Text', 'comment as Comment'])
    .where('program_id', '=', programId)
    .where('evaluation_id', '=', evaluationId)
    .orderBy('item_id')
    .execute()

/** Of an anonymous form the day is kept, not the moment, by which somebody could be found out. */
export const momentFor = (isAnonymous: boolean) =>
  isAnonymous ? sql<string>`date_trunc('day', now())` : sql<string>`now()`

/**
 * The place of an anonymous form among those of its template, which say when it was submitted before or after others and
 * never when. Whoever submits at the same time waits, so that a place once given stays.
 */
export const nextAnonymousNumber = async (db: Db, programId: number, templateId: number): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`anonymous-form:${programId}:${templateId}`}, 0))`.execute(
    db,
  )
  const { number } = await db
    .selectFrom('evaluation')
    .select(sql<number>`coalesce(max(anonymous_number), 0) + 1`.as('number'))
    .where('program_id', '=', programId)
    .where('template_id', '=', templateId)
    .executeTakeFirstOrThrow()
  return number
}

export const listLinks = async (db: Db, programId: number, evaluationId: number) => {
  const { rows } = await sql<{
    id: number
    sealed_token: string | null
    created_at: string
    ended_at: string | null
    created_by: string
  }>`select l.id, l.sealed_token, l.created_at, l.ended_at, coalesce(a.first_name || ' ' || a.last_name, '') as created_by
    from evaluation_link l left join account a on a.id = l.created_by
    where l.program_id = ${programId} and l.evaluation_id = ${evaluationId} order by l.id desc`.execute(db)
  return rows
}
