import type pg from 'pg'
import type { Logger } from 'pino'

/** Of which kind a failure is: an answer of the server, a run of a background job, or a page that broke in a browser. */
export type FailureKind = 'server' | 'job' | 'browser'

/** Counts what fails in this process and adds it to the hours kept in the database, where all processes add up. */
export interface FailureCounts {
  /** Costs whoever calls it nothing: it is written later. */
  add(kind: FailureKind, name: string): void
  /** Writes what has been counted. What cannot be written is kept for the next time. */
  write(): Promise<void>
  /** Writes the rest and ends the writing. */
  close(): Promise<void>
}

const writeEveryMs = 60_000

/** Writes at most once a minute, and at the stop. A process that is killed loses what it counted in its last minute. */
export const createFailureCounts = (
  pool: Pick<pg.Pool, 'query'>,
  log: Pick<Logger, 'warn'>,
): FailureCounts => {
  let counts = new Map<string, { kind: FailureKind; name: string; number: number }>()
  let writing = Promise.resolve()
  const add = (kind: FailureKind, name: string, number = 1): void => {
    const key = `${kind} ${name}`
    const counted = counts.get(key) ?? { kind, name, number: 0 }
    counted.number += number
    counts.set(key, counted)
  }
  const writeNow = async (): Promise<void> => {
    if (counts.size === 0) return
    const rows = [...counts.values()]
    counts = new Map()
    try {
      await pool.query(
        // In one order, so that two processes that write at the same moment wait for each other once at most.
        `insert into failure_hour as f (kind, name, hour, number)
          select k, n, date_trunc('hour', now()), c from unnest($1::text[], $2::text[], $3::integer[]) as u (k, n, c) order by 1, 2
        on conflict (kind, hour, name) do update set number = f.number + excluded.number`,
        [rows.map(({ kind }) => kind), rows.map(({ name }) => name), rows.map(({ number }) => number)],
      )
    } catch (error) {
      for (const { kind, name, number } of rows) add(kind, name, number)
      log.warn({ err: error }, 'Failures could not be counted; the next minute tries again')
    }
  }
  /** One after the other, so that nothing is written twice. */
  const write = (): Promise<void> => {
    writing = writing.then(writeNow)
    return writing
  }
  const timer = setInterval(() => void write(), writeEveryMs)
  timer.unref()
  return {
    add: (kind, name) => add(kind, name),
    write,
    close: () => {
      clearInterval(timer)
      return write()
    },
  }
}
