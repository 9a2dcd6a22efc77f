import { type RawBuilder, sql } from 'kysely'
import type { DeletedKind, DeletedRow } from '#contract/deleted/deleted.ts'
import { cappedPage, maxCounted } from '#server/core/database/capped-page.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

type Sql = RawBuilder<unknown>

/** Where the deleted rows of a kind are (`t`), and how they are called. */
interface Source {
  table: string
  join?: Sql
  name: Sql
  detail?: Sql
  day?: Sql
  /** What its address names too. */
  parent?: Sql
  /** Its parent: alias with the columns `deleted_at` and `name` or the one given. What went with it is listed with it. */
  under?: { alias: string; name: string; goesAlong?: true }
  /** The student whose it is. */
  subject?: Sql
  at?: 'removed_at' | 'created_at'
  /** Who deleted it, where the row knows. */
  by?: Sql
  where?: Sql
}

const to = (table: string, alias: string, column: string, left = false): Sql =>
  sql`${sql.raw(left ? 'left join' : 'join')} ${sql.table(table)} ${sql.ref(alias)}
    on ${sql.ref(`${alias}.program_id`)} = t.program_id and ${sql.ref(`${alias}.id`)} = ${sql.ref(`t.${column}`)}`
const name = sql.ref('t.name')
const listed = (alias: string): Sql =>
  sql`listed_name(${sql.ref(`${alias}.last_name`)}, ${sql.ref(`${alias}.first_name`)})`
/** The name of an account, looked up for each row: there are few of them, and accounts are many. */
const personOf = (column: string): Sql =>
  sql`(select ${listed('p')} from account p where p.program_id = t.program_id and p.id = ${sql.ref(`t.${column}`)})`
const site = to('site', 's', 'site_id')
const ofSite = { join: site, detail: sql.ref('s.name'), under: { alias: 's', name: 'name' } }
const ofTemplate = {
  join: to('evaluation_template', 'e', 'template_id'),
  detail: sql.ref('e.title'),
  parent: sql.ref('t.template_id'),
  under: { alias: 'e', name: 'title' },
}
const ofStudent = { name: personOf('student_id'), subject: sql.ref('t.student_id') }
const below = (table: string, column: string) => ({
  join: to(table, 'o', column),
  detail: sql.ref('o.name'),
  under: { alias: 'o', name: 'name' },
})

