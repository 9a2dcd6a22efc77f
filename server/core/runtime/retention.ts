import { createHash, type Hash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import type { FileStore } from './file-store.ts'

/** What is kept by months: by which column, whom a row is about, and which rows may go. */
const kinds = {
  audit: { moment: 'at', people: ['account_id', 'subject_id'], mayGo: 'true' },
  // An email that still waits is no record yet.
  mail: { moment: 'created_at', people: ['account_id', 'created_by'], mayGo: 'status in (3, 4)' },
} as const
export type Kind = keyof typeof kinds

export const isKind = (name: string): name is Kind => name in kinds

const rowsAtOnce = 2_000
const deletedAtOnce = 10_000
/** A partition goes when nobody works with its table just then; otherwise at the next run. */
const lockTimeout = '3s'
/** The lock was not had in time, or somebody waits for this in turn. */
const inUse = new Set(['55P03', '40P01'])
const lockKey = "hashtext('practicum retention')"

interface Partition {
  name: string
  from: string | null
  to: string
}

/** What lies beside a file of lines, so that it can be read without the database. */
interface Manifest {
  kind: Kind
  name: string
  from: string | null
  to: string
  rows: number
  lastId: number | null
  /** Of the lines, not compressed. */
  sha256: string
}

/** Lines that are damaged or missing. One sentence. */
export class ArchivedLinesError extends Error {
  override name = 'ArchivedLinesError'
}

const fileOf = (kind: Kind, name: string): string => `archive/${kind}/${name}.ndjson.gz`

/** Partitions that are over, oldest first. The last one never is. */
const listPartitions = async (client: pg.ClientBase, kind: Kind): Promise<Partition[]> => {
  const { rows } = await client.query<Partition>(
    `with part as (
       select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass)
     select name, substring(bound from 'FROM \\(''([^'']+)''\\)') as from, substring(bound from 'TO \\(''([^'']+)''\\)') as to
     from part where bound !~ 'TO \\(MAXVALUE\\)' order by substring(bound from 'TO \\(''([^'']+)''\\)')::timestamptz`,
    [`public.${kind}`],
  )
  return rows
}

async function* linesOf(
  client: pg.ClientBase,
  kind: Kind,
  name: string,
  manifest: { rows: number; lastId: number | null },
  hash: Hash,
): AsyncGenerator<string> {
  await client.query(
    `declare archived no scroll cursor for select to_jsonb(t)::text as line, id from partition.${name} t order by ${kinds[kind].moment}, id`,
  )
  while (true) {
    const { rows } = await client.query<{ line: string; id: number }>(`fetch ${rowsAtOnce} from archived`)
    if (rows.length === 0) return
    const text = rows.map(({ line }) => `${line}\n`).join('')
    hash.update(text)
    manifest.rows += rows.length
    manifest.lastId = Math.max(manifest.lastId ?? 0, ...rows.map(({ id }) => Number(id)))
    yield text
  }
}

/**
 * The lines of a file, read to its end and compared with what was written.
 *
 * @throws ArchivedLinesError after the last line when they are not those
 */
async function* readLines(
  files: FileStore,
  { kind, name, sha256 }: Pick<Manifest, 'kind' | 'name' | 'sha256'>,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const packed = await files.read(fileOf(kind, name))
  const unpacked = packed.pipe(createGunzip())
  packed.once('error', (error) => unpacked.destroy(error))
  try {
    for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
      hash.update(`${line}\n`)
      yield line
    }
  } catch (error) {
    throw new ArchivedLinesError(
      `The file ${fileOf(kind, name)} cannot be read (${(error as Error).message}).`,
    )
  }
  if (hash.digest('hex') !== sha256)
    throw new ArchivedLinesError(
      `The file ${fileOf(kind, name)} is damaged: its lines are not those that were written.`,
    )
}

/**
 * Writes a partition to a file, reads it back, and drops it, in one transaction in which nobody changes the partition. What ends
 * in between leaves a file that the next run writes again.
 */
