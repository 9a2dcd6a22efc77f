import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { deriveKey } from '#server/core/config/config.ts'
import { openFileStore, writeWhole } from '#server/core/files/files.ts'
import { type FileStore, isPassing } from '#server/core/runtime/file-store.ts'
import { migrateQueue } from '#server/core/runtime/jobs.ts'
import type { Log } from '../../server/core/database/log.ts'
import { migrate, readMigrations, sinceBaseline } from '../../server/core/database/migrate.ts'
import {
  isRestoreUnfinished,
  markFinished,
  markUnfinished,
  refuseUnfinishedRestore,
} from '../../server/core/database/unfinished-restore.ts'
import { ArchiveError, type Entry, readArchive, writeArchive } from './archive.ts'
import { type BackupLock, isLocked } from './backup-lock.ts'
import { copyIn, copyOut } from './copy.ts'

/** A backup cannot be made or restored. One sentence: what happened, what was kept, what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** What is backed up, or restored into. */
export type Installation = {
  ownerUrl: string
  /** `FILES_URL`, a folder or a bucket. */
  filesUrl: string
  secretKey: string
  /** Where the secret key is kept; absent when it comes from the environment. */
  secretKeyFile?: string
  /** Folder of the migrations. */
  migrations: string
  log: Log
}

export type Counts = { tables: number; rows: number; files: number; bytes: number }

const text = z.string()
const Table = z.object({ schema: text, name: text, columns: z.array(text), rows: z.number() })
const Sequence = z.object({ schema: text, name: text, value: text, isCalled: z.boolean() })
const Manifest = z.object({
  format: z.literal(1),
  madeAt: text,
  migrations: z.array(z.object({ id: z.number(), name: text, sha256: text })).min(1),
  /** Tells whether a secret key is the one of the backup, and nothing else about it. */
  secretKeyMark: text,
  tables: z.array(Table),
  sequences: z.array(Sequence),
  /** Every other entry by its name. */
  entries: z.record(text, z.object({ size: z.number(), sha256: text })),
})
type Table = z.infer<typeof Table>
type Sequence = z.infer<typeof Sequence>
type Manifest = z.infer<typeof Manifest>

const manifestName = 'manifest.json'
const secretKeyName = 'secret.key'
const workerSchema = 'graphile_worker'
/** Of the months of tables that are kept by month; a migration makes it. */
const partitionSchema = 'partition'
/** Large enough to compress well, small enough to be held in memory. */
const partBytes = 4 * 2 ** 20

/** What PostgreSQL says when its disk is full. */
const outOfRoom = '53100'

/** Made by migrations on both sides, so never copied. */
const ownedByMigrations = new Set(['public.migration', `${workerSchema}.migrations`])

/**
 * Writes the whole installation into one file: every row of one moment, every file, and the secret key when it lives in
 * `DATA_DIR`; encrypted where a lock is given. The program may run meanwhile. The file appears under its name when it is
 * complete and was read back.
 *
 * @throws BackupError, ArchiveError
 */
