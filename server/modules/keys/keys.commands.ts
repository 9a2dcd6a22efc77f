import { sql } from 'kysely'
import type { ApiKeyInput } from '#contract/keys/keys.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'

/** One that nobody has seen, and what is kept of it. */
const newKey = () => {
  const Key = `psk_${newToken()}`
  return { Key, hash: hashToken(Key), ending: Key.slice(-4) }
}

/** Makes a key for the program, or for all where it is null; answers its number and, this once, the key. */
export const insertApiKey = async (
  db: Db,
  {
    programId,
    accountId,
    input,
  }: {
    programId: number | null
    accountId: number
    input: Omit<ApiKeyInput, 'IsForAllPrograms'>
  },
): Promise<{ id: number; Key: string }> => {
  const { Key, hash, ending } = newKey()
  const { id } = await db
    .insertInto('api_key')
    .values({
      program_id: programId,
      name: input.Name,
      key_hash: hash,
      ending,
      account_id: accountId,
      rights: input.Rights,
      networks: sql`${input.Networks}::cidr[]`,
      calls_per_minute: input.CallsPerMinute,
      expires_at:
        input.ExpireDays === null
          ? null
          : sql<string>`now() + make_interval(days => ${input.ExpireDays}::integer)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, Key }
}

/** Gives a key that was found a new secret and the caller's rights as its bound; the last secret goes on for the hours, unless it has ended. */
export const replaceApiKey = async (
  db: Db,
  { keyId, accountId, overlapHours }: { keyId: number; accountId: number; overlapHours: number },
): Promise<string> => {
  const { Key, hash, ending } = newKey()
  const goesOn = sql`ended_at is null and ${overlapHours} > 0`
  await db
    .updateTable('api_key')
    .set({
      key_hash: hash,
      ending,
      previous_hash: sql<Buffer | null>`case when ${goesOn} then key_hash end`,
      previous_until: sql<
        string | null
      >`case when ${goesOn} then now() + make_interval(hours => ${overlapHours}::integer) end`,
      ended_at: null,
      account_id: accountId,
      rotated_at: sql`now()`,
      // One that has expired lives as long again as it did.
      expires_at: sql<string>`case when expires_at <= now() then now() + (expires_at - coalesce(rotated_at, created_at)) else expires_at end`,
    })
    .where('id', '=', keyId)
    .execute()
  return Key
}

/** Revokes a key that was found, with the one before its rotation. */
export const revokeApiKey = async (db: Db, keyId: number): Promise<void> => {
  await db.updateTable('api_key').set({ revoked_at: sql`now()` }).where('id', '=', keyId).execute()
}
