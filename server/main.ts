import { jobs, openPages, routes } from './app.ts'
import { listenForBounces } from './core/bounces.ts'
import { ConfigError, loadConfig } from './core/config.ts'
import { fillPlaces } from './core/database/places.ts'
import { createPool, isDatabaseReady } from './core/database/pool.ts'
import { prepareDatabase } from './core/database/prepare.ts'
import { createWatch } from './core/database/watch.ts'
import { createFailureCounts } from './core/failure-counts.ts'
import { openFileStore } from './core/files.ts'
import { createIpAccess } from './core/ip-access.ts'
import { prepareQueue, startWorker } from './core/jobs.ts'
import { createLive } from './core/live.ts'
import { createLog } from './core/log.ts'
import type { Services } from './core/services.ts'
import { createWeb } from './core/web.ts'

/** Starts everything, prints where it listens, and stops in the order: calls, worker, pool, database. */
const start = async (): Promise<void> => {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  const database = await prepareDatabase(config, {
    info: (message) => log.info(message),
    warn: (message) => log.warn(message),
    error: (message) => log.error(message),
  })
  let stopping = false
  const undo: (() => Promise<unknown>)[] = [() => database.stop()]
  const stop = async (code: number): Promise<void> => {
    if (stopping) return
    stopping = true
    for (const step of undo.reverse())
      await step().catch((error) => log.error({ err: error }, 'A step of the stop failed'))
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

  try {
    const files = await openFileStore(config.filesUrl)
    await prepareQueue(database.ownerUrl)
    // Only the first start of an installation has something to do here; people need not wait for it.
    const filling = fillPlaces(database.ownerUrl).catch((error) =>
      log.error(
        { err: error },
        'The list of towns and ZIP codes could not be filled; the next start tries again',
      ),
    )
    undo.push(() => filling)
    const watch = createWatch(database.appUrl, log)
    const transactions = createPool(database.appUrl, log, 20, watch)
    undo.push(() => transactions.end())
    const pool = createPool(database.appUrl, log, 8, watch)
    undo.push(() => pool.end())
    const failures = createFailureCounts(pool, log)
    undo.push(() => failures.close())
    let address = config.appUrl ?? ''
    const services: Services = {
      config,
      transactions,
      pool,
      log,
      files,
      live: createLive(database.appUrl, pool, log),
      ipAccess: createIpAccess(pool, files, log),
      failures,
      publicUrl: () => address,
    }
    if (config.demo) {
      const { loadDemo } = await import('./demo/load.ts')
      await loadDemo(database.ownerUrl, files, (text) => console.log(text))
    }

    if (config.role !== 'web') {
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
      const listening = await web.listen({ port: config.port, host: config.host })
      undo.push(() => web.close())
      address = config.appUrl ?? listening.replace('[::1]', 'localhost')
      console.log(`\n  Practicum runs at ${address}${config.appRoot}/`)
      if (config.demo) {
        console.log(
          '  Demo accounts: super; in Radiography admin, director, coordinator, faculty, supervisor,',
        )
        console.log(
          '  siteemployee, employee, student, registrant, alumnus; in Nursing coordinator2, student2, …',
        )
        console.log('  Password: Bluebird-42-harbor')
      }
      console.log('  Press Ctrl-C to stop.\n')
    }
  } catch (error) {
    console.error(explain(error, config.port))
    await stop(1)
  }
}

const explain = (error: unknown, port: number): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `PORT ${port} is in use by another program: stop it, or set PORT to a free one.`
  if (code === 'EACCES') return `PORT ${port} may not be used by this account: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST names no address of this machine: set HOST to one of its own.'
  return message
}

start().catch((error: Error) => {
  console.error(error instanceof ConfigError || !error.stack ? error.message : explain(error, 0))
  process.exit(1)
})
