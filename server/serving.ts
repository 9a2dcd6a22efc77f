import type { LoadedConfig } from '#server/core/config/config.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { createWeb } from '#server/core/http/web.ts'
import { listenForBounces } from '#server/core/mail/bounces.ts'
import { createFailureCounts } from '#server/core/runtime/failure-counts.ts'
import { createHeavyCalls } from '#server/core/runtime/heavy-calls.ts'
import { createIpAccess } from '#server/core/runtime/ip-access.ts'
import { prepareQueue, startWorker } from '#server/core/runtime/jobs.ts'
import { createLive } from '#server/core/runtime/live.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { startTracing } from '#server/core/runtime/tracing.ts'
import { version } from '#server/core/runtime/version.ts'
import { jobs, openPages, routes } from './app.ts'
import { fillPlaces } from './core/database/places.ts'
import { createPool, isDatabaseReady } from './core/database/pool.ts'
import type { PreparedDatabase } from './core/database/prepare.ts'
import { openReplica } from './core/database/replica.ts'
import { watchSlowStatements } from './core/database/statements.ts'
import { createWatch } from './core/database/watch.ts'

/** Starts everything that works on the database. Each step leaves in `undo` how it is stopped. */
export const serve = async (
  config: LoadedConfig,
  log: Services['log'],
  database: Pick<PreparedDatabase, 'ownerUrl' | 'appUrl' | 'readUrl'>,
  undo: (() => Promise<unknown>)[],
): Promise<void> => {
  const files = await openFileStore(config.filesUrl)
  // Beside the making of the routes, which is work for this process alone.
  const queue = prepareQueue(database.ownerUrl)
  queue.catch(() => {})
  // Only the first start of an installation has something to do here; people need not wait for it.
  const filling = fillPlaces(database.ownerUrl).catch((error) =>
    log.error(
      { err: error },
      'The list of towns and ZIP codes could not be filled; the next start tries again',
    ),
  )
  undo.push(() => filling)
  const tracing = config.tracesUrl === undefined ? undefined : await startTracing(config.tracesUrl, version)
  if (tracing) undo.push(() => tracing.stop())
  const watch = createWatch(database.appUrl, log)
  const statements = watchSlowStatements(log, metrics.slowStatement)
  const transactions = createPool(database.appUrl, log, 20, watch, statements)
  undo.push(() => transactions.end())
  const pool = createPool(database.appUrl, log, 8, watch)
  undo.push(() => pool.end())
  const replica =
    database.readUrl === undefined || config.role === 'worker'
      ? undefined
      : openReplica(database.readUrl, pool, log)
  if (replica) undo.push(() => replica.stop())
  const failures = createFailureCounts(pool, log)
  undo.push(() => failures.close())
  let address = config.appUrl ?? ''
  const services: Services = {
    config,
    transactions,
    pool,
    ownerUrl: database.ownerUrl,
    log,
    files,
    live: createLive(database.appUrl, pool, log),
    ipAccess: createIpAccess(pool, files, log),
    failures,
    heavyCalls: createHeavyCalls(),
    tracing,
    replica,
    publicUrl: () => address,
  }
  if (config.demo) {
    const { loadDemo } = await import('./demo/load.ts')
    await loadDemo(database.ownerUrl, files, (text) => console.log(text))
  }

  if (config.role !== 'web') {
    await queue
    const workerPool = createPool(database.appUrl, log, 6, watch)
    undo.push(() => workerPool.end())
    const worker = await startWorker(jobs, services, workerPool)
    undo.push(() => worker.stop())
    if (config.bouncePort !== undefined) {
      const bounces = await listenForBounces(services)
      undo.push(() => new Promise<void>((resolve) => bounces.close(() => resolve())))
    }
  }
  if (config.role !== 'worker') {
    const web = await createWeb(services, routes, {
      openPages,
      isReady: () => isDatabaseReady(pool),
    })
    await queue
    const listening = await web.listen({ port: config.port, host: config.host })
    undo.push(() => web.close())
    address = config.appUrl ?? listening.replace('[::1]', 'localhost')
    console.log(`\n  Practicum runs at ${address}${config.appRoot}/`)
    if (config.demo) {
      console.log('  Demo accounts: super; in Radiography admin, director, coordinator, faculty, supervisor,')
      console.log(
        '  siteemployee, employee, student, registrant, alumnus; in Nursing coordinator2, student2, …',
      )
      console.log('  Password: Bluebird-42-harbor')
    }
    console.log('  Press Ctrl-C to stop.\n')
  }
}
