import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { type Answer, columns } from './college.queries.ts'

/** Minutes from the provider's answer to the end of the sign-in: for the choice of an account and the authenticator. */
const answerMinutes = 10

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

/** Deletes sign-ins of colleges, and what launches and registrations began, a day after their end. */
export const tidyCollegeSignIns = async (db: Db): Promise<void> => {
  for (const table of ['saml_request', 'lti_ticket', 'lti_deep_link', 'lti_registration'] as const)
    await db.deleteFrom(table).where('expires_at', '<', sql<string>`now() - interval '1 day'`).execute()
}
