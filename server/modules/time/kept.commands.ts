import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { forgetSeen, seeEvents } from '../changes/changes.commands.ts'
import { changedShifts, changedStudents, rightNow, studentsByTime } from './kept.queries.ts'

const idsOf = async (db: Db, statement: RawBuilder<{ id: number }>): Promise<RawBuilder<unknown>> => {
  const { rows } = await statement.execute(db)
  return sql`${rows.map(({ id }) => id)}::bigint[]`
}

/**
 * Counts anew the hours in rotations of whom something has happened to since, and the shifts around today.
 * A change that is committed meanwhile counts with the next time. Whoever comes while another does it has nothing to do.
 */
export const keepRotations = async (
  db: Db,
  programId: number,
  asOf: RawBuilder<unknown> = rightNow,
): Promise<void> => {
  const moment = sql`(${asOf})`
  const { rows } = await sql<{ isMine: boolean; seen: string; today: string }>`
    select pg_try_advisory_xact_lock(hashtextextended('rotations:' || p.id, 0)) as "isMine", pg_current_snapshot()::text as seen,
      (${moment} at time zone p.time_zone)::date as today
    from program p where p.id = ${programId}`.execute(db)
  if (!rows[0]?.isMine) return
  const { seen, today } = rows[0]
  const students = await idsOf(
    db,
    sql`select s.id from (${changedStudents(programId)} union ${studentsByTime(programId, moment)}) s (id)`,
  )
  await sql`with counted as materialized (select * from student_rotations(${programId}, ${students}, ${moment})),
    gone as (
      delete from rotation_student s where s.program_id = ${programId} and s.student_id = any (${students})
        and not exists (select from counted c where c.student_id = s.student_id and c.rotation_id = s.rotation_id))
    insert into rotation_student as s (program_id, student_id, rotation_id, approved_minutes, projected_minutes)
      select ${programId}::bigint, c.student_id, c.rotation_id, c.approved_minutes, c.projected_minutes from counted c
    on conflict (program_id, student_id, rotation_id) do update
      set approved_minutes = excluded.approved_minutes, projected_minutes = excluded.projected_minutes
      where (s.approved_minutes, s.projected_minutes) <> (excluded.approved_minutes, excluded.projected_minutes)`.execute(
    db,
  )
  const shifts = await idsOf(
    db,
    sql`with new_days as materialized (
      select d::date as date from generate_series((${today}::date - 3)::timestamp, (${today}::date + 2)::timestamp, interval '1 day') d
      where not exists (select from rotation_kept k join event_seen s on s.program_id = k.program_id and s.reader = 'rotations'
        where k.program_id = ${programId} and d::date between k.from_date and k.through_date))
    select c.id from (${changedShifts(programId)}) c (id)
    union select a.id from shift_assignment a
      where a.program_id = ${programId} and a.removed_at is null and a.date in (select n.date from new_days n)`,
  )
  await sql`delete from shift_kept k where k.program_id = ${programId}
    and (k.assignment_id = any (${shifts}) or k.date < ${today}::date - 3 or k.date > ${today}::date + 2)`.execute(
    db,
  )
  await sql`insert into shift_kept select s.* from shifts_with_records(${programId}, ${shifts}) s
    where s.date between ${today}::date - 3 and ${today}::date + 2`.execute(db)
  await sql`insert into rotation_kept as k (program_id, kept_at, from_date, through_date)
      values (${programId}, ${moment}, ${today}::date - 3, ${today}::date + 2)
    on conflict (program_id) do update set kept_at = excluded.kept_at, from_date = excluded.from_date,
      through_date = excluded.through_date`.execute(db)
  await seeEvents(db, programId, 'rotations', seen)
}

/** Counts all of it anew. */
export const recountRotations = async (
  db: Db,
  programId: number,
  moment?: RawBuilder<unknown>,
): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('rotations:' || ${programId}::bigint, 0))`.execute(
    db,
  )
  for (const table of ['rotation_student', 'shift_kept'])
    await sql`delete from ${sql.table(table)} where program_id = ${programId}`.execute(db)
  await sql`update rotation_kept set from_date = null, through_date = null where program_id = ${programId}`.execute(
    db,
  )
  await forgetSeen(db, programId, 'rotations')
  await keepRotations(db, programId, moment)
}
