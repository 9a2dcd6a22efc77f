import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Ids, InProgram } from '#contract/core/fields.ts'
import { Kind } from './requirement-fields.ts'
import { states } from './requirement-rules.ts'

/** Students that come with one answer. */
export const matrixPageSize = 100

export const matrixFilters = ['notReady', 'waiting', 'expiring'] as const
const filters = {
  /** The day that it is about; the program's today unless given. */
  On: DateOnly.optional(),
  Show: z.enum(matrixFilters).optional(),
  RequirementId: Id.optional(),
  StudentLevelIds: Ids.default([]),
  Cohort: z.string().max(100).optional(),
  search: z.string().max(100).default(''),
}

export const MatrixColumn = z.object({
  Id,
  Name: z.string(),
  Kind,
  BlocksPlacement: z.boolean(),
})

/** One sign for each state, in the order of `states`; `-` is nothing that applies to the student. */
export const stateSigns = 'mrxseiawn'
export const signOf = (state: (typeof states)[number]): string => stateSigns[states.indexOf(state)] ?? '-'
export const stateOfSign = (sign: string): (typeof states)[number] | undefined =>
  states[stateSigns.indexOf(sign)]

/**
 * Students with a sign for each column: a page of a hundred has two thousand cells, so they come packed. `Ends` are the days from `On`
 * until each ends, by commas, empty where it has no end. Who may only know whether something is met gets `a` and `m`, and no ends.
 */
export const MatrixRow = z.object({
  Id,
  Student: z.string(),
  StudentLevel: z.string(),
  Cohort: z.string(),
  States: z.string(),
  Ends: z.string(),
  /** What the sites of their shifts from the day on ask besides, and is not met. */
  AtSites: z.array(z.object({ RequirementId: Id, Name: z.string(), Site: z.string() })),
})
export type MatrixRow = z.infer<typeof MatrixRow>

export const getMatrix = endpoint({
  method: 'GET',
  path: '/programs/:programId/requirement-matrix',
  may: 'requirements.status',
  summary:
    'Students and requirements on a day, a page of students at a time; supervisors see those with shifts at their sites',
  params: InProgram,
  query: z.strictObject({
    ...filters,
    /** `Next` of the page before. */
    After: z.string().max(400).optional(),
  }),
  answer: z.object({
    On: DateOnly,
    Columns: z.array(MatrixColumn),
    Rows: z.array(MatrixRow),
    /** Of all pages; null on later pages. */
    Total: z.number().int().nullable(),
    Next: z.string().nullable(),
  }),
})

export const exportMatrix = endpoint({
  method: 'GET',
  path: '/programs/:programId/requirement-matrix/export',
  proof: 'file',
  may: 'requirements.status',
  isHeavy: true,
  mayBePrepared: true,
  summary: 'Students and requirements on a day as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

/** How many of those who begin at a site in a rotation are ready on their first day there. */
export const ForecastRow = z.object({
  RotationId: Id,
  Rotation: z.string(),
  SiteId: Id,
  Site: z.string(),
  FirstDate: DateOnly,
  Students: z.number().int(),
  Ready: z.number().int(),
  /** Who is not, with the first thing that is missing; at most ten. */
  Open: z.array(z.object({ StudentId: Id, Student: z.string(), Date: DateOnly, Missing: z.string() })),
  /** What does not block placement and is not met on that day either: of how many students, and which requirements. */
  Advised: z.object({ Students: z.number().int(), Names: z.array(z.string()) }),
})
export type ForecastRow = z.infer<typeof ForecastRow>

export const getForecast = endpoint({
  method: 'GET',
  path: '/programs/:programId/requirement-forecast',
  may: 'requirements.review',
  isHeavy: true,
  summary: 'Who will be ready for the first day at each site of the rotations ahead',
  params: InProgram,
  query: z.strictObject({ RotationId: Id.optional() }),
  answer: z.object({ Items: z.array(ForecastRow) }),
})
