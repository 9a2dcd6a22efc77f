import { sql } from 'kysely'
import type pg from 'pg'
import type { IpBlockMode } from '#contract/settings/ip-access.ts'
import { acrossPrograms } from '#server/core/database/across.ts'

/** All that a process needs to judge an address, before anybody is signed in; the addresses only when they changed. */
export const readIpAccess = async (pool: pg.Pool, known: number) => {
  const [found] = await acrossPrograms(
    pool,
    sql<{
      version: number
      mode: IpBlockMode
      countries: string[]
      store_key: string | null
      networks: string[] | null
    }>`
      select i.version, i.mode, i.countries, f.store_key,
        case when i.version is distinct from ${known}
          then coalesce((select array_agg(w.network::text) from ip_whitelist w), '{}') end as networks
      from ip_access i left join stored_file f on f.id = i.geo_file_id`,
  )
  return found
}
