import { sql } from 'kysely'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { holdPeopleAlone } from '#server/core/runtime/people-lock.ts'
import { endFreeze } from '../identity/sign-in.queries.ts'

/** Sets the last day to come, or takes it back. Shifts after it are freed by the database. */
export const setLeavesOn = async (
  db: Db,
  programId: number,
  userId: number,
  day: string | null,
): Promise<void> => {
  await db
    .updateTable('account')
    .set({ leaves_on: day })
    .where('program_id', '=', programId)
    .where('id', '=', userId)
    .execute()
}

/**
 * Gives or ends the access of a person, in one place for both directions. With its end sessions, keys, mailed links, calendar
 * addresses and pushes end for good. What a student was to do after `lastDay`, today unless given, is freed by the database.
 */
export const setAccess = async (
  db: Db,
  programId: number,
  userId: number,
  isActive: boolean,
  lastDay?: string,
): Promise<void> => {
  // Held already by whoever knew before what it does.
  if (!isActive) await holdPeopleAlone(db, programId)
  await db
    .updateTable('account')
    .set({
      deactivated_at: isActive ? null : sql`now()`,
      ...(lastDay !== undefined && { counts_through: lastDay }),
    })
    .where('program_id', '=', programId)
    .where('id', '=', userId)
    .execute()
  if (isActive) await endFreeze(db, userId)
  else await endSessionsOf(db, userId, 'access')
}
