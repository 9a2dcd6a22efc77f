import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** A change of an address as it was kept. */
export interface TakenChange {
  id: number
  account_id: number
  before: string
  after: string
  was_confirmed: boolean
}

/** Takes the changes of addresses that nobody has been told of: each is told once, whoever else takes them at the same time. */
export const takeAddressChanges = async (db: Db, atMost: number): Promise<TakenChange[]> => {
  const { rows } = await sql<TakenChange>`
    delete from address_change where id in (select id from address_change order by id for update skip locked limit ${atMost})
    returning id, account_id, before, after, was_confirmed`.execute(db)
  return rows
}