const sources: Readonly<Record<DeletedKind, Source>> = {
  agreement: { table: 'affiliate_agreement', ...ofSite, name: sql.ref('s.name'), detail: sql`''` },
  announcement: {
    table: 'announcement',
    name: sql`left(btrim(regexp_replace(t.html, '(<[^>]*>|&nbsp;|\\s)+', ' ', 'g')), 80)`,
  },
  area: { table: 'area', name },
  assignment: {
    table: 'shift_assignment',
    ...ofStudent,
    join: sql`${site} ${to('rotation', 'r', 'rotation_id')}`,
    detail: sql`s.name || ' · ' || r.name`,
    day: sql.ref('t.date'),
    at: 'removed_at',
    by: sql.ref('t.removed_by'),
  },
  'competency-list': { table: 'competency_list', name },
  'custom-report': { table: 'custom_report', name },
  document: {
    table: 'document',
    name,
    join: to('document_category', 'c', 'category_id'),
    detail: sql.ref('c.name'),
    under: { alias: 'c', name: 'name', goesAlong: true },
  },
  'document-category': { table: 'document_category', name },
  'dose-reading': { table: 'dose_reading', ...ofStudent, day: sql.ref('t.from_date') },
  'email-text': { table: 'email_text', name },
  employee: { table: 'employee', ...ofSite, name: listed('t') },
  evaluation: {
    table: 'evaluation',
    join: sql`${to('evaluation_template', 'e', 'template_id')} ${to('site', 's', 'site_id', true)}`,
    name: sql.ref('e.title'),
    detail: sql`coalesce(${personOf('subject_id')}, s.name, '')`,
    day: sql.ref('t.date'),
    subject: sql.ref('t.subject_id'),
    // What a rule made it takes away again by itself.
    where: sql`t.withdrawn_at is null`,
  },
  'evaluation-category': { table: 'evaluation_category', ...ofTemplate, name },
  'evaluation-item': {
    table: 'evaluation_item',
    ...ofTemplate,
    name: sql`left(t.text, 120)`,
    join: sql`${ofTemplate.join} ${to('evaluation_category', 'c', 'category_id')}`,
    under: { alias: 'c', name: 'name' },
  },
  'evaluation-template': { table: 'evaluation_template', name: sql.ref('t.title') },
  'exam-item': { table: 'comp_exam_item', ...below('skill', 'skill_id'), name: sql`left(t.text, 120)` },
  examiner: { table: 'exam_examiner', ...ofSite, name: listed('t') },
  'form-type': { table: 'form_type', name },
  goal: { table: 'plan_goal', name: sql`left(t.text, 120)`, detail: sql`t.year::text` },
  graduate: { table: 'graduate', name: listed('t'), detail: sql.ref('t.cohort') },
  'item-group': { table: 'item_group', ...ofTemplate, name },
  'lab-check': {
    table: 'lab_check',
    ...ofStudent,
    join: to('skill', 'k', 'skill_id'),
    detail: sql.ref('k.name'),
    day: sql.ref('t.checked_on'),
  },
  'major-study': { table: 'major_study', ...below('competency_list', 'list_id'), name },
  'merged-account': {
    table: 'account_merge',
    name: personOf('merged_id'),
    detail: sql`${personOf('kept_id')} || ' · ' || (t.merged_before ->> 'user_name')`,
    subject: sql.ref('t.kept_id'),
    at: 'created_at',
    by: sql.ref('t.created_by'),
    where: sql`t.undone_at is null`,
  },
  note: { table: 'student_note', ...ofStudent, parent: sql.ref('t.student_id') },
  outcome: {
    table: 'plan_outcome',
    join: to('plan_goal', 'g', 'goal_id'),
    name: sql`left(t.outcome, 120)`,
    detail: sql`g.year || ' · ' || left(g.text, 80)`,
    under: { alias: 'g', name: 'text' },
  },
  'participation-level': {
    table: 'participation_level',
    name,
    join: to('major_study', 'o', 'major_study_id'),
    under: { alias: 'o', name: 'name', goesAlong: true },
    // Each is shown once for all the major studies of its list.
    where: sql`not exists (select from participation_level l join major_study m on m.program_id = l.program_id and m.id = l.major_study_id
      join major_study v on v.program_id = m.program_id and v.list_id = m.list_id and v.id = t.major_study_id
      where l.program_id = t.program_id and l.deleted_at = t.deleted_at and lower(l.name) = lower(t.name) and l.id < t.id)`,
  },
  pathology: { table: 'pathology', ...below('skill', 'skill_id'), name },
  'payment-arrangement': {
    table: 'payment_arrangement',
    name: sql.ref('t.payer_name'),
    day: sql.ref('t.starts_on'),
  },
  'placement-draft': {
    table: 'placement_draft',
    name,
    ...below('placement_plan', 'plan_id'),
    parent: sql.ref('t.plan_id'),
  },
  'placement-plan': { table: 'placement_plan', name, day: sql.ref('t.start_date') },
  procedure: {
    table: 'skill',
    ...below('major_study', 'major_study_id'),
    name,
    under: { alias: 'o', name: 'name', goesAlong: true },
  },
  'procedure-entry': {
    table: 'procedure_log',
    ...ofStudent,
    join: to('skill', 'k', 'skill_id'),
    detail: sql.ref('k.name'),
    day: sql.ref('t.date'),
  },
  requirement: { table: 'requirement', name },
  rotation: { table: 'rotation', name, day: sql.ref('t.start_date') },
  score: { table: 'competency_score', name },
  'score-type': {
    table: 'score_type',
    ...ofTemplate,
    name: sql.ref('t.title'),
    where: sql`t.purged_at is null`,
  },
  site: { table: 'site', name, detail: sql`concat_ws(', ', nullif(t.city, ''), nullif(t.state, ''))` },
  'site-document': { table: 'site_file', ...ofSite, name, parent: sql.ref('t.site_id') },
  'site-part': {
    table: 'site_part_removed',
    ...ofSite,
    name: sql`t.part ->> 'name'`,
    parent: sql.ref('t.site_id'),
  },
  'site-shift': {
    table: 'site_shift',
    ...ofSite,
    name: sql`t.code || case when t.name in ('', t.code) then '' else ' ' || t.name end`,
  },
  'time-record': {
    table: 'time_record',
    ...ofStudent,
    join: to('site', 's', 'site_id', true),
    detail: sql`coalesce(s.name, '')`,
    day: sql.ref('t.date'),
  },
  webhook: { table: 'webhook_endpoint', name: sql.ref('t.description'), detail: sql.ref('t.url') },
}

export interface DeletedSelection {
  programId: number
  /** Those that the reader may see. */
  kinds: readonly DeletedKind[]
  /** Own reports are their owner's alone. */
  userId: number
  search: string
  PersonId?: number | undefined
  FromDate?: string | undefined
  ThroughDate?: string | undefined
  sort: string
}

/** A moment of the program's own days. */
const startOf = (programId: number, day: string, plus: number) =>
  sql`((${day}::date + ${plus}::integer)::timestamp at time zone (select time_zone from program where id = ${programId}))`

const deletedBy = (at: Sql) =>
  sql`(select u.account_id from audit u where u.program_id = t.program_id and u.at = ${at} and u.action not like 'GET %' order by u.id limit 1)`

