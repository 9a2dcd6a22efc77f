import { transaction } from '#server/core/database/pool.ts'
import type { OpenAnswer } from '#server/core/http/open-page.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import type { Services } from '#server/core/runtime/services.ts'

/** A whole college may be behind one address when its first lesson begins. */
const maxPerAddress = 2_000

/** A sign-in of a college belongs to nobody yet. */
export const nobody = { accountId: null, programIds: [] }

export const pageOf = ({ config }: Services, path: string): string => `${config.appRoot}/new/${path}`

/** Where a refused sign-in ends: a page that says why and how to try again. */
export const problemPage = (services: Services, problem: string, providerId?: number): string =>
  pageOf(
    services,
    `auth/college-answer?problem=${encodeURIComponent(problem)}${providerId ? `&provider=${providerId}` : ''}`,
  )

export const onFailure = (services: Services, code: string): string => problemPage(services, code)

/** @throws Failure 429 */
export const limitCollege = (services: Services, what: string, address: string): Promise<void> =>
  throttle(services.pool, [
    { key: `${what}:address:${address}`, max: maxPerAddress, windowSeconds: quarterHour },
  ])

export interface Refusal {
  problem: string
  providerId?: number
  /** For the audit. */
  detail: Record<string, unknown>
}

/** Puts a refused sign-in into the audit, and answers where the browser goes. */
export const refused = async (
  services: Services,
  address: string,
  { problem, providerId, detail }: Refusal,
): Promise<OpenAnswer> => {
  await transaction(services.transactions, nobody, (db) =>
    writeAudit(db, {
      programId: null,
      accountId: null,
      action: 'sign-in refused',
      address,
      detail: { How: 'college', Problem: problem, ...detail },
    }),
  )
  return { redirect: problemPage(services, problem, providerId), isRefused: true }
}
