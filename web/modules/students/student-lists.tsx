import { type ReactNode, useState } from 'react'
import { getMailServer } from '#contract/communication/emails.ts'
import type { VerificationRow } from '#contract/requirements/verifications.ts'
import {
  listStudentChanges,
  listStudentEmails,
  listStudentEvaluations,
  listStudentRecords,
  listStudentRequirements,
  listStudentShifts,
  type StudentEmail,
  type StudentShift,
} from '#contract/students/students.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { creditText } from '#web/shared/CreditNote.tsx'
import { RequirementState } from '#web/shared/RequirementState.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { TrendLine } from '#web/ui/charts/TrendLine.tsx'
import { formatDate, formatDayOfYear, formatHours, formatInstant } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import {
  EvaluationState,
  evaluationState,
  kindName,
  MailState,
  mailStateName,
  ShiftState,
  type ShownMailState,
  shiftStateName,
  VerificationTag,
} from './student-states.tsx'
import classes from './students.module.css'

/** Which student the lists are of. */
export interface At {
  params: { programId: number; studentId: number }
}

const pageSize = 25

function Part({ title, page, children }: { title?: string; page?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      {title && <h2>{title}</h2>}
      {children}
      {page}
    </section>
  )
}

const pager = (page: number, total: number, onPage: (page: number) => void): ReactNode => (
  <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
)

function ShiftList({ at, when }: { at: At; when: 'next' | 'past' }) {
  const words = useWords()
  const [page, setPage] = useState(1)
  const shifts = useRead(listStudentShifts, { ...at, query: { When: when, page, pageSize } })
  const title = words(when === 'next' ? 'students.nextShifts' : 'students.pastShifts')
  const columns: GridColumn<StudentShift>[] = [
    {
      id: 'Date',
      header: words('students.date'),
      identity: true,
      width: 160,
      cell: (row) => formatDayOfYear(row.Date),
    },
    {
      id: 'Time',
      header: words('students.time'),
      width: 130,
      cell: (row) => `${row.StartTime}–${row.EndTime}`,
    },
    { id: 'Site', header: words('students.site'), grow: 2 },
    {
      id: 'ShiftCode',
      header: words('students.shift'),
      width: 150,
      cell: (row) => (
        <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
          <ShiftMark kind={row.ShiftType} />
          {row.ShiftCode}
        </span>
      ),
      text: (row) => row.ShiftName,
    },
    { id: 'Rotation', header: words('students.rotation') },
    {
      id: 'State',
      header: words('students.state'),
      width: 130,
      cell: (row) => <ShiftState state={row.State} />,
      text: (row) => shiftStateName(words, row.State),
    },
  ]
  return (
    <Part title={title} page={pager(page, shifts.data?.Total ?? 0, setPage)}>
      <Grid
        id={`student-shifts-${when}`}
        label={title}
        columns={columns}
        {...fromList(shifts)}
        rowKey={(row) => row.AssignmentId}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words(when === 'next' ? 'students.noNext' : 'students.noPast') }}
      />
    </Part>
  )
}

export function Shifts({ at }: { at: At }) {
  return (
    <div className={classes.part}>
      <ShiftList at={at} when="next" />
      <ShiftList at={at} when="past" />
    </div>
  )
}

