import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { running } from './records.queries.ts'

/** Where somebody clocked in, and for which shift if they had one. */
export interface ClockedIn {
  date: string
  siteId: number | null
  assignmentId: number | null
}

/** The clock-in of a student that still runs, or the last one of a day. */
export const findClockedIn = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  date: string | undefined,
): Promise<ClockedIn | undefined> => {
  const { rows } = await sql<ClockedIn>`
    select r.date, r.site_id as "siteId", r.assignment_id as "assignmentId" from time_record r
    left join shift_assignment a on a.program_id = r.program_id and a.id = r.assignment_id and a.removed_at is null
    where r.program_id = ${programId} and r.student_id = ${studentId} and r.deleted_at is null and r.kind = 'in'
      and r.status <> 'rejected' and ${date === undefined ? running : sql`r.date = ${date}::date`}
    order by r.occurred_at desc limit 1`.execute(db)
  return rows[0]
}
