import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  Instant,
  Latitude,
  Longitude,
  RequiredText,
  Text,
  TimeOfDay,
} from '#contract/core/fields.ts'
import { SitePhone } from '#contract/scheduling/site-phone.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { TimeDate, TimeIsSecond, TimeRecord } from './time-records.ts'

export const ClockShift = z.object({
  AssignmentId: Id,
  SiteId: Id,
  Site: z.string(),
  Address: z.string(),
  Phone: z.string(),
  Contact: SitePhone.nullable(),
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
  LastEdit: true,
  ModifiedAt: true,
})
export type OwnRecord = z.infer<typeof OwnRecord>

/** The hours of the current rotation in minutes, and when its target is reached at this pace. */
export const Ledger = z.object({
  Rotation: z.string().nullable(),
  RotationEndDate: DateOnly.nullable(),
  ApprovedMinutes: z.number().int(),
  /** Without makeup that is still to come. */
  PendingMinutes: z.number().int(),
  /** Target less approved and pending. */
  OwedMinutes: z.number().int(),
  /** Makeup whose day is still to come; a part of what is owed. */
  MakeupPlannedMinutes: z.number().int(),
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
    /** The last clock-in that was never closed although its shift is over: the person is asked when they left (`reportClockOut`). */
    Forgotten: OwnRecord.nullable(),
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

const Span = z.number().int().min(0).max(10_000_000_000)

export const PunchInput = z
  .strictObject({
    /** A mistake takes back the clock-in that runs, or one that was over within `slipMinutes`. */
    Kind: z.enum(['in', 'out', 'mistake']),
    /** Why it was a mistake. */
    Reason: Text(1000).optional(),
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
    /** Of a kept punch: what the server's clock said last before it, by which an impossible moment is seen and corrected. */
    ServerAt: Instant.optional(),
    /** Milliseconds from ServerAt to the punch, by a clock that nobody can set. */
    SinceServerAt: Span.optional(),
    /** Milliseconds from the punch to its sending, by the same clock. */
    BeforeSending: Span.optional(),
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
  keptOffline: { version: 3 },
  summary:
    'Clock in or out, or take back a clock-in made by mistake: at once within five minutes, later by asking the program; the same Idempotency-Key counts once',
  body: PunchInput,
  answer: OwnRecord,
  errors: {
    400: 'no Idempotency-Key, or coordinates off the globe',
    404: 'the site does not exist',
    409: 'already in or out, or decided already',
    422: 'a rule of the site refuses it, Code names the rule; or the key belongs to another punch',
  },
})

export const ClockOutReport = z.strictObject({
  /** The day and wall-clock time at the site at which the person left. */
  Date: TimeDate,
  Time: TimeOfDay,
  TimeIsSecond,
  Reason: Text(1000).optional(),
})

export const reportClockOut = endpoint({
  method: 'POST',
  path: '/clock/records/:recordId/clock-outs',
  may: 'time.clock',
  needsKey: true,
  keptOffline: { version: 1 },
  summary: 'Say when one left who did not clock out; the same Idempotency-Key counts once, and staff decide',
  params: z.strictObject({ recordId: Id }),
  body: ClockOutReport,
  answer: OwnRecord,
  errors: {
    404: 'the clock-in does not exist',
    409: 'it has a clock-out already, or the time overlaps other time',
    422: 'the time cannot be, or the key belongs to another report',
  },
})

export const ExceptionInput = z.strictObject({
  Kind: z.enum(['exception', 'absence', 'makeup']),
  /** Left out, the site of the assignment on that day. */
  SiteId: Id.optional(),
  Date: TimeDate,
  /** Wall clock at the site; an absence may leave it out. */
  Time: TimeOfDay.optional(),
  TimeIsSecond,
  /**
   * An end before Time is on the next day, where that is not much longer than the program's longest shift; left out, the end of the
   * assigned shift.
   */
  EndTime: TimeOfDay.optional(),
  /** The day of EndTime, that of Date or the one after: so is said that hours last 24 of them. */
  EndDate: DateOnly.optional(),
  EndTimeIsSecond: TimeIsSecond,
  Reason: RequiredText(1000),
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
  TimeIsSecond,
  Reason: RequiredText(1000),
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

export const takeBackOwn = endpoint({
  method: 'POST',
  path: '/clock/records/:recordId/withdrawals',
  may: 'time.clock',
  summary:
    'Before it is decided, take back an own time exception, absence or makeup, or what is asked for a clock-in or clock-out; or send again what was taken back',
  params: z.strictObject({ recordId: Id }),
  body: z.strictObject({ IsTakenBack: z.boolean() }),
  answer: OwnRecord,
  errors: {
    404: 'the record does not exist',
    409: 'already decided, nothing to take back or send again, or the hours now overlap others',
  },
})

export const listOwnRecords = endpoint({
  method: 'GET',
  path: '/clock/records',
  may: 'time.clock',
  summary: 'The own records, newest first; a pair is one row on its clock-out',
  query: z.strictObject({
    /** What the student took back is not among the rejected. */
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
