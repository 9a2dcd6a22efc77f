import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'

/** The next number of a year, 'INV-2026-00001'; nobody else gets one before the transaction ends. */
export const takeInvoiceNumber = async (db: Db, year: number): Promise<string> => {
  const { rows } = await sql<{ last: number }>`
    insert into invoice_number as n (year, last) values (${year}, 1)
    on conflict (year) do update set last = n.last + 1 returning last`.execute(db)
  return `INV-${year}-${String(rows[0]!.last).padStart(5, '0')}`
}
