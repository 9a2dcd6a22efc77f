import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { inScope, type SiteScope } from '../sites/scope.queries.ts'
import type { CalendarEntry } from './calendar.rules.ts'
import { personalFilter } from './personal-filters.queries.ts'
import { siteAddress } from './planning.queries.ts'

/** How long a calendar says that a shift is cancelled: a program that comes by hourly or daily has heard it by then. */
const told = sql`interval '30 days'`

const place = sql`s.name as "Site", s.latitude as "Latitude", s.longitude as "Longitude",
  ${siteAddress} as "Address"`

/** What an assignment was before it became another student's or went to another shift or day, as if it had been removed. */
const former = sql`select f.program_id, f.assignment_id as id, f.rotation_id, f.site_shift_id, f.site_id, f.student_id, f.date,
    f.starts_at, f.ends_at, f.left_at as updated_at, f.left_at as removed_at
  from former_assignment f`
const assigned = sql`select a.program_id, a.id, a.rotation_id, a.site_shift_id, a.site_id, a.student_id, a.date,
    a.starts_at, a.ends_at, a.updated_at, a.removed_at
  from shift_assignment a`

/** The shifts of one student within these days, and those taken away or given to somebody else lately. */
export const listStudentEntries = async (
  db: Db,
  programId: number,
  studentId: number,
  fromDate: string,
  throughDate: string,
): Promise<CalendarEntry[]> => {
  const { rows } = await sql<CalendarEntry>`
    select 'assignment-' || a.id as "Key", a.starts_at as "StartsAt", a.ends_at as "EndsAt",
      greatest(a.updated_at, a.removed_at, h.updated_at, s.updated_at) as "ChangedAt",
      a.removed_at is not null as "IsCancelled", r.name as "Rotation", h.code as "ShiftCode", ${place}
    from (
      ${assigned} where program_id = ${programId} and student_id = ${studentId} and removed_at is null
        and date between ${fromDate} and ${throughDate}
      union all
      ${assigned} where program_id = ${programId} and student_id = ${studentId}
        and removed_at > now() - ${told} and date between ${fromDate} and ${throughDate}
      union all
      select distinct on (w.id) w.* from (${former} where f.program_id = ${programId} and f.student_id = ${studentId}
          and f.left_at > now() - ${told} and f.date between ${fromDate} and ${throughDate}) w
      join shift_assignment n on n.program_id = w.program_id and n.id = w.id and n.student_id <> w.student_id
      order by id, removed_at desc
    ) a
    join rotation r on r.program_id = a.program_id and r.id = a.rotation_id
    join site_shift h on h.program_id = a.program_id and h.id = a.site_shift_id
    join site s on s.program_id = a.program_id and s.id = a.site_id
    order by a.starts_at, a.id`.execute(db)
  return rows
}

/**
 * The shifts at which somebody on the staff sees students within these days, one entry for each shift and day: a supervisor those at their
 * sites, everybody with their personal filters as in Schedule Assignments. A shift that lost its last student lately is cancelled.
 */
export const listStaffEntries = async (
  db: Db,
  programId: number,
  { accountId, scope }: { accountId: number; scope: SiteScope },
  fromDate: string,
  throughDate: string,
): Promise<CalendarEntry[]> => {
  const seen = sql`a.program_id = ${programId} and a.date between ${fromDate} and ${throughDate}
    and ${inScope(scope, 'a.program_id', 'a.site_id')}
    and ${personalFilter(accountId, 'student', sql.ref('a.student_id'))}
    and ${personalFilter(accountId, 'site', sql.ref('a.site_id'))}
    and ${personalFilter(accountId, 'shift', sql.ref('a.site_shift_id'))}`
  const { rows } = await sql<CalendarEntry>`
    with there as (
      ${assigned} where ${seen} and a.removed_at is null
      union all
      ${assigned} where ${seen} and a.removed_at > now() - ${told}
      union all
      select * from (${former}) a where ${seen} and a.removed_at > now() - ${told}
    ), days as (
      select a.program_id, a.site_shift_id, a.date, min(a.site_id) as site_id, min(a.starts_at) as starts_at, max(a.ends_at) as ends_at,
        greatest(max(a.updated_at), max(a.removed_at)) as changed_at, bool_and(a.removed_at is not null) as is_cancelled,
        array_agg(distinct a.rotation_id) as rotation_ids,
        coalesce(array_agg(listed_name(u.last_name, u.first_name) order by lower(u.last_name), lower(u.first_name), u.id)
          filter (where a.removed_at is null), '{}') as students
      from there a
      join account u on u.program_id = a.program_id and u.id = a.student_id
      group by a.program_id, a.site_shift_id, a.date
    )
    select 'shift-' || d.site_shift_id || '-' || to_char(d.date, 'YYYYMMDD') as "Key", d.starts_at as "StartsAt", d.ends_at as "EndsAt",
      greatest(d.changed_at, h.updated_at, s.updated_at) as "ChangedAt", d.is_cancelled as "IsCancelled",
      (select string_agg(r.name, ', ' order by r.name) from rotation r
        where r.program_id = d.program_id and r.id = any (d.rotation_ids)) as "Rotation",
      h.code as "ShiftCode", d.students as "Students", ${place}
    from days d
    join site_shift h on h.program_id = d.program_id and h.id = d.site_shift_id
    join site s on s.program_id = d.program_id and s.id = d.site_id
    order by d.starts_at, d.site_shift_id`.execute(db)
  return rows
}
