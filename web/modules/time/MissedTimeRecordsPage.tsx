import { IconCalendarX, IconMail, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { listMissedTimeRecords, type MissedRecord } from '#contract/time/missed-shifts.ts'
import { addTimeRecord } from '#contract/time/time-records.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { formatDayOfYear, formatHours } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { RecordDialog, RemindMissed } from './record-dialogs.ts'
import { recordReads } from './record-reads.ts'
import { shiftTypeName } from './record-words.tsx'
import classes from './time.module.css'
import { filtersOf, noFilters, queryOf, TimeFilterBar } from './time-filters.tsx'
import { useDeciding } from './use-deciding.tsx'

const pageSize = 50

/** Missed Time Records: shifts that have passed, or begun, without a punch, an exception or an absence. */
export function MissedTimeRecordsPage() {
  const words = useWords()
  const programId = useProgramId()
  const may = useMay()
  const params = { programId }
  const { at, filter, paging, pager } = useListAddress(
    listMissedTimeRecords,
    { ...noFilters, page: 1 },
    pageSize,
  )
  const ticks = useTicks()
  const [adding, setAdding] = useState<MissedRecord>()
  const deciding = useDeciding(() => undefined)
  const add = useSave(addTimeRecord, { refresh: recordReads })
  const [mailing, setMailing] = useState<readonly MissedRecord[]>()
  const applied = filtersOf(at)
  const {
    Status: _status,
    Type: _type,
    IsLate: _late,
    StudentLevelIds: _levels,
    EditedFrom: _from,
    EditedThrough: _through,
    EditedById: _editor,
    ...query
  } = queryOf(applied)
  const missed = useRead(listMissedTimeRecords, { params, query: { ...query, ...paging } })
  const total = missed.data?.Total ?? 0

  const attemptIt = (work: () => Promise<void>) => attempt(work, words('time.failed'))
  const recordAbsence = (row: MissedRecord) =>
    attemptIt(async () => {
      const record = await add.run({
        params,
        body: {
          StudentId: row.StudentId,
          Kind: 'absence',
          SiteId: row.SiteId,
          Date: row.Date,
          Time: row.StartTime,
          EndTime: row.EndTime,
          Reason: words('time.missedReason'),
        },
      })
      toast.done({
        title: words('time.absenceRecorded', { name: row.Student }),
        undo: () => void deciding.remove(record),
      })
    })
  const columns: GridColumn<MissedRecord>[] = [
    {
      id: 'Student',
      header: words('time.student'),
      identity: true,
      minWidth: 160,
      grow: 2,
      cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
      text: (row) => row.Student,
      detail: (row) => row.StudentLevel,
    },
    {
      id: 'Date',
      header: words('time.date'),
      width: 132,
      cell: (row) => formatDayOfYear(row.Date),
      text: (row) => formatDayOfYear(row.Date),
    },
    {
      id: 'Shift',
      header: words('time.shift'),
      width: 170,
      text: (row) => `${row.StartTime}–${row.EndTime}`,
      cell: (row) => (
        <span className={classes.timeCell}>
          <ShiftMark kind={row.ShiftType} label={shiftTypeName(words, row.ShiftType)} />
          <span>
            <b>
              {row.StartTime}–{row.EndTime}
            </b>
            <small>{row.ShiftCode}</small>
          </span>
        </span>
      ),
    },
    { id: 'Location', header: words('time.location'), minWidth: 160, grow: 2 },
    { id: 'Rotation', header: words('time.rotation'), minWidth: 140 },
    {
      id: 'Minutes',
      header: words('time.hours'),
      width: 84,
      align: 'end',
      cell: (row) => formatHours(row.Minutes),
      text: (row) => formatHours(row.Minutes),
    },
  ]
  return (
    <Page
      title={words('time.missedTitle')}
      count={missed.data && words('time.missedCount', { count: total })}
      filters={
        <TimeFilterBar
          applied={applied}
          onApply={(next) => filter(next)}
          has={{ begun: true }}
          noDates={words('time.lastDays')}
        />
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        ticks={ticks}
        id="missed-time-records"
        label={words('time.missedTitle')}
        columns={columns}
        {...fromList(missed)}
        rowKey={({ AssignmentId }) => AssignmentId}
        empty={{ text: words('time.missedEmpty') }}
        {...(may('time.approve') && {
          bulk: (chosen: MissedRecord[]) => ({
            sum: words('time.selectedSum', {
              hours: formatHours(chosen.reduce((sum, { Minutes }) => sum + Minutes, 0)),
              count: new Set(chosen.map(({ StudentId }) => StudentId)).size,
            }),
            verbs: [
              {
                label: words('time.writeAbout'),
                icon: <IconMail size={16} stroke={1.75} aria-hidden />,
                onRun: () => setMailing(chosen),
                main: true,
              },
            ],
          }),
        })}
        {...(may('time.edit') && {
          actions: (row: MissedRecord) => [
            {
              label: words('time.recordAbsence'),
              icon: <IconCalendarX size={16} stroke={1.75} />,
              onRun: () => void recordAbsence(row),
              quick: true,
            },
            {
              label: words('time.addRecord'),
              icon: <IconPlus size={16} stroke={1.75} />,
              onRun: () => setAdding(row),
              quick: true,
            },
          ],
        })}
      />
      {mailing && <RemindMissed rows={mailing} onSent={ticks.clear} onClose={() => setMailing(undefined)} />}
      {adding && (
        <RecordDialog
          start={{ ...adding, Kind: 'exception', Time: adding.StartTime }}
          onClose={() => setAdding(undefined)}
        />
      )}
    </Page>
  )
}
