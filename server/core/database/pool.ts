import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import pg from 'pg'
import { acrossRole, isAcross } from './across-role.ts'
import { cancelWhenLeft, connectFor, refuseAbandoned } from './cancel.ts'
import type { Log } from './log.ts'
import type { StatementWatch } from './statements.ts'
import type { DB } from './types.ts'
import { createWatch, type DatabaseWatch, type Waiter } from './watch.ts'

export type Db = Kysely<DB>

const int8 = 20
const date = 1082
const timestamptz = 1184
const numeric = 1700
const json = 114
const jsonb = 3802
// Ids and counts stay far below 2^53; days and moments go to the wire as the strings they are.
pg.types.setTypeParser(int8, Number)
pg.types.setTypeParser(numeric, Number)
pg.types.setTypeParser(date, (text) => text)
pg.types.setTypeParser(timestamptz, (text) => `${text.replace(' ', 'T').replace('+00', '')}Z`)
// Moments inside of JSON read like those outside of it.
const parseJson = (text: string): unknown =>
  JSON.parse(
    text.includes('+00:00"')
      ? text.replace(/("\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)\+00:00"/g, '$1Z"')
      : text,
  )
pg.types.setTypeParser(json, parseJson)
pg.types.setTypeParser(jsonb, parseJson)

/**
 * How long a call waits for a connection while the database answers: all of them are in use, often by callers who wait for one row. Fifty
 * students on one open shift take some seconds. Whether the database is away, the watch tells sooner.
 */
const maxWaitMs = 20_000

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** Connections whose commit was answered, but is perhaps not on the standby that should have confirmed it. */
const unconfirmed = new WeakSet<pg.PoolClient>()

/** A pool whose callers are refused at once while the database does not answer. */
class WatchedPool extends pg.Pool {
  private readonly watch: DatabaseWatch
  /** Told of the statements of transactions. */
  readonly statements: StatementWatch | undefined
  constructor(options: pg.PoolConfig, watch: DatabaseWatch, statements: StatementWatch | undefined) {
    super(options)
    this.watch = watch
    this.statements = statements
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        // Without an error there is a client.
        this.connect((error, client) => (error ? reject(error) : resolve(client!)))
      })
    }
    const { waiters, loss, listened } = this.watch
    if (loss) {
      process.nextTick(callback, loss, undefined, () => {})
      return undefined
    }
    let isOver = false
    const waiter: Waiter = {
      since: listened(),
      fail: (error) => {
        isOver = true
        waiters.delete(waiter)
        callback(error, undefined, () => {})
      },
    }
    waiters.add(waiter)
    super.connect((error, client, done) => {
      if (isOver) {
        client?.release()
        return
      }
      waiters.delete(waiter)
      callback(error, client, done)
    })
    return undefined
  }
}

/** Connections that stay open while nothing is asked, with their plans: whoever comes after a quiet hour waits for none. */
const keptIdle = 2

/**
 * What every connection begins with, as statements: a pooler in between refuses settings that are part of the connecting. Left
 * to itself, PostgreSQL plans the large statements anew for each call, which costs more than it ever saves here.
 */
const sessionSettings = `set timezone = 'UTC'; set plan_cache_mode = force_generic_plan; set statement_timeout = '60s';
  set idle_in_transaction_session_timeout = '60s'`

/**
 * A pool on one database. Statements run prepared under a name made of their text: 1.5 times as fast as unnamed. They are
 * sent without waiting for the answers before them, so that what does not depend on each other shares a round trip.
 * Pools on the same database share a `watch`.
 */
export const createPool = (
  url: string,
  log: Log,
  max = 20,
  watch = createWatch(url, log),
  statements?: StatementWatch,
): pg.Pool => {
  const pool = new WatchedPool(
    {
      connectionString: url,
      max,
      min: Math.min(keptIdle, max),
      connectionTimeoutMillis: maxWaitMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      pipeline: true,
    },
    watch,
    statements,
  )
  // Without a listener the process ends when the database does.
  pool.on('error', (error) => {
    // A database that stops may be faster than the end of a connection to it.
    if (!pool.ending) log.warn(`An idle database connection ended: ${error.message}`)
  })
  pool.on('connect', (client) => {
    client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
    })
    // One that is in use tells its query, and whoever awaits that; here it only must not end the process.
    client.on('error', () => {})
    // Whoever has taken the connection learns of a failure by the own statement, which is behind this one.
    client.query(sessionSettings).catch(() => {})
    watch.add(client)
    client.once('end', () => watch.remove(client))
  })
  return pool
}

