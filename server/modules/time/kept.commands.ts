import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { forgetSeen, seeEvents } from '../changes/changes.commands.ts'
import { changedShifts, changedStudents, keptAround, rightNow, studentsByTime } from './kept.queries.ts'

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
  const { rows } = await sql<{ isMine: boolean; seen: string }>`
    select pg_try_advisory_xact_lock(hashtextextended('rotations:' || ${programId}::bigint, 0)) as "isMine",
      pg_current_snapshot()::text as seen`.execute(db)
  if (!rows[0]?.isMine) return
  const { seen } = rows[0]
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
  const before = sql.lit(keptAround.before)
  const after = sql.lit(keptAround.after)
  const shifts = await idsOf(
    db,
    sql`select c.id from (${changedShifts(programId)}) c (id)
    union select a.id from shift_assignment a
      where a.program_id = ${programId} and a.removed_at is null
        and a.date between ${moment}::date - ${before} and ${moment}::date + ${after}
        and not exists (select from event_seen s where s.program_id = ${programId} and s.reader = 'rotations'
          and a.date between s.seen_at::date - ${before} and s.seen_at::date + ${after})`,
  )
  await sql`delete from shift_kept k where k.program_id = ${programId}
    and (k.assignment_id = any (${shifts}) or k.date < ${moment}::date - ${before} or k.date > ${moment}::date + ${after}
      or not exists (select from event_seen s where s.program_id = ${programId} and s.reader = 'rotations'))`.execute(
    db,
  )
  await sql`insert into shift_kept select s.* from shifts_with_records(${programId}, ${shifts}) s
    where s.date between ${moment}::date - ${before} and ${moment}::date + ${after}`.execute(db)
  await seeEvents(db, programId, 'rotations', seen, moment)
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
  await forgetSeen(db, programId, 'rotations')
  await keepRotations(db, programId, moment)
}