/** The rows of one kind, as far as they are needed for a page or a count. */
const rowsOf = (kind: DeletedKind, selection: DeletedSelection, most?: number): RawBuilder<unknown> => {
  const { programId, userId, search, PersonId, FromDate, ThroughDate, sort } = selection
  const source = sources[kind]
  const at = sql.ref(`t.${source.at ?? 'deleted_at'}`)
  const detail = source.detail ?? sql`''`
  const parentGone = source.under && sql.ref(`${source.under.alias}.deleted_at`)
  const own = [
    sql`t.program_id = ${programId}`,
    sql`${at} is not null`,
    ...(source.where ? [source.where] : []),
    ...(kind === 'custom-report' ? [sql`t.owner_id = ${userId}`] : []),
    ...(PersonId === undefined
      ? []
      : [sql`coalesce(${source.by ?? sql`null::bigint`}, ${deletedBy(at)}) = ${PersonId}`]),
    ...(FromDate === undefined ? [] : [sql`${at} >= ${startOf(programId, FromDate, 0)}`]),
    ...(ThroughDate === undefined ? [] : [sql`${at} < ${startOf(programId, ThroughDate, 1)}`]),
  ]
  const joined = [
    ...(source.under?.goesAlong ? [sql`${parentGone} is distinct from ${at}`] : []),
    ...(search === '' ? [] : [isFound(sql`${source.name} || ' ' || ${detail}`, search)]),
  ]
  const first = sql`order by ${at} ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')}, t.id
    ${most === undefined ? sql`` : sql`limit ${most}`}`
  // Where nothing of what is joined decides, only the rows that are shown are joined.
  const rows =
    joined.length === 0
      ? sql`(select t.* from ${sql.table(source.table)} t where ${sql.join(own, sql` and `)} ${first}) t ${source.join ?? sql``}`
      : sql`${sql.table(source.table)} t ${source.join ?? sql``} where ${sql.join([...own, ...joined], sql` and `)} ${first}`
  return sql`(select ${sql.lit(kind)} as kind, t.program_id, t.id, ${source.parent ?? sql`null::bigint`} as parent_id,
      ${source.name} as name, ${detail} as detail, ${source.day ?? sql`null::date`} as day, ${at} as at,
      ${source.by ?? sql`null::bigint`} as by, ${source.subject ?? sql`null::bigint`} as subject_id,
      ${source.under ? sql`case when ${parentGone} is not null then ${sql.ref(`${source.under.alias}.${source.under.name}`)} end` : sql`null`} as beneath
    from ${rows})`
}

const allOf = (selection: DeletedSelection, most?: number): RawBuilder<unknown> =>
  selection.kinds.length === 0
    ? rowsOf('area', selection, 0)
    : sql.join(
        selection.kinds.map((kind) => rowsOf(kind, selection, most)),
        sql` union all `,
      )

type Found = DeletedRow & { subjectId: number | null }

/** Who deleted is looked up for the rows that are shown alone; `offset 0` keeps the planner from reading all accounts for it. */
const rowsIn = (selection: DeletedSelection, rows: RawBuilder<unknown>, end: RawBuilder<unknown>) => {
  const direction = sql.raw(selection.sort.startsWith('-') ? 'desc' : 'asc')
  return sql<Found>`
    select t.kind as "Kind", t.id as "Id", t.parent_id as "ParentId", t.name as "Name", t.detail as "Detail", t.day as "Day",
      t.at as "DeletedAt", t.beneath as "Beneath", t.subject_id as "subjectId", w.id as "DeletedById",
      case when w.id is null then '' when a.id is null then 'Practicum support' else ${personName('a')} end as "DeletedBy"
    from (select * from (${rows}) d order by at ${direction}, kind, id ${end}) t
    cross join lateral (select coalesce(t.by, ${deletedBy(sql.ref('t.at'))}) as id offset 0) w
    left join lateral (select * from account where id = w.id limit 1) a on true
    order by t.at ${direction}, t.kind, t.id`
}

/** A page of what was deleted, with the students whose it is. */
export const pageDeleted = async (
  db: Db,
  selection: DeletedSelection,
  place: { page: number; pageSize: number },
) => {
  const first = (place.page - 1) * place.pageSize
  const most = first + place.pageSize + 1
  const { rows } = await rowsIn(
    selection,
    allOf(selection, most),
    sql`limit ${place.pageSize + 1} offset ${first}`,
  ).execute(db)
  return cappedPage(rows, place, async () => {
    const { rows: counts } = await sql<{ n: number }>`select count(*)::integer as n
      from (select from (${allOf(selection, maxCounted + 1)}) d limit ${maxCounted + 1}) c`.execute(db)
    // A count has one row.
    return counts[0]!.n
  })
}

/** All of it, one after the other. */
export const streamDeleted = (db: Db, selection: DeletedSelection) =>
  db
    .selectFrom(sql<Found>`(${rowsIn(selection, allOf(selection), sql``)})`.as('d'))
    .selectAll()
    .stream(500)

/** Where a kind is, for the tests. */
export const sourceOf = (kind: DeletedKind): { table: string; at: string } => ({
  table: sources[kind].table,
  at: sources[kind].at ?? 'deleted_at',
})
