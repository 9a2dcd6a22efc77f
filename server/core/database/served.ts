import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type DatabaseError } from 'pg'
import { deriveKey } from '#server/core/config/config.ts'
import { acrossRole, grantAcross } from './across-role.ts'
import { whyNoAlphabet } from './alphabet.ts'
import type { Log } from './log.ts'
import { refuseOtherSecretKey } from './secret-key-mark.ts'

/** The server behind `DATABASE_URL` cannot be used. One sentence; nothing was changed unless it says so. */
export class ServedDatabaseError extends Error {
  override name = 'ServedDatabaseError'
}

export type ServedOptions = {
  /** Also with another `SECRET_KEY` than the installation was used with, to take that as the new one. */
  acceptsOtherKey?: boolean
  /** How long a server that does not answer yet is waited for: it may be starting beside this process. */
  patienceMs?: number
  log?: Log
}

export type ServedDatabase = { ownerUrl: string; appUrl: string; serverVersion: number }

export const oldestMajorVersion = 15
export const servedAppRole = 'practicum_app'

const wrongPassword = new Set(['28P01', '28000'])
const noSuchDatabase = '3D000'
const mayNotCreate = '42501'
const alreadyThere = new Set(['42710', '23505'])

/**
 * Prepares the roles on a PostgreSQL server of its own.
 *
 * The user in `DATABASE_URL` is the owner: it migrates and owns everything. The program serves as `practicum_app`, whose
 * password is derived from `SECRET_KEY`, so that every process of an installation knows it and nobody writes it down.
 * `practicum_app` is a member of the role `app`, which cannot log in and holds the rights: migrations name that one, on
 * the embedded server and here. `app` may take the role that reads across programs. All three are made when absent, for which the owner needs CREATEROLE once. When `SECRET_KEY`
 * was changed, the password is set again; two installations on one server therefore share one `SECRET_KEY`.
 *
 * @throws ServedDatabaseError when the server is unreachable, older than 15, without ICU, behind a pooler in transaction mode, or the
 * roles cannot be made
 */
export async function prepareServed(
  databaseUrl: string,
  secretKey: string,
  { acceptsOtherKey = false, patienceMs = 0, log }: ServedOptions = {},
): Promise<ServedDatabase> {
  const password = passwordOf(secretKey)
  const appUrl = servingUrl(databaseUrl, secretKey)
  const owner = await connectPatiently(databaseUrl, patienceMs, log)
  try {
    const { rows } = await owner.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    )
    const serverVersion = Number(rows[0]!.version)
    requireSupportedVersion(serverVersion)
    await requireSessions(owner, databaseUrl)
    const reason = await whyNoAlphabet(owner)
    if (reason) throw new ServedDatabaseError(reason)
    await makeRole(owner, 'app', 'nologin')
    await makeRole(owner, acrossRole, 'nologin')
    await makeRole(owner, servedAppRole, `login password '${password}' in role app`)
    if (!(await canConnect(appUrl))) {
      // Other processes of the installation connect with the password as it is.
      if (!acceptsOtherKey) await refuseOtherSecretKey(owner, secretKey)
      await change(owner, `alter role ${servedAppRole} with login password '${password}'`)
      await change(owner, `grant app to ${servedAppRole}`)
      await connectAsApp(appUrl)
    }
    await checkRights(owner, serverVersion)
    return { ownerUrl: databaseUrl, appUrl, serverVersion }
  } finally {
    await owner.end().catch(() => {})
  }
}

/**
 * @param serverVersion as PostgreSQL counts: 150004 is 15.4
 * @throws ServedDatabaseError below `oldestMajorVersion`
 */
export function requireSupportedVersion(serverVersion: number): void {
  const major = Math.floor(serverVersion / 10_000)
  if (major >= oldestMajorVersion) return
  throw new ServedDatabaseError(
    `DATABASE_URL leads to PostgreSQL ${major}, and Practicum needs ${oldestMajorVersion} or newer: nothing was ` +
      'changed; upgrade the server, or leave DATABASE_URL out to use the embedded one.',
  )
}

const sessionTries = 3

/**
 * Locks, live updates and prepared statements need a session of the server's for each connection. A pooler in transaction mode
 * hands it to whoever comes next: while another connection holds it, the first one gets a different one.
 */
async function requireSessions(owner: Client, databaseUrl: string): Promise<void> {
  const sessionOf = async (client: Client): Promise<number> =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  const other = await connectAsOwner(databaseUrl)
  try {
    for (let attempt = 0; attempt < sessionTries; attempt++) {
      const before = await sessionOf(owner)
      // In statement mode there are no transactions at all.
      const isHeld = await other.query('begin').then(
        () => true,
        () => false,
      )
      if (isHeld && before === (await sessionOf(owner))) {
        await other.query('rollback')
        continue
      }
      throw new ServedDatabaseError(
        'DATABASE_URL leads through a pooler in transaction or statement mode, and Practicum needs a session for each ' +
          'connection: nothing was changed; let the pooler work in session mode, or leave it out.',
      )
    }
  } finally {
    await other.end().catch(() => {})
  }
}

