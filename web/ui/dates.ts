/**
 * Dates, times and hours as people read and type them here. A calendar date is always 'YYYY-MM-DD', a time of day
 * 'HH:MM', a moment an ISO 8601 string with zone; nothing in this file looks at the machine's own time zone.
 */

import { daysInMonth, formatDate } from '#contract/core/calendar.ts'
import { locale } from '#web/words/language.ts'

export { addDays, daysBetween, formatDate } from '#contract/core/calendar.ts'

export const earliestDate = '1900-01-01'
export const latestDate = '2099-12-31'

const typedDate = /^\s*(\d{1,2})\s*[/.-]\s*(\d{1,2})\s*[/.-]\s*(\d{4}|\d{2})\s*$/
const isoDate = /^(\d{4})-(\d{2})-(\d{2})/

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Two-digit years up to 69 belong to this century, the others to the last, as spreadsheets do. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length === 4) return year
  return year <= 69 ? 2000 + year : 1900 + year
}

/** Reads mm/dd/yyyy (also m/d/yy, with `/`, `-` or `.`) of any year; undefined for anything that is not a day of the calendar. */
export function readDate(text: string): string | undefined {
  const match = typedDate.exec(text)
  if (!match) return undefined
  const month = Number(match[1])
  const day = Number(match[2])
  const year = fullYear(match[3]!)
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

/** As `readDate`, from 1900 to 2099. */
export function parseDate(text: string): string | undefined {
  const date = readDate(text)
  return date === undefined || date < earliestDate || date > latestDate ? undefined : date
}

/** Whether a date is over everywhere: a page without an account knows no time zone. */
export function isPast(date: string): boolean {
  return date < new Date(Date.now() - 12 * 3_600_000).toISOString().slice(0, 10)
}

/** 'Thu 12/03' */
export function formatDay(date: string | null | undefined): string {
  const match = date ? isoDate.exec(date) : null
  // Only a date can match.
  return match ? `${weekday(date!)} ${match[2]}/${match[3]}` : ''
}

/** 'Thu 12/03/2026' */
export function formatDayOfYear(date: string | null | undefined): string {
  return date && isoDate.test(date) ? `${weekday(date)} ${formatDate(date)}` : ''
}

/** 'Thu', or 'Thursday' with `style: 'long'`. */
export function weekday(date: string, style: 'short' | 'long' = 'short'): string {
  return formatter('UTC', { weekday: style }).format(new Date(`${date.slice(0, 10)}T00:00:00Z`))
}

const typedTime = /^\s*(\d{1,2})(?:[:.]?(\d{2}))?\s*(a|am|p|pm)?\s*$/i

/** Reads 24 h 'HH:MM' (also '7', '730', '7:30 pm'); undefined for anything else. */
export function parseTime(text: string): string | undefined {
  const match = typedTime.exec(text)
  if (!match) return undefined
  const half = match[3]?.[0]?.toLowerCase()
  let hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  if (half) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half === 'p' ? 12 : 0)
  }
  return hour > 23 || minute > 59 ? undefined : `${twoDigits(hour)}:${twoDigits(minute)}`
}

/** 'HH:MM' of 'HH:MM:SS' or 'HH:MM'; '' for nothing. */
export function formatTime(time: string | null | undefined): string {
  return time && /^\d{2}:\d{2}/.test(time) ? time.slice(0, 5) : ''
}

const oneDecimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Minutes as hours with one decimal: '8.5', '9,198.5', '−7.5'; with `unit` '8.5 h'. */
export function formatHours(minutes: number, unit = false): string {
  const tenths = Math.round(Math.abs(minutes) / 6)
  const figure = oneDecimal.format(tenths / 10)
  return `${minutes < 0 && tenths > 0 ? '−' : ''}${figure}${unit ? ' h' : ''}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Intl formatters cost about 50 µs each to make: a grid of thousands of cells shares them. */
function formatter(zone: string | undefined, options: Intl.DateTimeFormatOptions) {
  const key = `${zone}|${JSON.stringify(options)}`
  let found = formatters.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    formatters.set(key, found)
  }
  return found
}

/** 'November 22, 2026', or '22 de noviembre de 2026', as screen readers say a day of a calendar. */
export function formatDayLong(date: string): string {
  return formatter('UTC', { dateStyle: 'long' }).format(new Date(`${date}T00:00:00Z`))
}

const clockParts: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

let shownZone: string | undefined

/** Sets the zone of moments that are given without one: the program's, in which the whole page is, wherever its reader is. */
export const showTimesIn = (zone: string | undefined): void => {
  shownZone = zone
}

function partsIn(instant: string | number | Date, zone = shownZone): Record<string, string> {
  const parts: Record<string, string> = {}
  for (const part of formatter(zone, clockParts).formatToParts(new Date(instant)))
    parts[part.type] = part.value
  return parts
}

/** The calendar date of a moment in a time zone (the program's when none is given, the reader's own outside of programs): 'YYYY-MM-DD'. */
export function dateOfInstant(instant: string | number | Date, zone?: string): string {
  const parts = partsIn(instant, zone)
  // The formatter always brings the year.
  return `${parts.year!.padStart(4, '0')}-${parts.month}-${parts.day}`
}

/** The time of day of a moment in a time zone: 'HH:MM', 24 h. */
export function timeOfInstant(instant: string | number | Date, zone?: string): string {
  const parts = partsIn(instant, zone)
  return `${parts.hour}:${parts.minute}`
}

/** Whether a text, such as one of an address, is a moment in UTC: '2026-11-16T06:55:00.000Z'. */
export const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** '11/16/2026 06:55'; '' for nothing. */
export function formatInstant(instant: string | null | undefined, zone?: string): string {
  return instant ? `${formatDate(dateOfInstant(instant, zone))} ${timeOfInstant(instant, zone)}` : ''
}
