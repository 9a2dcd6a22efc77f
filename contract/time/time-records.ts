import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Minutes,
  PageOf,
  paging,
  RequiredLine,
  RequiredText,
  Sort,
  Text,
  TimeOfDay,
} from '#contract/core/fields.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { Doubt } from './insight.ts'

/**
 * Which one is meant of a time that comes twice, because the clocks go back: the second one, or the first. Such a time is refused
 * without it (`repeated_time`); of any other time it says nothing.
 */
export const TimeIsSecond = z.boolean().optional()

export const oneRecord = z.strictObject({ programId: Id, recordId: Id })
const Distance = z.number().int().nonnegative()

/** What a clock record is: a punch, or hours and days that the student or staff report. */
export const TimeKind = z.enum(['in', 'out', 'exception', 'absence', 'makeup'])
export type TimeKind = z.infer<typeof TimeKind>
export const TimeStatus = z.enum(['pending', 'approved', 'rejected'])
export type TimeStatus = z.infer<typeof TimeStatus>

/** 1 Clean, 2 Need Review, 3 Careful Review, u Unmatched. */
export const RecordInsight = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal('u')])
export type RecordInsight = z.infer<typeof RecordInsight>

export const TimeChange = z.object({
  /** The day and wall-clock time that the student asks for, at the site. */
  Date: DateOnly,
  Time: TimeOfDay,
  /** What it was before the change, or still is. */
  WasDate: DateOnly,
  WasTime: TimeOfDay,
  Reason: z.string(),
  Status: z.enum(['asked', 'accepted', 'refused']),
  /** The student asks to take the clock-in back, made by mistake; the time is the one that it has. */
  IsRemoval: z.boolean(),
})
export type TimeChange = z.infer<typeof TimeChange>

/** The last edit of a record: who made it and when, and what the record was before. Moments and days are at the record's site. */
export const LastEdit = z.object({
  At: Instant,
  By: z.string(),
  WasDate: DateOnly,
  WasTime: TimeOfDay,
  WasEndTime: TimeOfDay.nullable(),
  WasLocation: z.string().nullable(),
  Reason: z.string(),
})
export type LastEdit = z.infer<typeof LastEdit>

/** One clock record as staff see it. */
export const TimeRecord = z.object({
  Id,
  Type: TimeKind,
  StudentId: Id,
  /** "Last, First". */
  Student: z.string(),
  StudentLevelId: z.number().int().nullable(),
  StudentLevel: z.string().nullable(),
  SiteId: Id.nullable(),
  /** The site's name. */
  Location: z.string().nullable(),
  /** IANA zone in which Date, Time and EndTime are given. */
  TimeZone: z.string(),
  Date: DateOnly,
  Time: TimeOfDay,
  EndTime: TimeOfDay.nullable(),
  OccurredAt: Instant,
  /** What the record adds to the hours, by the program's rules of hours: a pair's are on its clock-out. */
  Minutes,
  /** From begin to end on the clock, whatever of it counts. */
  ClockMinutes: Minutes,
  /** What was taken off as meal breaks. */
  MealMinutes: Minutes,
  /** Minutes after (negative: before) the shift's begin for a clock-in, its end for a clock-out. */
  OffsetMinutes: z.number().int().nullable(),
  ShiftType: ShiftType.nullable(),
  ShiftStart: TimeOfDay.nullable(),
  ShiftEnd: TimeOfDay.nullable(),
  ShiftEndsAt: Instant.nullable(),
  TimeChangeRequest: TimeChange.nullable(),
  /** The known network of the site that the punch came from. */
  IPName: z.string().nullable(),
  /** Meters from the site's entrance, and how exact the position was; null without a position. */
  Distance: Distance.nullable(),
  Accuracy: Distance.nullable(),
  IsInside: z.boolean().nullable(),
  Insight: RecordInsight,
  Reasons: z.array(Doubt),
  Status: TimeStatus,
  /** What the student or staff wrote with it. */
  Reason: z.string(),
  Source: z.enum(['server', 'offline', 'self', 'staff', 'import']),
  PartnerId: Id.nullable(),
  DecidedAt: Instant.nullable(),
  DecidedBy: z.string().nullable(),
  DecisionReason: z.string().nullable(),
  /** When the student was told that it is unmatched. */
  MailedAt: Instant.nullable(),
  /** Edits that keep the old value. */
  Edits: z.number().int(),
  LastEdit: LastEdit.nullable(),
  ModifiedAt: Instant,
})
export type TimeRecord = z.infer<typeof TimeRecord>