const ownPlan = '/* planned for its values */'

/**
 * Written into a statement, makes PostgreSQL plan it again for the values of each call: for what is expensive and whose best plan
 * depends on them, such as a sort by any column in a program a hundred times as large as the average. Everything else keeps
 * one plan (`docs/decisions/plans-of-statements.md`).
 */
export const plannedForItsValues = sql.raw<never>(ownPlan)

const names = new Map<string, string>()
const nameOf = (sql: string): string => {
  let name = names.get(sql)
  if (!name) {
    name = createHash('md5').update(sql).digest('base64url')
    // Statements with lists of varying length would fill the memory of every connection.
    if (names.size > 2_000) names.clear()
    names.set(sql, name)
  }
  return name
}

const prepared = ({ sql, parameters }: CompiledQuery): pg.QueryConfig => ({
  text: sql,
  values: parameters as unknown[],
  ...(sql.length < 20_000 && { name: nameOf(sql) }),
})

/**
 * Holds back what is written to a connection until everything that can be sent now has been: one packet, one wake-up of
 * the database, instead of one a statement. Writing to the socket is the largest share of a short call's processor time.
 */
const inOnePacket = (client: pg.PoolClient): void => {
  // `pg` has a connection with a stream; its types leave it out.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The names of the statements that a connection has prepared. */
const preparedOn = new WeakMap<pg.PoolClient, Set<string>>()
/** Each keeps its plan in the memory of its connection, some tens of kilobytes. */
const maxPrepared = 1_000

/** Whether the connection should be replaced by a new one: texts that differ with every call have filled it. */
const isFull = (client: pg.PoolClient): boolean => (preparedOn.get(client)?.size ?? 0) > maxPrepared

/** Nothing else of the connection comes between the three. After a failure the transaction or its savepoint gives the role back. */
const sendAcross = async (client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> => {
  const [, result] = await Promise.all([
    client.query(`set local role ${acrossRole}`),
    client.query(query),
    client.query('set local role none'),
  ])
  return result
}

const send = (client: pg.PoolClient, query: CompiledQuery): Promise<pg.QueryResult> => {
  const config = prepared(query)
  if (config.name) {
    const known = preparedOn.get(client)
    if (known) known.add(config.name)
    else preparedOn.set(client, new Set([config.name]))
  }
  // What is asked for at once goes in one packet.
  inOnePacket(client)
  if (isAcross(query)) return sendAcross(client, config)
  if (!query.sql.includes(ownPlan)) return client.query(config)
  // The setting is the transaction's: what ends it ends the setting, too.
  const set = client.query('set local plan_cache_mode = force_custom_plan')
  const result = client.query(config)
  const reset = client.query('set local plan_cache_mode = force_generic_plan')
  for (const each of [set, reset]) each.catch(() => {})
  return result
}

class OneConnection implements DatabaseConnection {
  private readonly client: pg.PoolClient
  private readonly context: TransactionContext
  constructor(client: pg.PoolClient, context: TransactionContext) {
    this.client = client
    this.context = context
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    refuseAbandoned(this.context.hasLeft)
    this.context.statements++
    const began = performance.now()
    const result = await send(this.client, query)
    const took = performance.now() - began
    for (const watch of this.context.watches) watch.ended(query.sql, took)
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  async *streamQuery<R>(
    { sql, parameters }: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    const cursor = `rows_${++this.context.statements}`
    const { streams } = this.context
    await this.client.query(
      `declare ${cursor} ${streams ? '' : 'no '}scroll cursor for ${sql}`,
      parameters as unknown[],
    )
    if (streams) {
      // The rows that were counted are kept by the cursor: nothing is worked out twice.
      const { rowCount } = await this.client.query(`move forward ${streams.countsTo ?? 'all'} in ${cursor}`)
      streams.counted(rowCount ?? 0)
      await this.client.query(`move absolute 0 in ${cursor}`)
    }
    const fetch = () => {
      const fetched = this.client.query<R & pg.QueryResultRow>(`fetch ${chunkSize} from ${cursor}`)
      // Whoever stops reading before it never learns of its failure.
      fetched.catch(() => {})
      return fetched
    }
    // The database works on the next rows while these are used.
    let coming = fetch()
    while (true) {
      refuseAbandoned(this.context.hasLeft)
      const { rows } = await coming
      if (rows.length === 0) return
      const isLast = rows.length < chunkSize
      if (!isLast) coming = fetch()
      yield { rows }
      streams?.read?.(rows.length)
      if (isLast) return
    }
  }
}

const noDriver = (connection: DatabaseConnection): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection,
  beginTransaction: async () => {
    throw new Error('A request has one transaction, begun by the caller.')
  },
  commitTransaction: async () => {},
  rollbackTransaction: async () => {},
  releaseConnection: async () => {},
  destroy: async () => {},
})

const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()

const bind = (client: pg.PoolClient, context: TransactionContext): Db => {
  const connection = new OneConnection(client, context)
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => noDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  })
}

