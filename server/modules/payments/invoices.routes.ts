import { formatDate } from '#contract/core/calendar.ts'
import { paymentFailures } from '#contract/payments/failures.ts'
import * as contract from '#contract/payments/payments.ts'
import { dollars, percent, rateOn, taxOf } from '#contract/payments/payments-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type PdfTable, pdfFile } from '#server/core/files/pdf.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { todayOf } from '../programs/context.queries.ts'
import { type ArrangementRow, findArrangement } from './arrangements.queries.ts'
import { addInvoice, takeInvoiceNumber, voidInvoice } from './invoices.commands.ts'
import { countStudents, findInvoice, getInvoiceNames, pageInvoices } from './invoices.queries.ts'
import { listTaxRates } from './tax-rates.queries.ts'

const getArrangement = async (db: Db, programId: number, arrangementId: number): Promise<ArrangementRow> => {
  const arrangement = await findArrangement(db, programId, arrangementId)
  if (!arrangement) throw fail(paymentFailures.no_arrangement)
  return arrangement
}

interface OneInvoice {
  programId: number
  arrangementId: number
  invoiceId: number
}

const getInvoice = async (db: Db, at: OneInvoice): Promise<contract.Invoice> => {
  const invoice = await findInvoice(db, at.programId, at.arrangementId, at.invoiceId)
  if (!invoice) throw fail(paymentFailures.no_invoice)
  return invoice
}

/** What the students of a day cost; everything that an invoice needs has been checked. */
const sumsOf = async (db: Db, arrangement: ArrangementRow, day: string, today: string) => {
  const { StartsOn, EndsOn, State, IsExempt, CentsPerStudent } = arrangement
  if (day > today) throw fail(paymentFailures.ahead, 'CountedOn')
  if (day < StartsOn || (EndsOn !== null && day > EndsOn))
    throw EndsOn
      ? fail(
          paymentFailures.outside,
          { StartsOn: formatDate(StartsOn), EndsOn: formatDate(EndsOn) },
          'CountedOn',
        )
      : fail(paymentFailures.outside_open, { StartsOn: formatDate(StartsOn) }, 'CountedOn')
  if (IsExempt && !arrangement.Evidence) throw fail(paymentFailures.evidence_missing, 'CountedOn')
  const rate = IsExempt ? undefined : rateOn(await listTaxRates(db, State), State, day)
  if (!IsExempt && !rate) throw fail(paymentFailures.no_rate, { State, Day: formatDate(day) }, 'CountedOn')
  const TaxRate = rate?.Rate ?? 0
  const StudentCount = await countStudents(db, arrangement.ProgramId, day)
  const SubtotalCents = StudentCount * CentsPerStudent
  const TaxCents = taxOf(SubtotalCents, TaxRate)
  return {
    StudentCount,
    CentsPerStudent,
    SubtotalCents,
    State,
    IsExempt,
    TaxRate,
    TaxCents,
    TotalCents: SubtotalCents + TaxCents,
  }
}

const paper = (
  invoice: contract.Invoice,
  names: Awaited<ReturnType<typeof getInvoiceNames>>,
): Pick<PdfTable, 'title' | 'lines' | 'columns' | 'rows' | 'totals'> => ({
  title: `Invoice ${invoice.Number}${invoice.VoidedAt ? ' – VOID' : ''}`,
  lines: [
    ...(invoice.VoidedAt ? [`Void: ${invoice.VoidReason}`] : []),
    `Issued ${formatDate(invoice.IssuedOn)} for ${names.college_name} – ${names.program_name}`,
    `To ${[names.payer_name, ...names.payer_address.split(/\r?\n/), names.payer_email].filter(Boolean).join(' · ')}`,
  ],
  columns: [
    { title: 'Description' },
    { title: 'Students', isFigure: true },
    { title: 'Rate', isFigure: true },
    { title: 'Amount', isFigure: true },
  ],
  rows: [
    [
      `Students on ${formatDate(invoice.CountedOn)}`,
      invoice.StudentCount.toLocaleString('en-US'),
      dollars(invoice.CentsPerStudent),
      dollars(invoice.SubtotalCents),
    ],
    invoice.IsExempt
      ? [`Tax ${invoice.State}: exempt`, '', '', dollars(0)]
      : [`Tax ${invoice.State}`, '', percent(invoice.TaxRate), dollars(invoice.TaxCents)],
  ],
  totals: ['Total', '', '', dollars(invoice.TotalCents)],
})

export const invoiceRoutes = [
  handle(contract.listInvoices, async ({ db, params: { programId, arrangementId }, query }) => {
    await getArrangement(db, programId, arrangementId)
    return pageInvoices(db, programId, arrangementId, query)
  }),

  handle(contract.previewInvoice, async ({ db, params: { programId, arrangementId }, query }) => {
    const arrangement = await getArrangement(db, programId, arrangementId)
    return sumsOf(db, arrangement, query.CountedOn, await todayOf(db, programId))
  }),

  handle(contract.issueInvoice, async ({ db, params: { programId, arrangementId }, body, user, audit }) => {
    const arrangement = await getArrangement(db, programId, arrangementId)
    const today = await todayOf(db, programId)
    const sums = await sumsOf(db, arrangement, body.CountedOn, today)
    const number = await takeInvoiceNumber(db, Number(today.slice(0, 4)))
    const id = await addInvoice(db, {
      program_id: programId,
      arrangement_id: arrangementId,
      number,
      issued_on: today,
      counted_on: body.CountedOn,
      college_name: arrangement.College,
      program_name: arrangement.Program,
      payer_name: arrangement.PayerName,
      payer_email: arrangement.PayerEmail,
      payer_address: arrangement.PayerAddress,
      student_count: sums.StudentCount,
      cents_per_student: sums.CentsPerStudent,
      subtotal_cents: sums.SubtotalCents,
      state: sums.State,
      is_exempt: sums.IsExempt,
      tax_rate: sums.TaxRate,
      tax_cents: sums.TaxCents,
      total_cents: sums.TotalCents,
      created_by: user.Id,
    })
    audit.detail = { Number: number, CountedOn: body.CountedOn, ...sums }
    return getInvoice(db, { programId, arrangementId, invoiceId: id })
  }),

  handle(contract.voidInvoice, async ({ db, params, body, user, audit }) => {
    const before = await getInvoice(db, params)
    if (before.VoidedAt)
      throw fail(paymentFailures.void_already, { Number: before.Number, VoidReason: before.VoidReason })
    audit.detail = { Number: before.Number, Reason: body.Reason }
    await voidInvoice(db, params, user.Id, body.Reason)
    return getInvoice(db, params)
  }),

  handle(contract.downloadInvoice, async ({ db, params, user, audit }) => {
    const invoice = await getInvoice(db, params)
    const names = await getInvoiceNames(db, params.programId, params.invoiceId)
    audit.detail = { Number: invoice.Number }
    return pdfFile(invoice.Number, {
      ...paper(invoice, names),
      by: user.Name,
      at: momentIn(user.TimeZone),
    })
  }),
]
