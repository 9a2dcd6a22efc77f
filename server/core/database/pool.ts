import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Log } from './log.ts'
import type { DB } from './types.ts'

export type Db = Kysely<DB>

const int8 = 20
const date = 1082
const timestamptz = 1184
const numeric = 1700
// Ids and counts stay far below 2^53; days and moments go to the wire as the strings they are.
pg.types.setTypeParser(int8, Number)
pg.types.setTypeParser(numeric, Number)
pg.types.setTypeParser(date, (text) => text)
pg.types.setTypeParser(timestamptz, (text) => `${text.replace(' ', 'T').replace('+00', '')}Z`)

/** A pool on one database. Statements run prepared under a name made of their text: 1.5 times as fast as unnamed. */
export const createPool = (url: string, log: Log, max = 20): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
  })
  // Without a listener the process ends when the database does.
  pool.on('error', (error) => log.warn(`An idle database connection ended: ${error.message}`))
  // One that is in use tells its query, and whoever awaits that; here it only must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

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

class OneConnection implements DatabaseConnection {
  private readonly client: pg.PoolClient
  private readonly count: { statements: number }
  constructor(client: pg.PoolClient, count: { statements: number }) {
    this.client = client
    this.count = count
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.count.statements++
    const result = await this.client.query({
      text: sql,
      values: parameters as unknown[],
      name: sql.length < 20_000 ? nameOf(sql) : undefined,
    })
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  async *streamQuery<R>(
    { sql, parameters }: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<R>> {
    this.count.statements++
    const cursor = this.client.query(new Cursor<R>(sql, parameters as unknown[]))
    try {
      while (true) {
        const rows = await cursor.read(chunkSize)
        if (rows.length === 0) return
        yield { rows }
      }
    } finally {
      await cursor.close()
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

const bind = (client: pg.PoolClient, count: { statements: number }): Db => {
  const connection = new OneConnection(client, count)
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => noDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  })
}

/** For whom a transaction works: row-level security shows it the rows of these programs and of this account only. */
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
  const account = accountId === null ? '' : Number(accountId)
  return `set local app.programs = '${programs}'; set local app.account = '${account}'; set local app.super = '${
    isSuper ? 'on' : ''
  }'${isMailer ? "; set local app.mailer = 'on'" : ''}`
}

const withoutConnection =
  /ECONNREFUSED|ENOENT|ECONNRESET|terminated|timeout exceeded|Connection ended|not queryable/

/** The database is away or going away, as opposed to a fault of the statement. */
export const isConnectionLoss = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  if (code && /^(57P0[1-4]|08...|53300|ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code)) return true
  return !code && withoutConnection.test(message ?? '')
}

const mayRetry = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

/**
 * Runs `work` in one transaction for `tenant`. It commits when `work` is done and rolls back when it throws. A
 * serialization failure or deadlock is tried again up to three times, so `work` must have no effect outside `db`.
 *
 * @throws what `work` throws; connection losses as they come from `pg`
 */
export const transaction = async <T>(
  pool: pg.Pool,
  tenant: Tenant,
  work: (db: Db, count: { statements: number }) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let lost: Error | undefined
    const count = { statements: 0 }
    try {
      // One simple query for begin and settings: a round trip instead of five.
      await client.query(`begin; ${settings(tenant)}`)
      const result = await work(bind(client, count), count)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((rollback: Error) => {
        lost = rollback
      })
      if (attempt < 4 && !lost && mayRetry(error)) continue
      throw error
    } finally {
      client.release(lost)
    }
  }
}

/** Widens or narrows the programs that the running transaction works on. Only for super admins and jobs. */
export const workOn = async (db: Db, programIds: readonly number[]): Promise<void> => {
  await db.executeQuery(
    CompiledQuery.raw("select set_config('app.programs', $1, true)", [programIds.map(Number).join(',')]),
  )
}
