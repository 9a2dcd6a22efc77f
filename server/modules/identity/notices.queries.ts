import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import type { ToldAccount } from './accounts.across.ts'

/** An address that somebody else has changed, and whether links still go to the one before. */
export interface AddressChange extends ToldAccount {
  before: string
  after: string
  is_waiting: boolean
  /** Whether the owner had confirmed the address before; else it may be a stranger's. */
  was_confirmed: boolean
}

/** Takes the changes of addresses that nobody has been told of: each is told once, whoever else takes them at the same time. */
export const takeAddressChanges = async (db: Db, atMost: number): Promise<AddressChange[]> =>
  (await sql<AddressChange>`select * from take_address_changes(${atMost})`.execute(db)).rows
