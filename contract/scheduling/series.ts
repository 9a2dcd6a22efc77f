import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram } from '#contract/core/fields.ts'
import { maxPlacements } from './assignments.ts'
import { placementRules } from './scheduling-rules.ts'
import { maxSeriesDates } from './series-rules.ts'

/** Most groups of a series: A to Z. */
export const maxSeriesGroups = 26

const Weeks = z.number().int('must be a whole number')

/** One rule that places students for a whole rotation. */
export const SeriesInput = z
  .strictObject({
    RotationId: Id,
    /** Split evenly over the shifts in this order: with several shifts each has a group. */
    StudentIds: z.array(Id).min(1, 'needs at least one student').max(2_000),
    /** The shift of group A, of group B and on. */
    SiteShiftIds: z.array(Id).min(1, 'needs at least one shift').max(maxSeriesGroups),
    /** Who goes to another group than the even split gives; `Group` counts from 0. */
    Groups: z
      .array(
        z.strictObject({
          StudentId: Id,
          Group: z
            .number()
            .int()
            .min(0)
            .max(maxSeriesGroups - 1),
        }),
      )
      .max(2_000)
      .default([]),
    StartDate: DateOnly,
    EndDate: DateOnly.nullable().default(null),
    /** How many dates; with an end date whichever comes first. */
    Occurrences: Weeks.min(1).max(maxSeriesDates).nullable().default(null),
    Weekdays: z
      .array(z.number().int().min(0).max(6))
      .min(1, 'needs at least one weekday')
      .max(7)
      .transform((days) => [...new Set(days)].sort()),
    WeeksOn: Weeks.min(1).max(52).default(1),
    WeeksOff: Weeks.min(0).max(52).default(0),
    /** After so many weeks with dates each group goes to the next shift; 0 keeps every group where it is. */
    RotateEvery: Weeks.min(0).max(52).default(0),
    SkipsDaysOff: z.boolean().default(true),
  })
  .refine(({ EndDate, Occurrences }) => EndDate !== null || Occurrences !== null, {
    path: ['EndDate'],
    message: 'or a number of dates is required',
  })
  .refine(({ StartDate, EndDate }) => EndDate === null || StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })
  .refine(({ SiteShiftIds }) => new Set(SiteShiftIds).size === SiteShiftIds.length, {
    path: ['SiteShiftIds'],
    message: 'has a shift twice',
  })
  .refine(({ SiteShiftIds, StudentIds }) => SiteShiftIds.length <= StudentIds.length, {
    path: ['SiteShiftIds'],
    message: 'has more shifts than there are students',
  })
  .refine(({ Groups, SiteShiftIds }) => Groups.every(({ Group }) => Group < SiteShiftIds.length), {
    path: ['Groups'],
    message: 'has a group without a shift',
  })
  .refine(
    ({ Groups, StudentIds }) => {
      const chosen = new Set(StudentIds)
      return Groups.every(({ StudentId }) => chosen.delete(StudentId))
    },
    { path: ['Groups'], message: 'may name each of the students once, and nobody else' },
  )
export type SeriesInput = z.input<typeof SeriesInput>

/** One reason, and whom it concerns. */
export const SeriesFinding = z.object({
  Rule: z.enum(placementRules),
  Count: z.number().int(),
  /** By name; the message is that of the person's first date. */
  People: z.array(
    z.object({ StudentId: Id, Name: z.string(), Count: z.number().int(), Message: z.string() }),
  ),
})
export type SeriesFinding = z.infer<typeof SeriesFinding>

export const SeriesAnswer = z.object({
  Added: z.number().int(),
  /** Already there, student, shift and date: left as they are. */
  Unchanged: z.number().int(),
  /** The assignments that were made; empty for a check. */
  Ids: z.array(Id),
  Dates: z.array(DateOnly),
  Skipped: z.array(z.object({ Date: DateOnly, Name: z.string() })),
  Groups: z.array(z.object({ Name: z.string(), StudentIds: z.array(Id), SiteShiftId: Id })),
  /** What was refused, by reason. */
  Conflicts: z.array(SeriesFinding),
  /** What the program only warns about. */
  Warnings: z.array(SeriesFinding),
})
export type SeriesAnswer = z.infer<typeof SeriesAnswer>

const seriesErrors = {
  403: 'Add/Edit Disabled for faculty',
  404: 'the rotation, a shift or a student does not exist',
  422: `more than ${maxPlacements.toLocaleString('en-US')} assignments would result`,
} as const

export const checkPlacementSeries = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/series/checks',
  may: 'scheduling.assign',
  changes: false,
  summary: 'What a rule for a whole rotation would place, and what it could not and why; nothing is changed',
  params: InProgram,
  body: SeriesInput,
  answer: SeriesAnswer,
  errors: seriesErrors,
})

export const addPlacementSeries = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/series',
  may: 'scheduling.assign',
  summary:
    'Place students by one rule for a whole rotation, as far as the rules allow; what is there already stays',
  params: InProgram,
  body: SeriesInput,
  answer: SeriesAnswer,
  errors: { ...seriesErrors, 422: `${seriesErrors[422]}, or the rule gives no date` },
})