/**
 * A rejected record that its student wanted gone: taken back at once, or the program took it back as they asked. No judgment of
 * anybody, so it is called that nowhere.
 */
export const isTakenBack = ({
  Status,
  Reasons,
  TimeChangeRequest,
}: Pick<TimeRecord, 'Status' | 'Reasons'> & {
  TimeChangeRequest: { IsRemoval: boolean; Status: string } | null
}): boolean =>
  Status === 'rejected' &&
  (Reasons.some(({ Code }) => Code === 'taken_back') ||
    (TimeChangeRequest?.IsRemoval === true && TimeChangeRequest.Status === 'accepted'))

/** Clean, Need Review, Careful Review, Unmatched, All Records. */
export const InsightChoice = z.enum(['1', '2', '3', 'u', '0'])
export type InsightChoice = z.infer<typeof InsightChoice>

const filters = {
  Status: TimeStatus.optional(),
  /** Only what its student wanted gone, or only what is not so: of the rejected ones, those that somebody judged. */
  IsTakenBack: z.boolean().optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  StudentId: Id.optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).optional(),
  Cohort: RequiredLine(100).optional(),
  Type: TimeKind.optional(),
  /** Only clock-ins more than 5 minutes after the begin of the shift. */
  IsLate: z.boolean().optional(),
  /** Only pending records that no approval takes now: without their other half, or with a time change that nobody has decided. */
  IsLeftOut: z.boolean().optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  /** Only records of which time or site was edited on these days of the program's zone, whatever day the record is of. */
  EditedFrom: DateOnly.optional(),
  EditedThrough: DateOnly.optional(),
  /** Only records that this person edited, within those days if they are given. */
  EditedById: Id.optional(),
  /** Only the students and sites of the caller's personal filters. */
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
}
export const TimeFilters = z.strictObject({ ...filters, Insight: InsightChoice.default('0') })
export type TimeFilters = z.infer<typeof TimeFilters>

/** In a body the choices 0 to 3 may be numbers too. */
export const BodyFilters = z.strictObject({
  ...filters,
  Insight: z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), InsightChoice)
    .optional(),
})

const Counts = z.object({
  Clean: z.number().int(),
  NeedReview: z.number().int(),
  CarefulReview: z.number().int(),
  Unmatched: z.number().int(),
  All: z.number().int(),
  /** Minutes of all that is counted, without absences. */
  Minutes: z.number().int(),
  /** How many of them can be approved now: a punch without its other half cannot, even while its shift runs. */
  Ready: z.object({
    Clean: z.number().int(),
    NeedReview: z.number().int(),
    CarefulReview: z.number().int(),
    CleanMinutes: z.number().int(),
  }),
})

/** Lists that are not of pending records count no further than this. */
export const maxCounted = 10_000

export const listTimeRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records',
  may: 'time.read',
  summary: 'Clock records, newest first; a supervisor sees those at their sites',
  params: InProgram,
  query: TimeFilters.extend({
    ...paging,
    sort: Sort(['Date']).default('-Date'),
    /** `NextCursor` of the page before. `Total` is then null. */
    cursor: z.string().max(200).optional(),
  }),
  answer: PageOf(TimeRecord).extend({
    NextCursor: z.string().nullable(),
    /** More than `Total` are there. */
    IsTotalCapped: z.boolean(),
  }),
})

export const countTimeRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/counts',
  may: 'time.read',
  summary: 'How many pending records each insight holds, for the other filters',
  params: InProgram,
  query: TimeFilters.omit({ Insight: true, Status: true }),
  answer: Counts,
})

/** What belongs to one shift and waits: a clock-in with its clock-out, or a single record. */
export const TimeShift = z.object({
  /** The clock-in before the clock-out. */
  Records: z.array(TimeRecord),
  Minutes,
  /** The gravest of its records. */
  Insight: RecordInsight,
})
export type TimeShift = z.infer<typeof TimeShift>

export const ShiftTotals = z.object({
  Shifts: z.number().int(),
  Clean: z.number().int(),
  Minutes: z.number().int(),
})

