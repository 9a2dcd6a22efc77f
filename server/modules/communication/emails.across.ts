import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/**
 * Which entries of the blacklist keep addresses from being written to, by the address in lower case. People of a program do not see the
 * installation's list, but whom it blocks is told whoever writes to them.
 */
export const findBlocks = async (
  db: Db,
  addresses: readonly { programId: number | null; address: string }[],
): Promise<Map<string, string>> => {
  if (addresses.length === 0) return new Map()
  const rows = await acrossPrograms(
    db,
    sql<{ address: string; block: string }>`
      select w.address, min(b.address) as block
      from unnest(${addresses.map(({ programId }) => programId)}::bigint[],
        ${addresses.map(({ address }) => address.toLowerCase())}::text[]) as w (program_id, address)
      join email_block b on b.removed_at is null and (b.program_id is null or b.program_id = w.program_id)
        and b.address in (w.address, '@' || split_part(w.address, '@', 2))
      group by w.address`,
  )
  return new Map(rows.map(({ address, block }) => [address, block]))
}

/** Who gets copies of the letters of several programs at once; for super admins, who write to them. */
export const listCopied = async (db: Db, programIds: readonly number[]): Promise<number[]> => {
  const rows = await acrossPrograms(
    db,
    sql<{ id: number }>`
      select account_id as id from notification_copy
      where program_id = any (${[...programIds]}::bigint[]) and current_setting('app.super', true) = 'on'`,
  )
  return rows.map(({ id }) => id)
}