/** Statements on a connection that the caller holds: of the owner, who passes row-level security. */
export const onConnection = (client: pg.ClientBase): Db =>
  bind(client as pg.PoolClient, {
    statements: 0,
    closing: [],
    hasLeft: undefined,
    streams: undefined,
    watches: [],
  })

/**
 * For whom a transaction works: row-level security shows it the rows of these programs and of this account only. Of several
 * programs only people, mail, files, imports and audit are visible; everything else belongs to one program at a time.
 */
export interface Tenant {
  accountId: number | null
  programIds: readonly number[]
  /** A super admin also sees the rows that belong to no program. */
  isSuper?: boolean
  /** The mail worker reads the outbox of every program. */
  isMailer?: boolean
}

const settings = ({ accountId, programIds, isSuper, isMailer }: Tenant): string => {
  const programs = programIds.map((id) => Number(id)).join(',')
  return Object.entries({
    programs,
    program: programIds.length === 1 ? programs : '',
    account: accountId === null ? '' : Number(accountId),
    super: isSuper ? 'on' : '',
    mailer: isMailer ? 'on' : '',
  })
    .map(([name, value]) => `set local app.${name} = '${value}'`)
    .join('; ')
}

const withoutConnection =
  /ECONNREFUSED|ENOENT|ECONNRESET|terminated|timeout exceeded|timeout expired|Connection ended|not queryable/

/** The database is away or going away, as opposed to a fault of the statement. */
export const isConnectionLoss = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  // 25006: one that has just become a copy, which changes nothing.
  if (code && /^(57P0[1-4]|08...|53300|25006|ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code)) return true
  return !code && withoutConnection.test(message ?? '')
}

/** The database serves, and has no disk space or memory for this. */
export const isOutOfRoom = (error: unknown): boolean =>
  ['53000', '53100', '53200', '53400'].includes((error as { code?: string }).code ?? '')

/** Whether the database serves: its tables are there and answer. */
export const isDatabaseReady = async (pool: pg.Pool): Promise<boolean> =>
  (await pool.query('select 1 from program limit 1')).rowCount !== null

/** As PostgreSQL calls it: transaction_resolution_unknown. */
const outcomeUnknown = '08007'

/** The transaction met others that changed the same, and PostgreSQL ended this one. */
export const isConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

/** How often a transaction is begun that others keep from its end. */
const maxAttempts = 8

/** Those that met once do not begin again at the same moment; the later the attempt, the further they are apart. */
const standBack = (attempt: number): Promise<void> => setTimeout(Math.random() * 15 * 2 ** attempt)

const inDoubt = new WeakSet<object>()

/** The connection was lost after the commit was sent: whether it counts, nobody can tell from here. */
export const isInDoubt = (error: object): boolean => inDoubt.has(error)

/** Is told how many rows a stream has, before the first of them and as they are read. */
export interface StreamWatch {
  /** Counts no further; all of them unless given. */
  countsTo?: number
  /** @throws what ends the stream before its first row */
  counted(rows: number): void
  read?(rows: number): void
}

/** What belongs to a transaction besides its statements. */
export interface TransactionContext {
  readonly watches: readonly StatementWatch[]
  /** Aborted when whoever waits for the result has left. */
  readonly hasLeft: AbortSignal | undefined
  readonly streams: StreamWatch | undefined
  /** How many statements it has sent. */
  statements: number
  /** Statements to send together with the commit, which counts only when all of them have succeeded. */
  readonly closing: CompiledQuery[]
}

export interface TransactionOptions {
  /** All statements see the same state, and changing a row that somebody else has changed since is a failure, tried again. */
  isRepeatable?: boolean
  /** Ends the work when it is aborted. Only for what changes nothing, or nothing that counts without its answer. */
  hasLeft?: AbortSignal | undefined
  /** The trace that its statements belong to. */
  trace?: StatementWatch | undefined
  streams?: StreamWatch | undefined
}

