import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { migrate, readMigrations, sinceBaseline } from '#server/core/database/migrate.ts'
import {
  isRestoreUnfinished,
  markFinished,
  markUnfinished,
} from '#server/core/database/unfinished-restore.ts'
import { openFileStore, writeWhole } from '#server/core/files/files.ts'
import { type FileStore, isPassing } from '#server/core/runtime/file-store.ts'
import { migrateQueue } from '#server/core/runtime/jobs.ts'
import { type Entry, readArchive } from './archive.ts'
import { verifyBackup } from './backup.ts'
import type { BackupLock } from './backup-lock.ts'
import { copyIn } from './copy.ts'
import {
  BackupError,
  type Counts,
  type Installation,
  lockFor,
  type Manifest,
  markOf,
  refuseNoFile,
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

/** Of the months of tables that are kept by month; a migration makes it. */
const partitionSchema = 'partition'

/** What PostgreSQL says when its disk is full. */
const outOfRoom = '53100'

export type RestoreOptions = {
  /** It takes the place of the installation that was backed up, and is no copy of it. */
  isReal?: boolean
  /** The files of the store are those of the installation that was backed up: what it has stays. */
  keepsFiles?: boolean
  /** Nobody is served by it: files are read and not kept. */
  isTrial?: boolean
}

type Store = Pick<FileStore, 'list' | 'place' | 'read'>

/** Takes every file to its end and keeps none. */
const nowhere: Store = {
  list: async function* () {},
  place: async (_key, body) => {
    for await (const _chunk of body);
  },
  read: () => Promise.reject(new Error('Nothing is kept here.')),
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
  { isReal = false, keepsFiles = false, isTrial = false }: RestoreOptions = {},
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
    const { manifest, counts, files, through } = await check(path, installation, lock, {
      isAgain,
      isTrial,
      keepsFiles,
    }).catch(async (error) => {
      if (!isAgain) await markFinished(client)
      throw error
    })
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
    await finish(client, manifest, isReal)
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
  { isAgain, keepsFiles, isTrial }: { isAgain: boolean; keepsFiles: boolean; isTrial: boolean },
) {
  const { manifest, counts } = await verifyBackup(path, lock)
  const through = checkMigrations(manifest, installation.migrations)
  checkSecretKey(manifest, installation)
  const files = isTrial ? nowhere : await openFileStore(installation.filesUrl)
  if (!keepsFiles) await checkFiles(manifest, files, isAgain)
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

/**
 * Takes the mark away, and makes the installation a copy: what waits in it may have been sent by the one that was backed up. One that
 * is the real one stays what it was; changes of another server begin anew in either.
 */
async function finish(client: Client, { madeAt }: Manifest, isReal: boolean): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.restored_copy') is not null as exists",
  )
  if (rows[0]!.exists) {
    const { rows: copies } = await client.query<{ backup_at: string }>(
      'delete from restored_copy returning backup_at::text',
    )
    const wasCopy = copies[0]
    await client.query('insert into restored_copy (backup_at) values ($1)', [
      isReal && wasCopy ? wasCopy.backup_at : madeAt,
    ])
    if (isReal && !wasCopy) await client.query('delete from restored_copy')
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
  const name = manifest.version === undefined ? '' : ` ${manifest.version}`
  throw new BackupError(
    `The backup comes from another version of Practicum${name} (it has migration ${unknown.name}): nothing was changed; ` +
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
async function checkFiles(manifest: Manifest, files: Store, isAgain: boolean): Promise<void> {
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
  }: { files: Store; installation: Installation; lock: BackupLock | undefined },
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
async function placeFile(files: Store, name: string, body: Entry['body']): Promise<void> {
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
