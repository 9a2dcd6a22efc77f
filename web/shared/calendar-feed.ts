import {
  createCalendarFeed,
  createSiteCalendarFeed,
  createStaffCalendarFeed,
  endCalendarFeed,
  endSiteCalendarFeed,
  endStaffCalendarFeed,
  getCalendarFeed,
  getSiteCalendarFeed,
  getStaffCalendarFeed,
} from '#contract/scheduling/own-schedule.ts'

/** Whose shifts: the own, those at which staff of a program see students, or those of the own sites. */
export type WhoseCalendar = { of: 'own' } | { of: 'sites' } | { of: 'staff'; programId: number }

const calls = {
  own: { get: getCalendarFeed, make: createCalendarFeed, end: endCalendarFeed },
  sites: { get: getSiteCalendarFeed, make: createSiteCalendarFeed, end: endSiteCalendarFeed },
  staff: { get: getStaffCalendarFeed, make: createStaffCalendarFeed, end: endStaffCalendarFeed },
} as const

/** The calls of a calendar and their input, in one shape for all three: only those of staff have a program in their address. */
export const calendarCalls = (whose: WhoseCalendar) => ({
  ...(calls[whose.of] as (typeof calls)['staff']),
  input: (whose.of === 'staff' ? { params: { programId: whose.programId } } : {}) as {
    params: { programId: number }
  },
})
