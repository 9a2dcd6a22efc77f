import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '#server/core/config/config.ts'
import { ownCommand } from '#server/core/config/own-command.ts'
import type { Log } from '#server/core/database/log.ts'
import type { UpdateCare } from '#server/core/database/migrate.ts'

/** Where the embedded installation keeps the backups that it makes of itself. */
export const ownBackupsFolder = (dataDir: string): string => join(dataDir, 'backups')

/** Names the backup of an update that has not come to its end. */
export const begunUpdateFile = (dataDir: string): string =>
  join(ownBackupsFolder(dataDir), 'update-unfinished')

/** The name of that backup; undefined while no update is on its way. */
export const findBegunUpdate = (dataDir: string): string | undefined => {
  const path = begunUpdateFile(dataDir)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/**
 * Backs the embedded installation up before it is updated. An update that was broken off goes on with the backup that it began with:
 * nobody was served since. With `DATABASE_URL` it says whose the backup is.
 */
export const careForUpdates = (
  config: Pick<LoadedConfig, 'dataDir' | 'databaseUrl' | 'filesUrl' | 'secretKey'>,
  log: Log,
): UpdateCare => ({
  begin: async (ownerUrl, names) => {
    if (config.databaseUrl === undefined) {
      const { backUpBeforeUpdate } = await import('./before-update.ts')
      return backUpBeforeUpdate(config, ownerUrl, log)
    }
    log.warn(
      `The database of DATABASE_URL is updated now (${names.join(', ')}). Earlier versions will not start on it: the way back is ` +
        `your own backup, such as "${ownCommand('backup', 'FILE')}" makes before an update.`,
    )
  },
  end: () => rmSync(begunUpdateFile(config.dataDir), { force: true }),
})