const passwordOf = (secretKey: string): string =>
  deriveKey(secretKey, 'password of the database role').toString('base64url')

/** The same server, or a replica of it, as the role that serves. */
export function servingUrl(databaseUrl: string, secretKey: string): string {
  const url = new URL(databaseUrl)
  url.username = servedAppRole
  url.password = passwordOf(secretKey)
  return url.href
}

/** What passes by itself: nobody listens there yet, the name is not known yet, the server is starting or was about to stop. */
const isPassing = (reason: string): boolean =>
  /ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|starting up|shutting down|not yet accepting|terminated unexpectedly|timeout/i.test(
    reason,
  )

const retryMs = 1_000
/** How often somebody who watches the start is told that it still waits. */
const tellMs = 5_000

async function connectPatiently(databaseUrl: string, patienceMs: number, log?: Log): Promise<Client> {
  const deadline = Date.now() + patienceMs
  for (let toldAt = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await connectAsOwner(databaseUrl)
    } catch (error) {
      const { message } = error as Error
      if (Date.now() >= deadline || !isPassing(message)) throw error
      if (Date.now() - toldAt >= tellMs) {
        toldAt = Date.now()
        const left = Math.ceil((deadline - toldAt) / 1_000)
        log?.warn(`The database of DATABASE_URL does not answer yet: trying for another ${left} seconds.`)
      }
      await sleep(retryMs)
    }
  }
}

async function connectAsOwner(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    throw new ServedDatabaseError(whyRefused(error as DatabaseError, databaseUrl))
  }
}

function whyRefused({ code = '', message }: DatabaseError, databaseUrl: string): string {
  const { pathname, username } = new URL(databaseUrl)
  const [name, user] = [pathname.slice(1), username].map(decodeURIComponent)
  if (wrongPassword.has(code))
    return `The server of DATABASE_URL refuses the user ${user} (${message}): check user and password, and pg_hba.conf of the server.`
  if (code === noSuchDatabase)
    return `The server of DATABASE_URL has no database ${name}: make it with "createdb --owner=${user} ${name}", or correct the name.`
  return (
    `The database of DATABASE_URL cannot be reached (${message || code}): ` +
    'check that the server runs and that the address, the user and the password are right.'
  )
}

/** Processes that start together may both find it missing; the second one's error means that all is well. */
async function makeRole(owner: Client, name: string, options: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name])
  if (rowCount === 0) await change(owner, `create role ${name} ${options}`)
}

async function change(owner: Client, statement: string): Promise<void> {
  try {
    await owner.query(statement)
  } catch (error) {
    const { code, message } = error as DatabaseError
    if (alreadyThere.has(code ?? '')) return
    if (code !== mayNotCreate) throw error
    throw new ServedDatabaseError(
      `The user of DATABASE_URL may not set up the roles app, ${acrossRole} and ${servedAppRole} (${message}): let an administrator ` +
        'give it CREATEROLE and, where the roles exist already, "grant app, app_across, practicum_app to … with admin option".',
    )
  }
}

async function canConnect(appUrl: string): Promise<boolean> {
  try {
    await connectAsApp(appUrl)
    return true
  } catch (error) {
    if (wrongPassword.has((error as DatabaseError).code ?? '')) return false
    throw error
  }
}

async function connectAsApp(appUrl: string): Promise<void> {
  const client = new Client({ connectionString: appUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkRights(owner: Client, serverVersion: number): Promise<void> {
  const { rows } = await owner.query<{ isMember: boolean; mayAsk: boolean; isFree: boolean }>(
    `select pg_has_role($1, 'app', 'usage') as "isMember", pg_has_role('app', $2, 'member') as "mayAsk",
       bool_or(rolsuper or rolbypassrls) or pg_has_role('app', $2, 'usage') or pg_has_role($1, $2, 'usage') as "isFree"
     from pg_roles where rolname in ($1, $2, 'app')`,
    [servedAppRole, acrossRole],
  )
  if (rows[0]!.isFree) {
    throw new ServedDatabaseError(
      `One of the roles app, ${acrossRole} and ${servedAppRole} is a superuser or bypasses row-level security, which guards people's data, or inherits from ${acrossRole}: ` +
        'nothing was changed; take that right away from it.',
    )
  }
  if (!rows[0]!.isMember) await change(owner, `grant app to ${servedAppRole}`)
  if (!rows[0]!.mayAsk) await change(owner, grantAcross(serverVersion))
}
