import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps the mailed code of a session for ten minutes; it takes the place of the one before. */
export const keepProofCode = async (db: Db, sessionId: number, hash: Buffer): Promise<void> => {
  await sql`update session set proof_code = ${hash}, proof_code_until = now() + interval '10 minutes' where id = ${sessionId}`.execute(
    db,
  )
}

/** The mailed code of a session that holds; five guesses use it up, whatever becomes of the call. */
export const takeProofCode = async (pool: pg.Pool, sessionId: number): Promise<Buffer | undefined> => {
  const { rows } = await pool.query<{ code: Buffer }>(
    `update session set proof_code_until = proof_code_until - interval '2 minutes'
     where id = $1 and proof_code_until > now() returning proof_code as code`,
    [sessionId],
  )
  return rows[0]?.code
}
