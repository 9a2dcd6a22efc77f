import { z } from 'zod'
import { daysBetween } from '#contract/core/calendar.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  Ids,
  InProgram,
  Instant,
  Line,
  Minutes,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
  TimeOfDay,
} from '#contract/core/fields.ts'
import { placementRules } from './scheduling-rules.ts'
import { maxSeriesDates } from './series-rules.ts'

const search = Line(100).optional()

// Rotations ------------------------------------------------------------------------------------------------------

/** A stretch of the program in which students are placed. */
export const Rotation = z.object({
  Id,
  Name: z.string(),
  StartDate: DateOnly,
  EndDate: DateOnly,
  /** Levels and cohorts that may be placed; none means all. */
  StudentLevelIds: z.array(z.number().int()),
  Cohorts: z.array(z.string()),
  AreaIds: z.array(Id),
  /** Hours a student owes in it. */
  TargetMinutes: Minutes,
  Notes: z.string(),
  /** Assignments that are in it; above 0 it cannot be deleted. */
  AssignmentCount: z.number().int(),
})
export type Rotation = z.infer<typeof Rotation>

export const RotationInput = z
  .strictObject({
    Name: RequiredLine(100),
    StartDate: DateOnly,
    EndDate: DateOnly,
    StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).default([]),
    Cohorts: z.array(RequiredLine(100)).max(50).default([]),
    AreaIds: z.array(Id).max(500).default([]),
    TargetMinutes: Minutes.default(0),
    Notes: Text(2000).default(''),
  })
  .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })
export type RotationInput = z.input<typeof RotationInput>

const oneRotation = z.strictObject({ programId: Id, rotationId: Id })
const rotationSorts = ['Name', 'StartDate', 'EndDate', 'TargetMinutes', 'AssignmentCount'] as const

export const listRotations = endpoint({
  method: 'GET',
  path: '/programs/:programId/rotations',
  may: 'scheduling.read',
  summary: 'Rotations, newest first unless sorted otherwise',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search,
    sort: Sort(rotationSorts).default('-StartDate'),
    /** Only rotations that touch these days. */
    FromDate: DateOnly.optional(),
    ThroughDate: DateOnly.optional(),
    AreaId: Id.optional(),
    StudentLevelId: z.number().int().min(1).max(20).optional(),
  }),
  answer: PageOf(Rotation),
})

export const createRotation = endpoint({
  method: 'POST',
  path: '/programs/:programId/rotations',
  may: 'scheduling.plan',
  summary: 'Add a rotation',
  params: InProgram,
  body: RotationInput,
  answer: Rotation,
  errors: { 404: 'an area or level does not exist', 409: 'the name is taken' },
})

export const getRotation = endpoint({
  method: 'GET',
  path: '/programs/:programId/rotations/:rotationId',
  may: 'scheduling.read',
  summary: 'One rotation',
  params: oneRotation,
  answer: Rotation,
})

export const updateRotation = endpoint({
  method: 'POST',
  path: '/programs/:programId/rotations/:rotationId',
  may: 'scheduling.plan',
  summary: 'Change a rotation',
  params: oneRotation,
  body: RotationInput,
  answer: Rotation,
  errors: { 404: 'an area or level does not exist', 409: 'the name is taken' },
  basis: { read: getRotation },
})

export const deleteRotation = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/rotations/:rotationId',
  may: 'scheduling.plan',
  summary: 'Delete a rotation without assignments; it can be restored',
  params: oneRotation,
  errors: { 409: 'it has assignments; the message tells how many' },
})

export const restoreRotation = endpoint({
  method: 'POST',
  path: '/programs/:programId/rotations/:rotationId/restoration',
  may: 'scheduling.plan',
  summary: 'Bring a deleted rotation back',
  params: oneRotation,
  answer: Rotation,
  errors: { 409: 'the name has been taken in the meantime' },
})

// Site shifts ----------------------------------------------------------------------------------------------------

export const ShiftType = z.enum(['day', 'evening', 'night', 'weekend', 'other'])
export type ShiftType = z.infer<typeof ShiftType>

