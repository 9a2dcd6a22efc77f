import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { deriveKey } from '#server/core/config/config.ts'
import { ownCommand } from '#server/core/config/own-command.ts'
import type { FileStore } from './file-store.ts'

/** The audit cannot be sealed anew. One sentence; nothing was changed. */
export class AuditChainError extends Error {
  override name = 'AuditChainError'
}

const lockKey = "hashtext('practicum audit chain')"
const rowsAtOnce = 5_000
const headFile = (seal: number): string => `audit-heads/${String(seal).padStart(8, '0')}.json`
const beginning = Buffer.alloc(32)

interface Part {
  programId: number | null
  day: string
  rows: number
  digest: string
}

/** The rows from one number to another, by program and day. The text of a row is the same on every server and in every session. */
const digestRows = async (client: pg.ClientBase, fromId: number, toId: number): Promise<Part[]> => {
  const parts: (Part & { hash: ReturnType<typeof createHash> })[] = []
  await client.query(
    "begin isolation level repeatable read read only; set local time zone 'UTC'; set local statement_timeout = 0",
  )
  try {
    await client.query(
      `declare sealed no scroll cursor for
       select program_id, to_char(at, 'YYYY-MM-DD') as day, jsonb_build_array(id, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.US'), program_id,
         account_id, action, subject_id, detail, host(address))::text as line
       from audit where id > $1 and id <= $2 order by program_id nulls first, day, id`,
      [fromId, toId],
    )
    while (true) {
      const { rows } = await client.query<{ program_id: number | null; day: string; line: string }>(
        `fetch ${rowsAtOnce} from sealed`,
      )
      if (rows.length === 0) break
      for (const { program_id, day, line } of rows) {
        const programId = program_id === null ? null : Number(program_id)
        let part = parts.at(-1)
        if (!part || part.programId !== programId || part.day !== day) {
          part = { programId, day, rows: 0, digest: '', hash: createHash('sha256') }
          parts.push(part)
        }
        part.rows++
        part.hash.update(`${line}\n`)
      }
    }
  } finally {
    await client.query('rollback')
  }
  return parts.map(({ hash, ...part }) => ({ ...part, digest: hash.digest('hex') }))
}

interface Seal {
  id: number
  fromId: number
  toId: number
  rows: number
  previous: Buffer
}

/** What nobody can make without the key of the installation, which is not in the database. */
const headOf = (
  secretKey: string,
  { id, fromId, toId, rows, previous }: Seal,
  parts: readonly Part[],
): Buffer =>
  createHmac('sha256', deriveKey(secretKey, 'audit chain'))
    .update(
      JSON.stringify([
        id,
        fromId,
        toId,
        rows,
        previous.toString('hex'),
        parts.map((part) => [part.programId, part.day, part.rows, part.digest]),
      ]),
    )
    .digest()

interface StoredSeal {
  id: number
  from_id: number
  to_id: number
  row_count: number
  previous: Buffer
  head: Buffer
}

/** A seal as its head was made of it. */
const readSeal = async (client: pg.ClientBase, row: StoredSeal): Promise<{ own: Seal; parts: Part[] }> => {
  const { rows } = await client.query<{
    program_id: number | null
    day: string
    row_count: number
    digest: string
  }>(
    `select program_id, to_char(day, 'YYYY-MM-DD') as day, row_count, encode(digest, 'hex') as digest
     from audit_seal_part where seal_id = $1 order by program_id nulls first, day`,
    [row.id],
  )
  return {
    own: {
      id: Number(row.id),
      fromId: Number(row.from_id),
      toId: Number(row.to_id),
      rows: Number(row.row_count),
      previous: row.previous,
    },
    parts: rows.map((part) => ({
      programId: part.program_id === null ? null : Number(part.program_id),
      day: part.day,
      rows: Number(part.row_count),
      digest: part.digest,
    })),
  }
}

const placeHead = (files: Pick<FileStore, 'place'>, { id, toId, rows }: Seal, head: Buffer): Promise<void> =>
  files.place(headFile(id), [
    Buffer.from(`${JSON.stringify({ seal: id, toId, rows, head: head.toString('hex') })}\n`),
  ])

/**
 * Seals what the last run has noted, if no transaction is left that could add a row below it, and notes anew how far the rows go. So a
 * row is sealed by the second run after it was written.
 *
 * @returns what was done, in a sentence
 */
export const sealAudit = async (
  client: pg.ClientBase,
  files: FileStore,
  secretKey: string,
): Promise<string> => {
  const { rows: locks } = await client.query(`select pg_try_advisory_lock(${lockKey}) as is_free`)
  if (!locks[0].is_free) return 'Another process does it just now.'
  try {
    return await sealNoted(client, files, secretKey)
  } finally {
    await client.query(`select pg_advisory_unlock(${lockKey})`)
  }
}