export async function writeBackup(
  path: string,
  installation: Installation,
  lock?: BackupLock,
): Promise<Counts> {
  if (existsSync(path)) throw existsAlready(path)
  if (!existsSync(dirname(path)))
    throw new BackupError(`The folder of ${path} does not exist: make it first.`)
  // Another installation that writes to the same name has a draft of its own.
  const draft = `${path}.${markOf(installation.secretKey).slice(0, 8)}.part`
  const client = await connect(installation.ownerUrl)
  try {
    await beAlone(
      client,
      `backup to ${path}`,
      `Another backup to ${path} is being written: wait for that one.`,
    )
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  try {
    await rm(draft, { force: true })
    await writeArchive(draft, collect(client, installation), lock)
    const { counts } = await verifyBackup(draft, lock)
    await nameWhole(draft, path)
    return counts
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    const { code, message, path: where } = error as NodeJS.ErrnoException
    const isOfTarget =
      code !== undefined && /^E[A-Z]+$/.test(code) && (where === undefined || where === draft)
    if (!isOfTarget) throw error
    throw new BackupError(
      code === 'ENOSPC'
        ? `There is no room for ${path}, and the unfinished backup was removed: make room, or name a file on another disk.`
        : `${path} cannot be written (${message}), and the unfinished backup was removed: name another file.`,
    )
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Keeps the same command out of this database until the client's connection ends.
 *
 * @throws BackupError when another one is at it
 */
async function beAlone(client: Client, what: string, sentence: string): Promise<void> {
  const { rows } = await client.query<{ is_alone: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_alone',
    [`practicum ${what}`],
  )
  if (!rows[0]!.is_alone) throw new BackupError(sentence)
}

/** Gives the draft its name, and leaves alone what has come to be under that name meanwhile. */
async function nameWhole(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
    await rm(draft)
  } catch (error) {
    // Some file systems have no second names for a file, such as those of memory sticks.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && !existsSync(path)) await rename(draft, path)
    else throw existsAlready(path)
  }
}

function existsAlready(path: string): BackupError {
  return new BackupError(`${path} exists already and was left as it is: choose another name.`)
}

async function* collect(client: Client, installation: Installation): AsyncGenerator<Entry> {
  const entries: Manifest['entries'] = {}
  function note(name: string, bytes: Buffer): Entry {
    entries[name] = { size: bytes.length, sha256: sha256(bytes) }
    return { name, size: bytes.length, body: [bytes] }
  }
  await refuseUnfinishedRestore(client)
  await client.query('begin isolation level repeatable read, read only')
  // The first statement takes the snapshot. Its moment is told by the database's clock, by which everything in it was due.
  const { rows } = await client.query<{ at: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  )
  // Proves that there is something to back up.
  const migrations = await listApplied(client)
  if (migrations.length === 0) {
    throw new BackupError(
      'The database is empty, so there is nothing to back up: check DATA_DIR and DATABASE_URL.',
    )
  }
  // Files are stored before their rows are committed: those of the snapshot are all in a list made after it.
  const store = await openFileStore(installation.filesUrl)
  const files: { key: string; byteCount: number }[] = []
  for await (const file of store.list()) if (!isPassing(file.key)) files.push(file)

  if (installation.secretKeyFile) yield note(secretKeyName, await readFile(installation.secretKeyFile))
  const tables = await listTables(client)
  for (const table of tables) {
    let part = 0
    // A table with partitions can be copied as a query only.
    const sql = `copy (select ${columnsOf(table)} from ${nameOf(table)}) to stdout`
    for await (const bytes of copyOut(client, sql, partBytes)) yield note(partName(table, ++part), bytes)
    table.rows = await countRows(client, table)
  }
  for (const { key, byteCount: size } of files) {
    const name = `files/${key}`
    const hash = createHash('sha256')
    yield { name, size, body: hashed(await store.read(key), hash) }
    entries[name] = { size, sha256: hash.digest('hex') }
  }
  const manifest: Manifest = {
    format: 1,
    madeAt: rows[0]!.at,
    migrations,
    secretKeyMark: markOf(installation.secretKey),
    tables,
    sequences: await listSequences(client),
    entries,
  }
  await client.query('commit')
  const bytes = Buffer.from(JSON.stringify(manifest, null, 1))
  yield { name: manifestName, size: bytes.length, body: [bytes] }
}

/** What opens the file, if it is encrypted. */
async function lockFor(path: string, lock: BackupLock | undefined): Promise<BackupLock | undefined> {
  if (!(await isLocked(path))) return undefined
  if (lock) return lock
  throw new BackupError(
    `${path} is encrypted, and nothing was changed: name what opens it by --identity-file.`,
  )
}

function refuseNoFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return
  throw new BackupError(
    `${path} ${existsSync(path) ? 'is no file' : 'does not exist'}, and nothing was changed: name the file of a backup.`,
  )
}

function readManifest(bytes: Buffer): Manifest | undefined {
  try {
    return Manifest.parse(JSON.parse(bytes.toString()))
  } catch {
    return undefined
  }
}

/**
 * Reads a backup to its end and compares every entry with the manifest.
 *
 * @throws ArchiveError or BackupError when anything is missing, changed or too much
 */
export async function verifyBackup(
  path: string,
  lock?: BackupLock,
): Promise<{ manifest: Manifest; counts: Counts }> {
  refuseNoFile(path)
  const opened = await lockFor(path, lock)
  const found: Manifest['entries'] = {}
  let manifest: Manifest | undefined
  for await (const { name, size, body } of readArchive(path, opened)) {
    if (name === manifestName) {
      manifest = readManifest(await readAll(body))
      continue
    }
    const hash = createHash('sha256')
    for await (const chunk of body) hash.update(chunk)
    found[name] = { size, sha256: hash.digest('hex') }
  }
  if (!manifest) {
    throw new BackupError(
      `${path} is no backup that this version of Practicum can read: nothing was changed.`,
    )
  }
  for (const name of new Set([...Object.keys(manifest.entries), ...Object.keys(found)])) {
    if (manifest.entries[name]?.sha256 !== found[name]?.sha256) {
      throw new ArchiveError(
        `The backup is damaged at ${name}, and nothing was changed: use another copy of it.`,
      )
    }
  }
  const names = Object.keys(found)
  return {
    manifest,
    counts: {
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: names.filter((name) => name.startsWith('files/')).length,
      bytes: (await stat(path)).size,
    },
  }
}

/**
 * Puts a backup into an installation that has no data yet. All rows arrive in one transaction. A backup of an older version
 * is brought up to this one afterwards. From before the backup is read until all of it is done the database bears the mark of
 * an unfinished restore, with which nothing starts on it: whatever breaks it off, the same command does it again from the
 * beginning.
 *
 * @throws BackupError, ArchiveError, MigrationError
 */
export async function restoreBackup(
  path: string,
  installation: Installation,
  lock?: BackupLock,
): Promise<Counts> {
  const { ownerUrl, migrations: folder, log } = installation
  refuseNoFile(path)
  const client = await connect(ownerUrl)
  try {
    await beAlone(client, 'restore', 'Another restore into this installation is running: wait for that one.')
    const isAgain = await isRestoreUnfinished(client)
    if (!isAgain) {
      await checkFresh(client)
      await markUnfinished(client)
    }
    const { manifest, counts, files, through } = await check(path, installation, lock, isAgain).catch(
      async (error) => {
        if (!isAgain) await markFinished(client)
        throw error
      },
    )
    if (isAgain) await startOver(client)
    await migrate({ ownerUrl, folder, log, through, isRestore: true })
    if (manifest.tables.some(({ schema }) => schema === workerSchema)) {
      await migrateQueue(ownerUrl)
    }
    await client.query('begin')
    await client.query('set local row_security = off')
    const restoreRules = await suspendRules(client)
    await emptyTables(client)
    await load(client, path, manifest, { files, installation, lock })
    for (const { schema, name, value, isCalled } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2, $3)', [nameOf({ schema, name }), value, isCalled])
    }
    await restoreRules()
    await compareCounts(client, manifest)
    await client.query('commit')
    // Lists are read from their indexes alone where the pages of a table are known to be seen by all.
    await client.query('vacuum (analyze)')
    await migrate({ ownerUrl, folder, log, isRestore: true })
    await finish(client, manifest)
    return counts
  } catch (error) {
    throw (error as { code?: string }).code === outOfRoom
      ? new BackupError(
          `There is no room for the rows of the backup (${(error as Error).message}), and nothing starts on this ` +
            'installation meanwhile: make room and restore again, which starts over.',
        )
      : error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether the backup is whole and fits to the installation. It may take long, and changes nothing. */
async function check(
  path: string,
  installation: Installation,
  lock: BackupLock | undefined,
  isAgain: boolean,
) {
  const { manifest, counts } = await verifyBackup(path, lock)
  const through = checkMigrations(manifest, installation.migrations)
  checkSecretKey(manifest, installation)
  const files = await openFileStore(installation.filesUrl)
  await checkFiles(manifest, files, isAgain)
  return { manifest, counts, files, through }
}

/** Every schema that migrations fill is made anew: what an attempt before has left may be of any version. */
async function startOver(client: Client): Promise<void> {
  await client.query('begin')
  for (const name of [workerSchema, partitionSchema])
    await client.query(`drop schema if exists ${name} cascade`)
  await client.query('drop schema public cascade')
  await client.query('create schema public')
  await markUnfinished(client)
  await client.query('commit')
}

/** Takes the mark away, and makes the installation a copy: what waits in it may have been sent by the one that was backed up. */
async function finish(client: Client, { madeAt }: Manifest): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.restored_copy') is not null as exists",
  )
  if (rows[0]!.exists) {
    await client.query('delete from restored_copy')
    await client.query('insert into restored_copy (backup_at) values ($1)', [madeAt])
  }
  await markFinished(client)
  await client.query('commit')
}

