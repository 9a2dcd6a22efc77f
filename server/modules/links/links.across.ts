import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Which link a token is of. */
export const findLinkOf = async (
  db: Db,
  hash: Buffer,
): Promise<{ program_id: number; id: number } | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ program_id: number; id: number }>`
      select l.program_id, l.id from scoped_link l join program p on p.id = l.program_id and p.deleted_at is null
      where l.token_hash = ${hash}`,
  )
  return found
}
