import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import type { BackupPlan } from '#server/core/config/config.ts'
import { migrationsFolder } from '#server/core/database/prepare.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { WorkerServices } from '#server/core/runtime/services.ts'
import { writeBackup } from './backup.ts'
import { type BackupLock, lockForRecipients } from './backup-lock.ts'
import { BackupError, type Installation, markOf } from './manifest.ts'
import { ownKeyFile, stampOf } from './own-backups.ts'
import { restoreBackup } from './restore.ts'

const hour = 3_600_000
const day = 24 * hour
/** After one that failed. */
const retryMs = hour
const trialMs = 7 * day

/** What came of scheduled backups, in the setting `backup.last`. */
export interface LastBackup {
  /** Of which moment the last backup is that was read back; null before the first. */
  At: string | null
  File: string | null
  Bytes: number | null
  Verified: boolean
  /** Why the last try failed; null when it did not. */
  Error: string | null
  TriedAt: string
  /** When one was last restored for a trial. */
  RestoredAt: string | null
}

/** Where its time of day was last reached, by the clock of the machine. */
const lastTimeOfDay = (minutes: number, now: Date): number => {
  const at = new Date(now)
  at.setHours(0, minutes, 0, 0)
  if (at > now) at.setDate(at.getDate() - 1)
  return at.getTime()
}

/** Whether a backup is to be made now. */
export const isBackupDue = (
  { every }: Pick<BackupPlan, 'every'>,
  last: Pick<LastBackup, 'At' | 'Error' | 'TriedAt'> | undefined,
  now: Date,
): boolean => {
  if (last && last.Error !== null && now.getTime() - Date.parse(last.TriedAt) < retryMs) return false
  if (last === undefined || last.At === null) return true
  const made = Date.parse(last.At)
  return 'hours' in every
    ? now.getTime() - made >= every.hours * hour
    : made < lastTimeOfDay(every.atMinutes, now)
}

const pattern = /^practicum-\d{8}T\d{9}Z\.tar(\.age)?$/

const readLast = async (client: Client): Promise<LastBackup | undefined> => {
  const { rows } = await client.query<{ value: LastBackup }>(
    "select value from setting where name = 'backup.last'",
  )
  return rows[0]?.value
}

const keepLast = (client: Client, last: LastBackup): Promise<unknown> =>
  client.query(
    `insert into setting (name, value) values ('backup.last', $1)
     on conflict (name) do update set value = excluded.value, updated_at = now()`,
    [JSON.stringify(last)],
  )

const prepareFolder = (folder: string, mark: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // What a killed one has left.
    for (const name of readdirSync(folder))
      if (name.startsWith('practicum-') && name.endsWith(`.${mark}.part`)) rmSync(join(folder, name))
  } catch (error) {
    throw new BackupError(
      `BACKUP_DIR (${folder}) cannot be used (${(error as Error).message}): name a folder that the worker may write to.`,
    )
  }
}

const withDatabase = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

const trialName = 'practicum_trial_'

/**
 * Restores a backup into a database of its own, which is dropped again, and reads its files without keeping them.
 *
 * @returns whether there was room for it
 */
const tryRestore = async (
  path: string,
  installation: Installation,
  dataDir: string,
  lock: BackupLock | undefined,
): Promise<boolean> => {
  const { ownerUrl } = installation
  const client = new Client({ connectionString: withDatabase(ownerUrl, 'postgres') })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string; left: string[] }>(
      `select pg_database_size('practicum') as bytes,
         array(select datname::text from pg_database where starts_with(datname, $1)) as left`,
      [trialName],
    )
    for (const name of rows[0]!.left) await client.query(`drop database ${name} with (force)`)
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < 1.5 * Number(rows[0]!.bytes)) return false
    const name = `${trialName}${randomBytes(4).toString('hex')}`
    await client.query(`create database ${name} template template0`)
    try {
      const { secretKeyFile: _stays, ...other } = installation
      await restoreBackup(path, { ...other, ownerUrl: withDatabase(ownerUrl, name) }, lock, { isTrial: true })
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
    return true
  } finally {
    await client.end().catch(() => {})
  }
}

const make = async (
  { folder, keep, recipients }: BackupPlan,
  last: LastBackup | undefined,
  now: Date,
  { config, ownerUrl, log }: Pick<WorkerServices, 'config' | 'ownerUrl' | 'log'>,
): Promise<LastBackup> => {
  const plainLog = { info: () => {}, warn: () => {}, error: (text: string) => log.error(text) }
  const { dataDir, databaseUrl, filesUrl, secretKey } = config
  prepareFolder(folder, markOf(secretKey).slice(0, 8))
  const lock = recipients.length === 0 ? undefined : await lockForRecipients(recipients)
  const path = join(folder, `practicum-${stampOf(now)}.tar${lock ? '.age' : ''}`)
  const installation: Installation = {
    ownerUrl,
    filesUrl,
    secretKey,
    ...ownKeyFile(config),
    migrations: migrationsFolder,
    log: plainLog,
  }
  const { bytes } = await writeBackup(path, installation, lock)
  const made: LastBackup = {
    At: now.toISOString(),
    File: path,
    Bytes: bytes,
    Verified: true,
    Error: null,
    TriedAt: now.toISOString(),
    RestoredAt: last?.RestoredAt ?? null,
  }
  // Of a database server of the operator's own nobody here knows the room.
  const isTrialDue =
    databaseUrl === undefined && now.getTime() - Date.parse(made.RestoredAt ?? '1970-01-01') >= trialMs
  if (isTrialDue) {
    try {
      if (await tryRestore(path, installation, dataDir, lock)) made.RestoredAt = now.toISOString()
      else log.info('A backup was not restored for a trial: there is no room for a second database')
    } catch (error) {
      return {
        ...made,
        Verified: false,
        Error: `${path} was read back and could not be restored for a trial (${(error as Error).message})`,
      }
    }
  }
  const old = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .reverse()
    .slice(keep)
  for (const name of old) rmSync(join(folder, name))
  return made
}

/** Makes a backup if one is due, one at a time over all processes. What keeps it from being made is kept beside the last good one. */
export const runScheduledBackup = async (
  services: Pick<WorkerServices, 'config' | 'ownerUrl' | 'log'>,
  now = new Date(),
): Promise<void> => {
  const { backups } = services.config
  if (!backups) return
  const client = new Client({ connectionString: services.ownerUrl })
  // A lost connection fails the statement that needs it; by itself it must not end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ is_alone: boolean }>(
      "select pg_try_advisory_lock(hashtext('practicum scheduled backup')) as is_alone",
    )
    if (!rows[0]!.is_alone) return
    const last = await readLast(client)
    if (!isBackupDue(backups, last, now)) return
    try {
      const made = await make(backups, last, now, services)
      await keepLast(client, made)
      if (made.Error === null)
        services.log.info({ file: made.File, bytes: made.Bytes }, 'A backup was made and read back')
      else services.log.error(made.Error)
    } catch (error) {
      services.log.error({ err: error }, 'The scheduled backup failed')
      await keepLast(client, {
        ...(last ?? { At: null, File: null, Bytes: null, Verified: false, RestoredAt: null }),
        Error: (error as Error).message,
        TriedAt: now.toISOString(),
      })
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Looks whether a backup is due. In a restored copy it does nothing: backups of the real one would make room for those of the copy. */
export const backupJobs = [
  job({
    name: 'backup:scheduled',
    payload: z.object({}).loose(),
    cron: '*/5 * * * *',
    isAtStart: true,
    reachesOut: true,
    work: (_payload, services) => runScheduledBackup(services),
  }),
]
