import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { Level } from '#contract/core/levels.ts'
import type { Permission } from '#contract/core/permissions.ts'
import { isLanguage, type Language } from '#contract/language/language.ts'
import { type Db, isConnectionLoss } from '#server/core/database/pool.ts'
import type { Replica } from '#server/core/database/replica.ts'
import { beginsWithHiddenMenu, findPersonRow, isProgramClosed, type PersonRow } from './accounts.across.ts'
import { stepOf } from './steps.ts'

/** The signed-in person, as every handler sees them. */
export interface User {
  Id: number
  UserName: string
  /** First and last name. */
  Name: string
  EmailAddress: string
  AccessLevel: number
  SuperAdminAreas: number | null
  IsDemo: boolean
  IsEmailAddressConfirmed: boolean
  isSuperAdmin: boolean
  /** The program the account belongs to; null for super admins without a home program. */
  ProgramId: number | null
  ProgramName: string | null
  CollegeName: string | null
  /** IANA name of the program's time zone. */
  TimeZone: string
  /** The language that the person has chosen for pages; without one the browser decides. */
  Language?: Language | undefined
  /** All that the caller may, where it is a key. */
  KeyRights?: readonly Permission[]
  /** The key that calls, in the place of the person who made it. */
  key?: { Id: number; Name: string; maker: { AccessLevel: number; SuperAdminAreas: number | null } }
  /** The inbox link by which the person acts without having signed in. */
  link?: { Id: number; Recipient: string; expiresAt: string }
}

export interface Session {
  id: number
  csrfToken: string
  /** The college and program a super admin has chosen; their own for everybody else. */
  collegeId: number | null
  programId: number | null
  templateId: number | null
  isProgramMenuEnabled: boolean
  isAdminMenuSemiHidden: boolean
  /** Idle end or absolute end, whichever is first; ISO 8601. */
  expiresAt: string
  isAntiForgeryEnabled: boolean
  /** Who looks through this session at the signed-in person's screens, without changing anything; null: nobody. */
  viewer: { Id: number; Name: string } | null
  /** Of a ward computer, which many people use: it is short. */
  isShared: boolean
  /** Whoever sits here has proved within the last five minutes who it is. */
  isProven: boolean
  /** The call carries what its page was given for a proof, so that it is not made with a copied cookie alone. */
  carriesProof: boolean
  /** What has to be done before anything else. */
  step: ReturnType<typeof stepOf>
}

export interface SignedIn {
  user: User
  session: Session
}

/** A session ends 24 hours after sign-in at the latest, that of a ward computer after twenty minutes. */
export const sessionMinutes = (isShared: boolean): number => (isShared ? 20 : 24 * 60)
const touchAfterMs = 60_000

/** Minutes that a proof of who sits at a session holds. */
export const proofMinutes = 5

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
export const newToken = (): string => randomBytes(32).toString('base64url')

interface SessionRow extends PersonRow {
  session_id: number
  csrf_token: string
  session_college_id: number | null
  session_program_id: number | null
  template_id: number | null
  is_program_menu_enabled: boolean
  is_admin_menu_semi_hidden: boolean
  last_seen_at: string
  expires_at: string
  idle_minutes: number
  is_anti_forgery_enabled: boolean
  viewer_id: number | null
  viewer_name: string | null
  needs_eula: boolean
  needs_authenticator: boolean
  is_shared: boolean
  is_proven: boolean
  now: string
}

const userOf = (row: PersonRow): User => ({
  Id: row.account_id,
  UserName: row.user_name,
  Name: `${row.first_name} ${row.last_name}`.trim() || row.user_name,
  EmailAddress: row.email,
  AccessLevel: row.access_level,
  SuperAdminAreas: row.super_admin_areas,
  IsDemo: row.is_demo,
  IsEmailAddressConfirmed: row.is_email_confirmed,
  isSuperAdmin: row.access_level === Level.SuperAdmin,
  ProgramId: row.program_id,
  ProgramName: row.program_name,
  CollegeName: row.college_name,
  TimeZone: row.time_zone,
  ...(isLanguage(row.language) && { Language: row.language }),
})

/** An active person, for work that goes on after they have left; undefined when the account is gone. */
export const findPerson = async (pool: pg.Pool, accountId: number): Promise<User | undefined> => {
  const row = await findPersonRow(pool, accountId)
  return row && userOf(row)
}

/**
 * Whom the cookie's token signs in; undefined when the session is unknown, ended, idle too long or the account is gone.
 * Asking counts as activity unless said otherwise.
 */
