import { IconBan, IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import {
  closeOpenShift,
  exportOpenShifts,
  getOpenShift,
  listOpenShifts,
  type OpenShift,
  openShiftFilters,
  reopenOpenShift,
} from '#contract/shift-changes/open-shifts.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatDay, formatInstant } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { NewOpenShiftsDialog } from './NewOpenShiftsDialog.tsx'
import { OpenShiftDialog } from './OpenShiftDialog.tsx'
import { timeText } from './ShiftLine.tsx'
import classes from './shift-changes.module.css'

const pageSize = 50
const tags: Readonly<Record<OpenShift['State'], { status: Status; word: WordKey }>> = {
  open: { status: 'pending', word: 'shiftChanges.stateOpen' },
  full: { status: 'approved', word: 'shiftChanges.stateFull' },
  closed: { status: 'unmatched', word: 'shiftChanges.stateClosed' },
}

const columnsOf = (words: Words, zone: string): GridColumn<OpenShift>[] => [
  {
    id: 'Date',
    header: words('shiftChanges.date'),
    identity: true,
    sortable: true,
    width: 104,
    cell: (row) => formatDay(row.Date),
    text: (row) => formatDay(row.Date),
  },
  {
    id: 'ShiftCode',
    header: words('shiftChanges.shift'),
    width: 160,
    cell: (row) => (
      <span className={classes.marked}>
        <ShiftMark kind={row.ShiftType} />
        <span className="p-ellipsis">
          {row.ShiftCode} {timeText(words, row)}
        </span>
      </span>
    ),
    text: (row) => `${row.ShiftCode} ${timeText(words, row)}`,
  },
  { id: 'Site', header: words('shiftChanges.site'), sortable: true, minWidth: 150, grow: 2 },
  { id: 'Rotation', header: words('shiftChanges.rotation'), sortable: true, minWidth: 120, grow: 1 },
  {
    id: 'Levels',
    header: words('shiftChanges.levels'),
    width: 88,
    cell: (row) => row.Levels.join(', ') || words('shiftChanges.everyLevel'),
    text: (row) => row.Levels.join(', ') || words('shiftChanges.everyLevel'),
  },
  {
    id: 'Taken',
    header: words('shiftChanges.signedUp'),
    width: 84,
    align: 'end',
    sortable: true,
    cell: (row) => words('shiftChanges.ofPlaces', { taken: row.Taken, places: row.Places }),
  },
  { id: 'Waiting', header: words('shiftChanges.waiting'), width: 86, align: 'end', sortable: true },
  {
    id: 'ClosesAt',
    header: words('shiftChanges.until'),
    width: 122,
    cell: (row) => formatInstant(row.ClosesAt, zone),
    text: (row) => formatInstant(row.ClosesAt, zone),
  },
  {
    id: 'State',
    header: words('shiftChanges.status'),
    width: 100,
    cell: (row) => <StatusTag status={tags[row.State].status}>{words(tags[row.State].word)}</StatusTag>,
    text: (row) => words(tags[row.State].word),
  },
]

/** Shifts that students sign up for, with how full they are. */
export function OpenShiftsPage() {
  const words = useWords()
  const programId = useProgramId()
  const zone = useTimeZone()
  const mayManage = useMay()('open-shifts.manage')
  const list = useFilteredList(listOpenShifts, openShiftFilters, { sort: 'Date', page: 1 }, pageSize)
  const { asked, reset, isFiltered, paging, sort, sorting, pager } = list
  const [isAdding, setAdding] = useState(false)
  const [openedId, setOpenedId] = useState<number>()
  const shifts = useRead(listOpenShifts, { params: { programId }, query: { ...paging, ...asked } })
  useLiveEvent('open-shifts', () => void shifts.refetch(), 1_000)
  const refresh = { refresh: [listOpenShifts, getOpenShift] }
  const close = useSave(closeOpenShift, refresh)
  const reopen = useSave(reopenOpenShift, refresh)
  const closeIt = (row: OpenShift) => {
    const params = { programId, openShiftId: row.Id }
    const shift = `${formatDay(row.Date)}, ${row.ShiftCode}`
    return deleteWithUndo({
      remove: () => close.run({ params }),
      restore: () => reopen.run({ params }),
      deleted: words('shiftChanges.didClose', { shift }),
      restored: words('shiftChanges.reopened', { shift }),
      notDeleted: words('shiftChanges.notClosed'),
      notRestored: words('shiftChanges.notReopened'),
    })
  }
  const total = shifts.data?.Total ?? 0
  const addNew = (
    <AddNew reason={!mayManage && words('shell.notAllowedDetail')} onClick={() => setAdding(true)} />
  )
  return (
    <Page
      title={words('shiftChanges.openTitle')}
      count={shifts.data && words('shiftChanges.openCount', { count: total })}
      intro={words('shiftChanges.openIntro')}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportOpenShifts, { params: { programId }, query: { ...asked, sort, Format } })
            }
          />
          {addNew}
        </>
      }
      filters={<ListFilters filters={openShiftFilters} list={list} />}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="open-shifts"
        label={words('shiftChanges.openTitle')}
        columns={columnsOf(words, zone)}
        {...fromList(shifts)}
        rowKey={({ Id }) => Id}
        {...sorting}
        onOpen={({ Id }) => setOpenedId(Id)}
        empty={{ text: words('shiftChanges.openEmpty'), next: addNew, filters: { isFiltered, reset } }}
        actions={(row: OpenShift) => [
          {
            label: words('shiftChanges.see'),
            icon: <IconEye size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setOpenedId(row.Id),
          },
          ...(mayManage
            ? [
                {
                  label: words('shiftChanges.close'),
                  icon: <IconBan size={16} stroke={1.75} />,
                  reason: row.State === 'closed' && words('shiftChanges.closedBefore'),
                  onRun: () => void closeIt(row),
                },
              ]
            : []),
        ]}
      />
      {isAdding && <NewOpenShiftsDialog onClose={() => setAdding(false)} />}
      {openedId !== undefined && (
        <OpenShiftDialog openShiftId={openedId} onClose={() => setOpenedId(undefined)} />
      )}
    </Page>
  )
}
