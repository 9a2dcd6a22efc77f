import { copyFileSync, existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { verifyBackup } from '#server/core/backup/backup.ts'
import { BackupError, secretKeyName } from '#server/core/backup/manifest.ts'
import {
  findBegunUpdate,
  listOwnBackups,
  ownBackupsFolder,
  ownKeyFile,
  stampOf,
} from '#server/core/backup/own-backups.ts'
import { restoreBackup } from '#server/core/backup/restore.ts'
import type { LoadedConfig } from '#server/core/config/config.ts'
import { DataDirError } from '#server/core/config/data-dir.ts'
import { ownCommand } from '#server/core/config/own-command.ts'
import { startEmbedded } from '#server/core/database/embedded.ts'
import type { Log } from '#server/core/database/log.ts'
import { readMigrations } from '#server/core/database/migrate.ts'
import {
  isRestoreUnfinished,
  markFolder,
  readFolderMark,
  unmarkFolder,
} from '#server/core/database/unfinished-restore.ts'

type Place = Pick<LoadedConfig, 'dataDir' | 'databaseUrl' | 'filesUrl' | 'secretKey'>

/** What goes back, and where what is there now is laid aside. */
type Plan = { backup: string; aside: string }

const ask = async <T>(ownerUrl: string, question: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    return await question(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The migrations that the database has; none before there is a table of them. */
const listApplied = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('public.migration') is not null as exists",
  )
  if (!rows[0]!.exists) return []
  const applied = await client.query<{ name: string }>('select name from public.migration')
  return applied.rows.map(({ name }) => name)
}

/**
 * Stops what a killed process has left, and asks whether this version starts on the data as they are. A database that does not start is
 * a reason to go back, not against it.
 *
 * @throws DataDirError when Practicum runs, BackupError when there is nothing to go back from
 */
const refuseNeedless = async ({ dataDir }: Place, migrations: string, log: Log): Promise<void> => {
  let applied: string[]
  try {
    const database = await startEmbedded({ dataDir, log })
    try {
      applied = await ask(database.ownerUrl, listApplied)
    } finally {
      await database.stop()
    }
  } catch (error) {
    if (error instanceof DataDirError && /already runs/.test(error.message)) throw error
    log.warn(
      `The database of now does not start, so it is laid aside as it is (${(error as Error).message}).`,
    )
    return
  }
  const known = new Set(readMigrations(migrations).map(({ name }) => name))
  if (applied.some((name) => !known.has(name))) return
  throw new BackupError(
    'This version starts on the data as they are, and nothing was changed: put the version in place that you want to go back to, ' +
      'then run this again.',
  )
}

const planFor = async (place: Place, migrations: string, log: Log): Promise<Plan> => {
  const { dataDir } = place
  const begun = findBegunUpdate(dataDir)
  const names = listOwnBackups(dataDir)
  const name = begun !== undefined && names.includes(begun) ? begun : names[0]
  if (name === undefined)
    throw new BackupError(
      `There is no backup from before an update in ${ownBackupsFolder(dataDir)}, and nothing was changed: restore a backup of yours ` +
        `into a new DATA_DIR with "${ownCommand('restore', 'FILE')}".`,
    )
  await refuseNeedless(place, migrations, log)
  return {
    backup: join(ownBackupsFolder(dataDir), name),
    aside: join(dataDir, `set-aside-${stampOf(new Date())}`),
  }
}

/** Whether the files are in the folder of `DATA_DIR` that nobody else uses. */
const ownsFiles = ({ dataDir, filesUrl }: Place): boolean =>
  filesUrl === pathToFileURL(join(dataDir, 'files')).href

const layAside = (dataDir: string, aside: string, names: readonly string[]): void => {
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const name of names)
    if (existsSync(join(dataDir, name)) && !existsSync(join(aside, name)))
      renameSync(join(dataDir, name), join(aside, name))
  const key = join(dataDir, secretKeyName)
  if (existsSync(key) && !existsSync(join(aside, secretKeyName)))
    copyFileSync(key, join(aside, secretKeyName))
}

/**
 * Puts the backup from before the last update in the place of the embedded installation, which is laid aside and never deleted. Broken
 * off, it goes on when it is run again; until it is done nothing starts.
 *
 * @returns what was done
 * @throws BackupError, ArchiveError or DataDirError, each with one sentence
 */
export const goBack = async (place: Place, migrations: string, log: Log): Promise<string> => {
  if (place.databaseUrl !== undefined)
    throw new BackupError(
      'The database of DATABASE_URL is backed up by you, and nothing was changed: restore your backup from before the update into an ' +
        `empty database with "${ownCommand('restore', 'FILE')}".`,
    )
  const dataDir = realpathSync(place.dataDir)
  const begun = readFolderMark(dataDir)
  const plan: Plan = begun ? JSON.parse(begun) : await planFor({ ...place, dataDir }, migrations, log)
  const { manifest } = await verifyBackup(plan.backup)
  const keepsFiles = !ownsFiles(place)
  log.info(
    `Goes back to ${basename(plan.backup)}, of ${manifest.madeAt}. The database ${keepsFiles ? '' : 'and the files '}of now ${keepsFiles ? 'is' : 'are'} kept in ${plan.aside}.`,
  )
  if (!begun) markFolder(dataDir, JSON.stringify(plan))
  layAside(dataDir, plan.aside, keepsFiles ? ['postgres'] : ['postgres', 'files'])
  const database = await startEmbedded({ dataDir, log, isRestore: true })
  try {
    const isDone = await ask(
      database.ownerUrl,
      async (client) => !(await isRestoreUnfinished(client)) && (await listApplied(client)).length > 0,
    )
    if (!isDone)
      await restoreBackup(
        plan.backup,
        {
          ownerUrl: database.ownerUrl,
          filesUrl: place.filesUrl,
          secretKey: place.secretKey,
          ...ownKeyFile({ ...place, dataDir }),
          migrations,
          log,
        },
        undefined,
        { isReal: true, keepsFiles },
      )
  } finally {
    await database.stop()
  }
  unmarkFolder(dataDir)
  return (
    'Done: the installation is as it was before the update, and sends what waited then. What was done since is in ' +
    `${plan.aside} alone.`
  )
}
