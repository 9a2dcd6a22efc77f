import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogFunctionFactory, Runner, Task, WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger as PinoLogger } from 'pino'
import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { isRestoredCopy } from './restored-copy.ts'
import type { WorkerServices } from './services.ts'
import { keepBeating } from './worker-beats.ts'

/** One kind of background work. It may run more than once, so it must bring the same result again. */
export interface Job<P extends z.ZodType = z.ZodType> {
  name: string
  payload: P
  /** Cron line in UTC, such as `0 6 * * *`, for work that comes by itself; its payload is then empty. */
  cron?: string
  /** It comes as well whenever a worker begins. */
  isAtStart?: true
  /** It reaches people or other systems, which a restored copy does not: there it is left out, and what it would send waits. */
  reachesOut?: true
  /** It waits for servers that others have chosen, as long as those like: it takes no turn from other jobs. */
  waitsForOthers?: true
  work: (payload: z.output<P>, services: WorkerServices) => Promise<void>
}

export const job = <P extends z.ZodType>(definition: Job<P>): Job<P> => definition

/**
 * Queues a job in the caller's transaction: it runs if and only if the transaction commits.
 *
 * @param isFirstKept with a key: however often it is asked for, it runs when the first has asked for it
 */
export const enqueue = async <P extends z.ZodType>(
  db: Db,
  { name, payload }: Pick<Job<P>, 'name' | 'payload'>,
  input: z.input<P>,
  { runAt, jobKey, isFirstKept }: { runAt?: string; jobKey?: string; isFirstKept?: boolean } = {},
): Promise<void> => {
  const checked = JSON.stringify(payload.parse(input))
  await db.executeQuery(
    sql`select graphile_worker.add_job(${name}::text, ${checked}::json, run_at => ${runAt ?? null}::timestamptz,
      job_key => ${jobKey ?? null}::text, max_attempts => 12, job_key_mode => ${isFirstKept ? 'preserve_run_at' : 'replace'}::text)`.compile(
      db,
    ),
  )
}

const catchUpName = 'core:catch-up'

/**
 * The job that does what others do from time to time to keep what pages read: whenever a worker begins, and after a task that may have
 * changed much. Until then pages add up what was not kept, which is right and slow.
 */
export const catchUpOf = (jobs: readonly Job[]): Job =>
  job({
    name: catchUpName,
    payload: z.object({}).loose(),
    isAtStart: true,
    work: async (_payload, services) => {
      for (const { work } of jobs) await work({}, services)
    },
  })

/** Asks for it in the caller's transaction; however many ask at once, it runs once. */
export const askToCatchUp = async (db: Db): Promise<void> => {
  await db.executeQuery(
    sql`select graphile_worker.add_job(${catchUpName}::text, job_key => ${catchUpName}::text)`.compile(db),
  )
}

/**
 * Brings the queue's tables to what its library needs. The library leaves connections behind that nobody listens to, and a
 * database that stops right afterwards would end the process by them: the connections are ours.
 */
export const migrateQueue = async (ownerUrl: string): Promise<void> => {
  const { runMigrations } = await import('graphile-worker')
  const pool = new pg.Pool({ connectionString: ownerUrl })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await runMigrations({ pgPool: pool })
  } finally {
    await pool.end()
  }
}

/** Goes up with every change of what `prepareQueue` gives. */
const rights = 1

/** What the queue was prepared with and for whom, as a comment on its schema says: what is prepared already is left as it is. */
const markOf = (app: string): string => {
  const main = createRequire(import.meta.url).resolve('graphile-worker')
  const { version } = JSON.parse(readFileSync(join(dirname(main), '..', 'package.json'), 'utf8'))
  return `graphile-worker ${version}, rights ${rights} of ${app}`
}

/** The schema of the queue, if it is there, the mark on it, and the serving role. */
const readQueue = async (client: pg.Client): Promise<{ mark: string | null; app: string }> => {
  const { rows } = await client.query<{ mark: string | null; app: string }>(
    `select (select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = 'graphile_worker') as mark,
      (select rolname from pg_roles where rolname in ('app', 'practicum_app') order by rolname limit 1) as app`,
  )
  return rows[0]!
}