/** Answers the migration through which the tables are those of the backup. */
function checkMigrations(manifest: Manifest, folder: string): number {
  const migrations = readMigrations(folder)
  const known = new Map(migrations.map((one) => [one.id, one.sha256]))
  const applied = sinceBaseline(migrations, manifest.migrations)
  if (applied.length === 0 && migrations.length > 0)
    throw new BackupError(
      'The backup is from before 1.0, and nothing was changed: restore it with its own version, then update that.',
    )
  const unknown = applied.find(({ id, sha256 }) => known.get(id) !== sha256)
  if (!unknown) return applied.at(-1)?.id ?? 0
  throw new BackupError(
    `The backup comes from another version of Practicum (it has migration ${unknown.name}): nothing was changed; ` +
      'restore it with that version or a later one.',
  )
}

function checkSecretKey(manifest: Manifest, { secretKey, secretKeyFile }: Installation): void {
  const isInBackup = secretKeyName in manifest.entries
  if (manifest.secretKeyMark === markOf(secretKey) || (isInBackup && secretKeyFile)) return
  throw new BackupError(
    'SECRET_KEY is not the one of the backup, and without that one its stored secrets cannot be read: nothing was ' +
      'changed; set SECRET_KEY to the key of the installation that was backed up.',
  )
}

