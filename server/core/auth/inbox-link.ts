import type pg from 'pg'
import { Failure } from '#server/core/runtime/failure.ts'
import { hashToken, type SignedIn } from './session.ts'

/** The name of the cookie by which a device is known to a link. */
export const linkCookie = (linkId: number, isSecure: boolean): string =>
  `${isSecure ? '__Host-' : ''}practicum_link_${linkId}`

/** An inbox link that can be opened. */
export interface InboxLink {
  link_id: number
  /** The program that sent it. */
  program_id: number
  recipient_name: string
  recipient_email: string
  expires_at: string
  /** Whether the device has opened it within the hour. */
  is_opened: boolean
}

/** An account that an inbox link serves, as `inbox_accounts` answers it. */
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
export const linkIsOver = (): Failure =>
  new Failure(
    404,
    'link',
    'This link no longer works: it has expired or was withdrawn. Ask the person who sent it for a new one.',
  )

export const linkNeedsOpening = (): Failure => new Failure(401, 'link_code', 'Open the link again to go on.')

/** The most bytes that a token or an id in a header may have. */
const maxHeader = 100

/** An inbox link by its token, for a device with these cookies. */
export const findInboxLink = async (
  pool: pg.Pool,
  token: string,
  secretOf: (linkId: number) => string | undefined,
): Promise<InboxLink | undefined> => {
  if (token.length > maxHeader) return undefined
  const find = (device: Buffer | null) =>
    pool.query<InboxLink>({
      name: 'find_inbox_link',
      text: 'select * from find_inbox_link($1, $2)',
      values: [hashToken(token), device],
    })
  const { rows } = await find(null)
  const secret = rows[0] && secretOf(rows[0].link_id)
  return secret ? (await find(hashToken(secret))).rows[0] : rows[0]
}

/** The accounts of an address as they are now. */
export const listInboxAccounts = async (pool: pg.Pool, address: string): Promise<InboxAccount[]> => {
  const { rows } = await pool.query<InboxAccount>({
    name: 'inbox_accounts',
    text: 'select * from inbox_accounts($1) order by program_name, program_id, account_id',
    values: [address],
  })
  return rows
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
  secretOf: (linkId: number) => string | undefined,
): Promise<SignedIn> => {
  const link = await findInboxLink(pool, token, secretOf)
  if (!link) throw linkIsOver()
  if (!link.is_opened) throw linkNeedsOpening()
  const found = (await listInboxAccounts(pool, link.recipient_email)).find(
    ({ account_id, needs_sign_in }) => String(account_id) === account && !needs_sign_in,
  )
  if (!found)
    throw new Failure(
      403,
      'inbox_account',
      'This inbox no longer reaches that program. Nothing was changed. Load the page again.',
    )
  return callerOf(link, found)
}
