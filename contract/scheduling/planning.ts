import { z } from 'zod'
import { daysBetween } from '#contract/core/calendar.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, TimeOfDay } from '#contract/core/fields.ts'
import { PlacementFinding } from './assignments.ts'
import { ShiftType } from './site-shifts.ts'

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
        /** Why the student cannot be placed at all, such as "CPR expired 11/14/2026"; null when she can. */
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

/** Longest stretch of one picture, in days. */
export const maxGridDays = 190

export const getScheduleGrid = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/grid',
  isHeavy: true,
  mayBeBehind: true,
  may: 'scheduling.read',
  summary: 'The visualization: students by days, packed in columns',
  params: InProgram,
  query: z
    .strictObject({
      FromDate: DateOnly,
      ThroughDate: DateOnly,
      RotationId: Id.optional(),
      AreaId: Id.optional(),
      SiteId: Id.optional(),
      StudentLevelId: z.number().int().min(1).max(20).optional(),
    })
    .refine(({ FromDate, ThroughDate }) => FromDate <= ThroughDate, {
      path: ['ThroughDate'],
      message: 'must not be before the first day',
    })
    .refine(({ FromDate, ThroughDate }) => daysBetween(FromDate, ThroughDate) < maxGridDays, {
      path: ['ThroughDate'],
      message: `must be at most ${maxGridDays} days after the first day`,
    }),
  answer: z.object({
    FromDate: DateOnly,
    ThroughDate: DateOnly,
    Students: z.object({
      Id: z.array(Id),
      LastName: z.array(z.string()),
      FirstName: z.array(z.string()),
      StudentLevelId: z.array(z.number().int().nullable()),
    }),
    Shifts: z.object({
      Id: z.array(Id),
      Code: z.array(z.string()),
      Type: z.array(ShiftType),
      SiteId: z.array(Id),
      Site: z.array(z.string()),
      SiteCode: z.array(z.string()),
      StartTime: z.array(TimeOfDay),
      EndTime: z.array(TimeOfDay),
    }),
    /** One entry an assignment: positions in Students and Shifts, days after FromDate. */
    Cells: z.object({
      Id: z.array(Id),
      Student: z.array(z.number().int()),
      Day: z.array(z.number().int()),
      Shift: z.array(z.number().int()),
      Minutes: z.array(z.number().int()),
    }),
    /** Per day: students placed, and the places of all shifts that run. */
    Capacity: z.object({ Placed: z.array(z.number().int()), Places: z.array(z.number().int()) }),
    DaysOff: z.array(z.object({ Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })),
    Conflicts: z.array(PlacementFinding.extend({ AssignmentId: Id, Strictness: z.enum(['warn', 'block']) })),
  }),
})
