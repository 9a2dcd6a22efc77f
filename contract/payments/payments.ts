import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  InProgram,
  Instant,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
} from '#contract/core/fields.ts'
import { maxDocumentFileBytes } from '#contract/documents/documents-rules.ts'
import { arrangementStandings, payers, states } from './payments-rules.ts'

const State = z.enum(states as [string, ...string[]])
const Cents = z.number().int()
const oneArrangement = z.strictObject({ programId: Id, arrangementId: Id })
const oneInvoice = oneArrangement.extend({ invoiceId: Id })

/** The tax of a state from a day on; thousandths of a percent. */
export const TaxRate = z.object({ Id, State: z.string(), StartsOn: DateOnly, Rate: z.number().int() })
export type TaxRate = z.infer<typeof TaxRate>

const TaxRateInput = z.strictObject({
  State,
  StartsOn: DateOnly,
  Rate: z.number().int().min(0).max(100_000),
})

export const listTaxRates = endpoint({
  method: 'GET',
  path: '/tax-rates',
  may: 'payments.manage',
  summary: 'The tax rates of all states with the days they begin, by state, the newest first',
  answer: z.array(TaxRate),
})

export const createTaxRate = endpoint({
  method: 'POST',
  path: '/tax-rates',
  may: 'payments.manage',
  summary: 'Add the tax rate of a state from a day on',
  body: TaxRateInput,
  answer: TaxRate,
  errors: { 409: 'the state has a rate from that day on' },
})

export const updateTaxRate = endpoint({
  method: 'POST',
  path: '/tax-rates/:rateId',
  may: 'payments.manage',
  summary: 'Correct a tax rate; invoices that were issued keep theirs',
  params: z.strictObject({ rateId: Id }),
  body: TaxRateInput,
  answer: TaxRate,
  errors: { 409: 'the state has a rate from that day on' },
  basis: { read: listTaxRates, item: 'rateId' },
})

export const deleteTaxRate = endpoint({
  method: 'DELETE',
  path: '/tax-rates/:rateId',
  may: 'payments.manage',
  summary: 'Delete a tax rate; invoices that were issued keep theirs',
  params: z.strictObject({ rateId: Id }),
})

const StoredFile = z.object({
  Name: z.string(),
  ByteCount: z.number().int(),
  Date: Instant,
  Url: z.string(),
})

/** What a program pays for its students, and who pays it. */
export const Arrangement = z.object({
  Id,
  ProgramId: Id,
  Program: z.string(),
  College: z.string(),
  Payer: z.enum(payers),
  PayerName: z.string(),
  PayerEmail: z.string(),
  PayerAddress: z.string(),
  CentsPerStudent: Cents,
  State: z.string(),
  IsExempt: z.boolean(),
  /** The evidence of the exemption. */
  Evidence: StoredFile.nullable(),
  StartsOn: DateOnly,
  EndsOn: DateOnly.nullable(),
  Notes: z.string(),
  Standing: z.enum(arrangementStandings),
  InvoiceCount: z.number().int(),
  /** Of the invoices that are not void. */
  InvoicedCents: Cents,
})
export type Arrangement = z.infer<typeof Arrangement>

export const ArrangementInput = z
  .strictObject({
    Payer: z.enum(payers),
    PayerName: RequiredLine(255),
    PayerEmail: z.union([z.literal(''), Email]).default(''),
    PayerAddress: Text(500).default(''),
    CentsPerStudent: Cents.min(0).max(10_000_000),
    State,
    IsExempt: z.boolean().default(false),
    StartsOn: DateOnly,
    EndsOn: DateOnly.nullable().default(null),
    Notes: Text(2000).default(''),
  })
  .refine(({ StartsOn, EndsOn }) => !EndsOn || StartsOn <= EndsOn, {
    path: ['EndsOn'],
    message: 'must not be before the first day',
  })
export type ArrangementInput = z.input<typeof ArrangementInput>
export type ArrangementValues = z.output<typeof ArrangementInput>

export const listArrangements = endpoint({
  method: 'GET',
  path: '/payment-arrangements',
  may: 'payments.read',
  summary: 'A page of the payment arrangements: of the own program, for super admins of all',
  query: z.strictObject({
    ...paging,
    /** College, program or payer. */
    search: z.string().max(100).default(''),
    ProgramId: Id.optional(),
    Standing: z.enum(arrangementStandings).optional(),
    sort: Sort(['College', 'Program', 'PayerName', 'StartsOn', 'CentsPerStudent']).default('College'),
  }),
  answer: PageOf(Arrangement),
})

export const getArrangement = endpoint({
  method: 'GET',
  path: '/programs/:programId/payment-arrangements/:arrangementId',
  may: 'payments.read',
  summary: 'One payment arrangement',
  params: oneArrangement,
  answer: Arrangement,
})

