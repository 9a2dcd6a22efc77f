import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { programToday } from '#server/core/database/program-today.ts'
import { askedBySites, isMetOn, isRefusedBySite } from './states.queries.ts'

/**
 * What is asked of the students of `wanted (id)`, everywhere and at the sites of the shifts ahead, and whether it is met: the rows
 * that the page of requirements shows, as `(student_id, requirement_id, name, site_id, is_met)`; `site_id` is of the site that asks. What a
 * site does not take of what is in order elsewhere is a row of that site. Every number of requirements is one of these rows.
 */
export const requirementsOf = (programId: number, today: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select w.id as student_id, q.id as requirement_id, q.name, n.site_id,
    ${isMetOn(today)} and not x.is_refused as is_met
  from wanted w
  join account u on u.program_id = ${programId} and u.id = w.id
  join requirement q on q.program_id = u.program_id and q.deleted_at is null
    and applies_to(q.level_ids, q.cohorts, u.student_level_id::smallint, u.cohort)
  join lateral (${askedBySites(sql`exists (select from shift_assignment a
    where a.program_id = r.program_id and a.student_id = w.id and a.site_id = r.site_id and a.removed_at is null and a.date >= ${today})`)}) n on true
  left join student_requirement s on s.program_id = q.program_id and s.student_id = w.id and s.requirement_id = q.id
    and s.site_id = case q.scope when 'perSite' then n.site_id else 0 end
  cross join lateral (select ${isRefusedBySite(
    today,
    sql`(select min(a.date) from shift_assignment a where a.program_id = q.program_id and a.student_id = w.id and a.site_id = n.site_id
      and a.removed_at is null)`,
  )} as is_refused) x
  where n.is_own or x.is_refused`

/** The names of what is asked of a student today, each with whether it is met. */
export const listAskedOf = async (
  db: Db,
  programId: number,
  studentId: number,
): Promise<ReadonlyMap<string, boolean>> => {
  const { rows } = await sql<{ name: string; isMet: boolean }>`
    with wanted as (select ${studentId}::bigint as id)
    select e.name, bool_and(e.is_met) as "isMet" from (${requirementsOf(programId, programToday(programId))}) e group by 1 order by 1`.execute(
    db,
  )
  return new Map(rows.map(({ name, isMet }) => [name, isMet]))
}
