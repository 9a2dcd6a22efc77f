import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  TimeOfDay,
} from '#contract/core/fields.ts'

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
  /** Wall-clock times at the site; an end at or before the start is on the next day. */
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
export type SiteShiftInput = z.input<typeof SiteShiftInput>

const oneShift = z.strictObject({ programId: Id, siteShiftId: Id })
const shiftSorts = ['Code', 'Name', 'Site', 'Type', 'StartTime', 'Capacity', 'StartDate', 'EndDate'] as const

export const listSiteShifts = endpoint({
  method: 'GET',
  path: '/programs/:programId/site-shifts',
  may: 'scheduling.read',
  summary: 'Site shifts by code unless sorted otherwise; a supervisor sees those of their sites',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: Line(100).optional(),
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
  errors: {
    404: 'the site does not exist',
    409: 'the code is taken',
    422: 'it would last 24 hours, and the program has no such shifts (DayLongShifts)',
  },
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
    422: 'it would last 24 hours, and the program has no such shifts (DayLongShifts)',
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
