import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface PersonFacts {
  id: number
  first_name: string
  last_name: string
  student_number: string | null
  level: string | null
  cohort: string | null
  program: string | null
  college: string | null
  approved: number | null
  required: number | null
  shift_date: string | null
  shift_time: string | null
  shift_site: string | null
}

/**
 * What the fields of an email say for its recipients, in one statement for all of them, hours and shifts only where a field asks for them. A
 * super admin writes to people of several programs, of which a policy shows one at a time; so it is asked across programs, and only about
 * those that the transaction works on.
 */
export const readFacts = async (
  db: Db,
  accountIds: readonly number[],
  wants: { hours: boolean; shift: boolean },
): Promise<Map<number, PersonFacts>> => {
  const rows = await acrossPrograms(
    db,
    sql<PersonFacts>`
      select u.id, u.first_name, u.last_name, u.student_number, l.name as level, u.cohort, p.name as program, c.name as college,
        h.minutes as approved, w.minutes as required, n.date as shift_date, n.time as shift_time, n.site as shift_site
      from account u
      left join student_level l on l.program_id = u.program_id and l.id = u.student_level_id
      left join program p on p.id = u.program_id
      left join college c on c.id = p.college_id
      left join lateral (
        select sum(s.approved_minutes) as minutes from student_hours s
        where ${wants.hours} and s.program_id = u.program_id and s.student_id = u.id) h on true
      left join lateral (
        select sum(t.target_minutes) as minutes from rotation t
        where ${wants.hours} and t.program_id = u.program_id and t.deleted_at is null and t.id in (
          select a.rotation_id from shift_assignment a
          where a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null)) w on true
      left join lateral (
        select to_char(a.date, 'Dy MM/DD/YYYY') as date, s.name as site,
          to_char(a.starts_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') || '–' ||
          to_char(a.ends_at at time zone coalesce(s.time_zone, p.time_zone), 'HH24:MI') as time
        from shift_assignment a join site s on s.program_id = a.program_id and s.id = a.site_id
        where ${wants.shift} and a.program_id = u.program_id and a.student_id = u.id and a.removed_at is null
          and a.date >= (now() - interval '1 day')::date and a.starts_at > now()
        order by a.starts_at limit 1) n on true
      where u.id = any (${[...accountIds]}::bigint[])
        and (u.program_id = any (allowed_programs()) or u.program_id is null and u.id = current_account())`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
