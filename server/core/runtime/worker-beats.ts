import { setInterval } from 'node:timers'
import type pg from 'pg'
import { metrics } from './metrics.ts'
import type { Services } from './services.ts'

const beatMs = 10_000
/** A worker that has missed three beats is dead; the queue's library by itself waits four hours. */
const deadAfter = '30 seconds'

/**
 * Says that these workers are alive, and gives back the jobs of those that no longer say so.
 *
 * @returns how many jobs were given back
 */
export const beatWorkers = async (
  pool: Pick<pg.Pool, 'query'>,
  workerIds: readonly string[],
): Promise<number> => {
  await pool.query(
    `insert into worker_beat (worker_id) select unnest($1::text[])
     on conflict (worker_id) do update set beat_at = clock_timestamp()`,
    [workerIds],
  )
  // The clock was set back: those that live beat again before they count as dead.
  await pool.query('update worker_beat set beat_at = now() where beat_at > now() + $1::interval', [deadAfter])
  const { rows } = await pool.query<{ worker: string; jobs: number }>(
    `select locked_by as worker, count(*)::integer as jobs from graphile_worker.jobs
     where locked_at not between now() - $1::interval and now() + $1::interval and locked_by not in (
       select worker_id from worker_beat where beat_at > now() - $1::interval)
     group by 1`,
    [deadAfter],
  )
  if (rows.length === 0) return 0
  const dead = rows.map(({ worker }) => worker)
  await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
  await pool.query('delete from worker_beat where worker_id = any ($1)', [dead])
  return rows.reduce((sum, { jobs }) => sum + jobs, 0)
}

/**
 * Beats for the workers of this process until it is stopped; `workerIds` are asked anew each time. What has died with another
 * process is begun again: its jobs, and the tasks that its jobs had begun.
 *
 * @param onReleased called after jobs were given back
 */
export const keepBeating = (
  { log }: Pick<Services, 'log'>,
  pool: pg.Pool,
  workerIds: () => readonly string[],
  onReleased: () => Promise<unknown>,
): { stop: () => void } => {
  const beat = async (): Promise<void> => {
    try {
      const released = await beatWorkers(pool, workerIds())
      if (released === 0) return
      metrics.releasedJobs(released)
      log.warn({ jobs: released }, 'Jobs of a worker that died were given back')
      await onReleased()
    } catch {
      // A database that is away is told by what needs it; the next beat comes.
    }
  }
  void beat()
  const timer = setInterval(() => void beat(), beatMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