const contextOn = (pool: pg.Pool, { hasLeft, trace, streams }: TransactionOptions): TransactionContext => ({
  statements: 0,
  closing: [],
  hasLeft,
  streams,
  watches: [(pool as WatchedPool).statements, trace].filter((watch) => watch !== undefined),
})

/**
 * Runs `work` in one transaction for `tenant`. It commits when `work` is done and rolls back when it throws. A
 * serialization failure or deadlock is tried again, seven times at most, so `work` must have no effect outside `db`.
 *
 * @throws what `work` throws; connection losses as they come from `pg`, marked where the commit is in doubt;
 * AbandonedError when the caller has left
 */
export const transaction = async <T>(
  pool: pg.Pool,
  tenant: Tenant,
  work: (db: Db, context: TransactionContext) => Promise<T>,
  { isRepeatable = false, ...options }: TransactionOptions = {},
): Promise<T> => {
  const { hasLeft } = options
  const begin = isRepeatable ? 'begin isolation level repeatable read' : 'begin'
  for (let attempt = 1; ; attempt++) {
    if (attempt > 2) await standBack(attempt)
    const client = await connectFor(pool, hasLeft)
    const settle = hasLeft && cancelWhenLeft(client, hasLeft)
    let lost: Error | undefined
    const context = contextOn(pool, options)
    let isCommitSent = false
    try {
      // One simple query for begin and settings, and the first statement follows it at once: no round trip of their own.
      inOnePacket(client)
      const begun = client.query(`${begin}; ${settings(tenant)}`)
      begun.catch(() => {})
      const result = await work(bind(client, context), context)
      refuseAbandoned(hasLeft)
      await settle?.()
      inOnePacket(client)
      const closing = context.closing.map((query) => send(client, query))
      isCommitSent = true
      context.statements += closing.length
      const [{ command }] = await Promise.all([client.query('commit'), begun, ...closing])
      // PostgreSQL answers a commit after a failed statement by rolling back.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed.')
      // Its wait for the standby was ended, by a timeout for example: should this server be lost now, so is the change.
      if (unconfirmed.delete(client))
        throw Object.assign(new Error('No standby has confirmed the commit'), { code: outcomeUnknown })
      return result
    } catch (error) {
      await settle?.()
      await client.query('rollback').catch((rollback: Error) => {
        lost = rollback
      })
      refuseAbandoned(hasLeft)
      if (attempt < maxAttempts && !lost && isConflict(error)) continue
      if (isCommitSent && isConnectionLoss(error)) inDoubt.add(error as object)
      throw error
    } finally {
      client.release(lost ?? isFull(client))
    }
  }
}

/**
 * Runs `work`, which only reads. The database refuses whatever would change something. Nobody waits for the end of the
 * transaction: the answer is there before it.
 *
 * @throws what `work` throws; AbandonedError when the caller has left
 */
export const reading = async <T>(
  pool: pg.Pool,
  tenant: Tenant,
  work: (db: Db, context: TransactionContext) => Promise<T>,
  options: Omit<TransactionOptions, 'isRepeatable'> = {},
): Promise<T> => {
  const { hasLeft } = options
  const client = await connectFor(pool, hasLeft)
  const settle = hasLeft && cancelWhenLeft(client, hasLeft)
  const context = contextOn(pool, options)
  /** One that is over, whatever became of it; the connection goes back when the database says so. */
  const end = async (): Promise<void> => {
    await settle?.()
    const lost = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(lost ?? isFull(client))
  }
  try {
    inOnePacket(client)
    const begun = client.query(`begin read only; ${settings(tenant)}`)
    begun.catch(() => {})
    const result = await work(bind(client, context), context)
    await begun
    void end()
    return result
  } catch (error) {
    await end()
    refuseAbandoned(hasLeft)
    throw error
  }
}

/** Changes the programs that the running transaction works on. Only for super admins, jobs and secret addresses. */
export const workOn = async (db: Db, programIds: readonly number[]): Promise<void> => {
  const programs = programIds.map(Number).join(',')
  await db.executeQuery(
    CompiledQuery.raw("select set_config('app.programs', $1, true), set_config('app.program', $2, true)", [
      programs,
      programIds.length === 1 ? programs : '',
    ]),
  )
}

/**
 * Shows the running call the mail of every program, as the mail worker sees it. Only for super admins: the ledger belongs to
 * the installation, and a list of all its programs would be as long as the installation is large.
 */
export const workOnAllMail = async (db: Db): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw("select set_config('app.mailer', 'on', true)"))
}
