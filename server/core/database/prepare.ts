import { join } from 'node:path'
import type { LoadedConfig } from '#server/core/config/config.ts'
import { checkClock } from './clock.ts'
import { startEmbedded } from './embedded.ts'
import type { Log } from './log.ts'
import { migrate, type UpdateCare } from './migrate.ts'
import { checkSecretKey } from './secret-key-mark.ts'
import { prepareServed, servingUrl } from './served.ts'

export type PrepareOptions = {
  /** Folder of the migrations; the program's own when absent. */
  migrations?: string
  /** Embedded only: use the server of the Practicum that runs on `DATA_DIR` instead of refusing. For commands. */
  attach?: boolean
  /** Called once, when the database has been started or is only waited for: time for other work. */
  onLaunched?: () => void
  /** Served only: how long a server that does not answer yet is waited for. */
  patienceMs?: number
  care?: UpdateCare
}

export type PreparedDatabase = {
  /** For migrations, backup and whatever concerns the whole installation. */
  ownerUrl: string
  /** For everything that serves people. */
  appUrl: string
  /** A replica, for what may be some seconds behind. */
  readUrl?: string
  isEmbedded: boolean
  /** Names of the migrations that were applied now. */
  applied: string[]
  /** Ends the embedded server; end all pools before. Does nothing with `DATABASE_URL`. */
  stop(): Promise<void>
}

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'migrations')

/**
 * Makes the database ready to serve: starts the embedded PostgreSQL or prepares the one of `DATABASE_URL`, and migrates.
 * The addresses fit `pg`, graphile-worker and kysely-codegen alike.
 *
 * @throws ConfigError, DataDirError, ServedDatabaseError, MigrationError or what `care` throws, each with one sentence; an embedded server is stopped
 */
export async function prepareDatabase(
  config: Pick<LoadedConfig, 'dataDir' | 'databaseUrl' | 'databaseReadUrl' | 'secretKey'>,
  log: Log,
  {
    migrations = migrationsFolder,
    attach = false,
    onLaunched = () => {},
    patienceMs = 0,
    care,
  }: PrepareOptions = {},
): Promise<PreparedDatabase> {
  if (config.databaseUrl !== undefined) {
    onLaunched()
    const { ownerUrl, appUrl } = await prepareServed(config.databaseUrl, config.secretKey, {
      patienceMs,
      log,
    })
    const applied = await migrate({ ownerUrl, folder: migrations, log, ...(care && { care }) })
    if (migrations === migrationsFolder) await checkInstallation(ownerUrl, config.secretKey, log)
    const { databaseReadUrl } = config
    const readUrl = databaseReadUrl && servingUrl(databaseReadUrl, config.secretKey)
    return { ownerUrl, appUrl, ...(readUrl && { readUrl }), isEmbedded: false, applied, stop: async () => {} }
  }
  const { ownerUrl, appUrl, stop } = await startEmbedded({
    dataDir: config.dataDir,
    log,
    attach,
    onLaunched,
  })
  try {
    const applied = await migrate({ ownerUrl, folder: migrations, log, ...(care && { care }) })
    if (migrations === migrationsFolder) await checkInstallation(ownerUrl, config.secretKey, log)
    return { ownerUrl, appUrl, isEmbedded: true, applied, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const checkInstallation = async (ownerUrl: string, secretKey: string, log: Log): Promise<void> => {
  await checkSecretKey(ownerUrl, secretKey)
  await checkClock(ownerUrl, log)
}
