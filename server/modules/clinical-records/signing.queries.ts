import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** The public keys of all colleges, the newest first; the retired ones as well, for good. */
export const listPublicKeys = async (db: Db): Promise<{ kid: string; jwk: Record<string, unknown> }[]> => {
  const { rows } = await sql<{ kid: string; jwk: Record<string, unknown> }>`
    select kid, public_jwk as jwk from signing_key order by id desc`.execute(db)
  return rows
}

export const findPublicKey = async (db: Db, kid: string): Promise<Record<string, unknown> | undefined> => {
  const { rows } = await sql<{ jwk: Record<string, unknown> }>`
    select public_jwk as jwk from signing_key where kid = ${kid}`.execute(db)
  return rows[0]?.jwk
}

/** A college that signs, by name; undefined for one that has never signed. */
export const findSigningCollege = async (db: Db, collegeId: number): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string }>`select c.name from college c
    where c.id = ${collegeId} and exists (select from signing_key k where k.college_id = c.id)`.execute(db)
  return rows[0]?.name
}
