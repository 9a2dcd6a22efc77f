import { z } from 'zod'
import { daysBetween } from '#contract/core/calendar.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, TimeOfDay } from '#contract/core/fields.ts'
import { PlacementFinding } from './assignments.ts'
import { ShiftType } from './site-shifts.ts'

/** Longest stretch of one picture, in days. */
export const maxGridDays = 190

/** Students that a page of the picture has unless asked otherwise. */
export const gridPageSize = 60

/** Conflicts are listed up to here, the worst first; all are counted. */
export const maxListedConflicts = 500

const filters = {
  FromDate: DateOnly,
  ThroughDate: DateOnly,
  RotationId: Id.optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
}

type Dates = { FromDate: string; ThroughDate: string }

const isInOrder = ({ FromDate, ThroughDate }: Dates): boolean => FromDate <= ThroughDate
const isShortEnough = ({ FromDate, ThroughDate }: Dates): boolean =>
  daysBetween(FromDate, ThroughDate) < maxGridDays

const notInOrder = { path: ['ThroughDate'], message: 'must not be before the first day' }
const tooLong = { path: ['ThroughDate'], message: `must be at most ${maxGridDays} days after the first day` }

const GridFilters = z.strictObject(filters).refine(isInOrder, notInOrder).refine(isShortEnough, tooLong)

const Conflict = PlacementFinding.extend({ AssignmentId: Id, Strictness: z.enum(['warn', 'block']) })

export const getScheduleDays = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/grid/days',
  mayBeBehind: true,
  may: 'scheduling.read',
  summary: 'The head of the visualization: how many students it has, and what each day holds',
  params: InProgram,
  query: GridFilters,
  answer: z.object({
    StudentCount: z.number().int(),
    /** Per day: students placed, and the places of all shifts that run. */
    Capacity: z.object({ Placed: z.array(z.number().int()), Places: z.array(z.number().int()) }),
    DaysOff: z.array(z.object({ Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })),
  }),
})

export const getScheduleGrid = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/grid',
  mayBeBehind: true,
  may: 'scheduling.read',
  summary: 'The visualization: a page of students by days, packed in columns',
  params: InProgram,
  query: z
    .strictObject({
      ...filters,
      /** Students before this page, in the order of names. */
      Offset: z.number().int().min(0).max(1_000_000).default(0),
      Limit: z.number().int().min(1).max(200).default(gridPageSize),
    })
    .refine(isInOrder, notInOrder)
    .refine(isShortEnough, tooLong),
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
    /** Of the students of this page. */
    Conflicts: z.array(Conflict),
  }),
})

export const listScheduleConflicts = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/grid/conflicts',
  isHeavy: true,
  mayBeBehind: true,
  may: 'scheduling.read',
  summary: 'The conflicts of the whole visualization: what the program refuses first, then by date',
  params: InProgram,
  query: GridFilters,
  answer: z.object({
    Count: z.number().int(),
    /** The first of them, up to `maxListedConflicts`. */
    Items: z.array(
      Conflict.extend({
        /** The name of the student, and where they are in the order of names. */
        Student: z.string(),
        Row: z.number().int(),
      }),
    ),
  }),
})