/** A shift that a site offers: when, on which weekdays, for how many students a day. */
export const SiteShift = z.object({
  Id,
  SiteId: Id,
  Site: z.string(),
  SiteCode: z.string(),
  Code: z.string(),
  Name: z.string(),
  Type: ShiftType,
  /** 0 is Sunday. */
  Weekdays: z.array(z.number().int()),
  /** Wall-clock times at the site; an end at or before the start lies on the next day. */
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  /** Students a day. */
  Capacity: z.number().int(),
  StartDate: DateOnly,
  EndDate: DateOnly,
  /** IANA zone of the site. */
  TimeZone: z.string(),
  /** Assignments that are on it; above 0 it cannot be deleted. */
  AssignmentCount: z.number().int(),
})
export type SiteShift = z.infer<typeof SiteShift>

export const SiteShiftInput = z
  .strictObject({
    SiteId: Id,
    Code: RequiredLine(20),
    Name: Line(100).default(''),
    Type: ShiftType,
    Weekdays: z
      .array(z.number().int().min(0).max(6))
      .min(1, 'needs at least one weekday')
      .max(7)
      .transform((days) => [...new Set(days)].sort()),
    StartTime: TimeOfDay,
    EndTime: TimeOfDay,
    Capacity: z.number().int('must be a whole number').min(0).max(10_000),
    StartDate: DateOnly,
    EndDate: DateOnly,
  })
  .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })
  .refine(({ StartTime, EndTime }) => StartTime !== EndTime, {
    path: ['EndTime'],
    message: 'must differ from the start time',
  })
export type SiteShiftInput = z.input<typeof SiteShiftInput>

const oneShift = z.strictObject({ programId: Id, siteShiftId: Id })
const shiftSorts = ['Code', 'Name', 'Site', 'Type', 'StartTime', 'Capacity', 'StartDate', 'EndDate'] as const

export const listSiteShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/site-shifts',
  may: 'scheduling.read',
  summary: 'Site shifts by code unless sorted otherwise; a supervisor sees those of her sites',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search,
    sort: Sort(shiftSorts).default('Code'),
    SiteId: Id.optional(),
    AreaId: Id.optional(),
    Type: ShiftType.optional(),
    /** Only shifts active on this day or later. */
    ActiveFrom: DateOnly.optional(),
  }),
  answer: PageOf(SiteShift),
})

export const createSiteShift = endpoint({
  method: 'POST',
  path: '/programs/:programId/site-shifts',
  may: 'scheduling.plan',
  summary: 'Add a site shift',
  params: InProgram,
  body: SiteShiftInput,
  answer: SiteShift,
  errors: { 404: 'the site does not exist', 409: 'the code is taken' },
})

export const getSiteShift = endpoint({
  method: 'GET',
  path: '/programs/:programId/site-shifts/:siteShiftId',
  may: 'scheduling.read',
  summary: 'One site shift',
  params: oneShift,
  answer: SiteShift,
})

export const updateSiteShift = endpoint({
  method: 'POST',
  path: '/programs/:programId/site-shifts/:siteShiftId',
  may: 'scheduling.plan',
  summary: 'Change a site shift; new times move the assignments from today on',
  params: oneShift,
  body: SiteShiftInput,
  answer: SiteShift,
  errors: {
    404: 'the site does not exist',
    409: 'the code is taken, more students are placed on a day than the new capacity, the shift in use would move to another site, or new times overlap',
  },
  basis: { read: getSiteShift },
})

export const deleteSiteShift = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/site-shifts/:siteShiftId',
  may: 'scheduling.plan',
  summary: 'Delete a site shift without assignments; it can be restored',
  params: oneShift,
  errors: { 409: 'it has assignments; the message tells how many' },
})

export const restoreSiteShift = endpoint({
  method: 'POST',
  path: '/programs/:programId/site-shifts/:siteShiftId/restoration',
  may: 'scheduling.plan',
  summary: 'Bring a deleted site shift back',
  params: oneShift,
  answer: SiteShift,
  errors: { 409: 'the code has been taken in the meantime' },
})