export function Records({ at }: { at: At }) {
  const words = useWords()
  const [page, setPage] = useState(1)
  const records = useRead(listStudentRecords, { ...at, query: { page, pageSize } })
  return (
    <div className={classes.part}>
      <Grid
        id="student-records"
        label={words('students.records')}
        {...fromList(records)}
        rowKey={(row) => row.Id}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('students.recordsEmpty') }}
        columns={[
          {
            id: 'Date',
            header: words('students.date'),
            identity: true,
            width: 160,
            cell: (row) => formatDayOfYear(row.Date),
          },
          {
            id: 'Time',
            header: words('students.time'),
            width: 130,
            cell: (row) => (row.EndTime ? `${row.Time}–${row.EndTime}` : row.Time),
          },
          {
            id: 'Type',
            header: words('students.kind'),
            width: 120,
            cell: (row) => kindName(words, row.Type),
          },
          {
            id: 'Location',
            header: words('students.site'),
            cell: (row) => row.Location ?? '–',
            detail: (row) => creditText(words, row),
          },
          {
            id: 'Minutes',
            header: words('students.hoursColumn'),
            width: 90,
            align: 'end',
            cell: (row) => (row.ClockMinutes > 0 ? formatHours(row.Minutes) : '–'),
          },
          {
            id: 'Status',
            header: words('students.state'),
            width: 130,
            cell: (row) => <StatusTag status={row.Status} />,
            text: (row) => row.Status,
          },
        ]}
      />
      {pager(page, records.data?.Total ?? 0, setPage)}
    </div>
  )
}

export function Evaluations({ at }: { at: At }) {
  const words = useWords()
  const [page, setPage] = useState(1)
  const evaluations = useRead(listStudentEvaluations, { ...at, query: { page, pageSize } })
  const trend = evaluations.data?.Trend ?? []
  return (
    <div className={classes.part}>
      {trend.length > 1 && (
        <Part title={words('students.trend')}>
          <ScoreTrend trend={trend} />
        </Part>
      )}
      <Grid
        id="student-evaluations"
        label={words('students.evaluations')}
        {...fromList(evaluations)}
        rowKey={(row) => row.Id}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('students.evaluationsEmpty') }}
        columns={[
          { id: 'Template', header: words('students.template'), identity: true, grow: 2 },
          { id: 'Evaluator', header: words('students.evaluator') },
          { id: 'Site', header: words('students.site'), cell: (row) => row.Site || '–' },
          {
            id: 'Date',
            header: words('students.date'),
            width: 110,
            cell: (row) => formatDate(row.Date),
          },
          {
            id: 'EndDate',
            header: words('students.due'),
            width: 110,
            cell: (row) => formatDate(row.EndDate) || '–',
          },
          {
            id: 'IsCompleted',
            header: words('students.state'),
            width: 130,
            cell: (row) => <EvaluationState row={row} />,
            text: (row) => words(evaluationState(row)[1]),
          },
          {
            id: 'Percent',
            header: words('students.percent'),
            width: 90,
            align: 'end',
            cell: (row) => (row.Percent === null ? '–' : `${row.Percent.toFixed(1)}%`),
          },
        ]}
      />
      {pager(page, evaluations.data?.Total ?? 0, setPage)}
    </div>
  )
}

/** Scores one after the other; two of a day are told apart by their place. */
export function ScoreTrend({
  trend,
  height = 150,
}: {
  trend: readonly { EvaluationId: number; Date: string; Percent: number }[]
  height?: number
}) {
  const words = useWords()
  const seen = new Map<string, number>()
  const points = trend.map(({ Date: day, Percent }) => {
    const count = (seen.get(day) ?? 0) + 1
    seen.set(day, count)
    const label = `${day.slice(5, 7)}/${day.slice(8, 10)}`
    return { label: count > 1 ? `${label} (${count})` : label, value: Percent }
  })
  return (
    <TrendLine
      points={points}
      most={100}
      height={height}
      label={words('students.trend')}
      valueName={words('students.percent')}
      format={(value) => `${value}%`}
    />
  )
}

function Verified({ title, rows }: { title: string; rows: readonly VerificationRow[] | undefined }) {
  const words = useWords()
  return (
    <Part title={title}>
      <Grid
        id="student-verifications"
        label={title}
        rows={rows}
        rowKey={(row) => row.Id ?? row.Item}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('students.noRequirements') }}
        columns={[
          { id: 'Item', header: words('students.requirement'), identity: true, grow: 2 },
          { id: 'Vendor', header: words('students.vendor'), cell: (row) => row.Vendor || '–' },
          { id: 'Result', header: words('students.result'), cell: (row) => row.Result || '–' },
          {
            id: 'Expires',
            header: words('students.expires'),
            width: 120,
            cell: (row) => formatDate(row.Expires) || '–',
          },
          {
            id: 'State',
            header: words('students.state'),
            width: 180,
            cell: (row) => <VerificationTag row={row} />,
            text: (row) => row.State,
          },
        ]}
      />
    </Part>
  )
}

