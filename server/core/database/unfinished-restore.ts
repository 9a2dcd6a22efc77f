import type { Client } from 'pg'

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

/** @throws UnfinishedRestoreError when a restore into this database was broken off */
export const refuseUnfinishedRestore = async (client: Pick<Client, 'query'>): Promise<void> => {
  if (!(await isRestoreUnfinished(client))) return
  throw new UnfinishedRestoreError(
    'A restore into this installation was interrupted, so it holds only part of the backup: run "npm run restore -- FILE" ' +
      'again with the same backup, which starts over.',
  )
}
