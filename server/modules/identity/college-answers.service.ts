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

/** Keeps how a connection is doing, for its page: '' is a success, told once a minute. */
export const noteConnection = async (
  services: Services,
  providerId: number,
  error: string,
): Promise<void> => {
  await services.pool.query({
    name: 'note connection',
    text: `insert into college_connection_state as s (provider_id, last_success_at, last_error_at, last_error)
      values ($1, case when $2 = '' then now() end, case when $2 <> '' then now() end, $2)
      on conflict (provider_id) do update set
        last_success_at = coalesce(excluded.last_success_at, s.last_success_at),
        last_error_at = coalesce(excluded.last_error_at, s.last_error_at),
        last_error = case when $2 = '' then s.last_error else $2 end
      where $2 <> '' or s.last_success_at is null or s.last_success_at < now() - interval '1 minute'
        or s.last_error_at > s.last_success_at`,
    values: [providerId, error.slice(0, 500)],
  })
}