const archive = async (
  client: pg.ClientBase,
  files: FileStore,
  kind: Kind,
  { name, from, to }: Partition,
): Promise<string> => {
  const { rows: waiting } = await client.query(
    `select from partition.${name} where not (${kinds[kind].mayGo}) limit 1`,
  )
  if (waiting.length > 0) return `${name} is kept: some of its emails still wait.`
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'; set local statement_timeout = 0`)
    await client.query(`lock table partition.${name} in share mode`)
    const counted = { rows: 0, lastId: null as number | null }
    const hash = createHash('sha256')
    const gzip = createGzip()
    const feed = async (): Promise<void> => {
      for await (const text of linesOf(client, kind, name, counted, hash))
        if (!gzip.write(text)) await new Promise((resolve) => gzip.once('drain', resolve))
      gzip.end()
    }
    await Promise.all([
      files.place(fileOf(kind, name), gzip),
      feed().catch((error) => {
        gzip.destroy(error)
        throw error
      }),
    ])
    const manifest: Manifest = { kind, name, from, to, ...counted, sha256: hash.digest('hex') }
    await files.place(`archive/${kind}/${name}.json`, [Buffer.from(JSON.stringify(manifest, null, 1))])
    let read = 0
    for await (const _line of readLines(files, manifest)) read++
    if (read !== counted.rows)
      throw new ArchivedLinesError(`The file ${fileOf(kind, name)} has ${read} of ${counted.rows} lines.`)
    await client.query(
      `insert into archived_partition (kind, name, from_moment, to_moment, row_count, last_id, sha256, file_key)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [kind, name, from, to, counted.rows, counted.lastId, manifest.sha256, fileOf(kind, name)],
    )
    await client.query(`insert into audit (action, detail) values ('retention: month archived', $1)`, [
      JSON.stringify({ Kind: kind, Name: name, Rows: counted.rows }),
    ])
    await client.query('close archived')
    await client.query(`drop table partition.${name}`)
    await client.query('commit')
    return `${name}: ${counted.rows} rows are in ${fileOf(kind, name)}.`
  } catch (error) {
    // A lost connection has rolled back already.
    await client.query('rollback').catch(() => {})
    if (inUse.has((error as { code?: string }).code ?? ''))
      return `${name} is in use; the next run tries again.`
    throw error
  }
}

interface Policy {
  kind: Kind
  /** Null: all programs without one of their own. */
  programId: number | null
  months: number
}

const listPolicies = async (client: pg.ClientBase): Promise<Policy[]> => {
  const { rows } = await client.query<Policy>(
    'select kind, program_id as "programId", months from retention_policy order by kind, program_id nulls first',
  )
  return rows.map((row) => ({ ...row, programId: row.programId === null ? null : Number(row.programId) }))
}

/** Deletes what a policy that is shorter than the longest one no longer keeps. */
const deleteRows = async (
  client: pg.ClientBase,
  { kind, programId, months }: Policy,
  others: readonly number[],
  now: string,
): Promise<string | undefined> => {
  const { moment, mayGo } = kinds[kind]
  const whose = programId === null ? 'program_id <> all ($3)' : 'program_id = $3'
  let deleted = 0
  while (true) {
    const { rowCount } = await client.query(
      `delete from ${kind} where (id, ${moment}) in (select id, ${moment} from ${kind}
         where ${whose} and ${moment} < $1::timestamptz - make_interval(months => $2) and ${mayGo}
         order by ${moment} limit ${deletedAtOnce})`,
      [now, months, programId ?? others],
    )
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < deletedAtOnce) break
  }
  if (deleted === 0) return undefined
  await client.query(
    `insert into audit (program_id, action, detail) values ($1, 'retention: rows deleted', $2)`,
    [programId, JSON.stringify({ Kind: kind, Rows: deleted, Months: months })],
  )
  return `${kind}: ${deleted} rows of ${programId === null ? 'other programs' : `program ${programId}`} are deleted.`
}

/**
 * Does what the policies say, as the owner of the database: months older than the longest policy are archived and dropped, and a
 * program with a shorter one loses its older rows. Without a policy for all programs no month is dropped.
 *
 * @returns what was done, a sentence each
 * @throws ArchivedLinesError when a file was not written as it should be; its month is still there
 */
export const runRetention = async (
  client: pg.ClientBase,
  files: FileStore,
  { now = new Date().toISOString() }: { now?: string } = {},
): Promise<string[]> => {
  const { rows } = await client.query<{ is_free: boolean }>(
    `select pg_try_advisory_lock(${lockKey}) as is_free`,
  )
  if (!rows[0]!.is_free) return ['Another process does it just now.']
  const said: (string | undefined)[] = []
  try {
    const policies = await listPolicies(client)
    // The names of `kinds`.
    for (const kind of Object.keys(kinds) as Kind[]) {
      const own = policies.filter((policy) => policy.kind === kind)
      const isForAll = own.some(({ programId }) => programId === null)
      const longest = isForAll ? Math.max(...own.map(({ months }) => months)) : Number.POSITIVE_INFINITY
      for (const policy of own) {
        if (policy.months >= longest) continue
        const others = own.flatMap(({ programId }) => programId ?? [])
        said.push(await deleteRows(client, policy, others, now))
      }
      if (!isForAll) continue
      for (const partition of await listPartitions(client, kind)) {
        // Whatever this process takes for the time: what is written to just now is not over.
        const { rows: ages } = await client.query<{ is_over: boolean }>(
          `select $1::timestamptz <= $2::timestamptz - make_interval(months => $3)
             and not (now() >= coalesce($4::timestamptz, '-infinity') and now() < $1) as is_over`,
          [partition.to, now, longest, partition.from],
        )
        if (ages[0]!.is_over) said.push(await archive(client, files, kind, partition))
      }
    }
  } finally {
    await client.query(`select pg_advisory_unlock(${lockKey})`)
  }
  return said.filter((sentence) => sentence !== undefined)
}

export interface ArchiveFilter {
  kind: Kind
  programId?: number | undefined
  /** Moments or days; the second is not included. */
  from?: string | undefined
  before?: string | undefined
  /** Whom a row is about, or who did it. */
  personId?: number | undefined
}

/**
 * Lines of months that were dropped, oldest first. Files whose months cannot fit are not read.
 *
 * @throws ArchivedLinesError when a file is damaged, after its lines
 */
export async function* readArchived(
  client: pg.ClientBase,
  files: FileStore,
  { kind, programId, from, before, personId }: ArchiveFilter,
): AsyncGenerator<string> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    `select name, sha256 from archived_partition where kind = $1
       and to_moment > coalesce($2::timestamptz, '-infinity')
       and coalesce(from_moment, '-infinity') < coalesce($3::timestamptz, 'infinity') order by to_moment`,
    [kind, from ?? null, before ?? null],
  )
  const { moment, people } = kinds[kind]
  const [first, last] = [from, before].map((text) => (text === undefined ? undefined : Date.parse(text)))
  for (const { name, sha256 } of rows)
    for await (const line of readLines(files, { kind, name, sha256 })) {
      const row = JSON.parse(line) as Record<string, unknown>
      const at = Date.parse(String(row[moment]))
      if (programId !== undefined && row.program_id !== programId) continue
      if (personId !== undefined && !people.some((column) => row[column] === personId)) continue
      if ((first !== undefined && at < first) || (last !== undefined && at >= last)) continue
      yield line
    }
}
