import './core/runtime/output.ts'

import { careForUpdates } from '#server/core/backup/update-care.ts'
import { ConfigError, loadConfig } from '#server/core/config/config.ts'
import { createLog } from '#server/core/runtime/log.ts'
import { prepareDatabase } from './core/database/prepare.ts'
import { tellEnd } from './core/runtime/output.ts'

/** A database server that is started at the same moment may take its time. */
const databasePatienceMs = 60_000

/** Starts everything, prints where it listens, and stops in the order: calls, worker, pool, database. */
const start = async (): Promise<void> => {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn(warning)
  let loading: Promise<typeof import('./serving.ts')> | undefined
  // The code of the product is loaded while the database starts or puts itself in order, and not before: loading leaves
  // this process no time for anything else, and after a kill the database takes the longest.
  const load = () => {
    loading ??= import('./serving.ts')
    loading.catch(() => {})
    return loading
  }
  const plainLog = {
    info: (message: string) => log.info(message),
    warn: (message: string) => log.warn(message),
    error: (message: string) => log.error(message),
  }
  const database = await prepareDatabase(config, plainLog, {
    onLaunched: load,
    patienceMs: databasePatienceMs,
    care: careForUpdates(config, plainLog),
  })
  let stopping = false
  const undo: (() => Promise<unknown>)[] = [() => database.stop()]
  const leaving = new AbortController()
  const stop = async (code: number): Promise<void> => {
    if (stopping) return
    stopping = true
    for (const step of undo.reverse())
      await step().catch((error) => log.error({ err: error }, 'A step of the stop failed'))
    process.exit(code)
  }
  /** A proxy in front sees that this process is leaving and sends it nothing more, before it stops to answer. */
  const drain = async (): Promise<void> => {
    if (leaving.signal.aborted) return
    leaving.abort()
    await new Promise((resolve) => setTimeout(resolve, config.drainSeconds * 1_000))
    await stop(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void drain())

  try {
    const { serve } = await load()
    await serve(config, log, database, { undo, leaving: leaving.signal })
  } catch (error) {
    tellEnd(explain(error, config.port))
    await stop(1)
  }
}

const explain = (error: unknown, port: number): string => {
  const { code, message, syscall, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' && syscall !== 'listen')
    return `The file ${path} may not be used by this account: let everything in DATA_DIR belong to the user who runs Practicum.`
  if (code === 'EADDRINUSE')
    return `PORT ${port} is in use by another program: stop it, or set PORT to a free one.`
  if (code === 'EACCES') return `PORT ${port} may not be used by this account: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST names no address of this machine: set HOST to one of its own.'
  return message
}

start().catch((error: Error) => {
  tellEnd(error instanceof ConfigError || !error.stack ? error.message : explain(error, 0))
  process.exit(1)
})
