import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type DatabaseError } from 'pg'
import { ownCommand } from '#server/core/config/own-command.ts'
import { renewAlphabet } from './alphabet.ts'
import { adoptedBy, domainFiles, makeBaseline, readSchema, readText } from './baseline.ts'
import type { Log } from './log.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** The database cannot be brought to the program's state. One sentence; nothing of the failed step was kept. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** What surrounds an update of a database that is in use. */
export type UpdateCare = {
  /** Before the first of these migrations; what it throws keeps all of them away. */
  begin(ownerUrl: string, names: readonly string[]): Promise<void>
  /** When the database is as the program needs it, whether or not anything was due. */
  end(): void
}

export type MigrateOptions = {
  /** Connects as the role that owns everything. */
  ownerUrl: string
  /** Folder of files named `0001-name.sql`. */
  folder: string
  log: Log
  /** The last migration to apply, for a backup of an older version; all when absent. */
  through?: number
  /** The restore itself migrates; nobody else does before it is finished. */
  isRestore?: boolean
  care?: UpdateCare
}

type SqlFile = { name: string; sql: string; sha256: string }

export type Migration = SqlFile & {
  id: number
  /** Of the baseline: the last migration before it, after which `sql` leads to `schema`. */
  adopts?: string
  schema?: string
}

type Applied = { id: number; name: string; sha256: string }

/** Any number, the same in every version: it makes processes that start together migrate one after the other. */
export const migrationLock = 7_220_418
/**
 * A change of a table waits for running transactions, and all others wait behind it. It gives way after this time and
 * tries again, so that a previous version of the program keeps serving meanwhile.
 */
const lockTimeoutMs = 3_000
const lockAttempts = 20
/** It waited too long, or it and a running transaction waited for each other: neither says anything of the file. */
const inTheWay = new Set(['55P03', '40P01'])

/**
 * Reads the migrations of a folder in their order. One of them may be the baseline, whose SQL is read from the folders of the domains (`baseline.ts`).
 *
 * @throws MigrationError for a file whose name or number does not fit
 */
export function readMigrations(folder: string): Migration[] {
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [, digits] = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file) ?? []
      if (digits === undefined) {
        throw new MigrationError(
          `The migration ${file} needs a name such as 0001-what-it-does.sql; nothing was changed.`,
        )
      }
      const sql = readText(join(folder, file))
      const adopts = adoptedBy(sql)
      const named = { id: Number(digits), name: file.slice(0, -'.sql'.length) }
      if (adopts === undefined) return { ...named, ...hashed(sql) }
      const schema = readSchema(join(folder, '..'))
      return { ...named, ...hashed(schema), adopts, schema, sql }
    })
  const twice = migrations.find((one, index) => one.id === migrations[index - 1]?.id)
  if (twice) {
    throw new MigrationError(`Two migrations bear the number of ${twice.name}; nothing was changed.`)
  }
  return migrations
}

function hashed(sql: string): { sql: string; sha256: string } {
  return { sql, sha256: createHash('sha256').update(sql).digest('hex') }
}

/** The files of functions of all domains, by name. They may be run any number of times. */
function readFunctions(folder: string): SqlFile[] {
  return domainFiles(join(folder, '..'), 'functions.sql').map(({ name, path }) => ({
    name,
    ...hashed(readText(path)),
  }))
}

/**
 * Brings the database to the state of the folder: one file is one transaction, in the order of their numbers, each
 * recorded in the table `migration` with its sha256. Forward only. After the last one come the files of `functions/`, each
 * whenever it has changed. The role `app` must exist; it gets the rights to
 * work with whatever a migration makes, and a migration takes away what it may not do.
 *
 * @returns the names that were applied now
 * @throws MigrationError when an applied file was changed, the database is newer than the program, or a file fails
 * @throws what `care` throws before anything is changed
 * @throws UnfinishedRestoreError when a restore into the database was broken off
 */
export async function migrate({
  ownerUrl,
  folder,
  log,
  through = Infinity,
  isRestore = false,
  care,
}: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    if (!isRestore) await refuseUnfinishedRestore(client)
    await prepareRecord(client)
    const { rows } = await client.query<Applied>('select id, name, sha256 from migration order by id')
    const isNew = rows.length === 0
    const pending = compare(migrations, rows).filter(({ id }) => id <= through)
    if (!isNew && pending.length > 0)
      await care?.begin(
        ownerUrl,
        pending.map(({ name }) => name),
      )
    for (const one of pending)
      await applyPatiently(client, one, log, {
        make: async () => {
          if (one.schema === undefined || !isNew) await client.query(one.sql)
          else
            await noteApplied(client, hashesOf(await makeBaseline(client, one.schema, readFunctions(folder))))
        },
        record: (milliseconds) =>
          client.query(
            'insert into public.migration (id, name, sha256, duration_ms) values ($1, $2, $3, $4)',
            [one.id, one.name, one.sha256, milliseconds],
          ),
      })
    const functions = through === Infinity ? await applyFunctions(client, folder, log) : []
    await renewAlphabet(client, log)
    care?.end()
    const applied = [...pending.map(({ name }) => name), ...functions]
    // A new database says nothing of its first tables; an update of one in use is worth a line.
    if (applied.length > 0 && rows.length > 0) log.info(`Database updated: ${applied.join(', ')}.`)
    return applied
  } finally {
    await client.end().catch(() => {})
  }
}

