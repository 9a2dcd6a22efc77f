import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** The evaluation that a link opens while it is not completed. */
export const findByToken = async (
  db: Db,
  hash: Buffer,
): Promise<{ program_id: number; evaluation_id: number } | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<{ program_id: number; evaluation_id: number }>`
      select l.program_id, l.evaluation_id from evaluation_link l
      join evaluation e on e.program_id = l.program_id and e.id = l.evaluation_id and e.deleted_at is null and not e.is_completed
      join program p on p.id = l.program_id and p.deleted_at is null
      where l.token_hash = ${hash} and l.ended_at is null`,
  )
  return found
}