// Assignments ----------------------------------------------------------------------------------------------------

/** One student on one shift on one day. */
export const ShiftAssignment = z.object({
  Id,
  RotationId: Id,
  StudentId: Id,
  AreaId: Id.nullable(),
  SiteId: Id,
  SiteShiftId: Id,
  Rotation: z.string(),
  Date: DateOnly,
  LastName: z.string(),
  FirstName: z.string(),
  Area: z.string().nullable(),
  Site: z.string(),
  SiteCode: z.string(),
  ShiftCode: z.string(),
  ShiftType,
})
export type ShiftAssignment = z.infer<typeof ShiftAssignment>

const assignmentFilters = {
  search,
  RotationId: Id.optional(),
  StudentId: Id.optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  SiteShiftId: Id.optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  /** Only the students, sites and shifts of the caller's personal filters. */
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
  MyShifts: z.boolean().optional(),
}
export const AssignmentFilters = z.strictObject(assignmentFilters)
export type AssignmentFilters = z.infer<typeof AssignmentFilters>

export const assignmentSorts = [
  'Rotation',
  'Date',
  'LastName',
  'FirstName',
  'Area',
  'Site',
  'SiteCode',
  'ShiftCode',
  'ShiftType',
] as const
const AssignmentSort = Sort(assignmentSorts)
export type AssignmentSort = z.infer<typeof AssignmentSort>

export const listShiftAssignments = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments',
  may: 'scheduling.read',
  summary: 'Schedule assignments; a supervisor sees those at her sites',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    ...assignmentFilters,
    sort: AssignmentSort.default('Date'),
    /** `NextCursor` of the page before: deep pages cost what the first one costs. `Total` is then null. */
    cursor: z.string().max(600).optional(),
  }),
  answer: PageOf(ShiftAssignment).extend({ NextCursor: z.string().nullable() }),
})

/** A request that was refused, or placed with a warning: which rule, whom and which day it concerns. */
export const PlacementFinding = z.object({
  StudentId: Id,
  Date: DateOnly,
  Rule: z.enum(placementRules),
  Message: z.string(),
})
export type PlacementFinding = z.infer<typeof PlacementFinding>

export const PlacementAnswer = z.object({
  Added: z.number().int(),
  /** The assignments that were made or changed. */
  Ids: z.array(Id),
  Refused: z.array(PlacementFinding),
  /** Rules that the program only warns about. */
  Warnings: z.array(PlacementFinding),
})
export type PlacementAnswer = z.infer<typeof PlacementAnswer>

/** Students times dates of one call. */
export const maxPlacements = 20_000

export const PlacementInput = z
  .strictObject({
    RotationId: Id,
    SiteShiftId: Id,
    StudentIds: z.array(Id).min(1, 'needs at least one student').max(2_000),
    Dates: z.array(DateOnly).min(1, 'needs at least one date').max(400),
    AllOrNothing: z.boolean().default(false),
  })
  .refine(({ StudentIds, Dates }) => StudentIds.length * Dates.length <= maxPlacements, {
    path: ['Dates'],
    message: `This makes more than ${maxPlacements.toLocaleString('en-US')} assignments. Add them in parts.`,
  })

export const addShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments',
  may: 'scheduling.assign',
  summary: 'Place students on a shift on dates, as far as the rules allow',
  params: InProgram,
  body: PlacementInput,
  answer: PlacementAnswer,
  errors: {
    403: 'Add/Edit Disabled for faculty',
    404: 'the rotation, the shift or a student does not exist',
    422: 'AllOrNothing, and something was refused: nothing was added',
  },
})

export const checkShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/checks',
  may: 'scheduling.assign',
  changes: false,
  summary: 'What adding would answer now; nothing is changed',
  params: InProgram,
  body: PlacementInput,
  answer: PlacementAnswer,
})

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

const AssignmentIds = z.array(Id).min(1, 'needs at least one assignment').max(maxPlacements)