/** The files of a store may be those of the installation that was backed up: two must not change them. Those of an attempt before stay. */
async function checkFiles(manifest: Manifest, files: FileStore, isAgain: boolean): Promise<void> {
  for await (const { key } of files.list()) {
    if (isPassing(key)) continue
    if (!isAgain)
      throw new BackupError(
        `FILES_URL holds files already (such as ${key}), which may belong to another installation: nothing was changed; ` +
          'restore into a new DATA_DIR, or name an empty folder or bucket by FILES_URL.',
      )
    const hash = createHash('sha256')
    for await (const chunk of await files.read(key)) hash.update(chunk)
    if (manifest.entries[`files/${key}`]?.sha256 === hash.digest('hex')) continue
    throw new BackupError(
      `FILES_URL holds files that are not in the backup (such as ${key}): nothing was changed; restore into a new ` +
        'DATA_DIR or FILES_URL.',
    )
  }
}

async function checkFresh(client: Client): Promise<void> {
  for (const table of await listTables(client)) {
    const { rowCount } = await client.query(`select from ${nameOf(table)} limit 1`)
    if (rowCount === 0) continue
    throw new BackupError(
      `The database already holds data (in table ${table.name}), and nothing was changed: restore into a new DATA_DIR ` +
        'or an empty database.',
    )
  }
}

