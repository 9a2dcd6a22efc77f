import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { Of } from './supervision.queries.ts'

export const endLink = async (db: Db, { programId, siteId, studentId }: Of): Promise<boolean> => {
  const { numAffectedRows } = await sql`update supervision_link set ended_at = now()
    where program_id = ${programId} and ended_at is null
      and ${siteId === null ? sql`student_id = ${studentId}` : sql`site_id = ${siteId}`}`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Makes a link in place of the one before. */
export const insertLink = async (
  db: Db,
  { programId, siteId, studentId, hash, sealed, by }: Of & { hash: Buffer; sealed: string; by: number },
): Promise<void> => {
  await endLink(db, { programId, siteId, studentId })
  await sql`insert into supervision_link (program_id, site_id, student_id, token_hash, sealed_token, created_by)
    values (${programId}, ${siteId}::bigint, ${studentId}::bigint, ${hash}, ${sealed}, ${by})`.execute(db)
}
