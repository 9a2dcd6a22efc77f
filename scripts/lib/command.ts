import { join } from 'node:path'
import { ConfigError, loadConfig, readConfig } from '#server/core/config/config.ts'
import { DataDirError } from '#server/core/config/data-dir.ts'
import { startEmbedded } from '../../server/core/database/embedded.ts'
import { MigrationError } from '../../server/core/database/migrate.ts'
import { migrationsFolder } from '../../server/core/database/prepare.ts'
import { prepareServed, ServedDatabaseError } from '../../server/core/database/served.ts'
import { UnfinishedRestoreError, unmarkFolder } from '../../server/core/database/unfinished-restore.ts'
import { ArchiveError } from './archive.ts'
import { BackupError, type Installation } from './backup.ts'
import { BackupLockError } from './backup-lock.ts'

const expected = [
  ConfigError,
  DataDirError,
  MigrationError,
  ServedDatabaseError,
  UnfinishedRestoreError,
  ArchiveError,
  BackupError,
  BackupLockError,
]
const log = { info: console.log, warn: console.warn, error: console.error }

/**
 * Runs a command on the installation of the environment, as the owner of its database. An expected error is one line.
 *
 * @param acceptsOtherKey also with another `SECRET_KEY` than the installation was used with, to take that as the new one
 * @param attach use the database of the Practicum that runs on `DATA_DIR`; without it, that one has to be stopped
 * @param isRestore makes the database again that a restore was about to make when it was broken off
 */
export async function onInstallation(
  {
    attach,
    acceptsOtherKey = false,
    isRestore = false,
  }: { attach: boolean; acceptsOtherKey?: boolean; isRestore?: boolean },
  command: (installation: Installation) => Promise<void>,
): Promise<void> {
  let stop = async () => {}
  try {
    const config = loadConfig()
    const hasOwnKey = readConfig(process.env).secretKey === undefined
    const database = config.databaseUrl
      ? await prepareServed(config.databaseUrl, config.secretKey, { acceptsOtherKey })
      : await startEmbedded({ dataDir: config.dataDir, log, attach, isRestore })
    if ('stop' in database)
      stop = async () => {
        await database.stop()
        if (isRestore) unmarkFolder(config.dataDir)
      }
    await command({
      ownerUrl: database.ownerUrl,
      filesUrl: config.filesUrl,
      secretKey: config.secretKey,
      secretKeyFile: hasOwnKey ? join(config.dataDir, 'secret.key') : undefined,
      migrations: migrationsFolder,
      log,
    })
  } catch (error) {
    console.error(expected.some((kind) => error instanceof kind) ? (error as Error).message : error)
    process.exitCode = 1
  } finally {
    await stop()
  }
}
