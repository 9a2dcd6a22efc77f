import { IconBan, IconSend } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { cancelSentEmails, listSentEmails, type SentEmail } from '#contract/communication/emails.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowKey } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'
import { MailServerNote } from './MailServerNote.tsx'

const pageSize = 50
const refreshMs = 30_000
const statusWords = [
  'emails.status0',
  'emails.status1',
  'emails.status2',
  'emails.status3',
  'emails.status4',
] as const satisfies readonly WordKey[]

/** The emails that one has sent oneself, and those that still wait. */
export function SentEmailsPage() {
  const words = useWords()
  const zone = useTimeZone()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listSentEmails,
    { search: '', page: 1 },
    pageSize,
  )
  const [ticked, setTicked] = useState<ReadonlySet<RowKey>>(new Set())
  const emails = useRead(
    listSentEmails,
    { query: { search: at.search, ...paging } },
    { refetchEveryMs: refreshMs },
  )
  const cancel = useSave(cancelSentEmails, { refresh: [listSentEmails] })
  const keepBack = (Ids: number[]) =>
    attemptWhenSure(
      { text: words('emails.cancelQuestion', { count: Ids.length }), verb: words('emails.cancel') },
      async () => {
        const { Cancelled, Skipped } = await cancel.run({ body: { Ids } })
        setTicked(new Set())
        toast.done({
          title: words('emails.cancelled', { count: Cancelled }),
          ...(Skipped > 0 && { detail: words('emails.skipped', { count: Skipped }) }),
        })
      },
    )
  const columns = useMemo(
    (): GridColumn<SentEmail>[] => [
      {
        id: 'CreatedAt',
        header: words('emails.date'),
        width: 150,
        cell: ({ CreatedAt }) => formatInstant(CreatedAt, zone),
      },
      { id: 'Recipient', header: words('emails.to'), identity: true, grow: 2 },
      {
        id: 'Subject',
        header: words('emails.subject'),
        grow: 2,
        detail: ({ Attachments }) =>
          Attachments > 0 && words('emails.attachmentCount', { count: Attachments }),
      },
      {
        id: 'StatusValue',
        header: words('emails.status'),
        width: 230,
        text: ({ StatusValue, StatusMessage }) => `${words(statusWords[StatusValue]!)} ${StatusMessage}`,
        cell: ({ StatusValue }) => (
          <span className={classes.status} data-status={StatusValue}>
            {words(statusWords[StatusValue]!)}
          </span>
        ),
        detail: ({ StatusMessage, SendAfter, SentAt }) =>
          SendAfter
            ? words('emails.goesOut', { when: formatInstant(SendAfter, zone) })
            : SentAt
              ? formatInstant(SentAt, zone)
              : StatusMessage,
      },
    ],
    [words, zone],
  )
  const total = emails.data?.Total ?? 0
  const counted = emails.data && words('emails.scheduledCount', { count: total })
  return (
    <Page
      title={words('emails.sentTitle')}
      count={counted}
      above={<MailServerNote />}
      actions={
        <Button
          component="a"
          href={pageAddress('admin/emails')}
          leftSection={<IconSend size={17} stroke={1.75} aria-hidden />}
        >
          {words('emails.title')}
        </Button>
      }
      filters={
        <FilterBar isSet={false}>
          <SearchBox
            label={words('emails.searchSent')}
            value={at.search}
            maxLength={255}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={counted}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="sent-emails"
        label={words('emails.sentTitle')}
        columns={columns}
        {...fromList(emails)}
        rowKey={({ Id }) => Id}
        actions={(email) => [
          {
            label: words('emails.cancel'),
            icon: <IconBan size={16} stroke={1.75} />,
            tone: 'danger',
            reason: !email.MayCancel && words('emails.mayNotCancel'),
            onRun: () => void keepBack([email.Id]),
          },
        ]}
        selection={{
          selected: ticked,
          onChange: setTicked,
          reason: ({ MayCancel }) => !MayCancel && words('emails.mayNotCancel'),
        }}
        bulk={(rows) => ({
          verbs: [
            {
              label: words('emails.cancel'),
              main: true,
              onRun: () => void keepBack(rows.map(({ Id }) => Id)),
            },
          ],
        })}
        empty={{ text: words('emails.noneSent'), filters: { isFiltered, reset } }}
      />
    </Page>
  )
}