const sealNoted = async (client: pg.ClientBase, files: FileStore, secretKey: string): Promise<string> => {
  const { rows: noted } = await client.query<{ last_id: number; is_final: boolean; is_here: boolean }>(
    `select last_id, next_transaction <= pg_snapshot_xmin(pg_current_snapshot()) as is_final,
       cluster = (select system_identifier::text from pg_control_system()) as is_here from audit_horizon`,
  )
  const horizon = noted[0]
  // Numbers of transactions of another server, before a restore, say nothing here.
  if (horizon?.is_here && !horizon.is_final)
    return 'A transaction is still open that was there at the last run; the next run seals.'
  const done = horizon?.is_here ? await seal(client, files, secretKey, Number(horizon.last_id)) : undefined
  await client.query(
    `insert into audit_horizon (last_id, next_transaction, cluster)
     select coalesce((select max(id) from audit), 0), pg_snapshot_xmax(pg_current_snapshot()), system_identifier::text from pg_control_system()
     on conflict (is_only) do update set last_id = excluded.last_id, next_transaction = excluded.next_transaction,
       cluster = excluded.cluster, noted_at = now()`,
  )
  return done ?? 'Nothing to seal yet.'
}

const seal = async (
  client: pg.ClientBase,
  files: FileStore,
  secretKey: string,
  toId: number,
): Promise<string | undefined> => {
  const { rows } = await client.query<{ id: number; to_id: number; head: Buffer }>(
    'select id, to_id, head from audit_seal order by id desc limit 1',
  )
  const last = rows[0]
  const fromId = Number(last?.to_id ?? 0)
  if (toId <= fromId) return undefined
  const parts = await digestRows(client, fromId, toId)
  const count = parts.reduce((sum, part) => sum + part.rows, 0)
  const own: Seal = {
    id: Number(last?.id ?? 0) + 1,
    fromId,
    toId,
    rows: count,
    previous: last?.head ?? beginning,
  }
  const head = headOf(secretKey, own, parts)
  await client.query('begin')
  try {
    await client.query(
      'insert into audit_seal (id, from_id, to_id, row_count, previous, head) values ($1, $2, $3, $4, $5, $6)',
      [own.id, fromId, toId, count, own.previous, head],
    )
    await client.query(
      `insert into audit_seal_part (seal_id, program_id, day, row_count, digest)
       select $1, program_id, day, row_count, decode(digest, 'hex') from jsonb_to_recordset($2::jsonb)
         as p (program_id bigint, day date, row_count bigint, digest text)`,
      [
        own.id,
        JSON.stringify(
          parts.map((part) => ({
            program_id: part.programId,
            day: part.day,
            row_count: part.rows,
            digest: part.digest,
          })),
        ),
      ],
    )
    // Outside first: a head without its seal is noticed, a seal without its head would not be.
    await placeHead(files, own, head)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  return `Seal ${own.id}: ${count} rows, head ${head.toString('hex')}`
}

/**
 * Makes the heads of all seals anew under another key, in the caller's transaction; the files are replaced before it ends. What a break
 * leaves behind is made the same again.
 *
 * @returns how many there are, and the new head of the last
 * @throws Error when a seal is not of the key before: a change would be covered up
 */
export const resealAudit = async (
  client: pg.ClientBase,
  files: Pick<FileStore, 'place'>,
  { from, to }: { from: string; to: string },
): Promise<{ seals: number; head?: string }> => {
  const { rows: seals } = await client.query<StoredSeal>('select * from audit_seal order by id')
  let [lastHead, lastNew]: [Buffer, Buffer] = [beginning, beginning]
  for (const row of seals) {
    const { own, parts } = await readSeal(client, row)
    if (!row.previous.equals(lastHead) || !headOf(from, own, parts).equals(row.head))
      throw new AuditChainError(
        `Seal ${own.id} of the audit is not as it was made, and nothing was changed: "${ownCommand('admin', 'audit-verify')}" says what is wrong.`,
      )
    const previous = lastNew
    ;[lastHead, lastNew] = [row.head, headOf(to, { ...own, previous }, parts)]
    await client.query('update audit_seal set previous = $2, head = $3 where id = $1', [
      own.id,
      previous,
      lastNew,
    ])
    await placeHead(files, own, lastNew)
  }
  return { seals: seals.length, ...(seals.length > 0 && { head: lastNew.toString('hex') }) }
}

const readHead = async (files: FileStore, seal: number): Promise<string | undefined> => {
  const content = await files
    .read(headFile(seal))
    .then(text)
    .catch(() => undefined)
  return content === undefined ? undefined : (JSON.parse(content) as { head: string }).head
}

/** What retention may have taken: months that were archived, and days that a policy does not keep. */
const readRetention = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ program_id: number | null; last_day: string }>(
    `select program_id, to_char((now() - make_interval(months => months)) at time zone 'UTC', 'YYYY-MM-DD') as last_day
     from retention_policy where kind = 'audit'`,
  )
  const { rows: archived } = await client.query<{ through: string | null }>(
    `select to_char(max(to_moment) at time zone 'UTC', 'YYYY-MM-DD') as through from archived_partition where kind = 'audit'`,
  )
  const own = new Map(
    rows.map((row) => [row.program_id === null ? null : Number(row.program_id), row.last_day]),
  )
  return ({ programId, day }: Pick<Part, 'programId' | 'day'>): boolean => {
    if (day < (archived[0]?.through ?? '')) return true
    return day <= (own.get(programId) ?? (programId === null ? '' : own.get(null)) ?? '')
  }
}

