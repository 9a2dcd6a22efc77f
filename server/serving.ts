import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { prepareFirstCode } from '#server/core/auth/first-account.ts'
import type { LoadedConfig } from '#server/core/config/config.ts'
import { loadCompiler } from '#server/core/http/serializer.ts'
import { createWeb } from '#server/core/http/web.ts'
import { listenForBounces } from '#server/core/mail/bounces.ts'
import { addTemplates } from '#server/core/mail/mail-templates.ts'
import { addSubscribers, startHearing } from '#server/core/runtime/events.ts'
import { prepareQueue, startWorker } from '#server/core/runtime/jobs.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { tell } from '#server/core/runtime/output.ts'
import { watchOwnFiles } from '#server/core/runtime/own-files.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { createTaskRunner } from '#server/core/runtime/task-process.ts'
import { headersOf, startTracing } from '#server/core/runtime/tracing.ts'
import { version } from '#server/core/runtime/version.ts'
import { createDraftRunner, jobs, openPages, planFirstReads, protocols, routes } from './app.ts'
import { fillPlaces } from './core/database/places.ts'
import { createPool, isDatabaseReady } from './core/database/pool.ts'
import type { PreparedDatabase } from './core/database/prepare.ts'
import { createWatch } from './core/database/watch.ts'
import { openServices } from './services.ts'
import { subscribers } from './subscribers.ts'

/** Packages and pages that are loaded when they are needed. */
const ownFiles = ['../node_modules/fastify/package.json', '../node_modules/pdfmake/package.json'].map(
  (path) => fileURLToPath(new URL(path, import.meta.url)),
)

const taskProgram = fileURLToPath(new URL('./task.ts', import.meta.url))

/** Starts everything that works on the database. Each step leaves in `undo` how it is stopped; `leaving` comes before. */
export const serve = async (
  config: LoadedConfig,
  log: Services['log'],
  database: Pick<PreparedDatabase, 'ownerUrl' | 'appUrl' | 'readUrl'>,
  { undo, leaving }: { undo: (() => Promise<unknown>)[]; leaving: AbortSignal },
): Promise<void> => {
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
  const tracing =
    config.tracesUrl === undefined
      ? undefined
      : await startTracing(config.tracesUrl, version, headersOf(config.tracesHeaders))
  if (tracing) undo.push(() => tracing.stop())
  const watch = createWatch(database.appUrl, log)
  let address = config.appUrl ?? ''
  const services = await openServices(
    config,
    log,
    {
      databaseUrl: database.appUrl,
      readUrl: config.role === 'worker' ? undefined : database.readUrl,
      connections: { transactions: 20, pool: 8 },
      watch,
      tracing,
      publicUrl: () => address,
    },
    undo,
  )
  const { pool, files } = services
  if (config.demo) {
    const { loadDemo } = await import('./demo/load.ts')
    await loadDemo(database.ownerUrl, files, config.secretKey, (text) => tell([text]))
  }

  await addSubscribers(pool, subscribers)
  await addTemplates(pool)
  if (config.role !== 'web') {
    await queue
    const workerPool = createPool(database.appUrl, log, 10, watch)
    undo.push(() => workerPool.end())
    const everywhere = createPool(database.ownerUrl, log, 2, watch)
    undo.push(() => everywhere.end())
    const ofWorker = { ...services, ownerUrl: database.ownerUrl, everywhere }
    const tasks = createTaskRunner(taskProgram, database.appUrl)
    const drafts = createDraftRunner()
    for (const [lane, turns] of [
      [jobs.filter(({ waitsForOthers }) => !waitsForOthers), 4],
      [jobs.filter(({ waitsForOthers }) => waitsForOthers), 16],
      ...[...tasks.jobs, drafts.job].map((each) => [[each], 1] as const),
    ] as const) {
      const worker = await startWorker(lane, ofWorker, workerPool, turns)
      undo.push(() => worker.stop())
    }
    undo.push(() => Promise.all([tasks.stop(), drafts.stop()]))
    const hearing = startHearing(ofWorker, subscribers)
    undo.push(() => hearing.stop())
    if (config.bouncePort !== undefined) {
      const bounces = await listenForBounces(services)
      undo.push(() => new Promise<void>((resolve) => bounces.close(() => resolve())))
    }
  }
  if (config.role !== 'worker') {
    const web = await createWeb(services, routes, {
      openPages,
      protocols,
      isReady: () => isDatabaseReady(pool),
      leaving,
    })
    await queue
    const listening = await web.listen({ port: config.port, host: config.host })
    undo.push(() => web.close())
    const firstCode = await prepareFirstCode(database.ownerUrl, config.secretKey)
    address = config.appUrl ?? listening.replace('[::1]', 'localhost')
    tell([
      `Practicum runs at ${address}${config.appRoot}/ and is ready.`,
      ...(config.demo
        ? [
            'Demo accounts: super; in Radiography admin, director, coordinator, faculty, supervisor, siteemployee,',
            'employee, student, registrant, alumnus; in Nursing coordinator2, student2, …',
            'Password: Bluebird-42-harbor',
          ]
        : []),
      ...(firstCode
        ? [
            `No one has an account yet: open ${address}${config.appRoot}/new/first-account and make the first one with the code ${firstCode}`,
          ]
        : []),
      'Press Ctrl-C to stop.',
    ])
    // What is needed from the first answer on, and not for being ready.
    setImmediate(() => {
      loadCompiler()
      metrics.begin()
      void planFirstReads(services.transactions)
    })
  }
  const watching = watchOwnFiles(ownFiles, (path) => {
    log.fatal({ path }, 'Files of the program are gone, so it stops. Install it again and start it.')
    process.kill(process.pid, 'SIGTERM')
  })
  undo.push(async () => watching.stop())
  // From here on little outlives its call: what does is collected before the heap has grown by a quarter. During the start, when
  // almost everything stays, that would cost a seventh of its time.
  setFlagsFromString('--heap-growing-percent=25')
}
