import { Temporal } from 'temporal-polyfill'

/** The begin and end of a shift on one day, as moments. */
export interface ShiftTimes {
  StartsAt: number
  EndsAt: number
}

const localMoment = (date: string, time: string, zone: string): number =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds

/**
 * The moments of a shift on a date, from the wall clock of its site: an end at or before the start is on the next day. A
 * time that the clocks skip in spring counts an hour later; one that comes twice in autumn counts the first time. So a
 * night shift lasts an hour less or more in those nights, as it does for the people in it.
 *
 * @param startTime and endTime 'HH:MM' or 'HH:MM:SS'
 * @param zone IANA name of the site's zone
 */
export const shiftTimes = (date: string, startTime: string, endTime: string, zone: string): ShiftTimes => {
  const crossesMidnight = endTime.slice(0, 5) <= startTime.slice(0, 5)
  const endDate = crossesMidnight ? Temporal.PlainDate.from(date).add({ days: 1 }).toString() : date
  const StartsAt = localMoment(date, startTime, zone)
  const EndsAt = localMoment(endDate, endTime, zone)
  // A short shift that begins inside the skipped hour would end before it begins: it keeps its length instead.
  return {
    StartsAt,
    EndsAt: EndsAt > StartsAt ? EndsAt : StartsAt + nominalMinutes(startTime, endTime) * 60_000,
  }
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Minutes between two wall-clock times, across midnight when the end is not after the start. */
const nominalMinutes = (startTime: string, endTime: string): number =>
  (minutesOf(endTime) - minutesOf(startTime) + 1440) % 1440 || 1440
