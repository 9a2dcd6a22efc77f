import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** A record that was approved before its account was merged into another one. */
export interface ReopenedRecord {
  id: number
  minutes: number
  decided_at: string
  decided_by: number | null
}

/**
 * Of two students who turn out to be one, lets approved hours of the second wait for approval again where they lie over approved ones of
 * the first, so that no hour counts twice. Both students' time must be locked.
 */
export const reopenOverlaps = async (
  db: Db,
  programId: number,
  { keptId, mergedId }: { keptId: number; mergedId: number },
): Promise<ReopenedRecord[]> => {
  const { rows } = await sql<ReopenedRecord>`
    with span as materialized (
      select r.id, r.student_id, r.partner_id, coalesce(q.occurred_at, r.occurred_at) as from_at,
        coalesce(r.ends_at, r.occurred_at) as to_at
      from time_record r left join time_record q on q.program_id = r.program_id and q.id = r.partner_id
      where r.program_id = ${programId} and r.student_id in (${keptId}, ${mergedId}) and r.deleted_at is null and r.status = 'approved'
        and (r.kind = 'out' and r.partner_id is not null or r.kind in ('exception', 'makeup') and r.ends_at is not null)),
    old as materialized (
      select r.id, r.minutes, r.decided_at, r.decided_by from time_record r
      where r.program_id = ${programId} and r.student_id = ${mergedId} and r.status = 'approved' and exists (
        select from span s join span o on o.student_id = ${keptId} and o.from_at < s.to_at and o.to_at > s.from_at
        where s.student_id = ${mergedId} and r.id in (s.id, s.partner_id)))
    update time_record r set status = 'pending', decided_at = null, decided_by = null
    from old where r.program_id = ${programId} and r.id = old.id
    returning old.id, old.minutes, old.decided_at, old.decided_by`.execute(db)
  return rows
}

/** After a merge was undone, halves of pairs that were added meanwhile go with the half that has its own account back. */
export const followOtherHalves = async (
  db: Db,
  programId: number,
  { keptId, mergedId }: { keptId: number; mergedId: number },
): Promise<void> => {
  // The minutes are named for the trigger that keeps hours.
  await sql`
    update time_record r set student_id = q.student_id, minutes = r.minutes from time_record q
    where r.program_id = ${programId} and r.student_id = ${keptId} and r.partner_id is not null
      and q.program_id = r.program_id and q.id = r.partner_id and q.student_id = ${mergedId}`.execute(db)
}

/** Approves again what a merge had reopened and nobody has touched since, nor its other half, once it is its own account's again. */
export const approveReopened = async (
  db: Db,
  programId: number,
  studentId: number,
  records: readonly ReopenedRecord[],
): Promise<void> => {
  await sql`
    with old as materialized (select *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as o (id bigint, minutes integer, decided_at timestamptz, decided_by bigint))
    update time_record r set status = 'approved', decided_at = o.decided_at, decided_by = o.decided_by
    from old o
    where r.program_id = ${programId} and r.id = o.id and r.student_id = ${studentId} and r.status = 'pending'
      and r.minutes = o.minutes and r.deleted_at is null and r.is_matched and not exists (
        select from time_record q join old on old.id = q.id
        where q.program_id = r.program_id and q.id = r.partner_id and (q.status <> 'pending' or q.minutes <> old.minutes))`.execute(
    db,
  )
}
