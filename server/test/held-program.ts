import type pg from 'pg'

/** Comes back once so many wait for a lock that another one holds. */
export const untilWaiting = async (owner: pg.Pool, count: number): Promise<void> => {
  for (let look = 0; look < 2_000; look++) {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::integer as n from pg_locks where not granted and locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`,
    )
    if (rows[0]!.n >= count) return
  }
  throw new Error(`Nobody waits as number ${count}.`)
}

/**
 * Writes in a program as somebody whose transaction is open, or holds it as whoever ends people does, until each of `calls` waits for it;
 * then commits, and answers what the calls did.
 */
export const whileHeld = async <T>(
  owner: pg.Pool,
  programId: number,
  calls: readonly (() => Promise<T>)[],
  {
    alone = false,
    write = async () => {},
  }: { alone?: boolean; write?: (client: pg.PoolClient) => Promise<unknown> },
): Promise<T[]> => {
  const other = await owner.connect()
  try {
    await other.query('begin')
    await other.query(
      `select pg_advisory_xact_lock${alone ? '' : '_shared'}(hashtextextended('people:' || $1::bigint, 0))`,
      [programId],
    )
    await write(other)
    const answers = calls.map((call) => call())
    await untilWaiting(owner, calls.length)
    await other.query('commit')
    return await Promise.all(answers)
  } finally {
    await other.query('rollback')
    other.release()
  }
}
