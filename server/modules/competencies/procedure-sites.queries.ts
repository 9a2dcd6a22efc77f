import { type RawBuilder, sql } from 'kysely'
import type { ProcedurePlaces } from '#contract/competencies/competency-grid.ts'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Weeks that are looked back over, the running one among them: about 90 days. */
const weeksBack = 13
const mostSites = 3

/** The first day that counts. */
export const firstDayOfSites = (today: string): string => addDays(weekOf(today), -7 * (weeksBack - 1))

/**
 * Logs of procedures by site since a week, as `sums (skill_id, site_id, count)`: of the procedures `of` (lineage, skill_id), and of
 * all their versions.
 */
const sumsSince = (programId: number, of: RawBuilder<unknown>, from: string): RawBuilder<unknown> => sql`
  versions as materialized (
    select o.skill_id, k.id as version_id from (${of}) o
    join skill k on k.program_id = ${programId} and k.lineage = o.lineage),
  -- First by version: of thirteen weeks a tenth of the rows is left to be looked up and brought into order.
  by_version as materialized (
    select skill_id, site_id, sum(count)::integer as count from procedure_site_week
    where program_id = ${programId} and week >= ${from} group by 1, 2),
  sums as (
    select v.skill_id, w.site_id, sum(w.count)::integer as count
    from versions v join by_version w on w.skill_id = v.version_id
    group by 1, 2 having sum(w.count) > 0)`

export interface ProcedureSitesRow {
  Id: number
  Count: number
  SiteCount: number
  Sites: { SiteId: number; Name: string; Count: number }[]
}

/** Where the procedures of a list were logged at active sites. Procedures that were logged nowhere are left out. */
export const listSitesOfList = async (
  db: Db,
  programId: number,
  listId: number,
  from: string,
): Promise<ProcedureSitesRow[]> => {
  const listed = sql`select t.id as skill_id, t.lineage from skill t
    join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
    where t.program_id = ${programId} and m.list_id = ${listId} and t.deleted_at is null`
  const { rows } = await sql<ProcedureSitesRow>`
    with ${sumsSince(programId, listed, from)},
    ranked as (
      select u.skill_id, u.site_id, s.name, u.count,
        row_number() over (partition by u.skill_id order by u.count desc, lower(s.name), s.id) as place
      from sums u join site s on s.program_id = ${programId} and s.id = u.site_id and s.deleted_at is null and s.is_active)
    select skill_id as "Id", sum(count)::integer as "Count", count(*) as "SiteCount",
      json_agg(json_build_object('SiteId', site_id, 'Name', name, 'Count', count) order by place)
        filter (where place <= ${mostSites}) as "Sites"
    from ranked group by skill_id`.execute(db)
  return rows
}

export interface OwedRow {
  StudentId: number
  /** Mandatory procedures of their list that they still have to log and that were logged at some active site. */
  Total: number
  /** How many of them were logged at each site, by the ids of the sites. */
  Sites: [siteId: number, count: number][]
}

/** What students still have to log, and where it was logged since `from`; without students who owe nothing that is done anywhere. */
export const listOwedBySite = async (
  db: Db,
  programId: number,
  studentIds: readonly number[],
  from: string,
): Promise<OwedRow[]> => {
  const ids = sql`${[...studentIds]}::bigint[]`
  const { rows } = await sql<OwedRow>`
    with listed as materialized (
      select m.list_id, t.id as skill_id, t.lineage, t.is_mandatory,
        row_number() over (partition by m.list_id order by t.id)::integer as place
      from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
      where t.program_id = ${programId} and t.deleted_at is null and m.list_id in (
        select list_id from competency_standing where program_id = ${programId} and student_id = any (${ids}))),
    ${sumsSince(programId, sql`select skill_id, lineage from listed where is_mandatory`, from)},
    done as materialized (
      select u.skill_id, u.site_id from sums u
      join site s on s.program_id = ${programId} and s.id = u.site_id and s.deleted_at is null and s.is_active),
    owed as (
      select c.student_id, d.site_id, d.skill_id from competency_standing c
      join listed t on t.list_id = c.list_id and substr(c.cells, t.place, 1) ~ '[n1-9]'
      join done d on d.skill_id = t.skill_id
      where c.program_id = ${programId} and c.student_id = any (${ids})),
    by_site as (select student_id, site_id, count(*)::integer as count from owed group by 1, 2)
    select o.student_id as "StudentId", o.total as "Total",
      (select json_agg(json_build_array(b.site_id, b.count) order by b.site_id) from by_site b where b.student_id = o.student_id) as "Sites"
    from (select student_id, count(distinct skill_id)::integer as total from owed group by 1) o order by 1`.execute(
    db,
  )
  return rows
}

/**
 * Where a student can have procedures: sites of their own coming shifts first, then those where it was logged most. Procedures that
 * were logged nowhere are left out.
 */
export const listPlacesOfStudent = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  procedureIds: readonly number[],
  { today, from }: { today: string; from: string },
): Promise<ProcedurePlaces[]> => {
  if (procedureIds.length === 0) return []
  const asked = sql`select id as skill_id, lineage from skill
    where program_id = ${programId} and id = any (${[...procedureIds]}::bigint[])`
  const { rows } = await sql<ProcedurePlaces>`
    with ${sumsSince(programId, asked, from)},
    coming as materialized (
      select site_id, min(date) as next_date from shift_assignment
      where program_id = ${programId} and student_id = ${studentId} and removed_at is null and date >= ${today}::date
      group by site_id),
    ranked as (
      select u.skill_id, u.site_id, s.name, u.count, c.next_date,
        row_number() over (partition by u.skill_id order by c.next_date is null, u.count desc, lower(s.name), s.id) as place
      from sums u join site s on s.program_id = ${programId} and s.id = u.site_id and s.deleted_at is null and s.is_active
      left join coming c on c.site_id = u.site_id)
    select skill_id as "ProcedureId",
      json_agg(json_build_object('SiteId', site_id, 'Name', name, 'Count', count, 'NextDate', next_date) order by place) as "Sites"
    from ranked where place <= ${mostSites} group by skill_id`.execute(db)
  return rows
}