export const listPendingShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/shifts',
  may: 'time.read',
  byInbox: true,
  summary: 'Pending records by shift, those that need a look first; shifts that still run are left out',
  params: InProgram,
  query: TimeFilters.omit({ Insight: true, Status: true }).extend(paging),
  answer: PageOf(TimeShift).extend({
    /** Of all pages. */
    Totals: ShiftTotals,
  }),
})

export const getTimeRecord = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/:recordId',
  may: 'time.read',
  summary: 'One clock record with its old values and the decisions on it that were undone or replaced',
  params: oneRecord,
  answer: TimeRecord.extend({
    History: z.array(
      z.object({
        At: Instant,
        By: z.string(),
        OccurredAt: Instant,
        /** Of reported hours; null too where an edit was made before their end was kept. */
        EndsAt: Instant.nullable(),
        Site: z.string().nullable(),
        Reason: z.string(),
      }),
    ),
    /** Approvals and rejections that no longer hold, the oldest first. */
    Decisions: z.array(
      z.object({
        At: Instant,
        By: z.string(),
        Status: z.enum(['approved', 'rejected']),
        /** The student withdrew it. */
        IsTakenBack: z.boolean(),
        Reason: z.string(),
        /** When the record was pending again; null where another decision took its place. */
        UndoneAt: Instant.nullable(),
        UndoneBy: z.string(),
      }),
    ),
  }),
})

/** The day of somebody's time: of the time before 2000 no program has any left, so the year is mistyped. */
export const TimeDate = DateOnly.refine(
  (date) => date >= '2000-01-01',
  'must be 01/01/2000 or later: check the year',
)

export const RecordEdit = z.strictObject({
  Date: TimeDate,
  Time: TimeOfDay,
  TimeIsSecond,
  /** Of exceptions, makeup and absences. */
  EndTime: TimeOfDay.optional(),
  /** The day of EndTime, that of Date or the one after: so is said that hours last 24 of them. */
  EndDate: DateOnly.optional(),
  EndTimeIsSecond: TimeIsSecond,
  SiteId: Id.optional(),
  Reason: RequiredText(1000),
})

export const editTimeRecord = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/:recordId',
  may: 'time.edit',
  summary: 'Change time or site of a record; the old value is kept',
  params: oneRecord,
  body: RecordEdit,
  answer: TimeRecord,
  errors: { 422: 'the time cannot be, or the site forbids supervisors to edit (ForbidCsLogclockEditing)' },
})

export const NewRecord = z.strictObject({
  StudentId: Id,
  Kind: TimeKind,
  SiteId: Id.optional(),
  Date: TimeDate,
  Time: TimeOfDay,
  TimeIsSecond,
  EndTime: TimeOfDay.optional(),
  /** The day of EndTime, that of Date or the one after: so is said that hours last 24 of them. */
  EndDate: DateOnly.optional(),
  EndTimeIsSecond: TimeIsSecond,
  Reason: Text(1000).default(''),
  /** The punch whose other half this is. */
  PartnerId: Id.optional(),
})

export const addTimeRecord = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records',
  may: 'time.edit',
  byInbox: true,
  summary:
    'Add a record for a student, such as the missing half of a punch; by an inbox link that half alone',
  params: InProgram,
  body: NewRecord,
  answer: TimeRecord,
  errors: { 404: 'student, site or punch are not there', 409: 'it overlaps', 422: 'the time cannot be' },
})

export const deleteTimeRecord = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/time-records/:recordId',
  may: 'time.edit',
  summary: 'Delete a record; it can be restored',
  params: oneRecord,
})

export const restoreTimeRecord = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/:recordId/restoration',
  may: 'time.edit',
  summary:
    'Bring a deleted record back; a clock-in or clock-out joins its other half again, and waits for approval with it',
  params: oneRecord,
  answer: TimeRecord,
  errors: {
    409: 'its hours would overlap others, or another clock-in or clock-out is in its minute',
    422: 'its other half was moved, so that the two can no longer be a pair',
  },
})

export const exportTimeRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'time.read',
  summary:
    'The filtered records as a file, whatever their number; filtered by edits, each edit that was found: who, when, what it was before and after, and why',
  params: InProgram,
  query: TimeFilters.extend({
    Format: z.enum(['csv', 'xlsx']).default('xlsx'),
    /** Of records: all columns, or those of the list with the ids of record and student. */
    Columns: z.enum(['all', 'screen']).default('all'),
  }),
  answers: 'file',
})
