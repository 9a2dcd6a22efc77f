import { IconBell, IconEye, IconMailForward, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import {
  exportPlacementLists,
  getPlacementList,
  listPlacementLists,
  type PlacementList,
  placementListFilters,
  remindSite,
  withdrawPlacementList,
} from '#contract/placement-lists/placement-lists.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFilteredList } from '#web/api/use-filtered-list.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ListFilters } from '#web/shared/ListFilters.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { answersText, tagOf } from './list-words.ts'
import { PlacementListDialog } from './PlacementListDialog.tsx'

const SendListsDialog = later(() => import('./SendListsDialog.tsx').then((m) => m.SendListsDialog))

const pageSize = 50

const columnsOf = (words: Words): GridColumn<PlacementList>[] => [
  {
    id: 'Site',
    header: words('placementLists.site'),
    identity: true,
    minWidth: 200,
    grow: 3,
    cell: (row) => row.Site,
    text: (row) => row.Site,
  },
  {
    id: 'Rotation',
    header: words('placementLists.rotation'),
    minWidth: 120,
    grow: 1,
    cell: (row) => row.Rotation,
  },
  {
    id: 'RecipientName',
    header: words('placementLists.sentTo'),
    minWidth: 150,
    grow: 1,
    cell: (row) => row.RecipientName,
    text: (row) => `${row.RecipientName} ${row.RecipientEmail}`,
  },
  {
    id: 'AnswerBy',
    header: words('placementLists.answerBy'),
    width: 104,
    cell: (row) => formatDate(row.AnswerBy),
  },
  {
    id: 'Students',
    header: words('placementLists.students'),
    width: 92,
    align: 'end',
    cell: (row) => row.Students,
    text: (row) => String(row.Students),
  },
  {
    id: 'Answers',
    header: words('placementLists.answers'),
    minWidth: 190,
    grow: 1,
    cell: (row) => answersText(row, words),
  },
  {
    id: 'State',
    header: words('placementLists.status'),
    width: 150,
    cell: (row) => <StatusTag status={tagOf(row).status}>{words(tagOf(row).word)}</StatusTag>,
    text: (row) => words(tagOf(row).word),
  },
]

/** What sites were told about who comes in a rotation, and what they answered. */
export function PlacementListsPage() {
  const words = useWords()
  const programId = useProgramId()
  const maySend = useMay()('placement-lists.send')
  const list = useFilteredList(listPlacementLists, placementListFilters, { page: 1 }, pageSize)
  const { asked, reset, isFiltered, paging, pager } = list
  const [openedId, setOpenedId] = useState<number>()
  const [isSending, setSending] = useState(false)
  const lists = useRead(listPlacementLists, { params: { programId }, query: { ...paging, ...asked } })
  useLiveEvent('notifications', () => void lists.refetch(), 1_000)
  const refresh = { refresh: [listPlacementLists, getPlacementList] }
  const reminding = useSave(remindSite, refresh)
  const withdrawing = useSave(withdrawPlacementList, refresh)
  const remind = ({ Id, RecipientName }: PlacementList) =>
    attempt(async () => {
      await reminding.run({ params: { programId, listId: Id } })
      toast.done(words('placementLists.reminded', { recipient: RecipientName }))
    }, words('placementLists.notReminded'))
  const withdraw = async ({ Id, Site }: PlacementList) => {
    const isSure = await confirm({
      title: words('placementLists.withdrawQuestion', { site: Site }),
      text: words('placementLists.withdrawHint'),
      verb: words('placementLists.withdraw'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      await withdrawing.run({ params: { programId, listId: Id } })
      toast.done(words('placementLists.didWithdraw', { site: Site }))
    }, words('placementLists.notWithdrawn'))
  }
  const total = lists.data?.Total ?? 0
  return (
    <Page
      title={words('placementLists.title')}
      count={lists.data && words('placementLists.count', { count: total })}
      intro={words('placementLists.intro')}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportPlacementLists, { params: { programId }, query: { ...asked, Format } })
            }
          />
          {maySend && (
            <Button
              leftSection={<IconMailForward size={18} stroke={1.75} />}
              {...SendListsDialog.near}
              onClick={() => setSending(true)}
            >
              {words('placementLists.send')}
            </Button>
          )}
        </>
      }
      filters={<ListFilters filters={placementListFilters} list={list} />}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="placement-lists"
        label={words('placementLists.title')}
        columns={columnsOf(words)}
        {...fromList(lists)}
        rowKey={({ Id }) => Id}
        onOpen={({ Id }) => setOpenedId(Id)}
        empty={{ text: words('placementLists.empty'), filters: { isFiltered, reset } }}
        actions={(row: PlacementList) => [
          {
            label: words('placementLists.see'),
            icon: <IconEye size={16} stroke={1.75} />,
            onRun: () => setOpenedId(row.Id),
          },
          ...(maySend && row.State === 'waiting'
            ? [
                {
                  label: words('placementLists.remind'),
                  icon: <IconBell size={16} stroke={1.75} />,
                  onRun: () => void remind(row),
                },
              ]
            : []),
          ...(maySend && row.State !== 'withdrawn'
            ? [
                {
                  label: words('placementLists.withdraw'),
                  icon: <IconX size={16} stroke={1.75} />,
                  tone: 'danger' as const,
                  onRun: () => void withdraw(row),
                },
              ]
            : []),
        ]}
      />
      {openedId !== undefined && (
        <PlacementListDialog listId={openedId} onClose={() => setOpenedId(undefined)} />
      )}
      {isSending && <SendListsDialog onClose={() => setSending(false)} />}
    </Page>
  )
}
