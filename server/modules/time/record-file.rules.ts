import { formatDate } from '#contract/core/calendar.ts'
import { formatDistance } from '#contract/sites/distance.ts'
import type { DoubtCode } from '#contract/time/insight.ts'
import {
  isTakenBack,
  type LastEdit,
  type TimeKind,
  type TimeRecord,
  type TimeStatus,
} from '#contract/time/time-records.ts'
import { type ExportColumn, hoursColumns } from '#server/core/files/table.ts'
import type { RecordEditRow } from './records.queries.ts'
import { wallClock } from './zone.rules.ts'

export const kindNames: Record<TimeKind, string> = {
  in: 'Clock in',
  out: 'Clock out',
  exception: 'Exception',
  absence: 'Absence',
  makeup: 'Makeup',
}

const statusNames: Record<TimeStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
}
const takenBackName = 'Taken back by the student'
const insightNames: Record<string, string> = {
  1: 'Clean',
  2: 'Need Review',
  3: 'Careful Review',
  u: 'Unmatched',
}

/** Doubts whose value is a distance. */
const distances: readonly DoubtCode[] = ['far_away', 'unknown_network', 'poor_accuracy']

const reasonText = ({ Code, Value }: TimeRecord['Reasons'][number]): string => {
  const name = Code.replaceAll('_', ' ')
  if (Value === undefined) return name
  return `${name} ${distances.includes(Code) ? formatDistance(Value) : Value}`
}

export const whenText = ({
  Date: date,
  Time,
  EndTime,
  Location,
}: Pick<TimeRecord, 'Date' | 'Time' | 'EndTime' | 'Location'>): string =>
  `${formatDate(date)} ${Time}${EndTime ? `–${EndTime}` : ''}${Location ? `, ${Location}` : ''}`

const wasText = ({ WasDate, WasTime, WasEndTime, WasLocation }: LastEdit): string =>
  whenText({ Date: WasDate, Time: WasTime, EndTime: WasEndTime, Location: WasLocation })

export const exportColumns: readonly ExportColumn<TimeRecord>[] = [
  { title: 'Type', value: (row) => kindNames[row.Type] },
  { title: 'Student', width: 28, value: (row) => row.Student },
  { title: 'Student level', width: 18, value: (row) => row.StudentLevel },
  { title: 'Date', kind: 'date', value: (row) => row.Date },
  { title: 'Time', value: (row) => row.Time },
  { title: 'End time', value: (row) => row.EndTime },
  ...hoursColumns<TimeRecord>('Hours', (row) => (row.Type === 'in' ? null : row.Minutes)),
  {
    title: 'On the clock (minutes)',
    kind: 'number',
    value: (row) => (row.Type === 'in' ? null : row.ClockMinutes),
    isSummed: true,
  },
  {
    title: 'Meal break (minutes)',
    kind: 'number',
    value: (row) => (row.Type === 'in' ? null : row.MealMinutes),
    isSummed: true,
  },
  {
    title: 'Time change request',
    width: 24,
    value: ({ TimeChangeRequest: change }) =>
      change && `${change.IsRemoval ? 'Take back' : `${change.WasTime} → ${change.Time}`} (${change.Status})`,
  },
  { title: 'IPName', width: 18, value: (row) => row.IPName },
  { title: 'Location', width: 32, value: (row) => row.Location },
  { title: 'Distance', value: (row) => (row.Distance === null ? null : formatDistance(row.Distance)) },
  { title: 'Insight', width: 16, value: (row) => insightNames[row.Insight] },
  { title: 'Reasons', width: 30, value: (row) => row.Reasons.map(reasonText).join(', ') },
  { title: 'Status', value: (row) => (isTakenBack(row) ? takenBackName : statusNames[row.Status]) },
  { title: 'Decided by', width: 22, value: (row) => row.DecidedBy },
  { title: 'Note', width: 40, value: (row) => row.DecisionReason ?? row.Reason },
]

const onScreen = [
  'Type',
  'Student',
  'Date',
  'Time',
  'End time',
  'Hours',
  'Time change request',
  'IPName',
  'Location',
  'Insight',
  'Reasons',
  'Status',
]
/** What of it the list shows as well. */
export const screenColumns = exportColumns.filter(({ title }) => onScreen.includes(title))

const momentText = (at: string, zone: string): string => {
  const { date, time } = wallClock(Date.parse(at), zone)
  return `${formatDate(date)} ${time}`
}

/** How often a record was edited, and the last edit, in the program's zone. */
export const editColumns = (zone: string): ExportColumn<TimeRecord>[] => [
  { title: 'Edits', kind: 'number', value: ({ Edits }) => Edits },
  {
    title: 'Last edited',
    width: 18,
    value: ({ LastEdit }) => LastEdit && momentText(LastEdit.At, zone),
  },
  { title: 'Edited by', width: 22, value: ({ LastEdit }) => LastEdit?.By ?? null },
  { title: 'Before the edit', width: 36, value: ({ LastEdit }) => LastEdit && wasText(LastEdit) },
  { title: 'Reason for the edit', width: 36, value: ({ LastEdit }) => LastEdit?.Reason ?? null },
]

/** One row for each edit, in the program's zone. */
export const changeColumns = (zone: string): ExportColumn<RecordEditRow>[] => [
  { title: 'Edited', width: 18, value: ({ At }) => momentText(At, zone) },
  { title: 'Edited by', width: 22, value: ({ By }) => By },
  { title: 'Type', value: ({ Type }) => kindNames[Type] },
  { title: 'Student', width: 28, value: ({ Student }) => Student },
  { title: 'Student level', width: 18, value: ({ StudentLevel }) => StudentLevel },
  { title: 'Before', width: 40, value: ({ Was }) => whenText(Was) },
  { title: 'After', width: 40, value: ({ Now }) => whenText(Now) },
  { title: 'Reason', width: 40, value: ({ Reason }) => Reason },
]

/** Hours that wait, were refused or missed do not add up with those that count. A clock-in's are on its clock-out. */
export const groupOf = (row: TimeRecord): string =>
  `Total: ${kindNames[row.Type === 'in' ? 'out' : row.Type]}, ${isTakenBack(row) ? takenBackName : statusNames[row.Status]}`
