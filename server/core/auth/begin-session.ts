import { sql } from 'kysely'
import { z } from 'zod'
import { coreFailures } from '#contract/core/failures.ts'
import type { Language } from '#contract/language/language.ts'
import { homePath } from '#contract/session/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { isFrozen } from './accounts.across.ts'
import { type Cookies, redirectCookie, redirectSeconds, sessionCookie } from './cookies.ts'
import { localPath } from './local-path.ts'
import { hashToken, newToken, type Opening, openSession, sessionMinutes } from './session.ts'
import { stepOf } from './steps.ts'

interface Signing {
  db: Db
  services: Services
  from: { address: string; agent: string; language: Language }
  cookies: Cookies
}

/** The job that tells the owner of a sign-in from somewhere new; the module of identity does it. */
export const deviceSeen = {
  name: 'identity:device',
  payload: z.object({ accountId: z.number(), what: z.string(), device: z.string() }),
}

/** By which a browser is known again; kept beyond its sessions. */
const deviceCookie = 'practicum_device'
const deviceSeconds = 400 * 24 * 60 * 60

interface Arrival {
  is_new_device: boolean
  is_new_country: boolean
}

/**
 * Remembers the device and the country, and has the owner told of those that the account has never had.
 *
 * @throws Failure 403 `frozen`
 */
const noteArrival = async ({ db, services, from, cookies }: Signing, accountId: number): Promise<void> => {
  const device = cookies.get(deviceCookie) ?? newToken()
  cookies.set(deviceCookie, device, { maxAgeSeconds: deviceSeconds })
  const file = await services.ipAccess.file()
  const country = file?.countryOf(plainAddress(from.address)) ?? null
  const hash = hashToken(device)
  const { rows } = await sql<Arrival>`
    select count(*) > 0 and not coalesce(bool_or(device_hash = ${hash}), false) as is_new_device,
      ${country}::text is not null and coalesce(bool_or(countries <> '{}') and not bool_or(${country}::text = any (countries)), false)
        as is_new_country
    from known_device where account_id = ${accountId}`.execute(db)
  await sql`insert into known_device as k (account_id, device_hash, countries)
    values (${accountId}, ${hash}, array_remove(array[${country}::text], null))
    on conflict (account_id, device_hash) do update set last_seen_at = now(),
      countries = case when excluded.countries <@ k.countries then k.countries else k.countries || excluded.countries end`.execute(
    db,
  )
  const { is_new_device, is_new_country } = rows[0]!
  if (await isFrozen(db, accountId)) throw fail(coreFailures.frozen)
  if (!is_new_device && !is_new_country) return
  const what = is_new_country ? `a new country (${country})` : 'a new device'
  await enqueue(db, deviceSeen, { accountId, what, device: from.agent.slice(0, 120) || 'unknown' })
}

/** Forgets devices that nobody has used for longer than their cookie lasts. */
export const tidyDevices = async (db: Db): Promise<void> => {
  await sql`delete from known_device where last_seen_at < now() - interval '400 days'`.execute(db)
}

/** The account that has just proved who it is. */
export interface ProvenAccount {
  account_id: number
  program_id: number | null
  access_level: number
  needs_eula: boolean
  needs_authenticator: boolean
  /** The page chosen in the preferences. */
  start_page: string | null
}

/**
 * Signs the account in: a new session with a new id, its cookie, and a row of the audit; the browser's last session ends.
 * Every way of signing in ends here.
 * Answers where to go: a step that waits, the page wanted before signing in, the page chosen in the preferences, or
 * home. Whatever is wanted must be a page of ours.
 */
export const beginSession = async (
  signing: Signing,
  account: ProvenAccount,
  {
    how,
    wanted,
    isShared = false,
    isProven = true,
    ...opening
  }: {
    how: string
    wanted?: string | undefined
    isShared?: boolean
    /** False where a session has begun another one: nobody has proved anything. */
    isProven?: boolean
  } & Opening,
): Promise<string> => {
  const { db, services, from, cookies } = signing
  await noteArrival(signing, account.account_id)
  const { appRoot } = services.config
  // A browser has one session: the one it had is not left behind for whoever copied its cookie.
  const last = cookies.get(sessionCookie(services))
  if (last) {
    await sql`update session set ended_at = now() where token_hash = ${hashToken(last)} and ended_at is null`.execute(
      db,
    )
  }
  const token = await openSession(services.pool, account.account_id, from, { isShared, isProven, ...opening })
  cookies.set(sessionCookie(services), token, { maxAgeSeconds: sessionMinutes(isShared) * 60 })
  await sql`select note_browser_language(${account.account_id}, ${from.language})`.execute(db)
  await writeAudit(db, {
    programId: account.program_id,
    accountId: account.account_id,
    action: 'signed in',
    address: from.address,
    subjectId: account.account_id,
    detail: { How: how, ...(isShared && { IsShared: true }) },
  })
  const asked =
    localPath(wanted, appRoot) ??
    localPath(cookies.get(redirectCookie), appRoot) ??
    localPath(account.start_page ?? '', appRoot)
  const step = stepOf(account)
  if (step) {
    // Kept until the step is done: then this page is shown.
    if (asked) cookies.set(redirectCookie, asked, { maxAgeSeconds: redirectSeconds })
    return `${appRoot}/new${step.page}`
  }
  cookies.clear(redirectCookie)
  return asked ?? `${appRoot}${homePath(account.access_level)}`
}
