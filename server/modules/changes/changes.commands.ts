import type pg from 'pg'

/** Forgets changes of two months ago, and keeps up to where: who asks for older ones is told to read everything again. */
export const forgetOldChanges = async (everywhere: pg.Pool): Promise<void> => {
  await everywhere.query(
    `with gone as (delete from domain_event where at < now() - interval '60 days'
      and transaction < (select min(transaction) from event_cursor) returning program_id, transaction)
    insert into change_horizon as h (program_id, transaction) select program_id, max(transaction) from gone group by program_id
    on conflict (program_id) do update set transaction = greatest(h.transaction, excluded.transaction)`,
  )
}
