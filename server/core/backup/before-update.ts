import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { LoadedConfig } from '#server/core/config/config.ts'
import { ownCommand } from '#server/core/config/own-command.ts'
import type { Log } from '#server/core/database/log.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { version } from '#server/core/runtime/version.ts'
import { writeBackup } from './backup.ts'
import { BackupError } from './manifest.ts'
import {
  begunUpdateFile,
  findBegunUpdate,
  listOwnBackups,
  ownBackupsFolder,
  ownKeyFile,
  stampOf,
} from './own-backups.ts'

const kept = 2

/** Rows take less room in a backup than in the database, which has their indexes too. */
const databaseShare = 0.5

const sizeOf = async (ownerUrl: string, filesUrl: string): Promise<number> => {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database()) as bytes',
    )
    let bytes = Number(rows[0]!.bytes) * databaseShare
    for await (const { byteCount } of (await openFileStore(filesUrl)).list()) bytes += byteCount
    return bytes
  } finally {
    await client.end().catch(() => {})
  }
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

const refuseNoRoom = async (folder: string, ownerUrl: string, filesUrl: string): Promise<void> => {
  const { bavail, bsize } = statfsSync(folder)
  const [free, needed] = [bavail * bsize, await sizeOf(ownerUrl, filesUrl)]
  if (free > needed) return
  throw new BackupError(
    `There is no room for the backup before the update (${inMegabytes(needed)} in ${folder}, where ${inMegabytes(free)} are free), and ` +
      'nothing was changed: make room there, or make that folder a link to one on another disk.',
  )
}

/**
 * Writes the backup that an update begins with, and keeps the last two.
 *
 * @throws BackupError when there is no room for it
 */
export const backUpBeforeUpdate = async (
  config: Pick<LoadedConfig, 'dataDir' | 'filesUrl' | 'secretKey'>,
  ownerUrl: string,
  log: Log,
): Promise<void> => {
  const { dataDir, filesUrl, secretKey } = config
  const folder = ownBackupsFolder(dataDir)
  const names = listOwnBackups(dataDir)
  const begun = findBegunUpdate(dataDir)
  if (begun !== undefined && names.includes(begun)) {
    log.info(`The update goes on. The backup from before it is ${join(folder, begun)}.`)
    return
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const draft of readdirSync(folder).filter((name) => /^before-.*\.part$/.test(name)))
    rmSync(join(folder, draft))
  await refuseNoRoom(folder, ownerUrl, filesUrl)
  const name = `before-${version}-${stampOf(new Date())}.tar`
  const path = join(folder, name)
  await writeBackup(path, {
    ownerUrl,
    filesUrl,
    secretKey,
    ...ownKeyFile(config),
    migrations: migrationsFolder,
    log,
  })
  writeFileSync(begunUpdateFile(dataDir), `${name}\n`, { flush: true })
  log.info(
    `The installation was backed up before the update: ${path}. "${ownCommand('admin', 'go-back')}" of the version before returns to it.`,
  )
  for (const old of listOwnBackups(dataDir).slice(kept)) rmSync(join(folder, old))
}
