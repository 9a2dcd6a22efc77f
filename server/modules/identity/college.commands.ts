import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { type Answer, columns } from './college.queries.ts'

/** Minutes from the provider's answer to the end of the sign-in: for the choice of an account and the authenticator. */
const answerMinutes = 10

/** Ends the sessions that a provider has opened for one of its people, or the one that it means. Answers whose they were. */
export const endCollegeSessions = async (
  db: Db,
  providerId: number,
  { nameId, sessionIndex }: { nameId: string; sessionIndex: string },
): Promise<number[]> =>
  (
    await sql<{ account_id: number }>`update session set ended_at = now()
      where provider_id = ${providerId} and ended_at is null and lower(college_name) = lower(${nameId})
        and (college_name = ${nameId} or position('@' in ${nameId}) > 0)
        and (${sessionIndex} = '' or college_index = '' or college_index = ${sessionIndex})
      returning account_id`.execute(db)
  ).rows.map(({ account_id }) => account_id)

export const insertRequest = async (
  db: Db,
  request: {
    id: string
    providerId: number
    browserHash: Buffer
    returnTo: string
    minutes: number
    /** Of OpenID Connect; the verifier is sealed. */
    nonce?: string
    verifier?: string
  },
): Promise<void> => {
  await db
    .insertInto('saml_request')
    .values({
      id: request.id,
      provider_id: request.providerId,
      browser_hash: request.browserHash,
      return_to: request.returnTo,
      nonce: request.nonce ?? null,
      verifier: request.verifier ?? null,
      expires_at: sql<string>`now() + make_interval(mins => ${request.minutes})`,
    })
    .execute()
}

/** Keeps the answer to a request; false when it has been answered, by this answer or another. */
export const storeAnswer = async (
  db: Db,
  id: string,
  answer: { nameId: string; email: string; codeHash: Buffer; sessionIndex?: string; returnTo?: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('saml_request')
    .set({
      name_id: answer.nameId,
      email: answer.email,
      code_hash: answer.codeHash,
      ...(answer.sessionIndex && { session_index: answer.sessionIndex }),
      ...(answer.returnTo !== undefined && { return_to: answer.returnTo }),
      answered_at: sql`now()`,
      expires_at: sql<string>`now() + make_interval(mins => ${answerMinutes})`,
    })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses an answer once: of two that race, one finds it unused. */
export const consumeAnswer = (db: Db, codeHash: Buffer, browserHash: Buffer): Promise<Answer | undefined> =>
  db
    .updateTable('saml_request')
    .set({ used_at: sql`now()` })
    .where('code_hash', '=', codeHash)
    .where('browser_hash', '=', browserHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(columns)
    .executeTakeFirst()