export const findSession = async (
  pool: pg.Pool,
  token: string,
  { isActivity = true } = {},
): Promise<SignedIn | undefined> => {
  const { rows } = await pool.query<SessionRow>({
    name: 'find_session',
    // Who views as somebody else accepts nothing in that person's name.
    // The database's clock decides: those of the processes may differ.
    text: `select s.*, s.viewer_id is null and needs_eula(s.account_id) as needs_eula, now() as now,
      s.proven_at > now() - interval '${proofMinutes} minutes' as is_proven from find_session($1) s`,
    values: [hashToken(token)],
  })
  const row = rows[0]
  if (!row) return undefined
  const now = Date.parse(row.now)
  const seen = Date.parse(row.last_seen_at)
  const idleEnd = seen + row.idle_minutes * 60_000
  if (idleEnd < now) return undefined
  if (isActivity && now - seen > touchAfterMs) {
    await pool.query({
      name: 'touch_session',
      text: 'update session set last_seen_at = now() where id = $1',
      values: [row.session_id],
    })
  }
  return {
    user: userOf(row),
    session: {
      id: row.session_id,
      csrfToken: row.csrf_token,
      collegeId: row.session_college_id,
      programId: row.session_program_id,
      templateId: row.template_id,
      isProgramMenuEnabled: row.is_program_menu_enabled,
      isAdminMenuSemiHidden: row.is_admin_menu_semi_hidden,
      expiresAt: new Date(
        Math.min(Date.parse(row.expires_at), isActivity ? now + row.idle_minutes * 60_000 : idleEnd),
      ).toISOString(),
      isAntiForgeryEnabled: row.is_anti_forgery_enabled,
      viewer: row.viewer_id === null ? null : { Id: row.viewer_id, Name: row.viewer_name ?? '' },
      isShared: row.is_shared,
      isProven: row.is_proven,
      carriesProof: false,
      step: stepOf(row),
    },
  }
}

/**
 * As `findSession`, but from the replica while the primary does not answer: reading goes on there. Nothing is noted then of
 * what somebody does.
 *
 * @throws what the primary's loss was noticed by, where the replica may not answer
 */
export const findSessionAnywhere = async (
  { pool, replica }: { pool: pg.Pool; replica?: Replica | undefined },
  token: string,
  options?: { isActivity?: boolean },
): Promise<SignedIn | undefined> => {
  try {
    return await findSession(pool, token, options)
  } catch (error) {
    if (!replica?.mayAnswerAlone() || !isConnectionLoss(error)) throw error
    return findSession(replica.pool, token, { isActivity: false }).catch(() => {
      throw error
    })
  }
}

/** What opened a session, as far as it decides where else its owner may go. */
export interface Opening {
  /** The address of a mailed link: whoever sits there reads that mailbox. */
  mailbox?: string | null
  /** The college's connection that answered for the person. */
  providerId?: number | null
  /** How that college calls the person and the session, where it can be signed out of. */
  collegeName?: string | null
  collegeIndex?: string | null
}

/** Opens a session with a new id and answers the token for the cookie; only its hash is kept. */
export const openSession = async (
  pool: pg.Pool,
  accountId: number,
  from: { address: string; agent: string },
  {
    isShared = false,
    isProven = true,
    mailbox = null,
    providerId = null,
    collegeName = null,
    collegeIndex = null,
  }: { isShared?: boolean; isProven?: boolean } & Opening = {},
): Promise<string> => {
  const token = newToken()
  const isMenuHidden = await beginsWithHiddenMenu(pool, accountId)
  await pool.query(
    `insert into session (token_hash, csrf_token, account_id, address, agent, expires_at, is_admin_menu_semi_hidden, is_shared, proven_at,
       mailbox, provider_id, college_name, college_index)
     values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6), $13, $7, case when $8 then now() end, $9, $10,
       $11, $12)`,
    [
      hashToken(token),
      newToken(),
      accountId,
      from.address,
      from.agent.slice(0, 300),
      sessionMinutes(isShared),
      isShared,
      isProven,
      mailbox,
      providerId,
      collegeName,
      collegeIndex,
      isMenuHidden,
    ],
  )
  return token
}

/** Keeps that whoever sits at the session has just proved who it is; every kind of proof ends here. */
export const noteProof = async (db: Db, sessionId: number): Promise<void> => {
  await sql`update session set proven_at = now(), proof_code = null, proof_code_until = null where id = ${sessionId}`.execute(
    db,
  )
}

/** Why somebody finds themselves signed out whose session was not ended where they sit. */
export type SignedOutReason = 'access' | 'ended' | 'password' | 'authenticator' | 'college' | 'program'

/** Why whoever holds the token was signed out; nothing where they know, and for whoever holds none. */
export const findSignedOutReason = async (
  pool: pg.Pool,
  token: string,
): Promise<SignedOutReason | undefined> => {
  const { rows } = await pool.query<{
    account_id: number
    is_ended: boolean
    reason: Exclude<SignedOutReason, 'program'> | null
  }>(
    `select account_id, ended_at is not null as is_ended, ended_for as reason from session
     where token_hash = $1 and expires_at > now()`,
    [hashToken(token)],
  )
  const [session] = rows
  if (!session) return undefined
  if (session.is_ended) return session.reason ?? undefined
  return (await isProgramClosed(pool, session.account_id)) ? 'program' : undefined
}

export const endSession = async (pool: pg.Pool, token: string): Promise<void> => {
  await pool.query('update session set ended_at = now() where token_hash = $1 and ended_at is null', [
    hashToken(token),
  ])
}
