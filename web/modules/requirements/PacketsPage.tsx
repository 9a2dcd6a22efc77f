import { IconBan, IconFileTypePdf, IconFileZip, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import {
  downloadPacket,
  downloadPacketZip,
  listPackets,
  type Packet,
  withdrawPacket,
} from '#contract/requirements/packets.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { SharePacketDialog } from './SharePacketDialog.tsx'

const pageSize = 50
const day = (instant: string | null): string => (instant ? formatDate(dateOfInstant(instant)) : '')

const openedText = (words: Words, { Openings, LastOpenedAt }: Packet): string =>
  Openings === 0
    ? words('packets.notOpened')
    : words('packets.openedTimes', { count: Openings, date: day(LastOpenedAt) })

/** What was disclosed to sites: to whom, how long its link works, and when it was opened. */
export function PacketsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { paging, pager } = useListAddress(listPackets, { page: 1 }, pageSize)
  const { page, pageSize: size } = paging
  const packets = useRead(listPackets, { params: { programId }, query: { page, pageSize: size } })
  const withdraw = useSave(withdrawPacket, { refresh: [listPackets] })
  const [isSharing, setSharing] = useState(false)
  const total = packets.data?.Total ?? 0
  const share = (
    <Button leftSection={<IconSend size={17} stroke={1.75} aria-hidden />} onClick={() => setSharing(true)}>
      {words('packets.share')}
    </Button>
  )
  const stateOf = (row: Packet) =>
    row.WithdrawnAt ? (
      <StatusTag status="rejected">{words('packets.withdrawn', { date: day(row.WithdrawnAt) })}</StatusTag>
    ) : row.IsOpenable ? (
      day(row.ExpiresAt)
    ) : (
      <StatusTag status="pending">{words('packets.expired')}</StatusTag>
    )
  return (
    <Page
      title={words('packets.title')}
      intro={words('packets.intro')}
      actions={
        <>
          <Button variant="default" component={PageLink} href="/new/admin/requirements/sites">
            {words('packets.siteRules')}
          </Button>
          {share}
        </>
      }
      footer={packets.data && words('packets.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="packets"
        label={words('packets.title')}
        {...fromList(packets)}
        rowKey={({ Id }) => Id}
        empty={{ text: `${words('packets.none')} ${words('packets.noneDetail')}`, next: share }}
        columns={[
          {
            id: 'Site',
            header: words('packets.site'),
            identity: true,
            minWidth: 180,
            grow: 2,
            detail: (row: Packet) => row.CreatedBy,
          },
          {
            id: 'Recipient',
            header: words('packets.recipient'),
            minWidth: 180,
            grow: 2,
            cell: (row: Packet) => row.RecipientName,
            text: (row: Packet) => `${row.RecipientName} <${row.RecipientEmail}>`,
          },
          { id: 'Students', header: words('packets.students'), width: 92, align: 'end' },
          {
            id: 'CreatedAt',
            header: words('packets.created'),
            width: 110,
            cell: (row: Packet) => day(row.CreatedAt),
          },
          {
            id: 'ExpiresAt',
            header: words('packets.until'),
            width: 190,
            cell: stateOf,
            text: (row: Packet) => day(row.WithdrawnAt ?? row.ExpiresAt),
          },
          {
            id: 'Openings',
            header: words('packets.opened'),
            minWidth: 170,
            grow: 1,
            cell: (row: Packet) => openedText(words, row),
            text: (row: Packet) => openedText(words, row),
          },
        ]}
        actions={(row: Packet) => [
          {
            label: words('packets.pdf'),
            icon: <IconFileTypePdf size={16} stroke={1.75} />,
            quick: true,
            onRun: () => {
              location.href = callAddress(downloadPacket, { params: { programId, packetId: row.Id } })
            },
          },
          ...(row.Students > 1
            ? [
                {
                  label: words('packets.zip'),
                  icon: <IconFileZip size={16} stroke={1.75} />,
                  onRun: () => {
                    location.href = callAddress(downloadPacketZip, {
                      params: { programId, packetId: row.Id },
                    })
                  },
                },
              ]
            : []),
          ...(row.IsOpenable
            ? [
                {
                  label: words('packets.withdraw'),
                  icon: <IconBan size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () =>
                    void attemptWhenSure(
                      { text: words('packets.withdrawQuestion'), verb: words('packets.withdraw') },
                      async () => {
                        await withdraw.run({ params: { programId, packetId: row.Id } })
                        toast.done(words('packets.didWithdraw'))
                      },
                      words('packets.notWithdrawn'),
                    ),
                },
              ]
            : []),
        ]}
      />
      {isSharing && <SharePacketDialog onClose={() => setSharing(false)} />}
    </Page>
  )
}