export interface Verification {
  seals: number
  rows: number
  /** Rows that retention has taken since they were sealed. */
  retired: number
  /** What is not as it was sealed, a sentence each; nothing when all is well. */
  problems: string[]
}

const nameOf = ({ programId, day }: Pick<Part, 'programId' | 'day'>): string =>
  `${programId === null ? 'no program' : `program ${programId}`} on ${day}`

/**
 * Reads all sealed rows again and compares them with their seals, the seals with each other, and their heads with those that are kept
 * outside the database.
 */
export const verifyAudit = async (
  client: pg.ClientBase,
  files: FileStore,
  secretKey: string,
): Promise<Verification> => {
  const mayBeGone = await readRetention(client)
  const { rows: seals } = await client.query<StoredSeal>('select * from audit_seal order by id')
  const result: Verification = { seals: seals.length, rows: 0, retired: 0, problems: [] }
  const say = (problem: string): void => void result.problems.push(problem)
  let [expectedId, lastTo] = [1, 0]
  let lastHead: Buffer = beginning
  for (const row of seals) {
    const [id, fromId, toId] = [Number(row.id), Number(row.from_id), Number(row.to_id)]
    if (id !== expectedId) say(`Seal ${expectedId} is missing.`)
    if (fromId !== lastTo) say(`Seal ${id} does not begin where the one before ends.`)
    if (!row.previous.equals(lastHead)) say(`Seal ${id} does not follow the one before.`)
    const { own, parts } = await readSeal(client, row)
    const head = headOf(secretKey, own, parts)
    if (head.length !== row.head.length || !timingSafeEqual(head, row.head))
      say(`Seal ${id} was not made with the key of this installation, or was changed.`)
    const outside = await readHead(files, id)
    if (outside === undefined) say(`The head of seal ${id} is missing in the file store.`)
    else if (outside !== row.head.toString('hex'))
      say(`The head of seal ${id} in the file store is another one.`)
    compareParts(parts, await digestRows(client, fromId, toId), { id, mayBeGone, result })
    ;[expectedId, lastTo, lastHead] = [id + 1, toId, row.head]
  }
  if ((await readHead(files, expectedId)) !== undefined)
    say(`Seal ${expectedId} is missing: its head is in the file store.`)
  return result
}

const compareParts = (
  sealed: readonly Part[],
  found: readonly Part[],
  { id, mayBeGone, result }: { id: number; mayBeGone: (part: Part) => boolean; result: Verification },
): void => {
  const keyOf = (part: Part): string => `${part.programId} ${part.day}`
  const present = new Map(found.map((part) => [keyOf(part), part]))
  for (const part of sealed) {
    const now = present.get(keyOf(part))
    present.delete(keyOf(part))
    result.rows += now?.rows ?? 0
    if (now?.digest === part.digest && now.rows === part.rows) continue
    const missing = part.rows - (now?.rows ?? 0)
    if (missing > 0 && mayBeGone(part)) result.retired += missing
    else if (missing !== 0)
      result.problems.push(
        `Seal ${id}: of ${nameOf(part)} ${part.rows} rows were sealed, and ${now?.rows ?? 0} are there.`,
      )
    else result.problems.push(`Seal ${id}: a row of ${nameOf(part)} was changed.`)
  }
  for (const part of present.values())
    result.problems.push(`Seal ${id}: ${part.rows} rows of ${nameOf(part)} were added afterwards.`)
}
