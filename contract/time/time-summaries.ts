import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  weekFields,
} from '#contract/core/fields.ts'

/** What time is added up by. */
export const timeGroups = ['student', 'site', 'area', 'month', 'type'] as const
export const TimeGroup = z.enum(timeGroups)
export type TimeGroup = z.infer<typeof TimeGroup>

const filters = {
  RotationId: Id.optional(),
  AreaId: Id.optional(),
  SiteId: Id.optional(),
  StudentId: Id.optional(),
  StudentLevelIds: z.array(z.number().int().min(1).max(20)).max(20).optional(),
  Cohort: RequiredLine(100).optional(),
  /** 'out' is time between clock-in and clock-out. */
  Type: z.enum(['out', 'exception', 'absence', 'makeup']).optional(),
  FromDate: DateOnly.optional(),
  ThroughDate: DateOnly.optional(),
}
const timeFilters = z.strictObject(filters)
export type TimeFilters = z.infer<typeof timeFilters>

const Minutes = z.number().int()
const sums = {
  Approved: Minutes,
  Pending: Minutes,
  Absence: Minutes,
  /** Of the shifts assigned, past and to come; null where a type of record is asked for, as shifts have none. */
  Planned: Minutes.nullable(),
}

export const TimeTotal = z.object({
  /** 'student-12', 'site-3', 'area-4', '2026-11', 'out'; '-' in place of an id where there is none. */
  Key: z.string(),
  /** Empty for what has no site or area. */
  Name: z.string(),
  Id: Id.nullable(),
  Students: z.number().int(),
  Records: z.number().int(),
  ...sums,
  /** Hours that the rotations ask of a student; null where the filters leave only a part of them. */
  Target: Minutes.nullable(),
})
export type TimeTotal = z.infer<typeof TimeTotal>

const timeSort = Sort(['Name', 'Students', 'Records', 'Approved', 'Pending', 'Absence', 'Planned', 'Target'])
export type TimeSort = z.infer<typeof timeSort>

const grouped = { ...filters, By: TimeGroup.default('student'), sort: timeSort.default('Name') }

export const getTimeSummaries = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-summaries',
  isHeavy: true,
  mayBeBehind: true,
  may: 'reports.read',
  summary: 'Time added up by student, site, area, month or type, beside what was planned and what is asked',
  params: InProgram,
  query: z.strictObject({ ...paging, ...grouped }),
  answer: PageOf(TimeTotal).extend({
    Totals: z.object({ ...sums, Students: z.number().int(), Records: z.number().int() }),
    /** The last 10 weeks with time in them. */
    Weeks: z.array(z.object({ ...weekFields, Approved: Minutes, Pending: Minutes })),
  }),
})

export const exportTimeSummaries = endpoint({
  method: 'GET',
  path: '/programs/:programId/time-summaries/export',
  proof: 'file',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'reports.read',
  summary: 'The totals of time as a file',
  params: InProgram,
  query: z.strictObject({ ...grouped, Format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  answers: 'file',
})
