import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Line, PageOf, paging, Sort } from '#contract/core/fields.ts'
import { RatePerson } from '#contract/graduates/effectiveness.ts'
import { measureKinds, populations, successes } from '#contract/graduates/measures-rules.ts'

/** What a person does after the program: work in its field, other work, or none for a reason. */
export const employmentStatuses = [
  'field',
  'other',
  'seeking',
  'education',
  'military',
  'notSeeking',
] as const
export const EmploymentStatus = z.enum(employmentStatuses)
export type EmploymentStatus = z.infer<typeof EmploymentStatus>

/** Whether the status is about a job, so that there is an employer to name. */
export const hasEmployer = (status: string): boolean => status === 'field' || status === 'other'

const Job = {
  Status: EmploymentStatus,
  Employer: Line(255),
  Position: Line(255),
  StartDate: DateOnly.nullable(),
  /** What was earned, such as 'ARRT (R)'. */
  Credential: Line(255),
  /** The program may write to the employer and to the person about it. */
  MayContact: z.boolean(),
}

const jobFields = ['Status', 'Employer', 'Position', 'StartDate', 'Credential', 'MayContact'] as const

/** Employment information of a student or an alumnus. The employer is required where there is one. */
export const EmploymentInput = z.strictObject(Job).superRefine(({ Status, Employer }, context) => {
  if (hasEmployer(Status) && !Employer)
    context.addIssue({ code: 'custom', path: ['Employer'], message: 'This field is required' })
})
export type EmploymentInput = z.infer<typeof EmploymentInput>

export const Employment = z.object({
  Status: EmploymentStatus,
  Employer: z.string(),
  Position: z.string(),
  StartDate: DateOnly.nullable(),
  Credential: z.string(),
  MayContact: z.boolean(),
  UpdatedOn: DateOnly,
})
export type Employment = z.infer<typeof Employment>

/** `Employment` is null until something was entered. */
const Own = z.object({ Employment: Employment.nullable() })

export const getOwnEmployment = endpoint({
  method: 'GET',
  path: '/employment',
  may: 'employment.own',
  summary: 'The own employment information',
  answer: Own,
})

export const saveOwnEmployment = endpoint({
  method: 'POST',
  path: '/employment',
  may: 'employment.own',
  summary: 'Tell about the own employment; without a job employer, position and start are dropped',
  body: EmploymentInput,
  answer: Own,
  basis: {
    read: getOwnEmployment,
    elsewhere: Object.fromEntries(
      jobFields.map((name) => [name, ({ Employment: own }: z.infer<typeof Own>) => own?.[name]]),
    ),
  },
})

const counts = {
  /** Alumni, also those whose access has ended. */
  Graduates: z.number().int(),
  Field: z.number().int(),
  Other: z.number().int(),
  Seeking: z.number().int(),
  Education: z.number().int(),
  Military: z.number().int(),
  NotSeeking: z.number().int(),
  /** Told nothing yet. */
  Unknown: z.number().int(),
  /**
   * By the placement measure of the program's effectiveness, as accreditors count: whoever works in the field among those who could,
   * within twelve months of graduating unless the program says otherwise. Of whom nothing is known counts once that time is over.
   */
  Rate: z.number().nullable(),
  /** Of those counted in the rate. */
  Placed: z.number().int(),
  Counted: z.number().int(),
}

/** The placement of one cohort; '' is people without one. */
export const PlacementRow = z.object({ Cohort: z.string(), ...counts })
export type PlacementRow = z.infer<typeof PlacementRow>
export const PlacementTotals = z.object(counts)
export type PlacementTotals = z.infer<typeof PlacementTotals>

const PlacementMeasure = z.object({
  Kind: z.enum(measureKinds),
  Success: z.enum(successes.placement),
  Population: z.enum(populations.placement),
  WithinMonths: z.number().int().nullable(),
})
export type PlacementMeasure = z.infer<typeof PlacementMeasure>

export const listPlacementRates = endpoint({
  method: 'GET',
  path: '/programs/:programId/employment/rates',
  may: 'reports.read',
  summary: 'Placement of the alumni by cohort, the latest first, and of all',
  params: InProgram,
  answer: z.object({
    Rows: z.array(PlacementRow),
    Totals: PlacementTotals,
    /** The measure of the program's effectiveness that says who counts. */
    Measure: PlacementMeasure,
  }),
})

export const listPlacementPeople = endpoint({
  method: 'GET',
  path: '/programs/:programId/employment/rates/people',
  may: 'reports.read',
  summary: 'Who counts in the placement rate of a cohort, or of all, who does not, and why',
  params: InProgram,
  query: z.strictObject({ Cohort: z.string().max(100).optional() }),
  answer: z.array(RatePerson),
})

/** A student or an alumnus with what was entered; null fields: nothing yet. */
export const EmploymentRow = z.object({
  UserId: Id,
  Name: z.string(),
  EmailAddress: z.string(),
  IsAlumnus: z.boolean(),
  Cohort: z.string(),
  Status: EmploymentStatus.nullable(),
  Employer: z.string(),
  Position: z.string(),
  StartDate: DateOnly.nullable(),
  Credential: z.string(),
  MayContact: z.boolean(),
  UpdatedOn: DateOnly.nullable(),
})
export type EmploymentRow = z.infer<typeof EmploymentRow>

const people = {
  /** A cohort; '' people without one. */
  Cohort: z.string().max(100).optional(),
  /** 'none': nothing entered yet. */
  Status: z.enum([...employmentStatuses, 'none']).optional(),
  /** Students are asked as soon as they have something to tell; alumni count for the rates. */
  Who: z.enum(['alumni', 'students']).default('alumni'),
  search: z.string().max(100).default(''),
  sort: Sort(['Name', 'Cohort', 'Status', 'Employer', 'StartDate', 'UpdatedOn']).default('Name'),
}
const filter = z.strictObject(people)
export type EmploymentFilter = z.infer<typeof filter>

export const listEmployment = endpoint({
  method: 'GET',
  path: '/programs/:programId/employment',
  may: 'reports.read',
  summary: 'Alumni or students with their employment',
  params: InProgram,
  query: z.strictObject({ ...people, ...paging }),
  answer: PageOf(EmploymentRow),
})

export const exportEmployment = endpoint({
  method: 'GET',
  path: '/programs/:programId/employment/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'reports.read',
  summary: 'The rates by cohort, or the people, as a file',
  params: InProgram,
  query: z.strictObject({
    ...people,
    By: z.enum(['cohort', 'person']).default('cohort'),
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
  }),
  answers: 'file',
})
