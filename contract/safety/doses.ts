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
const filters = { Show: z.enum(doseFilters).optional(), search: Line(100).default('') }

export const listDoseReadings = endpoint({
  method: 'GET',
  path: '/programs/:programId/dose-readings',
  class: 'health',
  may: 'doses.read',
  summary: 'Readings of dosimeters, the newest first',
  params: InProgram,
  query: z.strictObject({ ...filters, ...paging }),
  answer: PageOf(DoseReading).extend({
    /** There are more than `Total`. */
    IsTotalCapped: z.boolean(),
  }),
})

export const exportDoseReadings = endpoint({
  method: 'GET',
  path: '/programs/:programId/dose-readings/export',
  class: 'health',
  proof: 'file',
  may: 'doses.read',
  isHeavy: true,
  mayBePrepared: true,
  summary: 'Readings of dosimeters as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

const EnteredDose = z.number().int().min(0).max(100_000).nullable()
const entered = { Deep: EnteredDose, Lens: EnteredDose, Shallow: EnteredDose }
const oneReading = z.strictObject({ programId: Id, readingId: Id })

export const addDoseReading = endpoint({
  method: 'POST',
  path: '/programs/:programId/dose-readings',
  class: 'health',
  may: 'doses.read',
  summary: 'Enter a reading by hand, such as one of a report on paper; the student is told',
  params: InProgram,
  body: z
    .strictObject({
      StudentId: Id,
      Badge: Line(60).default(''),
      From: DateOnly,
      Through: DateOnly,
      ...entered,
    })
    .refine(({ From, Through }) => Through >= From, { path: ['Through'], error: 'lies before From' }),
  answer: DoseReading,
  errors: {
    404: 'the student is no active one of the program',
    409: 'a reading of this student, period and badge is there',
    422: 'the period has not ended yet',
  },
})

export const correctDoseReading = endpoint({
  method: 'POST',
  path: '/programs/:programId/dose-readings/:readingId/correction',
  class: 'health',
  may: 'doses.read',
  summary:
    'Correct the doses of a reading; the student reads it again, and what was above the limit is judged anew',
  params: oneReading,
  body: z.strictObject({ ...entered, Reason: RequiredLine(200) }),
  answer: DoseReading,
})

export const removeDoseReading = endpoint({
  method: 'POST',
  path: '/programs/:programId/dose-readings/:readingId/removal',
  class: 'health',
  may: 'doses.read',
  summary: 'Take a reading away that is of somebody else or was entered twice; the audit keeps it',
  params: oneReading,
  body: z.strictObject({ Reason: RequiredLine(200) }),
})

export const restoreDoseReading = endpoint({
  method: 'POST',
  path: '/programs/:programId/dose-readings/:readingId/restoration',
  class: 'health',
  may: 'doses.read',
  summary:
    'Bring a removed reading back; refused where one of the same student, period and badge is there by now',
  params: oneReading,
  answer: DoseReading,
})

export const reviewDoseReading = endpoint({
  method: 'POST',
  path: '/programs/:programId/dose-readings/:readingId/review',
  class: 'health',
  may: 'doses.read',
  summary: 'Keep what came of looking at a reading above the limit',
  params: oneReading,
  body: z.strictObject({ Note: RequiredLine(500) }),
  answer: DoseReading,
  errors: { 409: 'it was reviewed meanwhile, or is below the limit' },
})

export const listOwnDoseReadings = endpoint({
  method: 'GET',
  path: '/dose-readings/mine',
  class: 'health',
  may: 'safety.own',
  summary: 'The own readings, the newest first',
  answer: z.array(DoseReading),
})

export const acknowledgeDoseReadings = endpoint({
  method: 'POST',
  path: '/dose-readings/mine/acknowledgment',
  class: 'health',
  may: 'safety.own',
  summary: 'Say that own readings were read',
  body: z.strictObject({ Ids: z.array(Id).min(1).max(500) }),
  answer: z.object({ Acknowledged: z.number().int() }),
})
