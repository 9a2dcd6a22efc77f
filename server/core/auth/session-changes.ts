import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'
import type { RowChange } from '#server/core/database/rows.ts'
import { endPendingEmail } from './mailed-links.ts'
import type { SignedOutReason } from './session.ts'

/** Changes what a session keeps. */
export const changeSession = async (db: Db, id: number, values: RowChange<'session'>): Promise<void> => {
  await db.updateTable('session').set(values).where('id', '=', id).execute()
}

/** Why a session is ended from elsewhere: what its browser is told. */
type EndReason = Exclude<SignedOutReason, 'program'>

const openSessionsOf = (db: Db, accountId: number, reason: EndReason) =>
  db
    .updateTable('session')
    .set({ ended_at: sql`now()`, ended_for: reason })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)

/** Ends the sessions of an account but one, and what waits of them. */
export const endSessionsOf = async (
  db: Db,
  accountId: number,
  reason: EndReason,
  exceptSessionId = 0,
): Promise<void> => {
  await endPendingEmail(db, accountId)
  await openSessionsOf(db, accountId, reason).where('id', '!=', exceptSessionId).execute()
}

/** Ends one session of an account, and what waits of them; false when it is none that goes on. */
export const endSessionOf = async (db: Db, accountId: number, id: number): Promise<boolean> => {
  const { numUpdatedRows } = await openSessionsOf(db, accountId, 'ended')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await endPendingEmail(db, accountId)
  return true
}

/** Ends the sessions of an account that a provider has opened. */
export const endSessionsBy = async (db: Db, accountId: number, providerId: number): Promise<void> => {
  await openSessionsOf(db, accountId, 'college').where('provider_id', '=', providerId).execute()
}

/** Ends the sessions that a provider has opened for one of its people, or the one that it means. Answers whose they were. */
export const endCollegeSessions = async (
  db: Db,
  providerId: number,
  { nameId, sessionIndex }: { nameId: string; sessionIndex: string },
): Promise<number[]> =>
  (
    await sql<{ account_id: number }>`update session set ended_at = now(), ended_for = 'college'
      where provider_id = ${providerId} and ended_at is null and lower(college_name) = lower(${nameId})
        and (college_name = ${nameId} or position('@' in ${nameId}) > 0)
        and (${sessionIndex} = '' or college_index = '' or college_index = ${sessionIndex})
      returning account_id`.execute(db)
  ).rows.map(({ account_id }) => account_id)

/** Keeps the mailed code of a session for ten minutes; it takes the place of the one before. */
export const keepProofCode = (db: Db, sessionId: number, hash: Buffer): Promise<void> =>
  changeSession(db, sessionId, {
    proof_code: hash,
    proof_code_until: sql<string>`now() + interval '10 minutes'`,
  })

/** The mailed code of a session that holds; five guesses use it up, whatever becomes of the call. */
export const takeProofCode = async (pool: pg.Pool, sessionId: number): Promise<Buffer | undefined> => {
  const { rows } = await pool.query<{ code: Buffer }>(
    `update session set proof_code_until = proof_code_until - interval '2 minutes'
     where id = $1 and proof_code_until > now() returning proof_code as code`,
    [sessionId],
  )
  return rows[0]?.code
}
