import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Latitude,
  Longitude,
  Minutes,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
  TimeOfDay,
} from '#contract/core/fields.ts'
import { Doubt, doubtCodes } from './insight.ts'

const oneRecord = z.strictObject({ programId: Id, recordId: Id })
const Distance = z.number().int().nonnegative()

/** What a clock record is: a punch, or hours and days that the student or staff report. */
export const TimeKind = z.enum(['in', 'out', 'exception', 'absence', 'makeup'])
export type TimeKind = z.infer<typeof TimeKind>
export const TimeStatus = z.enum(['pending', 'approved', 'rejected'])
export type TimeStatus = z.infer<typeof TimeStatus>

const ShiftType = z.enum(['day', 'evening', 'night', 'weekend', 'other'])

/** 1 Clean, 2 Need Review, 3 Careful Review, u Unmatched. */
export const RecordInsight = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal('u')])
export type RecordInsight = z.infer<typeof RecordInsight>

export const TimeChange = z.object({
  /** The day and wall-clock time that the student asks for, at the site. */
  Date: DateOnly,
  Time: TimeOfDay,
  Reason: z.string(),
  Status: z.enum(['asked', 'accepted', 'refused']),
})
export type TimeChange = z.infer<typeof TimeChange>

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
  /** IANA zone in which Date, Time and EndTime are told. */
  TimeZone: z.string(),
  Date: DateOnly,
  Time: TimeOfDay,
  EndTime: TimeOfDay.nullable(),
  OccurredAt: Instant,
  /** What the record adds to the hours: a pair's are on its clock-out. */
  Minutes,
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
})
export type TimeRecord = z.infer<typeof TimeRecord>

// The student's clock --------------------------------------------------------------------------------------------

export const ClockShift = z.object({
  AssignmentId: Id,
  SiteId: Id,
  Site: z.string(),
  Address: z.string(),
  Phone: z.string(),
  ShiftCode: z.string(),
  ShiftName: z.string(),
  ShiftType,
  Rotation: z.string(),
  Date: DateOnly,
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  StartsAt: Instant,
  EndsAt: Instant,
  Latitude: z.number().nullable(),
  Longitude: z.number().nullable(),
  /** Meters around the site's position that count as there. */
  Precision: z.number().int(),
})
export type ClockShift = z.infer<typeof ClockShift>

/** What a student sees of an own record. */
export const OwnRecord = TimeRecord.omit({
  StudentId: true,
  Student: true,
  StudentLevelId: true,
  StudentLevel: true,
  MailedAt: true,
})
export type OwnRecord = z.infer<typeof OwnRecord>

/** The hours of the current rotation in minutes, and when its target is reached at this pace. */
export const Ledger = z.object({
  Rotation: z.string().nullable(),
  RotationEndDate: DateOnly.nullable(),
  ApprovedMinutes: z.number().int(),
  PendingMinutes: z.number().int(),
  /** Target less approved and pending. */
  OwedMinutes: z.number().int(),
  MakeupOwedMinutes: z.number().int(),
  TargetMinutes: z.number().int(),
  /** What the assignments until now add up to. */
  PlannedMinutes: z.number().int(),
  ProjectedMinutes: z.number().int(),
  /** The day on which the assigned shifts reach the target; null when they do not. */
  ProjectedFinishDate: DateOnly.nullable(),
})
export type Ledger = z.infer<typeof Ledger>

export const getClock = endpoint({
  method: 'GET',
  path: '/clock',
  may: 'time.clock',
  summary: "The student's clock: today's shifts, the open record, the ledger and the site worked out",
  answer: z.object({
    Now: Instant,
    TimeZone: z.string(),
    Date: DateOnly,
    Shifts: z.array(ClockShift),
    NextShift: ClockShift.nullable(),
    Open: OwnRecord.nullable(),
    Last: OwnRecord.nullable(),
    Ledger,
    /** The site that the schedule and the network name; the position is asked only when punching. */
    Site: z
      .object({
        SiteId: Id,
        Name: z.string(),
        TimeZone: z.string(),
        Latitude: z.number().nullable(),
        Longitude: z.number().nullable(),
        Precision: z.number().int(),
        /** Meters beyond which the site refuses a position as too vague; null when it refuses none. */
        RejectAccuracy: z.number().int().nullable(),
      })
      .nullable(),
    /** The known network of the site that the call came from. */
    IPName: z.string().nullable(),
    /** Sites of the student's assignments, for choosing one. */
    Sites: z.array(z.object({ SiteId: Id, Name: z.string() })),
  }),
})

