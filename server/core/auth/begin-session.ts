import { sql } from 'kysely'
import type { Language } from '#contract/language/language.ts'
import { homePath } from '#contract/session/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { type Cookies, redirectCookie, redirectSeconds, sessionCookie } from './cookies.ts'
import { localPath } from './local-path.ts'
import { hashToken, openSession, sessionMinutes } from './session.ts'
import { stepOf } from './steps.ts'

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
  {
    db,
    services,
    from,
    cookies,
  }: {
    db: Db
    services: Services
    from: { address: string; agent: string; language: Language }
    cookies: Cookies
  },
  account: ProvenAccount,
  { how, wanted, isShared = false }: { how: string; wanted?: string | undefined; isShared?: boolean },
): Promise<string> => {
  const { appRoot } = services.config
  // A browser has one session: the one it had is not left behind for whoever copied its cookie.
  const last = cookies.get(sessionCookie(services))
  if (last) {
    await sql`update session set ended_at = now() where token_hash = ${hashToken(last)} and ended_at is null`.execute(
      db,
    )
  }
  const token = await openSession(services.pool, account.account_id, from, isShared)
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
