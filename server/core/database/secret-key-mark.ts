import { Client } from 'pg'
import { ConfigError, deriveKey } from '#server/core/config/config.ts'
import { ownCommand } from '#server/core/config/own-command.ts'

type Asking = Pick<Client, 'query'>

const markOf = (secretKey: string): string => deriveKey(secretKey, 'mark in the database').toString('hex')

/**
 * Refuses a key that is not the one with which this installation seals its secrets. One that was never started has none yet.
 *
 * @throws ConfigError when it was used with another one
 */
export const refuseOtherSecretKey = async (owner: Asking, secretKey: string): Promise<void> => {
  const { rows: tables } = await owner.query<{ exists: boolean }>(
    "select to_regclass('public.secret_key_mark') is not null as exists",
  )
  if (!tables[0]!.exists) return
  const { rows } = await owner.query<{ mark: string }>('select mark from secret_key_mark')
  if (rows[0] === undefined || rows[0].mark === markOf(secretKey)) return
  throw new ConfigError(
    'SECRET_KEY is not the one that this installation was used with, so the secrets it sealed cannot be read: nothing was ' +
      `started; set the key as it was, run "${ownCommand('admin', 'rotate-secret')}" again if that was interrupted, or take the new one with "${ownCommand('admin', 'accept-secret-key')}", which docs/operations.md explains.`,
  )
}

/**
 * Notes at the first start with which key this installation seals its secrets, and refuses another one at later starts.
 *
 * @throws ConfigError when it was used with another one
 */
export const checkSecretKey = async (ownerUrl: string, secretKey: string): Promise<void> => {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseOtherSecretKey(client, secretKey)
    await client.query('insert into secret_key_mark (mark) values ($1) on conflict do nothing', [
      markOf(secretKey),
    ])
  } finally {
    await client.end().catch(() => {})
  }
}

/** Whether the installation seals its secrets with this key. */
export const isSecretKeyOf = async (owner: Asking, secretKey: string): Promise<boolean> => {
  const { rows } = await owner.query<{ mark: string }>('select mark from secret_key_mark')
  return rows[0]?.mark === markOf(secretKey)
}

/** Takes a key as the one of the installation from now on: what was sealed under another stays unreadable. */
export const acceptSecretKey = async (owner: Asking, secretKey: string): Promise<void> => {
  await owner.query(
    'insert into secret_key_mark (mark) values ($1) on conflict (is_only) do update set mark = excluded.mark',
    [markOf(secretKey)],
  )
}
