import { escapeHtml } from '#server/core/mail.ts'
import { tellDate } from './zone.rules.ts'

interface Told {
  FirstName: string
}

const paragraphs = (...texts: string[]): string => texts.map((text) => `<p>${text}</p>`).join('')
const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
const link = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`

/** The letter to a student whose punches lack their other half (product 3.9, time unmatched). */
export const unmatchedLetter = (
  student: Told & { Records: { Kind: 'in' | 'out'; Date: string; Time: string; Site: string | null }[] },
  publicUrl: string,
): { subject: string; html: string } => {
  const records = student.Records.map(
    (record) =>
      `${tellDate(record.Date)} ${record.Time}${record.Site ? `, ${record.Site}` : ''}: no clock-${record.Kind === 'in' ? 'out' : 'in'}`,
  )
  return {
    subject:
      records.length === 1
        ? 'A clock record lacks its other half'
        : `${records.length} clock records lack their other half`,
    html: paragraphs(`Hello ${escapeHtml(student.FirstName)},`, 'no hours count yet for these records:')
      .concat(list(records))
      .concat(
        paragraphs(
          `${link(`${publicUrl}/new/clock`, 'Report a time exception')} with the time that is missing.`,
        ),
      ),
  }
}

/** The letter to a student who has shifts without any record (product 3.9, time missed). */
export const missedLetter = (
  student: Told & { Shifts: { Date: string; StartTime: string; Site: string }[] },
  publicUrl: string,
): { subject: string; html: string } => ({
  subject:
    student.Shifts.length === 1
      ? 'A shift has no clock record'
      : `${student.Shifts.length} shifts have no clock record`,
  html: paragraphs(`Hello ${escapeHtml(student.FirstName)},`, 'nothing was recorded for these shifts:')
    .concat(list(student.Shifts.map((shift) => `${tellDate(shift.Date)} ${shift.StartTime}, ${shift.Site}`)))
    .concat(
      paragraphs(
        `${link(`${publicUrl}/new/clock`, 'Report the hours as a time exception, or the absence')}.`,
      ),
    ),
})

/** Typed text as a letter: paragraphs and line breaks stay. */
export const plainLetter = (text: string): string =>
  paragraphs(
    ...text
      .split(/\n{2,}/)
      .map((part) => escapeHtml(part.trim()).replaceAll('\n', '<br>'))
      .filter(Boolean),
  )
