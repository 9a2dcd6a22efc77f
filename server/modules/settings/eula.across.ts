import { sql } from 'kysely'
import { oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** How many of the installation's active accounts have accepted a version, and how many there are. */
export const countEulaAcceptances = async (db: Db, versionId: number) => {
  const counts = await oneAcrossPrograms(
    db,
    sql<{ accepted: number; people: number }>`
      select count(x.account_id) as accepted, count(*) as people
      from account a
      left join program p on p.id = a.program_id
      left join eula_acceptance x on x.eula_id = ${versionId} and x.account_id = a.id
      where a.deleted_at is null and a.deactivated_at is null and (a.program_id is null or p.deleted_at is null)`,
  )
  return counts
}
