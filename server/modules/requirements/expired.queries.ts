import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { isAskedOn } from './season.queries.ts'

/**
 * What has expired on a day and keeps students of the program from shifts: `from` and `where` of a statement with `student_requirement s`,
 * `requirement q` and `account u`. Home counts it and its list shows it. Waivers that have ended are in the list of students.
 */
export const expiredOn = (programId: number, day: string) => sql`from (
    -- The few that are past their day come first ("offset 0" keeps the planner from beginning with all students).
    select s.program_id, s.student_id, s.requirement_id, s.expires_on from student_requirement s
    where s.program_id = ${programId} and s.expires_on < ${day}::date and s.status <> 'waived' and s.site_id = 0 offset 0) s
  join requirement q on q.program_id = s.program_id and q.id = s.requirement_id and q.blocks_placement and q.deleted_at is null
    and q.scope = 'program'
  join account u on u.program_id = s.program_id and u.id = s.student_id and u.deactivated_at is null and u.deleted_at is null
    and u.access_level = ${Level.Student}
  where ${isAskedOn(sql`${day}::date`)}
    and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)`