/** Foreign keys are dropped and made again, which checks every row; triggers would count what is counted already. */
async function suspendRules(client: Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{
    schema: string
    name: string
    key: string
    definition: string
  }>(
    `select n.nspname as schema, c.relname as name, quote_ident(k.conname) as key,
       pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and n.nspname in ('public', $1) order by 1, 2, 3`,
    [workerSchema],
  )
  const tables = await listTables(client)
  for (const one of keys) await client.query(`alter table ${nameOf(one)} drop constraint ${one.key}`)
  for (const table of tables) await client.query(`alter table ${nameOf(table)} disable trigger user`)
  return async () => {
    for (const table of tables) await client.query(`alter table ${nameOf(table)} enable trigger user`)
    for (const one of keys) {
      await client.query(`alter table ${nameOf(one)} add constraint ${one.key} ${one.definition}`)
    }
  }
}

/** Migrations may have filled some. */
async function emptyTables(client: Client): Promise<void> {
  const tables = await listTables(client)
  if (tables.length > 0) await client.query(`truncate ${tables.map(nameOf).join(', ')}`)
}

async function load(
  client: Client,
  path: string,
  manifest: Manifest,
  {
    files,
    installation: { secretKeyFile },
    lock,
  }: { files: FileStore; installation: Installation; lock: BackupLock | undefined },
): Promise<void> {
  const tables = new Map(manifest.tables.map((table) => [partName(table, 0).replace(/\d+$/, ''), table]))
  for await (const { name, body } of readArchive(path, await lockFor(path, lock))) {
    const table = tables.get(name.replace(/\d+$/, ''))
    if (table) await copyIn(client, `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`, body)
    else if (name.startsWith('files/')) await placeFile(files, name, body)
    else if (name === secretKeyName && secretKeyFile) await writeWhole(secretKeyFile, body)
  }
}

/** The body is checked already; a file is under its name whole or not at all. */
async function placeFile(files: FileStore, name: string, body: Entry['body']): Promise<void> {
  const key = name.slice('files/'.length)
  try {
    await files.place(key, body)
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new BackupError(
      `The file ${key} cannot be written (${(error as Error).message}): the database was left empty; make room for it ` +
        'and restore again.',
    )
  }
}

async function compareCounts(client: Client, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) {
    const rows = await countRows(client, table)
    if (rows === table.rows) continue
    throw new BackupError(
      `Table ${table.name} would have ${rows} instead of ${table.rows} rows: nothing was kept; use another copy.`,
    )
  }
}

async function connect(ownerUrl: string): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  // Fails instead of leaving rows out where row-level security would apply to the owner.
  await client.query('set row_security = off')
  return client
}

async function listApplied(client: Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.migration') is not null as exists",
  )
  if (!rows[0]!.exists) return []
  return (await client.query('select id, name, sha256 from public.migration order by id')).rows
}

async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name, 0 as rows,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', $1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [workerSchema],
  )
  return rows.filter(({ schema, name }) => !ownedByMigrations.has(`${schema}.${name}`))
}

async function listSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    'select schemaname as schema, sequencename as name from pg_sequences where schemaname in ($1, $2) order by 1, 2',
    ['public', workerSchema],
  )
  const sequences: Sequence[] = []
  for (const { schema, name } of rows) {
    const { rows: states } = await client.query<Pick<Sequence, 'value' | 'isCalled'>>(
      `select last_value::text as value, is_called as "isCalled" from ${nameOf({ schema, name })}`,
    )
    sequences.push({ schema, name, ...states[0]! })
  }
  return sequences
}

async function countRows(client: Client, table: Table): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*)::text as count from ${nameOf(table)}`,
  )
  return Number(rows[0]!.count)
}

function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${quote(schema)}.${quote(name)}`
}

function columnsOf({ columns }: Table): string {
  return columns.map(quote).join(', ')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function partName({ schema, name }: Table, part: number): string {
  return `tables/${schema}.${name}/${String(part).padStart(6, '0')}`
}

async function* hashed(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

async function readAll(body: Entry['body']): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function markOf(secretKey: string): string {
  return deriveKey(secretKey, 'mark in a backup').toString('hex')
}