export const PunchInput = z
  .strictObject({
    Kind: z.enum(['in', 'out']),
    /** Left out, the site is worked out from schedule, position and network. */
    SiteId: Id.optional(),
    Latitude: Latitude.optional(),
    Longitude: Longitude.optional(),
    /** Meters. */
    Accuracy: z.number().min(0).max(1_000_000).optional(),
    /** Only for a punch kept on the device while it was off line: the device's moment. */
    OccurredAt: Instant.optional(),
    /** The device's clock when it sends, by which a clock that is off is seen. */
    SentAt: Instant.optional(),
  })
  .refine(({ Latitude: lat, Longitude: lon }) => (lat === undefined) === (lon === undefined), {
    path: ['Longitude'],
    message: 'must come with the latitude',
  })
export type PunchInput = z.input<typeof PunchInput>

export const punch = endpoint({
  method: 'POST',
  path: '/clock/punches',
  may: 'time.clock',
  needsKey: true,
  summary: 'Clock in or out; the same Idempotency-Key counts once',
  body: PunchInput,
  answer: OwnRecord,
  errors: {
    400: 'no Idempotency-Key, or coordinates off the globe',
    404: 'the site does not exist',
    409: 'already in or out',
    422: 'a rule of the site refuses it; Code names the rule',
  },
})

export const ExceptionInput = z.strictObject({
  Kind: z.enum(['exception', 'absence', 'makeup']),
  /** Left out, the site of the assignment on that day. */
  SiteId: Id.optional(),
  Date: DateOnly,
  /** Wall clock at the site; an absence may leave it out. */
  Time: TimeOfDay.optional(),
  /** An end at or before Time lies on the next day; left out, the end of the assigned shift. */
  EndTime: TimeOfDay.optional(),
  Reason: Text(1000).pipe(z.string().trim().min(1, 'is required')),
})
export type ExceptionInput = z.input<typeof ExceptionInput>

export const reportException = endpoint({
  method: 'POST',
  path: '/clock/exceptions',
  may: 'time.clock',
  summary: 'Report a time exception, an absence or planned makeup time; staff decide',
  body: ExceptionInput,
  answer: OwnRecord,
  errors: {
    404: 'the site does not exist',
    409: 'it overlaps time that is there already',
    422: 'the clocks skip that time, or it lies outside the days that can be reported',
  },
})

export const ChangeInput = z.strictObject({
  /** The record's own day unless given. */
  Date: DateOnly.optional(),
  Time: TimeOfDay,
  Reason: Text(1000).pipe(z.string().trim().min(1, 'is required')),
})

export const askTimeChange = endpoint({
  method: 'POST',
  path: '/clock/records/:recordId/change-requests',
  may: 'time.clock',
  summary: 'Ask for another time on an own punch; staff accept or refuse',
  params: z.strictObject({ recordId: Id }),
  body: ChangeInput,
  answer: OwnRecord,
  errors: { 409: 'the punch is decided already', 422: 'the time cannot be' },
})

export const listOwnRecords = endpoint({
  method: 'GET',
  path: '/clock/records',
  may: 'time.clock',
  summary: 'The own records, newest first; a pair is one row on its clock-out',
  query: z.strictObject({
    Show: z.enum(['all', 'pending', 'rejected', 'absences']).default('all'),
    cursor: z.string().max(200).optional(),
    pageSize: z.number().int().min(1).max(200).default(30),
  }),
  answer: z.object({
    Items: z.array(
      OwnRecord.extend({
        /** The clock-in of a pair. */
        In: OwnRecord.nullable(),
        IsRunning: z.boolean(),
      }),
    ),
    NextCursor: z.string().nullable(),
    PendingCount: z.number().int(),
    RejectedCount: z.number().int(),
  }),
})

// Approving ------------------------------------------------------------------------------------------------------

/** Clean, Need Review, Careful Review, Unmatched, All Records. */
export const InsightChoice = z.enum(['1', '2', '3', 'u', '0'])
export type InsightChoice = z.infer<typeof InsightChoice>

const filters = {
  Status: TimeStatus.optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  StudentId: Id.optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).optional(),
  Cohort: RequiredLine(100).optional(),
  Type: TimeKind.optional(),
  /** Only clock-ins more than 5 minutes after the begin of the shift. */
  IsLate: z.boolean().optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  /** Only the students and sites of the caller's personal filters. */
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
}
export const TimeFilters = z.strictObject({ ...filters, Insight: InsightChoice.default('0') })
export type TimeFilters = z.infer<typeof TimeFilters>

