import { Temporal } from 'temporal-polyfill'
import { formatsByZone, toTheMinute } from '#server/core/runtime/today.ts'

const formatOf = formatsByZone('en-CA', toTheMinute)

/** Day 'YYYY-MM-DD' and wall-clock time 'HH:MM' of a moment (milliseconds) in a zone. */
export const wallClock = (moment: number, zone: string): { date: string; time: string } => {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  return { date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` }
}

/**
 * The moment of a wall-clock time, with the later one where it comes twice in autumn; or, where the clocks skip it in spring, from
 * which time to which they jump.
 */
export type Moment = { at: number; again?: number } | { skippedFrom: string; skippedTo: string }

/**
 * The moment (milliseconds) at which a clock in the zone shows this day and time. A time that comes twice in autumn is the
 * first one; a time that never comes has no moment.
 *
 * @param date 'YYYY-MM-DD'
 * @param time 'HH:MM'
 */
export const momentOf = (date: string, time: string, zone: string): Moment => {
  const wall = Temporal.PlainDateTime.from(`${date}T${time}`)
  const zoned = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (zoned.toPlainDateTime().equals(wall)) {
    const again = wall.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
    return again === zoned.epochMilliseconds ? { at: again } : { at: zoned.epochMilliseconds, again }
  }
  // A time that the clocks skip has a change of clocks after it.
  const jump = zoned.getTimeZoneTransition('next')!
  const before = jump.subtract({ nanoseconds: 1 }).toPlainTime().add({ nanoseconds: 1 })
  return {
    skippedFrom: before.toString({ smallestUnit: 'minute' }),
    skippedTo: jump.toPlainTime().toString({ smallestUnit: 'minute' }),
  }
}
