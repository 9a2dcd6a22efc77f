import { sql } from 'kysely'
import { seal } from '#server/core/auth/seal.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { evaluationLinkContext, linkOf } from './links.queries.ts'

/** One more anonymous link for an evaluation; its token is kept sealed, so that the link can be shown again. */
export const addLink = async (
  db: Db,
  services: Services,
  { programId, evaluationId, by }: { programId: number; evaluationId: number; by: number },
): Promise<{ id: number; createdAt: string; link: string }> => {
  const token = newToken()
  const { id, created_at } = await db
    .insertInto('evaluation_link')
    .values({
      program_id: programId,
      evaluation_id: evaluationId,
      token_hash: hashToken(token),
      sealed_token: seal(services.config.secretKey, evaluationLinkContext(programId, evaluationId), token),
      created_by: by,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  return { id, createdAt: created_at, link: linkOf(services, token) }
}

/** Ends an anonymous link; whether there was a living one. */
export const endLink = async (
  db: Db,
  { programId, evaluationId, linkId }: { programId: number; evaluationId: number; linkId: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('evaluation_link')
    .set({ ended_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('evaluation_id', '=', evaluationId)
    .where('id', '=', linkId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