/** Makes the queue's tables as the owner and lets the serving role use them; nothing where that was done before. */
export const prepareQueue = async (ownerUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { mark, app } = await readQueue(client)
    if (mark === markOf(app)) return
    // Several processes may start at the same moment; rights cannot be given by two at once. The end unlocks.
    await client.query("select pg_advisory_lock(hashtext('practicum queue'))")
    await migrateQueue(ownerUrl)
    await client.query(`grant usage on schema graphile_worker to ${app};
      grant select, insert, update, delete on all tables in schema graphile_worker to ${app};
      grant usage on all sequences in schema graphile_worker to ${app};
      grant execute on all functions in schema graphile_worker to ${app}`)
    // The queue protects its tables by row-level security without policies; the serving role works the queue.
    const tables = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'graphile_worker' and c.relrowsecurity`,
    )
    for (const { name } of tables.rows) {
      await client.query(`drop policy if exists app on graphile_worker.${client.escapeIdentifier(name)};
        create policy app on graphile_worker.${client.escapeIdentifier(name)} to ${app} using (true)`)
    }
    await client.query(`comment on schema graphile_worker is ${client.escapeLiteral(markOf(app))}`)
  } finally {
    await client.end()
  }
}

const severities = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** What the queue says goes into the one log: a line of JSON, and of an error no more than of any other. */
export const logTo =
  (log: Pick<PinoLogger, 'error' | 'warn' | 'debug' | 'trace'>): LogFunctionFactory =>
  ({ taskIdentifier }) =>
  (level, message, meta) => {
    const about = { ...(taskIdentifier && { job: taskIdentifier }) }
    if (meta?.error instanceof Error) log[severities[level]]({ ...about, err: meta.error }, 'A job failed')
    else log[severities[level]](about, message)
  }

const restartMs = 1_000

/**
 * Why a worker takes no more jobs; undefined when it was stopped. One that could not note what came of a job is shutting down, which it
 * may never be done with.
 */
const endOf = (runner: Runner): Promise<unknown> =>
  new Promise((resolve) => {
    runner.events.once('pool:fatalError', ({ error }) => resolve(error))
    runner.promise.then(() => resolve(undefined), resolve)
  })

/**
 * Starts the worker: it takes jobs of these kinds as they come, so many at once. Its library gives up when the database goes away while
 * a job runs, for it cannot note what came of the job; then it begins anew, and again until the database is back.
 */
export const startWorker = async (
  jobs: readonly Job[],
  services: WorkerServices,
  pool: pg.Pool,
  concurrency = 4,
): Promise<Pick<Runner, 'stop' | 'events'>> => {
  // Those of a runner that gave up are dead: their jobs are given to the next one.
  let workerIds: string[] = []
  const begin = () => {
    workerIds = []
    return beginWork(jobs, services, pool, concurrency, workerIds)
  }
  let isStopped = false
  let runner = await begin()
  const queue = (name: string) =>
    pool.query('select graphile_worker.add_job($1::text, job_key => $1::text)', [name])
  for (const { name } of jobs.filter(({ isAtStart }) => isAtStart)) await queue(name)
  const heart = keepBeating(
    services,
    pool,
    () => workerIds,
    () => queue('tasks:upkeep'),
  )
  const goOn = async (): Promise<void> => {
    while (!isStopped) {
      const gaveUp = await endOf(runner)
      if (!gaveUp || isStopped) return
      services.log.error({ err: gaveUp }, 'The worker gave up and begins anew')
      for (let isBegun = false; !isBegun && !isStopped; ) {
        await sleep(restartMs)
        isBegun = await begin().then(
          (begun) => {
            runner = begun
            return true
          },
          () => false,
        )
      }
    }
    // It began in the moment of the stop.
    await runner.stop().catch(() => {})
  }
  void goOn()
  return {
    events: runner.events,
    stop: async () => {
      isStopped = true
      // One that has given up has nothing to stop.
      await runner.stop().catch(() => {})
      heart.stop()
    },
  }
}

const beginWork = async (
  jobs: readonly Job[],
  services: WorkerServices,
  pool: pg.Pool,
  concurrency: number,
  workerIds: string[],
): Promise<Runner> => {
  const { Logger, run } = await import('graphile-worker')
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId))
  const taskList: Record<string, Task> = {}
  for (const { name, payload, work, reachesOut } of jobs) {
    taskList[name] = async (raw) => {
      if (reachesOut && (await isRestoredCopy(pool))) return
      const trace = services.tracing?.begin('job', name, { 'messaging.operation.name': 'process' })
      try {
        await work(payload.parse(raw), services)
        trace?.end()
      } catch (error) {
        services.failures.add('job', name)
        trace?.end({}, error)
        throw error
      }
    }
  }
  const crontab = jobs
    .filter(({ cron }) => cron)
    .map(({ name, cron }) => `${cron} ${name} ?max=3`)
    .join('\n')
  return run({
    logger: new Logger(logTo(services.log)),
    pgPool: pool,
    taskList,
    crontab: crontab || ' ',
    events,
    concurrency,
    pollInterval: 2_000,
    noHandleSignals: true,
    noPreparedStatements: false,
    // What came of a job is noted through a batch, even of one: alone, nobody hears of a database that is away, and the process ends.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
}
