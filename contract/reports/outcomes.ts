import { z } from 'zod'
import { addDays, daysBetween } from '#contract/core/calendar.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, weekFields } from '#contract/core/fields.ts'

/** The director's home: the figures of a period, beside the one before. */

const Count = z.number().int()
const Percent = z.number().nullable()

/** Most days of a period. */
export const maxOutcomeDays = 731

const period = z
  .strictObject({
    /** The first day of the current rotation unless given, or 90 days back where none runs. */
    FromDate: DateOnly.optional(),
    /** Yesterday unless given: days that are over. */
    ThroughDate: DateOnly.optional(),
  })
  .refine(({ FromDate, ThroughDate }) => !FromDate || !ThroughDate || FromDate <= ThroughDate, {
    path: ['ThroughDate'],
    message: 'must not be before the start date',
  })
  .refine(
    ({ FromDate, ThroughDate }) =>
      !FromDate || !ThroughDate || daysBetween(FromDate, ThroughDate) < maxOutcomeDays,
    { path: ['ThroughDate'], message: 'must be within two years of the start date' },
  )

/** The period of as many days that ends where this one begins. */
export const periodBefore = ({ from, through }: { from: string; through: string }) => ({
  from: addDays(from, -(daysBetween(from, through) + 1)),
  through: addDays(from, -1),
})

const Period = z.object({
  FromDate: DateOnly,
  ThroughDate: DateOnly,
  BeforeFrom: DateOnly,
  BeforeThrough: DateOnly,
})

/** Each figure is the length or the sum of the list it leads to, with the same days. */
export const Attendance = z.object({
  Shifts: Count,
  PlannedMinutes: Count,
  ApprovedMinutes: Count,
  PendingMinutes: Count,
  AbsenceMinutes: Count,
  Absences: Count,
  /** Clock-ins more than 5 minutes after the begin of the shift. */
  Late: Count,
  /** Shifts without any record. */
  Missed: Count,
})
export type Attendance = z.infer<typeof Attendance>

/** Who reaches the required hours of a rotation, as Hours Summary projects it. */
const Completion = z.object({
  RotationId: Id,
  Name: z.string(),
  StartDate: DateOnly,
  EndDate: DateOnly,
  Students: Count,
  Reach: Count,
})

export const Outcomes = Period.extend({
  Rotations: z.array(z.object({ Id, Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })),
  Completion: Completion.extend({
    TargetMinutes: Count,
    ApprovedMinutes: Count,
    Levels: z.array(
      z.object({ LevelId: Count.nullable(), Level: z.string(), Students: Count, Reach: Count }),
    ),
    /** The rotation that ended last before it began. */
    Before: Completion.nullable(),
  }).nullable(),
  Attendance: z.object({
    Now: Attendance,
    Before: Attendance,
    Weeks: z.array(z.object({ ...weekFields, PlannedMinutes: Count, WorkedMinutes: Count })),
  }),
  Agreements: z.object({
    /** Within 30 days; those within 90 include them. */
    Urgent: Count,
    Ending: Count,
    Expired: Count,
    Next: z.array(z.object({ Id, SiteId: Id, Site: z.string(), TerminationDate: DateOnly, Days: Count })),
  }),
  /** Placement of the alumni as the Employment report counts it, the latest cohorts first. */
  Placement: z.object({
    Graduates: Count,
    Rate: Percent,
    Cohorts: z.array(z.object({ Cohort: z.string(), Graduates: Count, Field: Count, Rate: Percent })),
  }),
  /** Outcomes of the systematic plan of the current year. */
  Plan: z.object({ Year: Count, Outcomes: Count, WithResult: Count }),
})
export type Outcomes = z.infer<typeof Outcomes>

export const getOutcomes = endpoint({
  method: 'GET',
  path: '/programs/:programId/outcomes',
  mayBeBehind: true,
  may: 'outcomes.read',
  summary: 'What a period came to beside the one before: required hours, attendance, agreements, placement',
  params: InProgram,
  query: period,
  answer: Outcomes,
})

const Use = z.object({
  /** Assignments. */
  Placed: Count,
  /** What the shifts offer on their days, without days off. */
  Places: Count,
  /** Active sites without any assignment. */
  Idle: Count,
})
export const SiteUse = Period.extend({
  Active: Count,
  Now: Use,
  Before: Use,
  /** The sites with the most assignments. */
  Sites: z.array(z.object({ SiteId: Id, Site: z.string(), Placed: Count, Places: Count })),
})
export type SiteUse = z.infer<typeof SiteUse>

export const getSiteUse = endpoint({
  method: 'GET',
  path: '/programs/:programId/outcomes/site-use',
  mayBeBehind: true,
  may: 'outcomes.read',
  summary: 'How sites are used in a period: places filled against those offered, and sites left idle',
  params: InProgram,
  query: period,
  answer: SiteUse,
})

const Mean = z.object({
  Id,
  Name: z.string(),
  Answers: Count,
  Percent: z.number(),
  BeforePercent: Percent,
})
export const EvaluationMeans = Period.extend({
  Now: z.object({ Answers: Count, Percent, Low: Count }),
  Before: z.object({ Answers: Count, Percent, Low: Count }),
  Trend: z.array(z.object({ Month: z.string(), Percent })),
  /** The lowest first, at most eight of each. */
  Templates: z.array(Mean),
  Sites: z.array(Mean),
  /** Whether answers of anonymous forms wait until there are three. */
  IsHeldBack: z.boolean(),
})
export type EvaluationMeans = z.infer<typeof EvaluationMeans>

export const getEvaluationMeans = endpoint({
  method: 'GET',
  path: '/programs/:programId/outcomes/evaluations',
  mayBeBehind: true,
  may: 'outcomes.read',
  summary: 'What evaluations of a period come to by template and site, beside the period before',
  params: InProgram,
  query: period,
  answer: EvaluationMeans,
})
