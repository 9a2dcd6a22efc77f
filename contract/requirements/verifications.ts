import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Ids, InProgram, PageOf, paging, Sort } from '#contract/core/fields.ts'

/** 1 background checks, 2 immunizations. */
export const verificationTypes = [1, 2] as const
export type VerificationType = (typeof verificationTypes)[number]

/** Whether the page of this type exists. */
export const isVerificationType = (type: unknown): type is VerificationType => type === 1 || type === 2

/**
 * The state of a requirement today. `expired` goes before everything a vendor says; `expiring` is complete and ends within
 * 60 days; `failed` is a result that somebody has to look at.
 */
export const verificationStates = [
  'complete',
  'expiring',
  'expired',
  'missing',
  'pending',
  'failed',
  'waived',
] as const
export type VerificationState = (typeof verificationStates)[number]

/**
 * A result, or what is missing (Id null). Background checks: Item is the package; immunizations: the requirement. `Days` are
 * those until it expires, negative when it has; null without an expiry.
 */
export const VerificationRow = z.object({
  Id: Id.nullable(),
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string(),
  Vendor: z.string(),
  Item: z.string(),
  State: z.enum(verificationStates),
  Result: z.string(),
  Ordered: DateOnly.nullable(),
  Completed: DateOnly.nullable(),
  Expires: DateOnly.nullable(),
  Days: z.number().int().nullable(),
})
export type VerificationRow = z.infer<typeof VerificationRow>

/** `Complete` holds everything valid today; the three of expiry hold each other: 7 is within 30, 30 within 60. */
export const VerificationTotals = z.object({
  Complete: z.number().int(),
  Missing: z.number().int(),
  Open: z.number().int(),
  Expired: z.number().int(),
  Within60: z.number().int(),
  Within30: z.number().int(),
  Within7: z.number().int(),
})
export type VerificationTotals = z.infer<typeof VerificationTotals>

export const VerifiedStudent = VerificationTotals.extend({
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string(),
  /** The next day on which something expires, today or later. */
  NextExpiry: DateOnly.nullable(),
})
export type VerifiedStudent = z.infer<typeof VerifiedStudent>

/** What rows are shown: `open` is pending or failed, `within60` and its like expire in so many days. */
export const verificationFilters = [
  'complete',
  'missing',
  'open',
  'expired',
  'within60',
  'within30',
  'within7',
] as const
export type VerificationFilter = (typeof verificationFilters)[number]

const Type = z.number().int().min(1).max(2)
const filters = {
  Type,
  Show: z.enum(verificationFilters).optional(),
  StudentId: Id.optional(),
  StudentLevelIds: Ids.default([]),
  search: z.string().max(100).default(''),
}
const rowSort = Sort(['Student', 'Vendor', 'Item', 'State', 'Ordered', 'Completed', 'Expires'])
export const listVerifications = endpoint({
  method: 'GET',
  path: '/programs/:programId/verifications',
  may: 'verifications.read',
  summary: 'Results of background checks or immunizations, with what is missing, and totals of all that fits',
  params: InProgram,
  query: z.strictObject({ ...filters, sort: rowSort.default('Student'), ...paging }),
  answer: PageOf(VerificationRow).extend({ Totals: VerificationTotals }),
})

export const listVerifiedStudents = endpoint({
  method: 'GET',
  path: '/programs/:programId/verifications/students',
  may: 'verifications.read',
  summary: 'Each student with counts; those that have something of what is shown',
  params: InProgram,
  query: z.strictObject({
    ...filters,
    sort: Sort(['Student', 'Complete', 'Missing', 'Open', 'Expired', 'Within60', 'NextExpiry']).default(
      'Student',
    ),
    ...paging,
  }),
  answer: PageOf(VerifiedStudent).extend({ Totals: VerificationTotals }),
})

export const exportVerifications = endpoint({
  method: 'GET',
  path: '/programs/:programId/verifications/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'verifications.read',
  summary: 'Results with what is missing, as a file',
  params: InProgram,
  query: z.strictObject({
    ...filters,
    sort: rowSort.default('Student'),
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
  }),
  answers: 'file',
})

export const listOwnVerifications = endpoint({
  method: 'GET',
  path: '/verifications/mine',
  may: 'signed-in',
  summary: 'The own results of background checks or immunizations, with what is missing',
  query: z.strictObject({ Type }),
  answer: z.object({ Items: z.array(VerificationRow), Totals: VerificationTotals }),
})