/** In a body the choices 0 to 3 may be numbers too. */
const BodyFilters = z.strictObject({
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
  summary: 'Clock records, newest first; a supervisor sees those at her sites',
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

export const listPendingShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/shifts',
  may: 'time.read',
  summary: 'Pending records by shift, those that need a look first; shifts that still run are left out',
  params: InProgram,
  query: TimeFilters.omit({ Insight: true, Status: true }).extend(paging),
  answer: PageOf(TimeShift).extend({
    /** Of all pages. */
    Totals: z.object({
      Shifts: z.number().int(),
      Clean: z.number().int(),
      Minutes: z.number().int(),
    }),
  }),
})

export const getTimeRecord = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/:recordId',
  may: 'time.read',
  summary: 'One clock record with its old values',
  params: oneRecord,
  answer: TimeRecord.extend({
    History: z.array(
      z.object({
        At: Instant,
        By: z.string(),
        OccurredAt: Instant,
        Site: z.string().nullable(),
        Reason: z.string(),
      }),
    ),
  }),
})

const RecordIds = z.array(Id).min(1, 'needs at least one record').max(20_000)

export const approveTimeRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/approvals',
  may: 'time.approve',
  summary:
    'Approve the named pending records, or all of a filter. Unmatched ones are never approved; of a filter, those of Careful Review only with IncludeCareful or when the filter asks for that insight',
  params: InProgram,
  body: z
    .strictObject({
      Ids: RecordIds.optional(),
      Filter: BodyFilters.optional(),
      IncludeCareful: z.boolean().optional(),
    })
    .refine(({ Ids, Filter }) => (Ids === undefined) !== (Filter === undefined), {
      path: ['Ids'],
      message: 'Name the records or a filter, not both.',
    }),
  answer: z.object({
    Approved: z.number().int(),
    Minutes: z.number().int(),
    /** Names the approval for its undo. */
    DecidedAt: Instant.nullable(),
  }),
})

export const previewApproval = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/approvals',
  may: 'time.approve',
  summary: 'What approving all of a filter would take, with the reasons of those in Careful Review',
  params: InProgram,
  query: TimeFilters,
  answer: z.object({
    Records: z.number().int(),
    Minutes: z.number().int(),
    Careful: z.number().int(),
    CarefulMinutes: z.number().int(),
    /** Why the careful ones are; a record can have several reasons. */
    Reasons: z.array(z.object({ Code: z.enum(doubtCodes), Count: z.number().int() })),
  }),
})

export const undoDecisions = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/undos',
  may: 'time.approve',
  summary: 'Take back what the caller approved or rejected in one go; the records are pending again',
  params: InProgram,
  body: z.strictObject({ DecidedAt: Instant }),
  answer: z.object({ Undone: z.number().int() }),
})

export const rejectTimeRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/rejections',
  may: 'time.approve',
  summary: 'Reject the named records with a reason; the other half of a punch is then unmatched',
  params: InProgram,
  body: z.strictObject({ Ids: RecordIds, Reason: Text(1000).pipe(z.string().trim().min(1, 'is required')) }),
  answer: z.object({ Rejected: z.number().int(), DecidedAt: Instant.nullable() }),
})

export const decideTimeChange = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/:recordId/change-decisions',
  may: 'time.approve',
  summary: 'Accept or refuse the time that a student asks for',
  params: oneRecord,
  body: z.strictObject({ Accept: z.boolean(), Reason: Text(1000).default('') }),
  answer: TimeRecord,
  errors: { 409: 'no change is asked for', 422: 'the time cannot be' },
})

export const RecordEdit = z.strictObject({
  Date: DateOnly,
  Time: TimeOfDay,
  /** Of exceptions, makeup and absences. */
  EndTime: TimeOfDay.optional(),
  SiteId: Id.optional(),
  Reason: Text(1000).pipe(z.string().trim().min(1, 'is required')),
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
  Date: DateOnly,
  Time: TimeOfDay,
  EndTime: TimeOfDay.optional(),
  Reason: Text(1000).default(''),
  /** The punch whose other half this is. */
  PartnerId: Id.optional(),
})

export const addTimeRecord = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records',
  may: 'time.edit',
  summary: 'Add a record for a student, such as the missing half of a punch',
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
  summary: 'Bring a deleted record back',
  params: oneRecord,
  answer: TimeRecord,
})

export const mailUnmatched = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/unmatched-mails',
  may: 'time.approve',
  summary: 'Email the students whose punches are unmatched, each separately; nobody twice within a day',
  params: InProgram,
  body: z.strictObject({ Filter: BodyFilters.optional() }),
  answer: z.object({
    Mailed: z.number().int(),
    Records: z.number().int(),
    /** Students without an address. */
    WithoutAddress: z.number().int(),
  }),
})

