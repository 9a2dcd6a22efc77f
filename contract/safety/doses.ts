import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredLine,
} from '#contract/core/fields.ts'

const Dose = z.number().int().nullable()

/** A reading of a dosimeter; doses in mrem, null where the vendor gives none. */
export const DoseReading = z.object({
  Id,
  StudentId: Id,
  Student: z.string(),
  Badge: z.string(),
  From: DateOnly,
  Through: DateOnly,
  Deep: Dose,
  Lens: Dose,
  Shallow: Dose,
  /** The deep dose of the calendar year through this reading. */
  YearDeep: z.number().int(),
  AcknowledgedAt: Instant.nullable(),
  /** At or above the program's limit when it came. */
  IsOver: z.boolean(),
  ReviewedAt: Instant.nullable(),
  ReviewedBy: z.string().nullable(),
  ReviewNote: z.string(),
})
export type DoseReading = z.infer<typeof DoseReading>

export const doseFilters = ['toReview', 'unread'] as const
const filters = { Show: z.enum(doseFilters).optional(), Search: Line(100).default('') }

export const listDoseReadings = endpoint({
  method: 'GET',
  path: '/programs/:programId/dose-readings',
  may: 'doses.read',
  summary: 'Readings of dosimeters, the newest first',
  params: InProgram,
  query: z.strictObject({ ...filters, ...paging }),
  answer: PageOf(DoseReading),
})

export const exportDoseReadings = endpoint({
  method: 'GET',
  path: '/programs/:programId/dose-readings/export',
  may: 'doses.read',
  isHeavy: true,
  mayBePrepared: true,
  summary: 'Readings of dosimeters as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

export const reviewDoseReading = endpoint({
  method: 'POST',
  path: '/programs/:programId/dose-readings/:readingId/review',
  may: 'doses.read',
  summary: 'Keep what came of looking at a reading above the limit',
  params: z.strictObject({ programId: Id, readingId: Id }),
  body: z.strictObject({ Note: RequiredLine(500) }),
  answer: DoseReading,
  errors: { 409: 'it was reviewed meanwhile, or is below the limit' },
})

export const listOwnDoseReadings = endpoint({
  method: 'GET',
  path: '/dose-readings/mine',
  may: 'safety.own',
  summary: 'The own readings, the newest first',
  answer: z.array(DoseReading),
})

export const acknowledgeDoseReadings = endpoint({
  method: 'POST',
  path: '/dose-readings/mine/acknowledgment',
  may: 'safety.own',
  summary: 'Say that own readings were read',
  body: z.strictObject({ Ids: z.array(Id).min(1).max(500) }),
  answer: z.object({ Acknowledged: z.number().int() }),
})
