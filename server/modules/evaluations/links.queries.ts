import { seal, unseal } from '#server/core/auth/seal.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Services } from '#server/core/runtime/services.ts'

const linkOf = (services: Services, token: string): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/e/${token}`

const contextOf = (programId: number, evaluationId: number): string =>
  `evaluation-link:${programId}:${evaluationId}`

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
      sealed_token: seal(services.config.secretKey, contextOf(programId, evaluationId), token),
      created_by: by,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  return { id, createdAt: created_at, link: linkOf(services, token) }
}

/** The address of a link that was made before; null for one that was never kept, or sealed under another key. */
export const openSealedLink = (
  services: Services,
  { programId, evaluationId, sealed }: { programId: number; evaluationId: number; sealed: string | null },
): string | null => {
  if (sealed === null) return null
  try {
    return linkOf(services, unseal(services.config.secretKey, contextOf(programId, evaluationId), sealed))
  } catch {
    return null
  }
}
