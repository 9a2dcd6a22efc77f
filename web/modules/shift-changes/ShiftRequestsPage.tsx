import { IconCheck, IconEye, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import {
  decideShiftChange,
  exportShiftChanges,
  getShiftChange,
  listShiftChanges,
  type ShiftChange,
  shiftChangeFilters,
} from '#contract/shift-changes/shift-changes.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { kindWords, shiftText, stateTags } from './change-words.ts'
import { ShiftRequestDialog } from './ShiftRequestDialog.tsx'

const pageSize = 50

const columnsOf = (words: Words): GridColumn<ShiftChange>[] => [
  {
    id: 'Student',
    header: words('shiftChanges.student'),
    identity: true,
    width: 170,
    cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
    text: (row) => row.Student,
  },
  { id: 'Kind', header: words('shiftChanges.kind'), width: 80, cell: (row) => words(kindWords[row.Kind]) },
  {
    id: 'Given',
    header: words('shiftChanges.gives'),
    minWidth: 200,
    grow: 2,
    cell: (row) => shiftText(row.Given),
  },
  { id: 'Taker', header: words('shiftChanges.takenBy'), width: 150, cell: (row) => row.Taker ?? '–' },
  {
    id: 'Returned',
    header: words('shiftChanges.returnShift'),
    minWidth: 160,
    grow: 2,
    cell: (row) => (row.Returned ? shiftText(row.Returned) : '–'),
  },
  {
    id: 'CreatedAt',
    header: words('shiftChanges.asked'),
    width: 104,
    cell: (row) => formatDate(dateOfInstant(row.CreatedAt)),
  },
  {
    id: 'State',
    header: words('shiftChanges.status'),
    width: 176,
    cell: (row) => (
      <StatusTag status={stateTags[row.State].status}>
        {words(
          row.State === 'pending' && row.Approval === 'site'
            ? 'shiftChanges.siteDecides'
            : stateTags[row.State].word,
        )}
      </StatusTag>
    ),
    text: (row) => words(stateTags[row.State].word),
  },
]

/** Swaps, covers and late drops: those that wait for approval, and all others. */
export function ShiftRequestsPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayDecide = useMay()('shift-changes.decide')
  const list = useFilteredList(listShiftChanges, shiftChangeFilters, { page: 1 }, pageSize)
  const { asked, reset, isFiltered, paging, pager } = list
  const [openedId, setOpenedId] = useState<number>()
  const requests = useRead(listShiftChanges, { params: { programId }, query: { ...paging, ...asked } })
  useLiveEvent('notifications', () => void requests.refetch(), 1_000)
  const decide = useSave(decideShiftChange, { refresh: [listShiftChanges, getShiftChange] })
  const approve = ({ Id }: ShiftChange) =>
    attempt(async () => {
      await decide.run({ params: { programId, changeId: Id }, body: { IsApproved: true } })
      toast.done(words('shiftChanges.didApprove'))
    }, words('shiftChanges.notDecided'))
  const total = requests.data?.Total ?? 0
  return (
    <Page
      title={words('shiftChanges.requestsTitle')}
      count={requests.data && words('shiftChanges.requestCount', { count: total })}
      intro={words('shiftChanges.requestsIntro')}
      actions={
        <ExportMenu
          address={(Format) =>
            callAddress(exportShiftChanges, { params: { programId }, query: { ...asked, Format } })
          }
        />
      }
      filters={<ListFilters filters={shiftChangeFilters} list={list} />}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="shift-requests"
        label={words('shiftChanges.requestsTitle')}
        columns={columnsOf(words)}
        {...fromList(requests)}
        rowKey={({ Id }) => Id}
        onOpen={({ Id }) => setOpenedId(Id)}
        empty={{ text: words('shiftChanges.noRequestsWaiting'), filters: { isFiltered, reset } }}
        actions={(row: ShiftChange) => [
          ...(mayDecide && row.State === 'pending'
            ? [
                {
                  label: words('shiftChanges.approve'),
                  icon: <IconCheck size={16} stroke={1.75} />,
                  tone: 'good' as const,
                  quick: true,
                  onRun: () => void approve(row),
                },
                {
                  label: words('shiftChanges.decline'),
                  icon: <IconX size={16} stroke={1.75} />,
                  tone: 'danger' as const,
                  quick: true,
                  onRun: () => setOpenedId(row.Id),
                },
              ]
            : []),
          {
            label: words('shiftChanges.seeRequest'),
            icon: <IconEye size={16} stroke={1.75} />,
            onRun: () => setOpenedId(row.Id),
          },
        ]}
      />
      {openedId !== undefined && (
        <ShiftRequestDialog changeId={openedId} onClose={() => setOpenedId(undefined)} />
      )}
    </Page>
  )
}
