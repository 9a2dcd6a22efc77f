import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { mutableEmails } from '#contract/identity/preferences.ts'
import { deriveKey, type LoadedConfig } from '#server/core/config/config.ts'
import type { Db } from '#server/core/database/pool.ts'

type Secrets = Pick<LoadedConfig, 'secretKey'>

/** Whose emails of which kind. */
export interface MutedKind {
  accountId: number
  label: string
}

const mutable = new Set(mutableEmails.map(({ Label }) => Label))

/** Whether a person may do without emails of a kind. */
export const isMutable = (label: string): boolean => mutable.has(label)

const markOf = ({ accountId, label }: MutedKind, { secretKey }: Secrets): string =>
  createHmac('sha256', deriveKey(secretKey, 'unsubscribe'))
    .update(`${accountId}:${label}`)
    .digest('base64url')

/** The part of an address that mutes a kind of email for one person; nobody can make one up. It does not expire. */
export const unsubscribeToken = (kind: MutedKind, secrets: Secrets): string =>
  `${kind.accountId}.${kind.label}.${markOf(kind, secrets)}`

/** What a token mutes; undefined for a forged one, and for a kind that nobody may do without. */
export const readUnsubscribeToken = (token: string, secrets: Secrets): MutedKind | undefined => {
  const [, id, label = '', mark = ''] = /^(\d{1,15})\.(\w{1,50})\.([\w-]{43})$/.exec(token) ?? []
  if (!id || !isMutable(label)) return undefined
  const kind = { accountId: Number(id), label }
  return timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(kind, secrets))) ? kind : undefined
}

/** Mutes a kind for a person, or takes that back. */
export const setMuted = async (db: Db, { accountId, label }: MutedKind, mutes: boolean): Promise<void> => {
  await sql`update account set preferences = preferences || jsonb_build_object('MutedEmails',
      (coalesce(preferences -> 'MutedEmails', '[]') - ${label}::text) ||
      case when ${mutes} then jsonb_build_array(${label}::text) else '[]' end)
    where id = ${accountId} and deleted_at is null`.execute(db)
}
