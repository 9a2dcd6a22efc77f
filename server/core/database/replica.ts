import { type CompiledQuery, sql } from 'kysely'
import type pg from 'pg'
import type { Log } from './log.ts'
import { createPool, type Db, reading } from './pool.ts'

const lookAgainMs = 1_000
/** How old a copy may be that answers for a primary that is away. */
const maxAgeMs = 5 * 60_000

/** A read-only copy of the database: for reports and exports, and for whatever only reads while the primary is away. */
export interface Replica {
  readonly pool: pg.Pool
  /**
   * Whether what this account has changed last has arrived there, from whichever device. False as well when the copy is away, far
   * behind, or no copy any longer.
   */
  isCurrentFor(accountId: number): Promise<boolean>
  /** Notes that this process has just changed something for this account. */
  changed(accountId: number): void
  /**
   * Whether it may answer what this account reads while the primary is away: it was like the primary minutes ago at most, and has
   * what this process has changed for the account. Undefined asks for no account.
   */
  mayAnswerAlone(accountId?: number): boolean
  /** How far behind it is, to the second. */
  lagMs(): number
  stop(): Promise<void>
}

/** One more change of the account, for its own transaction. */
export const countOwnChange = (db: Db, accountId: number): CompiledQuery =>
  sql`insert into account_change as c (account_id) values (${accountId})
    on conflict (account_id) do update set number = c.number + 1`.compile(db)

const countChanges = (pool: pg.Pool, accountId: number): Promise<number> =>
  reading(pool, { accountId, programIds: [] }, async (db) => {
    const { rows } = await sql<{ number: number }>`
      select coalesce(max(number), 0) as number from account_change where account_id = ${accountId}`.execute(
      db,
    )
    return rows[0]!.number
  })

/**
 * Opens the copy at `url`. How far it is behind is measured by marks in the log of changes: the newest mark of the primary that it
 * has reached says when it was like the primary for the last time, also while nothing changes or the copy hears nothing any more.
 *
 * @param primary a pool on the primary
 * @param maxLagMs a copy that is further behind is not read, whoever asks
 */
export const openReplica = (
  url: string,
  primary: pg.Pool,
  log: Log,
  { maxLagMs = 30_000 }: { maxLagMs?: number } = {},
): Replica => {
  const pool = createPool(url, log, 10)
  let likePrimaryAt = Number.NEGATIVE_INFINITY
  let mark: { position: string; at: number } | undefined
  let isLooking = false
  /** When this process has changed something for an account that the copy is not known to have. */
  const changes = new Map<number, number>()

  const look = async (): Promise<void> => {
    if (!mark) {
      const at = performance.now()
      const { rows } = await primary.query<{ position: string }>(
        'select pg_current_wal_insert_lsn()::text as position',
      )
      mark = { position: rows[0]!.position, at }
    }
    const { rows } = await pool.query<{ has_arrived: boolean | null }>(
      'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as has_arrived',
      [mark.position],
    )
    if (!rows[0]!.has_arrived) return
    likePrimaryAt = mark.at
    for (const [accountId, at] of changes) if (at < likePrimaryAt) changes.delete(accountId)
    mark = undefined
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    // While either is away the copy only gets older, and is not read.
    look()
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, lookAgainMs)
  timer.unref()

  const lagMs = (): number => performance.now() - likePrimaryAt
  return {
    pool,
    lagMs,
    isCurrentFor: async (accountId) => {
      if (lagMs() > maxLagMs) return false
      try {
        const asked = await countChanges(primary, accountId)
        return asked === 0 || (await countChanges(pool, accountId)) >= asked
      } catch {
        return false
      }
    },
    changed: (accountId) => void changes.set(accountId, performance.now()),
    mayAnswerAlone: (accountId) =>
      lagMs() <= maxAgeMs && (accountId === undefined || !changes.has(accountId)),
    stop: async () => {
      clearInterval(timer)
      await pool.end()
    },
  }
}
