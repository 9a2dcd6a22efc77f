import type pg from 'pg'
import { coreFailures } from '#contract/core/failures.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import { hashToken, type SignedIn } from './session.ts'

/** The name of the cookie by which a device is known to a link. */
export const linkCookie = (linkId: number, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}practicum_link_${linkId}`

/** What a device keeps of the links that it has opened: their ids and its secrets, by the names of its cookies. */
const secretsOf = (cookies: Readonly<Record<string, string | undefined>>, isSecure: boolean) => {
  const prefix = linkCookie(0, isSecure).slice(0, -1)
  const kept = Object.entries(cookies).flatMap(([name, secret]) => {
    const id = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    return /^\d{1,15}$/.test(id) && secret ? [{ id: Number(id), secret: hashToken(secret) }] : []
  })
  return { links: kept.map(({ id }) => id), secrets: kept.map(({ secret }) => secret) }
}

/** An inbox link that can be opened. */
interface InboxLink {
  link_id: number
  recipient_name: string
  recipient_email: string
  expires_at: string
  /** Whether the device has opened it within the hour. */
  is_opened: boolean
}

/** An account that an inbox link serves, as the database answers it. */
export interface InboxAccount {
  account_id: number
  program_id: number
  user_name: string
  access_level: number
  is_demo: boolean
  email: string
  is_email_confirmed: boolean
  first_name: string
  last_name: string
  program_name: string
  college_id: number
  college_name: string
  time_zone: string
  needs_sign_in: boolean
}

/** Told without a difference whether a link exists, so that guessing learns nothing. */
export const linkIsOver = (): Failure => fail(coreFailures.link_over)

export const linkNeedsOpening = (): Failure => fail(coreFailures.link_needs_opening)

/** The most bytes that a token or an id in a header may have. */
const maxHeader = 100

/** An inbox link that the device has opened, with the accounts of its address as they are now. */
export interface OpenedInbox extends InboxLink {
  accounts: InboxAccount[]
}

type LinkRow = InboxLink & (InboxAccount | Record<keyof InboxAccount, null>)

/**
 * The inbox link of a token on a device with these cookies, and the accounts that it serves: all of its address, or the one that is
 * named if it is among them.
 *
 * @param ask runs a statement with these values
 * @throws Failure 404 `link` for a link that is unknown or over, 401 `link_code` for a device that has not opened it
 */
export const findOpenedInbox = async (
  ask: (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>,
  token: string,
  { cookies, isSecure }: { cookies: Readonly<Record<string, string | undefined>>; isSecure: boolean },
  account: number | null = null,
): Promise<OpenedInbox> => {
  if (token.length > maxHeader) throw linkIsOver()
  const { links, secrets } = secretsOf(cookies, isSecure)
  const { rows } = await ask(
    'select * from open_inbox($1, $2, $3, $4) order by program_name, program_id, account_id',
    [hashToken(token), links, secrets, account],
  )
  const found = rows as LinkRow[]
  const [link] = found
  if (!link) throw linkIsOver()
  if (!link.is_opened) throw linkNeedsOpening()
  return { ...link, accounts: found.filter((row) => row.account_id !== null) }
}

const callerOf = (link: InboxLink, row: InboxAccount): SignedIn => ({
  user: {
    Id: row.account_id,
    UserName: row.user_name,
    Name: `${row.first_name} ${row.last_name}`.trim() || row.user_name,
    EmailAddress: row.email,
    AccessLevel: row.access_level,
    SuperAdminAreas: null,
    IsDemo: row.is_demo,
    IsEmailAddressConfirmed: row.is_email_confirmed,
    isSuperAdmin: false,
    ProgramId: row.program_id,
    ProgramName: row.program_name,
    CollegeName: row.college_name,
    TimeZone: row.time_zone,
    link: { Id: link.link_id, Recipient: link.recipient_email, expiresAt: link.expires_at },
  },
  session: {
    id: 0,
    csrfToken: '',
    collegeId: row.college_id,
    programId: row.program_id,
    templateId: null,
    isProgramMenuEnabled: false,
    isAdminMenuSemiHidden: false,
    expiresAt: link.expires_at,
    isAntiForgeryEnabled: false,
    isShared: false,
    isProven: false,
    carriesProof: false,
    viewer: null,
    step: undefined,
  },
})

/**
 * Who calls by an inbox link: one of the accounts that its address has now. Asked anew with each call, so whoever withdraws the link,
 * deactivates the account, changes its address or level, or takes the program out has done so at once.
 *
 * @throws Failure 404 `link` for a link that is over, 401 `link_code` for a device that has not opened it, 403 `inbox_account` for an
 * account that it does not serve
 */
export const admitInbox = async (
  pool: pg.Pool,
  token: string,
  account: string,
  device: Parameters<typeof findOpenedInbox>[2],
): Promise<SignedIn> => {
  const ask = (text: string, values: readonly unknown[]) =>
    pool.query({ name: 'open_inbox', text, values: [...values] })
  // Nobody has the id 0.
  const id = /^\d{1,15}$/.test(account) ? Number(account) : 0
  const inbox = await findOpenedInbox(ask, token, device, id)
  const found = inbox.accounts.find(({ needs_sign_in }) => !needs_sign_in)
  if (!found) throw fail(coreFailures.inbox_account)
  return callerOf(inbox, found)
}
