import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadedConfig } from '#server/core/config/config.ts'

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

const pattern = /^before-.+-(\d{8}T\d{9}Z)\.tar$/

/** A moment as it stands in the name of a file: names put in order are moments in order. */
export const stampOf = (at: Date): string => at.toISOString().replaceAll(/[-:.]/g, '')

/** The backups that were made before updates, the newest first. */
export const listOwnBackups = (dataDir: string): string[] => {
  const stamp = (name: string): string => pattern.exec(name)?.[1] ?? ''
  try {
    return readdirSync(ownBackupsFolder(dataDir))
      .filter((name) => pattern.test(name))
      .sort((one, other) => (stamp(one) < stamp(other) ? 1 : -1))
  } catch {
    return []
  }
}

/** The key in `DATA_DIR`, where the installation uses that one. */
export const ownKeyFile = ({
  dataDir,
  secretKey,
}: Pick<LoadedConfig, 'dataDir' | 'secretKey'>): { secretKeyFile?: string } => {
  const secretKeyFile = join(dataDir, 'secret.key')
  try {
    return readFileSync(secretKeyFile, 'utf8').trim() === secretKey ? { secretKeyFile } : {}
  } catch {
    return {}
  }
}