async function prepareRecord(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.migration') is not null as exists",
  )
  if (rows[0]!.exists) return
  await client.query(`
    begin;
    grant usage on schema public to app;
    alter default privileges in schema public grant select, insert, update, delete on tables to app;
    alter default privileges in schema public grant usage, select on sequences to app;
    create table public.migration (
      id integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now(),
      duration_ms integer not null
    );
    revoke insert, update, delete on public.migration from app;
    commit`)
}

/**
 * The migrations applied since the baseline. A database at the last migration before it already matches it.
 *
 * @throws MigrationError if the database is older than that
 */
export function sinceBaseline<T extends Pick<Applied, 'id' | 'name'>>(
  migrations: Migration[],
  applied: T[],
): T[] {
  const baseline = migrations.find(({ adopts }) => adopts !== undefined)
  if (!baseline) return applied
  const last = applied.at(-1)
  if (last && last.id < baseline.id && last.name !== baseline.adopts) {
    throw new MigrationError(
      `The database is older than 1.0 (its last migration is ${last.name}): nothing was changed; start the version ` +
        `that ends with migration ${baseline.adopts} on it once, then this one.`,
    )
  }
  return applied.filter(({ id }) => id >= baseline.id)
}

function compare(migrations: Migration[], all: Applied[]): Migration[] {
  const applied = sinceBaseline(migrations, all)
  const known = new Map(migrations.map((one) => [one.id, one]))
  for (const { id, name, sha256 } of applied) {
    const migration = known.get(id)
    if (!migration) {
      throw new MigrationError(
        `The database is newer than this program (it knows migration ${name}): nothing was changed; start the version ` +
          `that it was last used with, or a later one, or undo its update with "${ownCommand('admin', 'go-back')}".`,
      )
    }
    if (migration.sha256 !== sha256) {
      throw new MigrationError(
        `The migration ${migration.name} was changed after it had been applied to this database: nothing was changed; ` +
          'put the file back as it was and write the change as a new migration.',
      )
    }
  }
  const last = applied.at(-1)
  const done = new Set(applied.map(({ id }) => id))
  const pending = migrations.filter(({ id }) => !done.has(id))
  const late = pending.find(({ id }) => last !== undefined && id < last.id)
  if (late && last) {
    throw new MigrationError(
      `The migration ${late.name} comes before ${last.name}, which this database already has: nothing was changed; ` +
        'give it a higher number.',
    )
  }
  return pending
}

/** Applies a file in its own transaction, in which `record` notes that it was applied. */
async function applyPatiently(
  client: Client,
  file: SqlFile,
  log: Log,
  {
    make = () => client.query(file.sql),
    record,
  }: { make?: () => Promise<unknown>; record: (milliseconds: number) => Promise<unknown> },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const startedAt = performance.now()
      await run(client, file, make)
      await record(Math.round(performance.now() - startedAt))
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (error instanceof MigrationError) throw error
      const { code } = error as DatabaseError
      if (!inTheWay.has(code ?? '') || attempt === lockAttempts) throw describe(file, error as DatabaseError)
      log.warn(
        `Migration ${file.name} waits for running transactions (attempt ${attempt} of ${lockAttempts}).`,
      )
      await sleep(500)
    }
  }
}

async function run(client: Client, { name }: SqlFile, make: () => Promise<unknown>): Promise<void> {
  await client.query(
    `begin; set local lock_timeout = ${lockTimeoutMs}; set local practicum.migration = ${client.escapeLiteral(name)}`,
  )
  await make()
  // Reads '' or nothing when the file itself ended the transaction.
  const { rows } = await client.query<{ name: string | null }>(
    "select current_setting('practicum.migration', true) as name",
  )
  if (rows[0]!.name !== name) {
    throw new MigrationError(
      `The migration ${name} ends its own transaction: take commit and rollback out of it; it may have been kept in part.`,
    )
  }
}

/**
 * Applies the files of functions that have changed. What was applied is recorded in a comment on the table `migration`: unlike
 * its rows a comment is in no backup, so that a restored database gets the functions of the program that restores it.
 */
async function applyFunctions(client: Client, folder: string, log: Log): Promise<string[]> {
  const { rows } = await client.query<{ applied: string | null }>(
    "select obj_description('public.migration'::regclass) as applied",
  )
  const known: Record<string, string> = JSON.parse(rows[0]!.applied ?? '{}')
  const files = readFunctions(folder)
  const changed = files.filter(({ name, sha256 }) => known[name] !== sha256)
  // Files that are no longer there are forgotten.
  const applied = hashesOf(files.filter((file) => !changed.includes(file)))
  for (const file of changed) {
    applied[file.name] = file.sha256
    await applyPatiently(client, file, log, { record: () => noteApplied(client, applied) })
  }
  return changed.map(({ name }) => name)
}

const hashesOf = (files: readonly SqlFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]))

const noteApplied = (client: Client, applied: Record<string, string>) =>
  client.query(`comment on table public.migration is ${client.escapeLiteral(JSON.stringify(applied))}`)

function describe({ name, sql }: SqlFile, { message, position }: DatabaseError): MigrationError {
  const line = position === undefined ? '' : ` in line ${sql.slice(0, Number(position)).split('\n').length}`
  return new MigrationError(
    `The migration ${name} failed${line} (${message}): it was rolled back, and those before it are kept.`,
  )
}