export const writeAboutRecords = endpoint({
  method: 'POST',
  path: '/programs/:programId/time-records/emails',
  may: 'time.approve',
  summary: 'Email the students of the named records, each separately',
  params: InProgram,
  body: z.strictObject({
    Ids: RecordIds,
    Subject: RequiredLine(200),
    Text: Text(5000).pipe(z.string().trim().min(1, 'is required')),
  }),
  answer: z.object({ Mailed: z.number().int(), WithoutAddress: z.number().int() }),
})

export const exportTimeRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-records/export',
  may: 'time.read',
  summary: 'The filtered records as a file, streamed whatever their number',
  params: InProgram,
  query: TimeFilters.extend({ Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})

// Missed ---------------------------------------------------------------------------------------------------------

/** A shift that has passed without a punch, an exception or an absence. */
export const MissedRecord = z.object({
  AssignmentId: Id,
  StudentId: Id,
  Student: z.string(),
  StudentLevelId: z.number().int().nullable(),
  StudentLevel: z.string().nullable(),
  SiteId: Id,
  Location: z.string(),
  Date: DateOnly,
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  EndsAt: Instant,
  ShiftCode: z.string(),
  ShiftType,
  Rotation: z.string(),
  Minutes,
})
export type MissedRecord = z.infer<typeof MissedRecord>

const missedFilters = {
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  StudentId: Id.optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
}

export const listMissedTimeRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/missed-time-records',
  may: 'time.read',
  summary: 'Shifts of the last 30 days, unless dates are given, that have passed without any record',
  params: InProgram,
  query: z.strictObject({ ...paging, ...missedFilters }),
  answer: PageOf(MissedRecord),
})

export const mailMissed = endpoint({
  method: 'POST',
  path: '/programs/:programId/missed-time-records/mails',
  may: 'time.approve',
  summary: 'Email the students of missed shifts, each separately',
  params: InProgram,
  body: z.strictObject({ AssignmentIds: z.array(Id).min(1, 'needs at least one shift').max(5_000) }),
  answer: z.object({ Mailed: z.number().int(), WithoutAddress: z.number().int() }),
})

// Hours ----------------------------------------------------------------------------------------------------------

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

/** A student's hours, all in minutes. */
export const HoursRow = z.object({
  StudentId: Id,
  Student: z.string(),
  StudentLevelId: z.number().int().nullable(),
  StudentLevel: z.string().nullable(),
  Approved: z.number().int(),
  Pending: z.number().int(),
  /** Makeup still owed for absences. */
  Makeup: z.number().int(),
  Target: z.number().int(),
  Projection: z.number().int(),
  /** Projection less target: below 0 falls short. */
  Difference: z.number().int(),
  Parts: ProjectionParts,
})
export type HoursRow = z.infer<typeof HoursRow>

const hoursFilters = {
  RotationId: Id.optional(),
  /** The rotation that runs today, as on the home page; everything where none does. */
  IsCurrent: z.boolean().optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  StudentLevelId: z.number().int().min(1).max(20).optional(),
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
  MyStudents: z.boolean().optional(),
  MySites: z.boolean().optional(),
}
const hoursSort = Sort([
  'Student',
  'StudentLevel',
  'Approved',
  'Pending',
  'Makeup',
  'Target',
  'Projection',
  'Difference',
])
export type HoursSort = z.infer<typeof hoursSort>
export const HoursFilters = z.strictObject(hoursFilters)
export type HoursFilters = z.infer<typeof HoursFilters>

export const getHoursSummary = endpoint({
  method: 'GET',
  path: '/programs/:programId/hours-summary',
  may: 'reports.read',
  summary: 'Hours of each student against the target, with what they will come to',
  params: InProgram,
  query: z.strictObject({ ...paging, ...hoursFilters, sort: hoursSort.default('Projection') }),
  answer: PageOf(HoursRow).extend({
    /** Over all students of the filter. */
    Totals: z.object({
      Approved: z.number().int(),
      Pending: z.number().int(),
      Makeup: z.number().int(),
      Target: z.number().int(),
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
  may: 'reports.read',
  summary: 'The hours summary as a file',
  params: InProgram,
  query: z.strictObject({
    ...hoursFilters,
    sort: hoursSort.default('Projection'),
    Format: z.enum(['csv', 'xlsx', 'pdf']).default('xlsx'),
  }),
  answers: 'file',
})
