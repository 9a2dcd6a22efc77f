import { IconCalendar, IconKey, IconPlugConnectedX, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import {
  addSharedCode,
  leaveSharedSite,
  listSharedSites,
  type SharedSite,
} from '#contract/shared-sites/shared-sites.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

const ShareDialog = later(() => import('./ShareDialog.tsx').then((m) => m.ShareDialog))
const JoinDialog = later(() => import('./JoinDialog.tsx').then((m) => m.JoinDialog))
const CodeDialog = later(() => import('./CodeDialog.tsx').then((m) => m.CodeDialog))
const SharedDaysDialog = later(() => import('./SharedDaysDialog.tsx').then((m) => m.SharedDaysDialog))

/** 'Radiography (Harbor College), …' of the others; empty while nobody has joined. */
const othersOf = ({ Programs }: SharedSite): string =>
  Programs.filter(({ IsOwn }) => !IsOwn)
    .map(({ Program, College }) => `${Program} (${College})`)
    .join(', ')

const columnsOf = (words: Words): GridColumn<SharedSite>[] => [
  {
    id: 'Site',
    header: words('sharedSites.site'),
    identity: true,
    minWidth: 180,
    grow: 2,
    cell: (row) => row.Site,
    text: (row) => row.Site,
  },
  {
    id: 'Programs',
    header: words('sharedSites.sharedWith'),
    minWidth: 220,
    grow: 3,
    cell: (row) => othersOf(row) || words('sharedSites.noOneYet'),
    text: othersOf,
  },
  {
    id: 'Capacity',
    header: words('sharedSites.placesADay'),
    width: 120,
    align: 'end',
    cell: (row) => row.Capacity,
    text: (row) => String(row.Capacity),
  },
  {
    id: 'JoinedAt',
    header: words('sharedSites.since'),
    width: 110,
    cell: (row) => formatDate(dateOfInstant(row.JoinedAt)),
  },
]

type Opened =
  | { kind: 'share' | 'join' }
  | { kind: 'days'; shared: SharedSite }
  | { kind: 'code'; code: string }

/** Sites that the program shares with others, with whom, and how many places are left. */
export function SharedSitesPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayManage = useMay()('shared-sites.manage')
  const [opened, setOpened] = useState<Opened>()
  const sites = useRead(listSharedSites, { params: { programId } })
  const adding = useSave(addSharedCode, { refresh: [] })
  const leaving = useSave(leaveSharedSite, { refresh: [listSharedSites] })
  const close = () => setOpened(undefined)
  const addCode = ({ Id }: SharedSite) =>
    attempt(async () => {
      const { Code } = await adding.run({ params: { programId, sharedSiteId: Id } })
      setOpened({ kind: 'code', code: Code })
    }, words('sharedSites.notMade'))
  const stop = async ({ Id, Site }: SharedSite) => {
    const isSure = await confirm({
      title: words('sharedSites.stopQuestion', { site: Site }),
      text: words('sharedSites.stopHint'),
      verb: words('sharedSites.stop'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      await leaving.run({ params: { programId, sharedSiteId: Id } })
      toast.done(words('sharedSites.didStop', { site: Site }))
    }, words('sharedSites.notStopped'))
  }
  return (
    <Page
      title={words('sharedSites.title')}
      count={sites.data && words('sharedSites.count', { count: sites.data.length })}
      intro={words('sharedSites.intro')}
      actions={
        mayManage && (
          <>
            <Button
              variant="default"
              leftSection={<IconKey size={18} stroke={1.75} />}
              {...JoinDialog.near}
              onClick={() => setOpened({ kind: 'join' })}
            >
              {words('sharedSites.join')}
            </Button>
            <Button
              leftSection={<IconShare size={18} stroke={1.75} />}
              {...ShareDialog.near}
              onClick={() => setOpened({ kind: 'share' })}
            >
              {words('sharedSites.share')}
            </Button>
          </>
        )
      }
    >
      <Grid
        id="shared-sites"
        label={words('sharedSites.title')}
        columns={columnsOf(words)}
        {...fromList(sites)}
        rowKey={({ Id }) => Id}
        onOpen={(shared) => setOpened({ kind: 'days', shared })}
        empty={{ text: words('sharedSites.empty') }}
        actions={(shared: SharedSite) => [
          {
            label: words('sharedSites.seeDays'),
            icon: <IconCalendar size={16} stroke={1.75} />,
            onRun: () => setOpened({ kind: 'days', shared }),
          },
          ...(mayManage
            ? [
                {
                  label: words('sharedSites.newCode'),
                  icon: <IconKey size={16} stroke={1.75} />,
                  onRun: () => void addCode(shared),
                },
                {
                  label: words('sharedSites.stop'),
                  icon: <IconPlugConnectedX size={16} stroke={1.75} />,
                  tone: 'danger' as const,
                  onRun: () => void stop(shared),
                },
              ]
            : []),
        ]}
      />
      {opened?.kind === 'share' && (
        <ShareDialog onClose={close} onShared={(code) => setOpened({ kind: 'code', code })} />
      )}
      {opened?.kind === 'join' && <JoinDialog onClose={close} />}
      {opened?.kind === 'code' && <CodeDialog code={opened.code} onClose={close} />}
      {opened?.kind === 'days' && <SharedDaysDialog shared={opened.shared} onClose={close} />}
    </Page>
  )
}