export function Requirements({ at }: { at: At }) {
  const words = useWords()
  const found = useRead(listStudentRequirements, at)
  return (
    <div className={classes.part}>
      <Part title={words('students.programRequirements')}>
        <Grid
          id="student-requirements"
          label={words('students.programRequirements')}
          {...fromList({ ...found, data: found.data?.Requirements })}
          rowKey={(row) => `${row.Id} ${row.Site}`}
          height="auto"
          framed
          noColumnChoice
          empty={{ text: words('students.noRequirements') }}
          columns={[
            {
              id: 'Name',
              header: words('students.requirement'),
              identity: true,
              detail: (row) => row.Site || (row.BlocksPlacement && words('students.blocks')),
            },
            {
              id: 'Expires',
              header: words('students.expires'),
              width: 120,
              cell: (row) => formatDate(row.Expires) || '–',
            },
            {
              id: 'Status',
              header: words('students.state'),
              width: 180,
              cell: (row) => <RequirementState state={row.State} until={row.Expires} />,
              text: (row) => row.State,
            },
          ]}
        />
      </Part>
      <Verified title={words('students.backgroundChecks')} rows={found.data?.BackgroundChecks} />
      <Verified title={words('students.immunizations')} rows={found.data?.Immunizations} />
    </div>
  )
}

export function Emails({ at }: { at: At }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const [page, setPage] = useState(1)
  const emails = useRead(listStudentEmails, { ...at, query: { page, pageSize } })
  const server = useRead(getMailServer, {}, { staleMs: 300_000 })
  const stateOf = ({ Status }: StudentEmail): ShownMailState =>
    Status === 'queued' && server.data?.IsSet === false ? 'waiting' : Status
  return (
    <div className={classes.part}>
      <Grid
        id="student-emails"
        label={words('students.emails')}
        {...fromList(emails)}
        rowKey={(row) => row.Id}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('students.emailsEmpty') }}
        columns={[
          { id: 'Subject', header: words('students.subject'), identity: true, grow: 2 },
          { id: 'Sender', header: words('students.sender'), cell: (row) => row.Sender || '–' },
          {
            id: 'At',
            header: words('students.emailDate'),
            width: 160,
            cell: (row) => formatInstant(row.At, timeZone),
          },
          {
            id: 'Status',
            header: words('students.state'),
            width: 220,
            cell: (row) => <MailState state={stateOf(row)} />,
            text: (row) => mailStateName(words, stateOf(row)),
          },
        ]}
      />
      {pager(page, emails.data?.Total ?? 0, setPage)}
    </div>
  )
}

export function Changes({ at }: { at: At }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const [page, setPage] = useState(1)
  const changes = useRead(listStudentChanges, { ...at, query: { page, pageSize } })
  return (
    <div className={classes.part}>
      <Grid
        id="student-changes"
        label={words('students.changes')}
        {...fromList(changes)}
        rowKey={(row) => row.Id}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('students.changesEmpty') }}
        columns={[
          {
            id: 'What',
            header: words('students.what'),
            identity: true,
            grow: 3,
            detail: (row) =>
              row.Fields.map(({ Field, Before, After }) =>
                words('students.changed', { field: Field, before: Before, after: After }),
              ).join(' · '),
          },
          { id: 'By', header: words('students.by'), cell: (row) => row.By || '–' },
          {
            id: 'At',
            header: words('students.at'),
            width: 160,
            cell: (row) => formatInstant(row.At, timeZone),
          },
        ]}
      />
      {pager(page, changes.data?.Total ?? 0, setPage)}
    </div>
  )
}
