import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Client } from 'pg'
import { seal, unseal } from '#server/core/auth/seal.ts'
import type { Installation } from '#server/core/backup/manifest.ts'
import { ConfigError } from '#server/core/config/config.ts'
import { migrate, migrationLock } from '#server/core/database/migrate.ts'
import { acceptSecretKey, isSecretKeyOf } from '#server/core/database/secret-key-mark.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { resealAudit } from '#server/core/runtime/audit-chain.ts'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import { type SealedColumn, sealedColumns } from '#server/sealed-columns.ts'

const rowsAtOnce = 1_000
/** As long as a device may keep a punch; what is older is not told again. */
const repeatDays = 30
const minimumLength = 32

/** What the queue of a device tells again is compared by fingerprints of the key; they become those that fit everything. */
const forgetFingerprints = async (client: Client): Promise<void> => {
  await client.query(
    `update time_record set request_hash = decode(repeat('00', length(request_hash)), 'hex')
     where request_hash is not null and created_at > now() - make_interval(days => $1)`,
    [repeatDays],
  )
  await client.query("update idempotency_key set request_hash = ''")
}

const reseal = async (
  client: Client,
  { table, column, of, context, isJson }: SealedColumn,
  { from, to }: { from: string; to: string },
): Promise<{ count: number; lost: number }> => {
  const text = isJson ? `(${column} #>> '{}')` : column
  await client.query(
    `declare sealed no scroll cursor for select ctid::text as at, ${text} as sealed, array[${of.map((name) => `${name}::text`).join(', ')}]::text[] as of
     from ${table} where ${isJson ? `jsonb_typeof(${column}) = 'string' and ${text} like 'v1.%'` : `${column} is not null`}`,
  )
  const found: { at: string; text: string }[] = []
  let lost = 0
  for (;;) {
    const { rows } = await client.query<{ at: string; sealed: string; of: string[] }>(
      `fetch ${rowsAtOnce} from sealed`,
    )
    if (rows.length === 0) break
    for (const row of rows) {
      const name = context(...row.of)
      try {
        found.push({ at: row.at, text: seal(to, name, unseal(from, name, row.sealed)) })
      } catch {
        // Sealed under a key that was given up before.
        lost++
      }
    }
  }
  await client.query('close sealed')
  await client.query(
    `update ${table} t set ${column} = ${isJson ? 'to_jsonb(n.text)' : 'n.text'}
     from jsonb_to_recordset($1::jsonb) n (at text, text text) where t.ctid = n.at::tid`,
    [JSON.stringify(found)],
  )
  return { count: found.length, lost }
}

/** Tables whose triggers would tell of what nobody has changed. */
const written = [...new Set([...sealedColumns.map(({ table }) => table), 'time_record'])]

/**
 * Seals everything anew that is sealed under a key, in one transaction, and takes the other as the one of the installation. What is
 * only a hash of a code becomes of no use.
 */
export const resealAll = async (
  client: Client,
  files: Pick<FileStore, 'place'>,
  keys: { from: string; to: string },
): Promise<string[]> => {
  await client.query('begin')
  try {
    for (const table of written) await client.query(`alter table ${table} disable trigger user`)
    const said: string[] = []
    for (const column of sealedColumns) {
      const { count, lost } = await reseal(client, column, keys)
      const name = `${column.table}.${column.column}`
      if (count > 0) said.push(`${name}: ${count} sealed anew.`)
      if (lost > 0) said.push(`${name}: ${lost} did not open with the key of now either, and were left.`)
    }
    await forgetFingerprints(client)
    const codes = await client.query<{ account_id: string }>('delete from recovery_code returning account_id')
    const people = new Set(codes.rows.map(({ account_id }) => account_id)).size
    if (people > 0)
      said.push(
        `Recovery codes of ${people} people are void: each makes new ones on the page of the own account.`,
      )
    for (const table of written) await client.query(`alter table ${table} enable trigger user`)
    const { seals, head } = await resealAudit(client, files, keys)
    if (head) said.push(`The audit: ${seals} seals made anew, head ${head}`)
    await acceptSecretKey(client, keys.to)
    await client.query('commit')
    return said
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const refuseWhileServed = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and usename in ('app', 'practicum_app')`,
  )
  if (rows[0]!.count === 0) return
  throw new ConfigError(
    `Practicum runs on this database (${rows[0]!.count} connections), and nothing was changed: stop all of its processes, then run this again.`,
  )
}

const isLongEnough = (key: string): boolean => key.length >= minimumLength

/** The new key of the environment; undefined where it gives none. */
const givenKey = (env: NodeJS.ProcessEnv): string | undefined => {
  const file = env.NEW_SECRET_KEY_FILE
  const given = (env.NEW_SECRET_KEY || (file && readFileSync(file, 'utf8')))?.trim()
  if (given === undefined || isLongEnough(given)) return given
  throw new ConfigError(
    `NEW_SECRET_KEY is too short, and nothing was changed: it needs at least ${minimumLength} characters.`,
  )
}

/** The key that a rotation before was about to take, beside the one in `DATA_DIR`. */
const begunKey = (draft: string): string | undefined => {
  const key = existsSync(draft) ? readFileSync(draft, 'utf8').trim() : ''
  return isLongEnough(key) ? key : undefined
}

/** The key to take, which is beside the one in `DATA_DIR` from now on. */
const keyBeside = async (client: Client, draft: string, given: string | undefined): Promise<string> => {
  const begun = begunKey(draft)
  if (begun !== undefined && (given === undefined || (await isSecretKeyOf(client, begun)))) return begun
  const key = given ?? randomBytes(32).toString('base64url')
  writeFileSync(draft, `${key}\n`, { mode: 0o600, flush: true })
  return key
}

const keyOfEnvironment = (given: string | undefined): string => {
  if (given !== undefined) return given
  throw new ConfigError(
    'NEW_SECRET_KEY is missing, and nothing was changed: with SECRET_KEY in the environment the new one comes from there, or from the ' +
      'file that NEW_SECRET_KEY_FILE names.',
  )
}

/**
 * Takes another `SECRET_KEY` and seals anew what is sealed under the one before. Broken off, it goes on when it is run again.
 *
 * @returns what was done, a line each
 * @throws ConfigError with one sentence, with nothing changed
 */
export const rotateSecret = async (
  { ownerUrl, filesUrl, secretKey, secretKeyFile, migrations, log }: Installation,
  env: NodeJS.ProcessEnv,
): Promise<string> => {
  await migrate({ ownerUrl, folder: migrations, log })
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    // Whatever starts meanwhile waits before it looks at its key.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await refuseWhileServed(client)
    const draft = secretKeyFile && `${secretKeyFile}.new`
    const given = givenKey(env)
    const to = draft ? await keyBeside(client, draft, given) : keyOfEnvironment(given)
    const isDone = await isSecretKeyOf(client, to)
    const said = isDone
      ? ['What was sealed is sealed under the new key already.']
      : await resealAll(client, await openFileStore(filesUrl), { from: secretKey, to })
    if (draft && secretKeyFile) {
      renameSync(draft, secretKeyFile)
      return [
        ...said,
        'Done: DATA_DIR has the new key. Backups from before bring the old one with them.',
      ].join('\n')
    }
    return [
      ...said,
      'Done: set SECRET_KEY to the new key everywhere, then start. To restore a backup from before, the old one is needed.',
    ].join('\n')
  } finally {
    await client.end().catch(() => {})
  }
}
