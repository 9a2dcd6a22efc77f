import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface SupervisionLink {
  programId: number
  siteId: number | null
  studentId: number | null
}

/** Where a link that is open leads. */
export const findLinkedPage = async (db: Db, hash: Buffer): Promise<SupervisionLink | undefined> => {
  const [found] = await acrossPrograms(
    db,
    sql<SupervisionLink>`
      select l.program_id as "programId", l.site_id as "siteId", l.student_id as "studentId" from supervision_link l
      join program p on p.id = l.program_id and p.deleted_at is null
      where l.token_hash = ${hash} and l.ended_at is null`,
  )
  return found
}
