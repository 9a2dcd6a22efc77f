/**
 * The formatter of each zone, made once: there are some hundreds at most, and making one takes longer than everything else of a
 * short call.
 */
export const formatsByZone = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (timeZone: string): Intl.DateTimeFormat => {
    let format = formats.get(timeZone)
    if (!format) {
      format = new Intl.DateTimeFormat(locale, { ...options, timeZone })
      formats.set(timeZone, format)
    }
    return format
  }
}
const dayFormat = formatsByZone('en-CA', {})
const writtenDayFormat = formatsByZone('en-US', { month: '2-digit', day: '2-digit', year: 'numeric' })
/** A day and its wall-clock time, to the minute. */
export const toTheMinute: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}
const momentFormat = formatsByZone('en-US', toTheMinute)

/** The calendar day of a moment in a zone, 'YYYY-MM-DD'. */
export const dayIn = (timeZone: string, moment: Date): string => dayFormat(timeZone).format(moment)

/** The calendar day it is now in a zone, 'YYYY-MM-DD'. */
export const todayIn = (timeZone: string): string => dayIn(timeZone, new Date())

/** The calendar day it is now in a zone as a person there writes it: 'mm/dd/yyyy'. */
export const writtenTodayIn = (timeZone: string): string => writtenDayFormat(timeZone).format(new Date())

/** Now, or another moment, as a person there writes it: 'mm/dd/yyyy hh:mm'. */
export const momentIn = (timeZone: string, moment = new Date()): string =>
  momentFormat(timeZone).format(moment).replace(',', '')
