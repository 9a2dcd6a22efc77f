import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'

/** Forgets changes of two months ago, and keeps up to where: who asks for older ones is told to read everything again. */
export const forgetOldChanges = async (everywhere: pg.Pool): Promise<void> => {
  await everywhere.query(
    `with gone as (delete from domain_event where at < now() - interval '60 days'
      and transaction < (select min(transaction) from event_cursor) returning program_id, transaction)
    insert into change_horizon as h (program_id, transaction) select program_id, max(transaction) from gone group by program_id
    on conflict (program_id) do update set transaction = greatest(h.transaction, excluded.transaction)`,
  )
}

/** Who keeps figures of a program, and sees by events what of them is no longer right. */
export type EventReader = 'attendance' | 'rotations'

/** What a reader has counted, as of a moment, has everything in it that this snapshot could see: take it before counting. */
export const seeEvents = async (
  db: Db,
  programId: number,
  reader: EventReader,
  snapshot: string,
  at: RawBuilder<unknown> = sql`now()`,
): Promise<void> => {
  await sql`insert into event_seen as s (program_id, reader, seen, seen_at)
      values (${programId}, ${reader}, ${snapshot}::pg_snapshot, ${at})
    on conflict (program_id, reader) do update set seen = excluded.seen, seen_at = excluded.seen_at`.execute(
    db,
  )
}

/** Nothing that a reader keeps counts any longer. */
export const forgetSeen = async (db: Db, programId: number, reader: EventReader): Promise<void> => {
  await sql`delete from event_seen where program_id = ${programId} and reader = ${reader}`.execute(db)
}
