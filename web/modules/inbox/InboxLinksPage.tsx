import { IconMailForward, IconUserMinus, IconUserPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import {
  getInboxSetting,
  type InboxPerson,
  listInboxPeople,
  saveInboxSetting,
  sendInboxes,
  setInboxExclusion,
  withdrawInbox,
} from '#contract/inbox/inbox.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { confirm } from '#web/ui/confirm.ts'
import { dateOfInstant, formatDate, formatInstant } from '#web/ui/dates.ts'
import { deviceOf } from '#web/ui/device-name.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './inbox.module.css'

const pageSize = 50

const states: Record<InboxPerson['State'], { status: Status; word: WordKey }> = {
  ready: { status: 'approved', word: 'inbox.ready' },
  off: { status: 'rejected', word: 'inbox.off' },
  muted: { status: 'pending', word: 'inbox.muted' },
  blocked: { status: 'rejected', word: 'inbox.blocked' },
  address: { status: 'pending', word: 'inbox.address' },
}

const linkText = (words: Words, zone: string, row: InboxPerson): string => {
  const day = (instant: string) => formatDate(dateOfInstant(instant, zone))
  if (row.SentAt === null || row.ExpiresAt === null) return words('inbox.never')
  if (row.WithdrawnAt) return words('inbox.linkWithdrawn', { date: day(row.WithdrawnAt) })
  return row.IsOpenable ? words('inbox.linkOpen', { date: day(row.ExpiresAt) }) : words('inbox.linkExpired')
}

const columnsOf = (words: Words, zone: string): GridColumn<InboxPerson>[] => {
  const at = (instant: string | null) => (instant ? formatInstant(instant, zone) : words('inbox.never'))
  return [
    {
      id: 'Name',
      header: words('inbox.name'),
      identity: true,
      minWidth: 190,
      grow: 2,
      detail: ({ Email }) => Email,
    },
    {
      id: 'State',
      header: words('inbox.state'),
      width: 140,
      text: ({ State }) => words(states[State].word),
      cell: ({ State }) => <StatusTag status={states[State].status}>{words(states[State].word)}</StatusTag>,
    },
    {
      id: 'Link',
      header: words('inbox.link'),
      minWidth: 160,
      grow: 1,
      text: (row) => linkText(words, zone, row),
      cell: (row) => linkText(words, zone, row),
    },
    {
      id: 'SentAt',
      header: words('inbox.sent'),
      width: 150,
      text: ({ SentAt }) => at(SentAt),
      cell: ({ SentAt }) => at(SentAt),
    },
    {
      id: 'OpenedAt',
      header: words('inbox.opened'),
      width: 150,
      text: ({ OpenedAt }) => at(OpenedAt),
      cell: ({ OpenedAt }) => at(OpenedAt),
    },
    {
      id: 'Device',
      header: words('inbox.device'),
      minWidth: 130,
      text: ({ Device }) => Device,
      cell: ({ Device }) => (Device ? deviceOf(Device) : '–'),
    },
  ]
}

/** Inbox links: who gets one, when it was sent and opened, on which device; sent now, withdrawn, or left out. */
export function InboxLinksPage() {
  const words = useWords()
  const zone = useTimeZone()
  const programId = useProgramId()
  const params = { programId }
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listInboxPeople,
    { search: '', show: 'all', page: 1 },
    pageSize,
  )
  const setting = useRead(getInboxSetting, { params })
  const people = useRead(listInboxPeople, {
    params,
    query: { ...paging, search: at.search, IsOpenable: at.show === 'open' },
  })
  const refresh = { refresh: [listInboxPeople] }
  const saveSetting = useSave(saveInboxSetting, { refresh: [getInboxSetting] })
  const sending = useSave(sendInboxes, refresh)
  const withdrawing = useSave(withdrawInbox, refresh)
  const excluding = useSave(setInboxExclusion, refresh)
  // Shown at once: the switch follows the finger, not the answer.
  const [wanted, setWanted] = useState<boolean>()
  const isOn = wanted ?? setting.data?.IsOn ?? false

  const turn = async (IsOn: boolean) => {
    setWanted(IsOn)
    await attempt(async () => {
      await saveSetting.run({ params, body: { IsOn } })
      toast.done(words(IsOn ? 'inbox.turnedOn' : 'inbox.turnedOff'))
    }, words('inbox.notChanged'))
    setWanted(undefined)
  }
  const send = ({ AccountId, Name }: InboxPerson) =>
    attempt(async () => {
      const { Sent } = await sending.run({ params, body: { AccountIds: [AccountId] } })
      if (Sent === 0) toast.error(words('inbox.cannotSend', { name: Name }))
      else toast.done(words('inbox.didSend', { name: Name }))
    }, words('inbox.notSent'))
  const withdraw = async ({ AccountId, Name }: InboxPerson) => {
    const isSure = await confirm({
      title: words('inbox.withdrawQuestion', { name: Name }),
      text: words('inbox.withdrawHint'),
      verb: words('inbox.withdraw'),
      danger: true,
    })
    if (!isSure) return
    await attempt(async () => {
      await withdrawing.run({ params: { programId, accountId: AccountId } })
      toast.done(words('inbox.didWithdraw', { name: Name }))
    }, words('inbox.notWithdrawn'))
  }
  const exclude = ({ AccountId, Name }: InboxPerson, IsOff: boolean) => {
    const set = (value: boolean) =>
      excluding.run({ params: { programId, accountId: AccountId }, body: { IsOff: value } })
    return attempt(async () => {
      await set(IsOff)
      toast.done({
        title: words(IsOff ? 'inbox.didLeaveOut' : 'inbox.didTakeIn', { name: Name }),
        undo: () => void attempt(() => set(!IsOff), words('inbox.notChanged')),
      })
    }, words('inbox.notChanged'))
  }
  const total = people.data?.Total ?? 0
  return (
    <Page
      title={words('inbox.staffTitle')}
      count={people.data && words('inbox.count', { count: total })}
      intro={words('inbox.intro')}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('inbox.search')}
            value={at.search}
            onChange={(search) => filter({ search })}
            width={220}
            maxLength={100}
          />
          <SelectChip
            name={words('inbox.show')}
            fixed
            options={[
              { value: 'all', label: words('inbox.showAll') },
              { value: 'open', label: words('inbox.showOpen') },
            ]}
            value={at.show === 'open' ? 'open' : 'all'}
            onChange={(show) => filter({ show: show ?? 'all' })}
          />
        </FilterBar>
      }
      footerEnd={<Pager {...pager} total={total} />}
    >
      {setting.data && (
        <div className={classes.setting}>
          <SwitchField
            name="IsOn"
            label={words('inbox.isOn')}
            description={words('inbox.isOnHint')}
            value={isOn}
            onChange={(value) => void turn(value)}
          />
        </div>
      )}
      <Grid
        id="inbox-links"
        label={words('inbox.staffTitle')}
        columns={columnsOf(words, zone)}
        {...fromList(people)}
        rowKey={({ AccountId }) => AccountId}
        empty={{ text: words('inbox.none'), filters: { isFiltered, reset } }}
        actions={(row: InboxPerson) => [
          ...(isOn && row.State === 'ready'
            ? [
                {
                  label: words('inbox.send'),
                  icon: <IconMailForward size={16} stroke={1.75} />,
                  onRun: () => void send(row),
                },
              ]
            : []),
          row.State === 'off'
            ? {
                label: words('inbox.takeIn'),
                icon: <IconUserPlus size={16} stroke={1.75} />,
                onRun: () => void exclude(row, false),
              }
            : {
                label: words('inbox.leaveOut'),
                icon: <IconUserMinus size={16} stroke={1.75} />,
                onRun: () => void exclude(row, true),
              },
          ...(row.IsOpenable
            ? [
                {
                  label: words('inbox.withdraw'),
                  icon: <IconX size={16} stroke={1.75} />,
                  tone: 'danger' as const,
                  onRun: () => void withdraw(row),
                },
              ]
            : []),
        ]}
      />
    </Page>
  )
}
