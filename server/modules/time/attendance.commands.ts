import { sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import type { Db } from '#server/core/database/pool.ts'
import { seeEvents } from '../changes/changes.commands.ts'
import { factsOf, keptDays } from './attendance.queries.ts'
import { changedDays } from './kept.queries.ts'

/** Most days that are kept in one transaction, so that it is short. */
const maxDays = 100

/**
 * Keeps days that are over: those never kept and those that changed since, the latest first. What is changed in between changes its day
 * again.
 *
 * @returns whether there may be more to keep
 */
export const saveAttendance = async (db: Db, programId: number, today: string): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtext('attendance'), ${programId}::integer)`.execute(db)
  const { rows: snapshots } = await sql<{ seen: string }>`select pg_current_snapshot()::text as seen`.execute(
    db,
  )
  await sql`delete from attendance_day where program_id = ${programId} and (date in (${changedDays(programId)})
    or not exists (select from event_seen s where s.program_id = ${programId} and s.reader = 'attendance'))`.execute(
    db,
  )
  // One row.
  await seeEvents(db, programId, 'attendance', snapshots[0]!.seen)
  const last = addDays(today, -1)
  const { rows: kept } = await sql<{
    date: string
  }>`insert into attendance_day (program_id, date, shifts, planned_minutes, approved_minutes, pending_minutes,
      absence_minutes, absences, late, missed, missed_shifts)
    select ${programId}, f.date, f.shifts, f.planned_minutes, f.approved_minutes, f.pending_minutes, f.absence_minutes,
      f.absences, f.late, f.missed, f.missed_shifts
    from (${factsOf(
      programId,
      sql`select d::date as date
        from generate_series(${addDays(last, 1 - keptDays)}::date, ${last}::date, interval '1 day') d
        where not exists (select from attendance_day k where k.program_id = ${programId} and k.date = d::date)
          -- A shift that goes on past midnight may still be missed.
          and not exists (select from shift_assignment a where a.program_id = ${programId} and a.date = d::date
            and a.removed_at is null and a.ends_at > now())
        order by d desc limit ${sql.lit(maxDays)}`,
    )}) f
    on conflict (program_id, date) do nothing returning date`.execute(db)
  return kept.length === maxDays
}