export const changeShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/changes',
  may: 'scheduling.assign',
  summary: 'Put assignments on another shift, as far as the rules allow',
  params: InProgram,
  body: z.strictObject({ Ids: AssignmentIds, SiteShiftId: Id, AllOrNothing: z.boolean().default(false) }),
  answer: PlacementAnswer,
  errors: { 403: 'Add/Edit Disabled for faculty', 422: 'AllOrNothing, and something was refused' },
})

export const moveShiftAssignment = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/:assignmentId/moves',
  may: 'scheduling.assign',
  summary: 'Move an assignment to another student or date, if the rules allow',
  params: z.strictObject({ programId: Id, assignmentId: Id }),
  body: z.strictObject({ StudentId: Id, Date: DateOnly }),
  answer: PlacementAnswer,
  errors: { 403: 'Add/Edit Disabled for faculty' },
})

export const removeShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/removals',
  may: 'scheduling.assign',
  summary: 'Remove assignments; they can be restored',
  params: InProgram,
  body: z.strictObject({ Ids: AssignmentIds }),
  answer: z.object({ Removed: z.number().int() }),
  errors: { 403: 'Add/Edit Disabled for faculty', 404: 'an assignment does not exist' },
})

export const restoreShiftAssignments = endpoint({
  method: 'POST',
  path: '/programs/:programId/shift-assignments/restorations',
  may: 'scheduling.assign',
  summary: 'Undo a removal; the rules are checked again',
  params: InProgram,
  body: z.strictObject({ Ids: AssignmentIds }),
  answer: PlacementAnswer,
  errors: { 403: 'Add/Edit Disabled for faculty', 404: 'a removed assignment does not exist' },
})

export const exportShiftAssignments = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/export',
  may: 'scheduling.read',
  summary: 'The filtered assignments as a file, streamed whatever their number',
  params: InProgram,
  query: z.strictObject({
    ...assignmentFilters,
    sort: AssignmentSort.default('Date'),
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
  }),
  answers: 'file',
})

export const getShiftAssignment = endpoint({
  method: 'GET',
  path: '/programs/:programId/shift-assignments/:assignmentId',
  may: 'scheduling.read',
  summary: 'One assignment with its times, its places and whether the student is there',
  params: z.strictObject({ programId: Id, assignmentId: Id }),
  answer: ShiftAssignment.extend({
    StartTime: TimeOfDay,
    EndTime: TimeOfDay,
    TimeZone: z.string(),
    Placed: z.number().int(),
    Capacity: z.number().int(),
    ClockedInAt: Instant.nullable(),
    ClockedOutAt: Instant.nullable(),
  }),
})

// Planning -------------------------------------------------------------------------------------------------------

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

// Days off -------------------------------------------------------------------------------------------------------

export const DayOff = z.object({ Id, Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })
export type DayOff = z.infer<typeof DayOff>

export const DayOffInput = z
  .strictObject({ Name: RequiredLine(100), StartDate: DateOnly, EndDate: DateOnly })
  .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })

const oneDayOff = z.strictObject({ programId: Id, dayOffId: Id })

export const listDaysOff = endpoint({
  method: 'GET',
  path: '/programs/:programId/days-off',
  may: 'scheduling.read',
  summary: 'Holidays and other days without placements',
  params: InProgram,
  query: z.strictObject({ FromDate: DateOnly.optional(), ThroughDate: DateOnly.optional() }),
  answer: z.array(DayOff),
})

export const createDayOff = endpoint({
  method: 'POST',
  path: '/programs/:programId/days-off',
  may: 'scheduling.plan',
  summary: 'Add a day off',
  params: InProgram,
  body: DayOffInput,
  answer: DayOff,
})

export const updateDayOff = endpoint({
  method: 'POST',
  path: '/programs/:programId/days-off/:dayOffId',
  may: 'scheduling.plan',
  summary: 'Change a day off',
  params: oneDayOff,
  body: DayOffInput,
  answer: DayOff,
})

export const deleteDayOff = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/days-off/:dayOffId',
  may: 'scheduling.plan',
  summary: 'Delete a day off',
  params: oneDayOff,
})

