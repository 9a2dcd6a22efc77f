import { type ReactNode, useMemo } from 'react'
import type { TimeRecord } from '#contract/time/time-records.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { formatDate, formatDayOfYear, formatHours, weekday } from '#web/ui/dates.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { changeText, doubtText, sortDoubts } from './doubt-words.tsx'
import { Reasons } from './Reasons.tsx'
import {
  offsetText,
  placeText,
  shiftTypeName,
  standing,
  timeText,
  typeIcon,
  typeName,
} from './record-words.tsx'
import { StandingTag } from './StandingTag.tsx'
import classes from './time.module.css'

/** What a record says beside its time: the hours that count, said so where the clock has others, else how well it met the shift. */
const besideTime = (words: Words, row: TimeRecord): string => {
  const hours = formatHours(row.Minutes, true)
  if (row.ClockMinutes === 0) return offsetText(words, row)
  return row.Minutes === row.ClockMinutes ? hours : words('time.counted', { hours })
}

/** The columns of the unapproved table and, with status, of all records; `inPlace` stands where time change requests are. */
export const useRecordColumns = (
  withStatus = false,
  inPlace?: GridColumn<TimeRecord>,
): GridColumn<TimeRecord>[] => {
  const words = useWords()
  return useMemo(() => columnsIn(words, withStatus, inPlace), [words, withStatus, inPlace])
}

const columnsIn = (
  words: Words,
  withStatus: boolean,
  inPlace: GridColumn<TimeRecord> | undefined,
): GridColumn<TimeRecord>[] => {
  return [
    {
      id: 'Type',
      header: words('time.type'),
      width: withStatus ? 118 : 98,
      text: (row) => typeName(words, row.Type),
      cell: (row) => (
        <span className={classes.type}>
          {typeIcon(row.Type)}
          {typeName(words, row.Type)}
        </span>
      ),
    },
    {
      id: 'Student',
      header: words('time.student'),
      identity: true,
      minWidth: 114,
      grow: 2,
      cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
      text: (row) => row.Student,
      detail: (row) => row.StudentLevel,
    },
    {
      id: 'Date',
      header: words('time.date'),
      width: 94,
      sortable: true,
      cell: (row) => formatDate(row.Date),
      text: (row) => formatDayOfYear(row.Date),
      detail: (row) => weekday(row.Date),
    },
    {
      id: 'Time',
      header: words('time.time'),
      width: 110,
      text: (row) => timeText(row),
      cell: (row) => (
        <span className={classes.timeCell}>
          {row.ShiftType ? (
            <ShiftMark kind={row.ShiftType} label={shiftTypeName(words, row.ShiftType)} />
          ) : (
            <span className={classes.noMark} />
          )}
          <span>
            <b>{timeText(row)}</b>
            <small>{besideTime(words, row)}</small>
          </span>
        </span>
      ),
    },
    ...(inPlace ? [inPlace] : changeColumns(words)),
    {
      id: 'Location',
      header: words('time.location'),
      minWidth: 114,
      grow: 2,
      cell: (row) => row.Location ?? '–',
      text: (row) => row.Location ?? '',
      detail: (row) => (row.Type === 'absence' ? '' : placeText(words, row)),
    },
    {
      id: 'Insight',
      header: words('time.why'),
      minWidth: withStatus ? 96 : 150,
      grow: 3,
      text: (row) =>
        [...sortDoubts(row.Reasons).map((doubt) => doubtText(words, doubt, row.Type)), row.Reason]
          .filter(Boolean)
          .join(', '),
      cell: (row) => (
        <span className={classes.change}>
          <Reasons reasons={row.Reasons} type={row.Type} />
          {row.Reason && <small title={row.Reason}>“{row.Reason}”</small>}
        </span>
      ),
    },
    ...(withStatus
      ? [
          {
            id: 'Status',
            header: words('time.status'),
            width: 106,
            text: (row: TimeRecord) => standing(words, row),
            cell: (row: TimeRecord) =>
              row.Insight === 'u' ? (
                <StatusTag status="unmatched">{words('time.unmatched')}</StatusTag>
              ) : (
                <StandingTag record={row} />
              ),
          },
        ]
      : []),
  ]
}

const changeColumns = (words: Words): GridColumn<TimeRecord>[] => [
  {
    id: 'TimeChangeRequest',
    header: words('time.timeChange'),
    minWidth: 110,
    text: (row) =>
      row.TimeChangeRequest
        ? `${changeText(words, row.TimeChangeRequest)}: ${row.TimeChangeRequest.Reason}`
        : '',
    cell: (row) => <ChangeCell row={row} />,
  },
  {
    id: 'IPName',
    header: words('time.ipName'),
    width: 108,
    cell: (row) =>
      row.IPName ?? <span className="p-muted">{row.Source === 'server' ? words('time.notKnown') : '–'}</span>,
    text: (row) => row.IPName ?? '',
  },
]

function ChangeCell({ row }: { row: TimeRecord }) {
  const words = useWords()
  const change = row.TimeChangeRequest
  if (!change) return <span className="p-muted">–</span>
  return (
    <span className={classes.change}>
      <b>{changeText(words, change)}</b>
      {change.Reason && <small>“{change.Reason}”</small>}
    </span>
  )
}

/** A record on a phone: who, what, where, and why it needs a look. */
export function RecordCard({ row, children }: { row: TimeRecord; children?: ReactNode }) {
  const words = useWords()
  return (
    <div>
      <div className={classes.cardTop}>
        {row.ShiftType && <ShiftMark kind={row.ShiftType} label={shiftTypeName(words, row.ShiftType)} />}
        <b>
          <StudentLink id={row.StudentId}>{row.Student}</StudentLink>
        </b>
        {row.Status !== 'pending' && <StandingTag record={row} />}
      </div>
      <div className={classes.cardLine}>
        {typeName(words, row.Type)} · {formatDayOfYear(row.Date)} <b>{timeText(row)}</b>{' '}
        <span className="p-muted">{besideTime(words, row)}</span>
      </div>
      <div className={`${classes.cardLine} ${classes.cardPlace} p-muted`}>
        {[row.Location, row.Type === 'absence' ? null : (row.IPName ?? placeText(words, row))]
          .filter(Boolean)
          .join(' · ')}
      </div>
      {children}
      {row.TimeChangeRequest && (
        <div className={classes.cardLine}>
          <ChangeCell row={row} />
        </div>
      )}
      {row.Reason && <div className={`${classes.cardLine} p-muted`}>“{row.Reason}”</div>}
      {row.Reasons.length > 0 && (
        <div className={classes.cardReasons}>
          <Reasons reasons={row.Reasons} type={row.Type} all />
        </div>
      )}
    </div>
  )
}

export const recordCard = (row: TimeRecord) => <RecordCard row={row} />
