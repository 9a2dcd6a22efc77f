import { unseal } from '#server/core/auth/seal.ts'
import type { Services } from '#server/core/runtime/services.ts'

export const linkOf = (services: Services, token: string): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/e/${token}`

/** Of which evaluation the token is sealed. */
export const evaluationLinkContext = (programId: number, evaluationId: number): string =>
  `evaluation-link:${programId}:${evaluationId}`

/** The address of a link that was made before; null for one that was never kept, or sealed under another key. */
export const openSealedLink = (
  services: Services,
  { programId, evaluationId, sealed }: { programId: number; evaluationId: number; sealed: string | null },
): string | null => {
  if (sealed === null) return null
  try {
    return linkOf(
      services,
      unseal(services.config.secretKey, evaluationLinkContext(programId, evaluationId), sealed),
    )
  } catch {
    return null
  }
}