// Personal filters -----------------------------------------------------------------------------------------------

/** Which personal filters the person uses. */
export const PersonalFilterSettings = z.object({
  IsStudentFilterEnabled: z.boolean(),
  IsSiteFilterEnabled: z.boolean(),
  IsShiftFilterEnabled: z.boolean(),
})
export type PersonalFilterSettings = z.infer<typeof PersonalFilterSettings>

export const getPersonalFilterSettings = endpoint({
  method: 'GET',
  path: '/personal-filter-settings',
  may: 'signed-in',
  summary: 'Which personal filters the caller uses',
  answer: PersonalFilterSettings,
})

export const savePersonalFilterSettings = endpoint({
  method: 'POST',
  path: '/personal-filter-settings',
  may: 'scheduling.read',
  summary: 'Turn the own personal filters on and off, and say whom and what they hold',
  body: z.strictObject({
    IsStudentFilterEnabled: z.boolean(),
    IsSiteFilterEnabled: z.boolean(),
    IsShiftFilterEnabled: z.boolean(),
    /** What the filters hold; left out, it stays as it was. */
    StudentIds: Ids.optional(),
    SiteIds: Ids.optional(),
    SiteShiftIds: Ids.optional(),
  }),
  answer: PersonalFilterSettings,
  errors: { 404: 'something chosen does not exist', 409: 'no program is chosen' },
})

const Named = z.object({ Id, Name: z.string() })

export const getPersonalFilters = endpoint({
  method: 'GET',
  path: '/personal-filters',
  may: 'scheduling.read',
  summary: 'What the personal filters of the caller hold',
  answer: z.object({ Students: z.array(Named), Sites: z.array(Named), SiteShifts: z.array(Named) }),
})

// Choices --------------------------------------------------------------------------------------------------------

export const OptionKind = z.enum(['rotation', 'student', 'level', 'area', 'site', 'shift'])
export type OptionKind = z.infer<typeof OptionKind>

export const listSchedulingOptions = endpoint({
  method: 'GET',
  path: '/programs/:programId/scheduling-options',
  may: 'scheduling.read',
  summary: 'What the filters of scheduling offer: found by text, or named by their ids',
  params: InProgram,
  query: z.strictObject({
    Kind: OptionKind,
    search,
    Ids: Ids.optional(),
    ...paging,
  }),
  answer: z.object({
    Items: z.array(z.object({ Id, Name: z.string(), Detail: z.string() })),
    HasMore: z.boolean(),
  }),
})

// A student's own schedule ---------------------------------------------------------------------------------------

export const getOwnSchedule = endpoint({
  method: 'GET',
  path: '/schedule',
  may: 'schedule.own',
  summary: 'The own shifts',
  query: z.strictObject({ FromDate: DateOnly, ThroughDate: DateOnly }),
  answer: z.object({
    Shifts: z.array(
      z.object({
        Id,
        Date: DateOnly,
        StartTime: TimeOfDay,
        EndTime: TimeOfDay,
        StartsAt: Instant,
        EndsAt: Instant,
        TimeZone: z.string(),
        Rotation: z.string(),
        ShiftCode: z.string(),
        ShiftName: z.string(),
        ShiftType,
        Site: z.string(),
        Address: z.string(),
        Latitude: z.number().nullable(),
        Longitude: z.number().nullable(),
        Phone: z.string(),
      }),
    ),
    DaysOff: z.array(z.object({ Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })),
  }),
})

export const createCalendarFeed = endpoint({
  method: 'POST',
  path: '/calendar-feed',
  answersSecret: true,
  may: 'schedule.own',
  summary: 'A new secret calendar address of the own shifts; the old one ends',
  answer: z.object({ Address: z.string() }),
})

export const getCalendar = endpoint({
  method: 'GET',
  path: '/calendar/:file',
  may: 'everyone',
  summary: 'The shifts of the student whose secret address this is, as iCalendar',
  params: z.strictObject({ file: z.string().regex(/^[\w-]{20,100}\.ics$/) }),
  answers: 'file',
})
