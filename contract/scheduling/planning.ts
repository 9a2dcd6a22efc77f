import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram } from '#contract/core/fields.ts'

/** Why a day of the shift takes nobody, whoever it is. */
export const DayState = z.enum([
  'open',
  'full',
  'shift_dates',
  'shift_weekday',
  'rotation_dates',
  'program_dates',
  'day_off',
])
export type DayState = z.infer<typeof DayState>

export const getPlacementPlan = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/planning',
  may: 'scheduling.assign',
  summary: 'What the Add/Remove dialog shows for a rotation, a shift and a month',
  params: InProgram,
  query: z.strictObject({
    RotationId: Id,
    SiteShiftId: Id.optional(),
    Month: z.string().regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, 'must be a month YYYY-MM'),
  }),
  answer: z.object({
    /** Every day of the month; empty while no shift is chosen. */
    Days: z.array(
      z.object({
        Date: DateOnly,
        Placed: z.number().int(),
        Capacity: z.number().int(),
        State: DayState,
        /** What the state means, in words; null when open. */
        Message: z.string().nullable(),
        /** The program blocks it, or only warns. */
        IsBlocked: z.boolean(),
      }),
    ),
    Students: z.array(
      z.object({
        Id,
        LastName: z.string(),
        FirstName: z.string(),
        StudentLevelId: z.number().int().nullable(),
        StudentLevel: z.string().nullable(),
        /** Assignments in the rotation. */
        Days: z.number().int(),
        /** Why the student cannot be placed at all, such as "CPR expired 11/14/2026"; null when they can. */
        Refusal: z.string().nullable(),
      }),
    ),
    /** Who is placed in the rotation in this month: packed, one entry an assignment. */
    Assigned: z.object({
      Ids: z.array(Id),
      StudentIds: z.array(Id),
      SiteShiftIds: z.array(Id),
      Dates: z.array(DateOnly),
    }),
  }),
})
