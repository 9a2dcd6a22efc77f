import { formatDate } from '#contract/core/calendar.ts'
import { htmlList, type MadeHtml } from '#server/core/mail/email-text.ts'
import type { Settings } from '#server/core/mail/template-emails.ts'

interface Told {
  FirstName: string
}

const clockOf = (publicUrl: string): string => `${publicUrl}/new/clock`

/** What the email tells a student whose punches lack their other half. */
export const unmatchedValues =
  (
    student: Told & { Records: { Kind: 'in' | 'out'; Date: string; Time: string; Site: string | null }[] },
    publicUrl: string,
  ) =>
  ({
    isOn,
  }: Settings): Record<'student.firstName' | 'record.count' | 'link', string> & {
    'record.list': MadeHtml
  } => ({
    'student.firstName': student.FirstName,
    'record.count': String(student.Records.length),
    'record.list': htmlList(
      student.Records.map((record) => {
        const site = record.Site && isOn('NameSites') ? `, ${record.Site}` : ''
        return `${formatDate(record.Date)} ${record.Time}${site}: no clock-${record.Kind === 'in' ? 'out' : 'in'}`
      }),
    ),
    link: clockOf(publicUrl),
  })

/** What the email tells a student who has shifts without any record. */
export const missedValues =
  (student: Told & { Shifts: { Date: string; StartTime: string; Site: string }[] }, publicUrl: string) =>
  ({
    isOn,
  }: Settings): Record<'student.firstName' | 'shift.count' | 'link', string> & {
    'shift.list': MadeHtml
  } => ({
    'student.firstName': student.FirstName,
    'shift.count': String(student.Shifts.length),
    'shift.list': htmlList(
      student.Shifts.map(({ Date: date, StartTime, Site }) => {
        const site = isOn('NameSites') ? `, ${Site}` : ''
        return `${formatDate(date)} ${StartTime}${site}`
      }),
    ),
    link: clockOf(publicUrl),
  })
