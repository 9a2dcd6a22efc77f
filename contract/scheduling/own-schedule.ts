import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, TimeOfDay } from '#contract/core/fields.ts'
import { SitePhone } from '#contract/scheduling/site-phone.ts'
import { ShiftType } from './site-shifts.ts'

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
        Contact: SitePhone.nullable(),
        /** Whether it is offered to other students, or waits for approval after somebody took it. */
        Offered: z.enum(['open', 'pending']).nullable(),
      }),
    ),
    DaysOff: z.array(z.object({ Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })),
    /** Whether the program lets students offer shifts to each other. */
    MaySwap: z.boolean(),
  }),
})

/** The secret calendar address that is in use; the address itself is shown once, when it is made. */
export const CalendarFeed = z.object({
  CreatedAt: Instant,
  /** When a calendar program last came by, to the minute. */
  LastReadAt: Instant.nullable(),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

export const getCalendarFeed = endpoint({
  method: 'GET',
  path: '/calendar-feed',
  may: 'schedule.own',
  summary: 'Whether the own shifts have a secret calendar address, since when, and when it was last read',
  answer: CalendarFeed.nullable(),
})

export const endCalendarFeed = endpoint({
  method: 'DELETE',
  path: '/calendar-feed',
  may: 'schedule.own',
  summary: 'Turns off the secret calendar address of the own shifts',
  answer: z.object({}),
})

export const getStaffCalendarFeed = endpoint({
  method: 'GET',
  path: '/programs/:programId/calendar-feed',
  may: 'scheduling.read',
  summary:
    'Whether the caller has a secret calendar address in the program, since when, and when it was last read',
  params: InProgram,
  answer: CalendarFeed.nullable(),
})

export const endStaffCalendarFeed = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/calendar-feed',
  may: 'scheduling.read',
  summary: 'Turns off the secret calendar address of the caller in the program',
  params: InProgram,
  answer: z.object({}),
})

export const getSiteCalendarFeed = endpoint({
  method: 'GET',
  path: '/own-sites/calendar-feed',
  may: 'expected-students.read',
  summary:
    'Whether who comes to the own sites has a secret calendar address, since when, and when it was last read',
  answer: CalendarFeed.nullable(),
})

export const endSiteCalendarFeed = endpoint({
  method: 'DELETE',
  path: '/own-sites/calendar-feed',
  may: 'expected-students.read',
  summary: 'Turns off the secret calendar address of who comes to the own sites',
  answer: z.object({}),
})

export const createSiteCalendarFeed = endpoint({
  method: 'POST',
  path: '/own-sites/calendar-feed',
  proof: 'calendar',
  lasts: true,
  answersSecret: true,
  may: 'expected-students.read',
  summary: 'A new secret calendar address of who comes to the own sites; the old one ends',
  answer: z.object({ Address: z.string() }),
})

export const createCalendarFeed = endpoint({
  method: 'POST',
  path: '/calendar-feed',
  proof: 'calendar',
  lasts: true,
  answersSecret: true,
  may: 'schedule.own',
  summary: 'A new secret calendar address of the own shifts; the old one ends',
  answer: z.object({ Address: z.string() }),
})

export const createStaffCalendarFeed = endpoint({
  method: 'POST',
  path: '/programs/:programId/calendar-feed',
  proof: 'calendar',
  lasts: true,
  answersSecret: true,
  may: 'scheduling.read',
  summary:
    'A new secret calendar address of the shifts at which the caller sees students of the program; the old one ends',
  params: InProgram,
  answer: z.object({ Address: z.string() }),
})

export const getCalendar = endpoint({
  method: 'GET',
  path: '/calendar/:file',
  may: 'everyone',
  summary:
    'The shifts of the person whose secret address this is, as iCalendar. Answers 304 to the ETag of what has not changed',
  params: z.strictObject({ file: z.string().regex(/^[\w-]{20,100}\.ics$/) }),
  answers: 'file',
  fileTypes: ['ics'],
})
