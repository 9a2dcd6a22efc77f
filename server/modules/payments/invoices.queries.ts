import { sql } from 'kysely'
import type { Invoice } from '#contract/payments/payments.ts'
import type { Db } from '#server/core/database/pool.ts'

const invoices = (db: Db, programId: number, arrangementId: number) =>
  db.selectFrom('invoice').where('program_id', '=', programId).where('arrangement_id', '=', arrangementId)

const withColumns = (query: ReturnType<typeof invoices>) =>
  query
    .select(['id as Id', 'number as Number', 'issued_on as IssuedOn', 'counted_on as CountedOn'])
    .select(['payer_name as PayerName', 'student_count as StudentCount'])
    .select(['cents_per_student as CentsPerStudent', 'subtotal_cents as SubtotalCents', 'state as State'])
    .select(['is_exempt as IsExempt', 'tax_rate as TaxRate', 'tax_cents as TaxCents'])
    .select(['total_cents as TotalCents', 'voided_at as VoidedAt', 'void_reason as VoidReason'])

/** The invoices of an arrangement, the newest first. */
export const pageInvoices = async (
  db: Db,
  programId: number,
  arrangementId: number,
  { page, pageSize }: { page: number; pageSize: number },
) => {
  const { Total } = await invoices(db, programId, arrangementId)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items: Invoice[] = await withColumns(invoices(db, programId, arrangementId))
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const findInvoice = (
  db: Db,
  programId: number,
  arrangementId: number,
  invoiceId: number,
): Promise<Invoice | undefined> =>
  withColumns(invoices(db, programId, arrangementId))
    .where('id', '=', invoiceId)
    .executeTakeFirst()

/** Whose invoice it is, as it was issued. */
export const getInvoiceNames = (db: Db, programId: number, invoiceId: number) =>
  db
    .selectFrom('invoice')
    .select(['college_name', 'program_name', 'payer_name', 'payer_email', 'payer_address'])
    .where('program_id', '=', programId)
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow()

/**
 * The students of a program at the end of a day 'YYYY-MM-DD' there: made by then, and not yet deactivated or deleted. Only
 * who is a student now counts, for levels keep no history.
 */
export const countStudents = async (db: Db, programId: number, day: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from account a join program p on p.id = a.program_id
    cross join lateral (select (${day}::date + 1)::timestamp at time zone p.time_zone as moment) ended
    where a.program_id = ${programId} and a.access_level = 39 and a.created_at < ended.moment
      and (a.deactivated_at is null or a.deactivated_at >= ended.moment)
      and (a.deleted_at is null or a.deleted_at >= ended.moment)`.execute(db)
  return rows[0]!.count
}
