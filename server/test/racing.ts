import type { Installation } from './installation.ts'

/**
 * Applies changes at the same time, some `workers` of them at any moment, in any order. A deadlock of two is tried again, as the
 * product tries again.
 *
 * PostgreSQL ends a deadlock by itself, but not when the tests run at another time: libfaketime shows it the true time while it
 * waits, and its timer is set to months ahead. So one of those that wait for each other is canceled here.
 */
export const raceChanges = async <Change>(
  installation: Pick<Installation, 'owner'>,
  changes: readonly Change[],
  apply: (change: Change) => Promise<void>,
  workers: number,
): Promise<void> => {
  const queue = [...changes]
  const attempt = (change: Change): Promise<void> =>
    apply(change).catch((error: { code?: string }) => {
      if (error.code === '40P01' || error.code === '57014') return attempt(change)
      throw error
    })
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await attempt(next)
  }
  // Of its own, so that it need not wait for the others to give one back.
  const connection = await installation.owner.connect()
  const watch = setInterval(
    () =>
      connection.query(
        `with recursive waits as (
          select pid, unnest(pg_blocking_pids(pid)) as by from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'),
        chain as (select pid, by from waits union select c.pid, w.by from chain c join waits w on w.pid = c.by)
        select pg_cancel_backend(min(pid)) from chain where pid = by`,
      ),
    1_000,
  )
  try {
    await Promise.all(Array.from({ length: workers }, worker))
  } finally {
    clearInterval(watch)
    connection.release()
  }
}
