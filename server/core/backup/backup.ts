import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Client } from 'pg'
import { refuseUnfinishedRestore } from '#server/core/database/unfinished-restore.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { isPassing } from '#server/core/runtime/file-store.ts'
import { version } from '#server/core/runtime/version.ts'
import { type Entry, readArchive, writeArchive } from './archive.ts'
import type { BackupLock } from './backup-lock.ts'
import { copyOut } from './copy.ts'
import {
  BackupError,
  type Counts,
  type Installation,
  lockFor,
  Manifest,
  manifestName,
  markOf,
  refuseNoFile,
  type Sequence,
  secretKeyName,
} from './manifest.ts'
import {
  beAlone,
  columnsOf,
  connect,
  countRows,
  listTables,
  nameOf,
  partName,
  workerSchema,
} from './tables.ts'
import { ArchiveError } from './tar.ts'

/** Large enough to compress well, small enough to be held in memory. */
const partBytes = 4 * 2 ** 20

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
    version,
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

async function listApplied(client: Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.migration') is not null as exists",
  )
  if (!rows[0]!.exists) return []
  return (await client.query('select id, name, sha256 from public.migration order by id')).rows
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
