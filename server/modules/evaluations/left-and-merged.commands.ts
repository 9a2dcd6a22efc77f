import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Opens again the evaluations that stopped when somebody left, as far as nobody has done so since; answers how many. */
export const resumeStopped = async (
  db: Db,
  programId: number,
  leavingIds: readonly number[],
): Promise<number> => {
  const { numAffectedRows } = await sql`update evaluation e set stopped_at = null, stopped_by = null
    from leaving l
    where l.program_id = ${programId} and l.id = any (${[...leavingIds]}::bigint[]) and e.program_id = ${programId} and e.id = any (l.stopped_ids)
      and e.stopped_at = l.made_at and not e.is_completed and e.deleted_at is null`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Numbers anonymous forms about somebody who is merged into another person after those about the other: the threes that results have
 * shown stay what they are, and no difference of before and after tells a single form.
 */
export const numberAfter = async (db: Db, programId: number, mergedId: number): Promise<void> => {
  await sql`update evaluation e set anonymous_number = e.anonymous_number + (select max(m.anonymous_number) from evaluation m
      where m.program_id = e.program_id and m.template_id = e.template_id)
    where e.program_id = ${programId} and e.subject_id = ${mergedId} and e.anonymous_number is not null`.execute(
    db,
  )
}
