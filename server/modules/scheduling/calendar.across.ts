import { sql } from 'kysely'
import type { Level } from '#contract/core/levels.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Whose calendar an address is, while its owner has access. */
export const findFeed = async (db: Db, hash: Buffer) => {
  const [feed] = await acrossPrograms(
    db,
    sql<{ program_id: number; account_id: number; access_level: Level; program_name: string }>`
      select f.program_id, f.account_id, a.access_level, p.name as program_name
      from calendar_feed f
      join account a on a.id = f.account_id and (a.program_id = f.program_id or a.access_level = 100)
        and a.deleted_at is null and a.deactivated_at is null and a.frozen_at is null
      join program p on p.id = f.program_id and p.deleted_at is null
      where f.token_hash = ${hash}`,
  )
  return feed
}
