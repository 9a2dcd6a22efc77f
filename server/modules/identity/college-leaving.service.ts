import { z } from 'zod'
import { isOverTls } from '#server/core/auth/cookies.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import type { Db } from '#server/core/database/pool.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findAuditProgram } from './accounts.across.ts'

const Left = z.object({ providerId: z.number(), nameId: z.string(), sessionIndex: z.string() })
/** Of the provider that had opened a session, what it is told of the one that has ended. */
export type Left = z.infer<typeof Left>

const context = 'saml leaving'

/** Keeps for a minute, in the browser that has signed out, whom its college has still signed in. */
export const leavingCookie = (services: Services): { name: string; maxAgeSeconds: number } => ({
  name: isOverTls(services) ? '__Host-practicum_leaving' : 'practicum_leaving',
  maxAgeSeconds: 60,
})

export const sealLeaving = ({ config }: Services, left: Left): string =>
  seal(config.secretKey, context, JSON.stringify(left))

/** What the cookie keeps; undefined for one that is not ours. */
export const openLeaving = ({ config }: Services, cookie: string | undefined): Left | undefined => {
  try {
    return cookie ? Left.parse(JSON.parse(unseal(config.secretKey, context, cookie))) : undefined
  } catch {
    return undefined
  }
}

/** Puts into the audit that a college has signed somebody out. */
export const noteSignedOut = async (db: Db, accountId: number, address: string): Promise<void> => {
  await writeAudit(db, {
    programId: await findAuditProgram(db, accountId),
    accountId,
    action: 'signed out',
    address,
    subjectId: accountId,
    detail: { How: 'college' },
  })
}
