import { sql } from 'kysely'
import type { IpBlockMode, IpNotice, WhitelistEntry } from '#contract/settings/ip-access.ts'
import { showNetwork } from '#contract/settings/ip-access.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

const whitelist = (db: Db) =>
  db
    .selectFrom('ip_whitelist as w')
    .leftJoin('account as a', 'a.id', 'w.created_by')
    .select([
      sql<string>`w.network::text`.as('IPAddress'),
      'w.created_at as AddedAt',
      personName('a').as('AddedBy'),
    ])

const shown = (entry: WhitelistEntry): WhitelistEntry => ({
  ...entry,
  IPAddress: showNetwork(entry.IPAddress),
})

export const listWhitelist = async (db: Db): Promise<WhitelistEntry[]> =>
  (await whitelist(db).orderBy('w.network').execute()).map(shown)

export const getWhitelistEntry = async (db: Db, network: string): Promise<WhitelistEntry> =>
  shown(await whitelist(db).where('w.network', '=', network).executeTakeFirstOrThrow())

export interface AccessRow {
  mode: IpBlockMode
  countries: string[]
  file: { name: string; bytes: number; at: string } | null
  kind: string
  builtAt: string | null
}

/** The one row of settings; with `locks` nobody else changes anything about access until the transaction ends. */
export const getAccess = async (db: Db, { locks = false } = {}): Promise<AccessRow> => {
  if (locks) await sql`select from ip_access for update`.execute(db)
  const row = await db
    .selectFrom('ip_access as i')
    .leftJoin('stored_file as f', 'f.id', 'i.geo_file_id')
    .select(['i.mode', 'i.countries', 'i.geo_kind', 'i.geo_built_at'])
    .select(['f.id as file_id', 'f.name', 'f.byte_count', 'f.created_at'])
    .executeTakeFirstOrThrow()
  return {
    mode: row.mode as IpBlockMode,
    countries: row.countries,
    // A file that is there has all of its columns.
    file: row.file_id === null ? null : { name: row.name!, bytes: row.byte_count!, at: row.created_at! },
    kind: row.geo_kind,
    builtAt: row.geo_built_at,
  }
}

/** Addresses of the last 30 days, the latest first. */
export const listNotices = (db: Db, most: number): Promise<IpNotice[]> =>
  db
    .selectFrom('ip_notice')
    .select(sql<string>`host(address)`.as('Address'))
    .select(['country as Country', 'is_refused as IsRefused', 'hits as Hits'])
    .select(['first_at as FirstAt', 'last_at as LastAt'])
    .where('last_at', '>', sql<string>`now() - interval '30 days'`)
    .orderBy('last_at', 'desc')
    .limit(most)
    .execute()
