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
  TimeOfDay,
} from '#contract/core/fields.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { TimeFilters } from './time-records.ts'

/** A shift without a punch, an exception or an absence. */
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

const MissedFilters = TimeFilters.pick({
  AreaId: true,
  SiteId: true,
  StudentId: true,
  StudentLevelId: true,
  FromDate: true,
  ThroughDate: true,
  MyStudents: true,
  MySites: true,
}).extend({
  /** Also shifts that still go on, from 15 minutes after their begin. */
  IsBegun: z.boolean().optional(),
})

export const listMissedTimeRecords = endpoint({
  method: 'GET',
  path: '/programs/:programId/missed-time-records',
  may: 'time.read',
  summary: 'Shifts of the last 30 days, unless dates are given, that have passed without any record',
  params: InProgram,
  query: z.strictObject({ ...paging, ...MissedFilters.shape }),
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
