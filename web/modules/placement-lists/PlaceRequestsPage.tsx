import { IconBell, IconEye, IconMailForward, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import {
  exportPlaceRequests,
  getPlaceRequest,
  listPlaceRequests,
  type PlaceRequest,
  placeRequestFilters,
  remindPlaceRequest,
  withdrawPlaceRequest,
} from '#contract/placement-lists/place-requests.ts'
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
import { askedOf, offerOf, requestTag, stretchOf } from './request-words.ts'

const AskPlacesDialog = later(() => import('./AskPlacesDialog.tsx').then((m) => m.AskPlacesDialog))
const PlaceRequestDialog = later(() => import('./PlaceRequestDialog.tsx').then((m) => m.PlaceRequestDialog))

const pageSize = 50

const columnsOf = (words: Words): GridColumn<PlaceRequest>[] => [
  {
    id: 'Site',
    header: words('placeRequests.site'),
    identity: true,
    minWidth: 180,
    grow: 3,
    cell: (row) => row.Site,
    text: (row) => row.Site,
  },
  {
    id: 'Asked',
    header: words('placeRequests.asked'),
    minWidth: 150,
    grow: 2,
    cell: (row) => askedOf(row, words),
  },
  {
    id: 'Dates',
    header: words('placeRequests.dates'),
    width: 190,
    cell: (row) => stretchOf(row.StartDate, row.EndDate),
  },
  {
    id: 'AnswerBy',
    header: words('placeRequests.answerBy'),
    width: 104,
    cell: (row) => formatDate(row.AnswerBy),
  },
  {
    id: 'Offer',
    header: words('placeRequests.offer'),
    minWidth: 170,
    grow: 2,
    cell: (row) => offerOf(row, words) || '–',
  },
  {
    id: 'State',
    header: words('placeRequests.status'),
    width: 132,
    cell: (row) => <StatusTag status={requestTag(row).status}>{words(requestTag(row).word)}</StatusTag>,
    text: (row) => words(requestTag(row).word),
  },
]

/** How many students sites were asked to take, what they offer, and what the program made of it. */
export function PlaceRequestsPage() {
  const words = useWords()
  const programId = useProgramId()
  const maySend = useMay()('place-requests.send')
  const list = useFilteredList(listPlaceRequests, placeRequestFilters, { page: 1 }, pageSize)
  const { asked, reset, isFiltered, paging, pager } = list
  const [openedId, setOpenedId] = useState<number>()
  const [isAsking, setAsking] = useState(false)
  const requests = useRead(listPlaceRequests, { params: { programId }, query: { ...paging, ...asked } })
  useLiveEvent('notifications', () => void requests.refetch(), 1_000)
  const refresh = { refresh: [listPlaceRequests, getPlaceRequest] }
  const reminding = useSave(remindPlaceRequest, refresh)
  const withdrawing = useSave(withdrawPlaceRequest, refresh)
  const total = requests.data?.Total ?? 0

  const actionsOf = (row: PlaceRequest) => {
    const params = { programId, requestId: row.Id }
    const see = {
      label: words('placeRequests.see'),
      icon: <IconEye size={16} stroke={1.75} />,
      onRun: () => setOpenedId(row.Id),
    }
    const remind = {
      label: words('placeRequests.remind'),
      icon: <IconBell size={16} stroke={1.75} />,
      onRun: () =>
        void attempt(async () => {
          await reminding.run({ params })
          toast.done(words('placeRequests.reminded', { recipient: row.RecipientName }))
        }, words('placeRequests.notReminded')),
    }
    const withdraw = {
      label: words('placeRequests.withdraw'),
      icon: <IconX size={16} stroke={1.75} />,
      tone: 'danger' as const,
      onRun: () => void withdrawAfterAsking(row),
    }
    if (!maySend || !(row.State === 'waiting' || row.State === 'offered')) return [see]
    return row.State === 'waiting' ? [see, remind, withdraw] : [see, withdraw]
  }
  const withdrawAfterAsking = async ({ Id, Site }: PlaceRequest) => {
    const isSure = await confirm({
      title: words('placeRequests.withdrawQuestion', { site: Site }),
      text: words('placeRequests.withdrawHint'),
      verb: words('placeRequests.withdraw'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      await withdrawing.run({ params: { programId, requestId: Id } })
      toast.done(words('placeRequests.didWithdraw', { site: Site }))
    }, words('placeRequests.notWithdrawn'))
  }
  return (
    <Page
      title={words('placeRequests.title')}
      count={requests.data && words('placeRequests.count', { count: total })}
      intro={words('placeRequests.intro')}
      actions={
        <>
          <ExportMenu
            address={(Format) =>
              callAddress(exportPlaceRequests, { params: { programId }, query: { ...asked, Format } })
            }
          />
          {maySend && (
            <Button
              leftSection={<IconMailForward size={18} stroke={1.75} />}
              {...AskPlacesDialog.near}
              onClick={() => setAsking(true)}
            >
              {words('placeRequests.ask')}
            </Button>
          )}
        </>
      }
      filters={<ListFilters filters={placeRequestFilters} list={list} />}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="place-requests"
        label={words('placeRequests.title')}
        columns={columnsOf(words)}
        {...fromList(requests)}
        rowKey={({ Id }) => Id}
        onOpen={({ Id }) => setOpenedId(Id)}
        empty={{ text: words('placeRequests.empty'), filters: { isFiltered, reset } }}
        actions={actionsOf}
      />
      {openedId !== undefined && (
        <PlaceRequestDialog requestId={openedId} onClose={() => setOpenedId(undefined)} />
      )}
      {isAsking && <AskPlacesDialog onClose={() => setAsking(false)} />}
    </Page>
  )
}
