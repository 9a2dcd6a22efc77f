import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  IdOrNew,
  Ids,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
  SeenRows,
  Sort,
  Text,
  Written,
} from '#contract/core/fields.ts'
import { maxDocumentFileBytes } from '#contract/documents/documents-rules.ts'
import { agreementFilters, agreementStandings } from './agreements-rules.ts'

const AgreementContact = z.object({
  Name: z.string(),
  Role: z.string(),
  Email: z.string(),
  Phone: z.string(),
})
export type AgreementContact = z.infer<typeof AgreementContact>

/** The affiliation agreement of a program with a site. */
export const AffiliateAgreement = z.object({
  Id,
  SiteId: Id,
  Site: z.string(),
  Area: z.string().nullable(),
  InitialDate: DateOnly.nullable(),
  LastRenewalDate: DateOnly.nullable(),
  Terms: z.string(),
  IsActive: z.boolean(),
  IsApproved: z.boolean(),
  /** Null has no end. */
  TerminationDate: DateOnly.nullable(),
  Standing: z.enum(agreementStandings),
  /** Until the end, negative after it. */
  Days: z.number().int().nullable(),
  /** Students at a time that the site agreed to; null is not limited. */
  Capacity: z.number().int().nullable(),
  Contacts: z.array(AgreementContact),
  Notes: z.string(),
  File: z
    .object({
      Name: z.string(),
      MediaType: z.string(),
      ByteCount: z.number().int(),
      Date: Instant,
      Url: z.string(),
    })
    .nullable(),
  ModDate: Instant,
  /** User name of whoever changed it last. */
  ModBy: z.string(),
})
export type AffiliateAgreement = z.infer<typeof AffiliateAgreement>

const one = z.strictObject({ programId: Id, agreementId: Id })

const contact = {
  Name: Written('name', RequiredLine(255)),
  Role: Line(100).default(''),
  Email: z.union([z.literal(''), Email]).default(''),
  Phone: Written('phone', Line(50)).default(''),
}

export const AgreementInput = z
  .strictObject({
    Id: IdOrNew.optional(),
    SiteId: Id,
    InitialDate: DateOnly.nullable().default(null),
    LastRenewalDate: DateOnly.nullable().default(null),
    Terms: Line(255).default(''),
    IsActive: z.boolean().default(true),
    IsApproved: z.boolean().default(false),
    TerminationDate: DateOnly.nullable().default(null),
    Capacity: z.number().int().min(0).max(100_000).nullable().default(null),
    Contacts: z.array(z.strictObject(contact)).max(20).default([]),
    /** A contact goes that was seen and is not sent. */
    Seen: z.strictObject({ Contacts: SeenRows(contact) }).optional(),
    Notes: Text(2000).default(''),
    /** Takes the file away; a file that is sent takes its place anyway. */
    RemovesFile: z.boolean().default(false),
  })
  .refine(
    ({ InitialDate, TerminationDate }) => !InitialDate || !TerminationDate || InitialDate <= TerminationDate,
    { path: ['TerminationDate'], message: 'must not be before the initial date' },
  )
  .refine(
    ({ InitialDate, LastRenewalDate }) => !InitialDate || !LastRenewalDate || InitialDate <= LastRenewalDate,
    { path: ['LastRenewalDate'], message: 'must not be before the initial date' },
  )
export type AgreementInput = z.input<typeof AgreementInput>
export type AgreementValues = z.output<typeof AgreementInput>

const parts = z.strictObject({ agreement: AgreementInput })
const refused = {
  413: 'the file is larger than 20 MiB',
  415: 'the content of the file is of no accepted type',
  422: 'the site does not exist',
} as const

const filter = {
  /** Site, terms or notes. */
  search: z.string().max(100).default(''),
  AreaIds: Ids.optional(),
  SiteId: Id.optional(),
  /** Of these sites alone. */
  SiteIds: Ids.optional(),
  /** One that ends within 30 days ends within 90 too, and both are in force. */
  Standing: z.enum(agreementFilters).optional(),
  sort: Sort(['Site', 'InitialDate', 'LastRenewalDate', 'TerminationDate']).default('Site'),
}

export const listAgreements = endpoint({
  method: 'GET',
  path: '/programs/:programId/affiliate-agreements',
  may: 'agreements.manage',
  summary: 'A page of the affiliation agreements',
  params: InProgram,
  query: z.strictObject({ ...filter, ...paging }),
  answer: PageOf(AffiliateAgreement),
})

export const exportAgreements = endpoint({
  method: 'GET',
  path: '/programs/:programId/affiliate-agreements/export',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'agreements.manage',
  summary: 'The filtered affiliation agreements as a file',
  params: InProgram,
  query: z.strictObject({ ...filter, Format: z.enum(['xlsx', 'csv', 'pdf']).default('xlsx') }),
  answers: 'file',
})

export const getAgreement = endpoint({
  method: 'GET',
  path: '/programs/:programId/affiliate-agreements/:agreementId',
  may: 'agreements.manage',
  summary: 'One affiliation agreement',
  params: one,
  answer: AffiliateAgreement,
})

export const createAgreement = endpoint({
  method: 'POST',
  path: '/programs/:programId/affiliate-agreements',
  may: 'agreements.manage',
  summary:
    'Add an agreement: the part agreement, and as file a PDF, picture, text or office file of at most 20 MiB',
  params: InProgram,
  body: parts,
  takes: 'multipart',
  bodyLimit: maxDocumentFileBytes,
  answer: AffiliateAgreement,
  errors: refused,
})

export const updateAgreement = endpoint({
  method: 'POST',
  path: '/programs/:programId/affiliate-agreements/:agreementId',
  may: 'agreements.manage',
  summary: 'Change an agreement; without a file the one it has stays, unless it is removed',
  params: one,
  body: parts,
  takes: 'multipart',
  bodyLimit: maxDocumentFileBytes,
  answer: AffiliateAgreement,
  errors: refused,
  basis: { read: getAgreement, rows: { 'agreement.Contacts': ['Name'] } },
})

export const renewAgreement = endpoint({
  method: 'POST',
  path: '/programs/:programId/affiliate-agreements/:agreementId/renewals',
  may: 'agreements.manage',
  summary: 'Move the dates of an agreement by a term, or to the days given; it becomes active',
  params: one,
  body: z.strictObject({
    LastRenewalDate: DateOnly.optional(),
    TerminationDate: DateOnly.optional(),
  }),
  answer: AffiliateAgreement,
  errors: { 422: 'the new end is not after the old one, or before the day of the renewal' },
})

export const deleteAgreement = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/affiliate-agreements/:agreementId',
  may: 'agreements.manage',
  summary: 'Delete an agreement; it can be restored',
  params: one,
})

export const restoreAgreement = endpoint({
  method: 'POST',
  path: '/programs/:programId/affiliate-agreements/:agreementId/restoration',
  may: 'agreements.manage',
  summary: 'Bring a deleted agreement back',
  params: one,
  answer: AffiliateAgreement,
})

export const downloadAgreement = endpoint({
  method: 'GET',
  path: '/programs/:programId/affiliate-agreements/:agreementId/file',
  may: 'agreements.manage',
  summary: 'The document of an agreement',
  params: one,
  answers: 'file',
})
