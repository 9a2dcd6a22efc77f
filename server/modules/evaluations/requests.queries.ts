import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { RequestOptions } from '#contract/evaluations/evaluation-making.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Sites of shifts so many days back are still one's own. */
const ownDays = 180
const maxEvaluators = 5_000

/** Who asks: the roles that templates call them by follow from their level. */
export interface Requester {
  programId: number
  id: number
  level: number
  today: string
}

const isSupervisor = (level: number): boolean => level === Level.Supervisor || level === Level.CCUnderHood

const roleOf = (level: number): string | null =>
  level === Level.Student
    ? 'student'
    : level === Level.Faculty
      ? 'faculty'
      : isSupervisor(level)
        ? 'supervisor'
        : null

/** The templates that somebody may be asked with, about the person who asks. */
export const listRequestTemplates = async (
  db: Db,
  { programId, id, level }: Requester,
): Promise<RequestOptions['Templates']> => {
  const role = roleOf(level)
  if (role === null) return []
  const { rows } = await sql<RequestOptions['Templates'][number]>`
    select t.id as "Id", t.title as "Title", t.evaluator_role as "EvaluatorRole" from evaluation_template t
    left join form_type f on f.program_id = t.program_id and f.id = t.form_type_id and f.deleted_at is null
    where t.program_id = ${programId} and t.may_be_asked and t.is_active and t.deleted_at is null and not t.is_anonymous
      and t.subject_role = ${role} and t.evaluator_role <> ${role}
      and t.evaluator_role in ('student', 'supervisor', 'faculty', 'coordinator') and coalesce(f.view_on_form, true)
      and exists (select from evaluation_item i
        join evaluation_category c on c.program_id = i.program_id and c.id = i.category_id and c.deleted_at is null
        where i.program_id = t.program_id and i.template_id = t.id and i.deleted_at is null)
      and (${role} <> 'student' or not exists (select from evaluation_template_level l
          where l.program_id = t.program_id and l.template_id = t.id)
        or exists (select from evaluation_template_level l
          join account a on a.id = ${id} and a.student_level_id = l.level_id
          where l.program_id = t.program_id and l.template_id = t.id))
    order by lower(t.title), t.id`.execute(db)
  return rows
}

/** The people who may be asked: supervisors of own sites, or the students there; faculty and coordinators of the program. */
export const listRequestEvaluators = async (
  db: Db,
  { programId, id, level, today }: Requester,
  roles: readonly string[],
): Promise<(RequestOptions['Evaluators'][number] & { SiteId: number | null })[]> => {
  if (roles.length === 0) return []
  const ownSites = isSupervisor(level)
    ? sql`select v.site_id, ${today}::date as last from supervisor_site v where v.program_id = ${programId} and v.account_id = ${id}`
    : sql`select a.site_id, max(a.date) as last from shift_assignment a where a.program_id = ${programId} and a.student_id = ${id}
        and a.removed_at is null and a.date between ${today}::date - ${ownDays}::integer and ${today}::date + 14 group by a.site_id`
  const { rows } = await sql<RequestOptions['Evaluators'][number] & { SiteId: number | null }>`
    with own as (${ownSites}),
    tied as (
      select v.account_id, o.site_id, o.last from own o
      join supervisor_site v on v.program_id = ${programId} and v.site_id = o.site_id
      where 'supervisor' = any (${[...roles]}::text[])
      union all
      select a.student_id, o.site_id, max(a.date) from own o
      join shift_assignment a on a.program_id = ${programId} and a.site_id = o.site_id and a.removed_at is null
        and a.date between ${today}::date - ${ownDays}::integer and ${today}::date
      where 'student' = any (${[...roles]}::text[]) group by a.student_id, o.site_id),
    person as (
      select p.id, p.first_name, p.last_name, case p.access_level when ${Level.Student} then 'student' else 'supervisor' end as role,
        array_agg(distinct s.name order by s.name) as sites, (array_agg(s.id order by t.last desc, s.id))[1] as site_id
      from tied t join account p on p.program_id = ${programId} and p.id = t.account_id and p.id <> ${id}
        and p.deleted_at is null and p.deactivated_at is null
        and p.access_level in (${Level.Student}, ${Level.Supervisor}, ${Level.CCUnderHood})
      join site s on s.program_id = ${programId} and s.id = t.site_id group by p.id, p.first_name, p.last_name, p.access_level
      union all
      select p.id, p.first_name, p.last_name, case p.access_level when ${Level.Faculty} then 'faculty' else 'coordinator' end,
        '{}'::text[], null
      from account p where p.program_id = ${programId} and p.id <> ${id} and p.deleted_at is null and p.deactivated_at is null
        and ((p.access_level = ${Level.Faculty} and 'faculty' = any (${[...roles]}::text[]))
          or (p.access_level = ${Level.Coord} and 'coordinator' = any (${[...roles]}::text[]))))
    select id as "Id", first_name || ' ' || last_name as "Name", role as "Role", to_json(sites) as "Sites", site_id as "SiteId"
    from person where role = any (${[...roles]}::text[])
    order by lower(last_name), lower(first_name), id limit ${maxEvaluators}`.execute(db)
  return rows
}

/** How many of a person's requests nobody has answered yet. */
export const countOpenRequests = async (db: Db, programId: number, subjectId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('evaluation')
    .select(sql<number>`count(*)`.as('count'))
    .where('program_id', '=', programId)
    .where('subject_id', '=', subjectId)
    .where('is_requested', '=', true)
    .where('is_completed', '=', false)
    .where('stopped_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
