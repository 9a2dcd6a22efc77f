import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** Forgets where punches were made that are more than so many days old; answers how many, the oldest first. */
export const forgetPositionsOf = async (
  db: Db,
  programId: number,
  { days, atMost }: { days: number; atMost: number },
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    update time_record set latitude = null, longitude = null, accuracy_m = null, distance_m = null, is_inside = null, address = null
    where program_id = ${programId} and id in (
      select r.id from time_record r where r.program_id = ${programId}
        and (r.latitude is not null or r.distance_m is not null or r.address is not null)
        and r.occurred_at < now() - make_interval(days => ${days})
      order by r.occurred_at limit ${atMost} for update skip locked)`.execute(db)
  return Number(numAffectedRows)
}
