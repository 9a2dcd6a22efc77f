import { sql } from 'kysely'
import { countsNow } from '#server/core/database/counts.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Whether the student `u` was only added: without a cohort or a level, and with neither shifts nor records of time. */
export const isNotSetUp = sql<boolean>`((coalesce(u.cohort, '') = '' or u.student_level_id is null)
  and not exists (select from shift_assignment n where n.program_id = u.program_id and n.student_id = u.id and n.removed_at is null)
  and not exists (select from time_record n where n.program_id = u.program_id and n.student_id = u.id and n.deleted_at is null))`

/** What the student `u` lacks while they are not set up. */
export const lacks = sql<('cohort' | 'level')[]>`case when ${isNotSetUp} then array_remove(array[
  case when coalesce(u.cohort, '') = '' then 'cohort' end, case when u.student_level_id is null then 'level' end], null)
  else '{}' end`

/** How many students of a program are not set up, and the first names of the list. */
export const countNotSetUp = async (
  db: Db,
  programId: number,
): Promise<{ Count: number; Detail: string }> => {
  const { rows } = await sql<{ Count: number; Detail: string }>`
    with found as materialized (
      select u.id, listed_name(u.last_name, u.first_name) as name from account u
      where u.program_id = ${programId} and ${countsNow('u')} and ${isNotSetUp})
    select (select count(*)::integer from found) as "Count",
      coalesce((select string_agg(f.name, '; ') from (select name from found order by name limit 3) f), '') as "Detail"`.execute(
    db,
  )
  // A select without a table has one row.
  return rows[0]!
}