export const createArrangement = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements',
  may: 'payments.manage',
  summary: 'Add a payment arrangement to a program',
  params: InProgram,
  body: ArrangementInput,
  answer: Arrangement,
})

export const updateArrangement = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements/:arrangementId',
  may: 'payments.manage',
  summary: 'Change a payment arrangement; invoices that were issued stay as they are',
  params: oneArrangement,
  body: ArrangementInput,
  answer: Arrangement,
  basis: { read: getArrangement },
})

export const deleteArrangement = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/payment-arrangements/:arrangementId',
  may: 'payments.manage',
  summary: 'Delete a payment arrangement without invoices; it can be restored',
  params: oneArrangement,
  errors: { 409: 'it has invoices' },
})

export const restoreArrangement = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements/:arrangementId/restoration',
  may: 'payments.manage',
  summary: 'Bring a deleted payment arrangement back',
  params: oneArrangement,
  answer: Arrangement,
})

export const saveEvidence = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements/:arrangementId/evidence',
  may: 'payments.read',
  summary:
    'Upload the evidence of Tax Exemption: as file a PDF, picture, text or office file of at most 20 MiB',
  params: oneArrangement,
  takes: 'multipart',
  bodyLimit: maxDocumentFileBytes,
  answer: Arrangement,
  errors: {
    413: 'the file is larger than 20 MiB',
    415: 'the content of the file is of no accepted type',
    422: 'the arrangement is not exempt',
  },
})

export const deleteEvidence = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/payment-arrangements/:arrangementId/evidence',
  may: 'payments.manage',
  summary: 'Take the evidence of Tax Exemption away',
  params: oneArrangement,
})

export const downloadEvidence = endpoint({
  method: 'GET',
  path: '/programs/:programId/payment-arrangements/:arrangementId/evidence',
  may: 'payments.read',
  summary: 'The evidence of Tax Exemption',
  params: oneArrangement,
  answers: 'file',
})

export const answerEvidenceQuestion = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements/:arrangementId/evidence-question',
  may: 'payments.read',
  summary:
    'Remember that the caller was asked for the evidence of Tax Exemption: NewArrangementId names it no more',
  params: oneArrangement,
})

const sums = {
  StudentCount: z.number().int(),
  CentsPerStudent: Cents,
  SubtotalCents: Cents,
  State: z.string(),
  IsExempt: z.boolean(),
  /** Thousandths of a percent; 0 when exempt. */
  TaxRate: z.number().int(),
  TaxCents: Cents,
  TotalCents: Cents,
}

/** An invoice as it was issued; only its being void is added later. */
export const Invoice = z.object({
  Id,
  Number: z.string(),
  IssuedOn: DateOnly,
  CountedOn: DateOnly,
  PayerName: z.string(),
  ...sums,
  VoidedAt: Instant.nullable(),
  VoidReason: z.string(),
})
export type Invoice = z.infer<typeof Invoice>

const countRefused = {
  422: 'the day lies ahead or outside the arrangement, the evidence is missing, or the state has no tax rate',
} as const

export const listInvoices = endpoint({
  method: 'GET',
  path: '/programs/:programId/payment-arrangements/:arrangementId/invoices',
  may: 'payments.read',
  summary: 'A page of the invoices of an arrangement, the newest first',
  params: oneArrangement,
  query: z.strictObject(paging),
  answer: PageOf(Invoice),
})

export const previewInvoice = endpoint({
  method: 'GET',
  path: '/programs/:programId/payment-arrangements/:arrangementId/invoice-preview',
  may: 'payments.manage',
  summary: 'What an invoice for the students of a day would say',
  params: oneArrangement,
  query: z.strictObject({ CountedOn: DateOnly }),
  answer: z.object(sums),
  errors: countRefused,
})

export const issueInvoice = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements/:arrangementId/invoices',
  may: 'payments.manage',
  summary: 'Issue an invoice for the students of a day; it gets the next number and is never changed',
  params: oneArrangement,
  body: z.strictObject({ CountedOn: DateOnly }),
  answer: Invoice,
  errors: countRefused,
})

export const voidInvoice = endpoint({
  method: 'POST',
  path: '/programs/:programId/payment-arrangements/:arrangementId/invoices/:invoiceId/void',
  may: 'payments.manage',
  summary: 'Void an invoice for a reason; it keeps its number',
  params: oneInvoice,
  body: z.strictObject({ Reason: RequiredLine(500) }),
  answer: Invoice,
  errors: { 409: 'it is void already' },
})

export const downloadInvoice = endpoint({
  method: 'GET',
  path: '/programs/:programId/payment-arrangements/:arrangementId/invoices/:invoiceId/pdf',
  isHeavy: true,
  may: 'payments.read',
  summary: 'An invoice as PDF',
  params: oneInvoice,
  answers: 'file',
  fileTypes: ['pdf'],
})
