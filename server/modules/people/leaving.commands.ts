import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { Leaver, Left } from './leaving.queries.ts'

/** Keeps which shifts another student has got, so that they can come back. */
export const keepHanded = async (
  db: Db,
  { programId, userId }: Leaver,
  handToId: number,
  ids: readonly number[],
): Promise<void> => {
  await sql`update leaving set handed_to = ${handToId}, handed_ids = ${[...ids]}::bigint[]
    where program_id = ${programId} and id = (select max(id) from leaving
      where program_id = ${programId} and account_id = ${userId} and over_at is null)`.execute(db)
}

/** These shifts are no longer among what was taken: they have come back. */
export const forgetTaken = async (
  db: Db,
  { programId }: Leaver,
  { ids }: Left,
  back: readonly number[],
): Promise<void> => {
  const without = (column: 'freed_ids' | 'handed_ids') =>
    sql`array(select id from unnest(${sql.ref(column)}) taken (id) where id <> all (${[...back]}::bigint[]) order by id)`
  await sql`update leaving set freed_ids = ${without('freed_ids')}, handed_ids = ${without('handed_ids')}
    where program_id = ${programId} and id = any (${ids}::bigint[])`.execute(db)
}
