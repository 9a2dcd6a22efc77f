import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, type NewRow } from '#server/core/database/rows.ts'

/** The next number of a year, 'INV-2026-00001'; nobody else gets one before the transaction ends. */
export const takeInvoiceNumber = async (db: Db, year: number): Promise<string> => {
  const { rows } = await sql<{ last: number }>`
    insert into invoice_number as n (year, last) values (${year}, 1)
    on conflict (year) do update set last = n.last + 1 returning last`.execute(db)
  return `INV-${year}-${String(rows[0]!.last).padStart(5, '0')}`
}

export const addInvoice = (db: Db, invoice: NewRow<'invoice'>): Promise<number> =>
  addRow(db, 'invoice', invoice)

/** Voids an invoice; one that is void already stays as it is. */
export const voidInvoice = async (
  db: Db,
  { programId, invoiceId }: { programId: number; invoiceId: number },
  accountId: number,
  reason: string,
): Promise<void> => {
  await db
    .updateTable('invoice')
    .set({ voided_at: sql`now()`, voided_by: accountId, void_reason: reason })
    .where('program_id', '=', programId)
    .where('id', '=', invoiceId)
    .where('voided_at', 'is', null)
    .execute()
}
