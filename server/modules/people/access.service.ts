import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { endFreeze, endSessionsOf } from '../identity/sign-in.queries.ts'

/**
 * Gives or ends the access of a person, in one place for both directions. With its end all sessions end; keys, links, feeds and pushes
 * ask at each use whether the account is active.
 */
export const setAccess = async (
  db: Db,
  programId: number,
  userId: number,
  isActive: boolean,
): Promise<void> => {
  await db
    .updateTable('account')
    .set({ deactivated_at: isActive ? null : sql`now()` })
    .where('program_id', '=', programId)
    .where('id', '=', userId)
    .execute()
  if (isActive) await endFreeze(db, userId)
  else await endSessionsOf(db, userId)
}
