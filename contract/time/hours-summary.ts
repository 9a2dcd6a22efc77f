import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, PageOf, paging, Sort } from '#contract/core/fields.ts'
import { byChoice, byCohort, byDays, byLevels, onlyThose, queryOf } from '#contract/core/filters.ts'

/** What the projection is made of, in minutes. */
export const ProjectionParts = z.object({
  /** Approved and pending. */
  Earned: z.number().int(),
  /** Shifts assigned from now to the end. */
  Assigned: z.number().int(),
  AssignedShifts: z.number().int(),
  /** Not above 0: the assigned time times the share of shifts missed so far. */
  UsualAbsence: z.number().int(),
  AbsentDays: z.number().int(),
  PastDays: z.number().int(),
  MakeupPlanned: z.number().int(),
  MakeupDate: DateOnly.nullable(),
})
export type ProjectionParts = z.infer<typeof ProjectionParts>

/**
 * The columns of minutes. Row and sums, order, page and files follow from them; the column in SQL is the name in snake case
 * (`server/modules/time/hours.queries.ts`).
 */
export const hoursFigures = [
  { name: 'Approved', title: 'Approved' },
  { name: 'Pending', title: 'Pending' },
  /** Still owed for absences. */
  { name: 'Makeup', title: 'Makeup', longTitle: 'Makeup owed' },
  { name: 'Target', title: 'Target' },
] as const satisfies readonly { name: string; title: string; longTitle?: string }[]
export type HoursFigure = (typeof hoursFigures)[number]['name']

const figureNames = hoursFigures.map(({ name }) => name)
/** Something for each of the figures. */
export const byFigure = <V>(make: (name: HoursFigure) => V): Record<HoursFigure, V> =>
  // The keys are the names, each once.
  Object.fromEntries(figureNames.map((name) => [name, make(name)])) as Record<HoursFigure, V>
const minutes = byFigure(() => z.number().int())

/** A student's hours, all in minutes. */
export const HoursRow = z.object({
  StudentId: Id,
  Student: z.string(),
  StudentLevelId: z.number().int().nullable(),
  StudentLevel: z.string().nullable(),
  Cohort: z.string().nullable(),
  ...minutes,
  Projection: z.number().int(),
  /** Projection less target: below 0 falls short. */
  Difference: z.number().int(),
  Parts: ProjectionParts,
})
export type HoursRow = z.infer<typeof HoursRow>

export const hoursFilters = {
  area: byChoice('AreaId', 'area', '{Area}'),
  site: byChoice('SiteId', 'site', '{Site}'),
  levels: byLevels('StudentLevelIds'),
  cohort: byCohort(),
  short: onlyThose('IsShort', 'Projected', 'Projected short'),
  days: byDays('Date'),
} as const
const narrowed = {
  ...queryOf(hoursFilters),
  RotationId: Id.optional(),
  /** The rotation that runs today, as on the home page; everything where none does. */
  IsCurrent: z.boolean().optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
}
const hoursSort = Sort(['Student', 'StudentLevel', ...figureNames, 'Projection', 'Difference'])
export type HoursSort = z.infer<typeof hoursSort>
export const HoursFilters = z.strictObject(narrowed)
export type HoursFilters = z.infer<typeof HoursFilters>

export const getHoursSummary = endpoint({
  method: 'GET',
  path: '/programs/:programId/hours-summary',
  isHeavy: true,
  mayBeBehind: true,
  may: 'reports.read',
  summary: 'Hours of each student against the target, with what they will come to',
  params: InProgram,
  query: z.strictObject({ ...paging, ...narrowed, sort: hoursSort.default('Projection') }),
  answer: PageOf(HoursRow).extend({
    /** Over all students of the filter. */
    Totals: z.object({
      ...minutes,
      /** Students whose projection reaches the target. */
      Finish: z.number().int(),
    }),
    /** The rotation that is counted; null for all. */
    RotationId: Id.nullable(),
    /** The day up to which is projected. */
    EndDate: DateOnly.nullable(),
    /** Every student's projection, ascending. */
    Projections: z.array(z.number().int()),
    /** What the personal filters leave of the program; null where one is not applied. */
    PersonalFilter: z.object({
      Students: z.object({ Chosen: z.number().int(), Of: z.number().int() }).nullable(),
      Sites: z.object({ Chosen: z.number().int(), Of: z.number().int() }).nullable(),
    }),
  }),
})

export const exportHoursSummary = endpoint({
  method: 'GET',
  path: '/programs/:programId/hours-summary/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'reports.read',
  summary: 'The hours summary as a file',
  params: InProgram,
  query: z.strictObject({
    ...narrowed,
    sort: hoursSort.default('Projection'),
    Format: z.enum(['csv', 'xlsx', 'pdf']).default('xlsx'),
  }),
  answers: 'file',
})
