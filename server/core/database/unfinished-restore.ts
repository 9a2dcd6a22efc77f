import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { ownCommand } from '#server/core/config/own-command.ts'

/** A restore was broken off. One sentence; what it had put into the database is of no use. */
export class UnfinishedRestoreError extends Error {
  override name = 'UnfinishedRestoreError'
}

/** In a schema of its own: that of the product is dropped when a restore begins again. */
const mark = 'unfinished_restore'

/** Whether a restore into this database has begun and not come to its end. */
export const isRestoreUnfinished = async (client: Pick<Client, 'query'>): Promise<boolean> => {
  const { rows } = await client.query<{ is_marked: boolean }>(
    `select exists (select from pg_namespace where nspname = '${mark}') as is_marked`,
  )
  return rows[0]!.is_marked
}

/** Notes that a restore has begun; nothing starts on the database until it is finished. */
export const markUnfinished = async (client: Pick<Client, 'query'>): Promise<void> => {
  await client.query(`create schema if not exists ${mark}`)
}

export const markFinished = async (client: Pick<Client, 'query'>): Promise<void> => {
  await client.query(`drop schema if exists ${mark}`)
}

/** Before there is a database to be marked. */
const fileOf = (dataDir: string): string => join(dataDir, 'restore-unfinished')

/** Notes that a restore is about to make the database of an installation; what it notes besides stays when it is marked again. */
export const markFolder = (dataDir: string, goesBackTo = ''): void =>
  writeFileSync(fileOf(dataDir), goesBackTo, { flag: 'a', flush: true })

export const unmarkFolder = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true })

/** What was noted when the folder was marked by going back; '' by a restore, undefined where it bears no mark. */
export const readFolderMark = (dataDir: string): string | undefined =>
  existsSync(fileOf(dataDir)) ? readFileSync(fileOf(dataDir), 'utf8') : undefined

/** @throws UnfinishedRestoreError when a restore, or going back, was broken off before it had a database */
export const refuseMarkedFolder = (dataDir: string): void => {
  const mark = readFolderMark(dataDir)
  if (mark === undefined) return
  if (mark === '') throw unfinished()
  throw new UnfinishedRestoreError(
    `Going back to the backup from before the update was interrupted, and nothing is lost: run "${ownCommand('admin', 'go-back')}" again, ` +
      'which goes on.',
  )
}

const unfinished = (): UnfinishedRestoreError =>
  new UnfinishedRestoreError(
    `A restore into this installation was interrupted, so it holds only part of the backup: run "${ownCommand('restore', 'FILE')}" ` +
      'again with the same backup, which starts over.',
  )

/** @throws UnfinishedRestoreError when a restore into this database was broken off */
export const refuseUnfinishedRestore = async (client: Pick<Client, 'query'>): Promise<void> => {
  if (await isRestoreUnfinished(client)) throw unfinished()
}
