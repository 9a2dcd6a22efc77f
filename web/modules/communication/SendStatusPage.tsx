import { IconArrowLeft } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type EmailStatus, listEmailStatuses, SendStatus } from '#contract/communication/emails.ts'
import { usePlace } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'
import { MailServerNote } from './MailServerNote.tsx'

/** What the sender's screen hands over with the navigation. */
export interface SendResult {
  statuses?: EmailStatus[]
  returnUrl?: string
}

const statusWords = [
  'emails.status0',
  'emails.status1',
  'emails.status2',
  'emails.status3',
  'emails.status4',
] as const satisfies readonly WordKey[]

const lookAgainMs = 10_000

/** The result of a send, outside the shell: each recipient with a colored status. */
export function SendStatusPage() {
  const words = useWords()
  const { statuses: sent, returnUrl } = usePlace().state as SendResult
  const [shown, setShown] = useState('all')
  const waiting = useMemo(
    () =>
      (sent ?? []).flatMap(({ Id, StatusValue }) => (StatusValue === SendStatus.Queued && Id ? [Id] : [])),
    [sent],
  )
  const [isDone, setDone] = useState(false)
  const news = useRead(
    listEmailStatuses,
    { body: { Ids: [...new Set(waiting)] } },
    {
      isEnabled: waiting.length > 0 && !isDone,
      ...(!isDone && { refetchEveryMs: lookAgainMs }),
    },
  )
  if (news.data && !isDone && news.data.every(({ StatusValue }) => StatusValue !== SendStatus.Queued))
    setDone(true)
  const rows = useMemo(() => {
    const byId = new Map(news.data?.map((status) => [status.Id, status]))
    return sent?.map((status, place) => {
      const now = status.StatusValue === SendStatus.Queued ? byId.get(status.Id) : undefined
      return { ...status, ...(now && { ...now, Recipient: status.Recipient }), place }
    })
  }, [sent, news.data])
  type Row = NonNullable<typeof rows>[number]

  const back = returnUrl?.startsWith(pageAddress('admin/')) ? returnUrl : pageAddress('admin/emails')
  const backLink = (
    <Button
      component="a"
      href={back}
      variant="default"
      leftSection={<IconArrowLeft size={17} stroke={1.75} aria-hidden />}
    >
      {words('emails.back')}
    </Button>
  )
  const columns = useMemo(
    (): GridColumn<Row>[] => [
      { id: 'Recipient', header: words('emails.recipient'), identity: true, sortable: true, grow: 2 },
      {
        id: 'StatusValue',
        header: words('emails.status'),
        width: 140,
        sortable: true,
        sortBy: ({ StatusValue }) => StatusValue,
        text: ({ StatusValue }) => words(statusWords[StatusValue]!),
        cell: ({ StatusValue }) => (
          <span className={classes.status} data-status={StatusValue}>
            {words(statusWords[StatusValue]!)}
          </span>
        ),
      },
      { id: 'StatusMessage', header: words('emails.message'), grow: 3 },
    ],
    [words],
  )
  const countOf = (value: number) => rows?.filter(({ StatusValue }) => StatusValue === value).length ?? 0
  const [sort, setSort] = useState<string>()
  return (
    <div className={classes.apart}>
      <Page
        standalone
        title={words('emails.statusTitle')}
        count={rows && words('emails.statusCount', { count: rows.length })}
        actions={backLink}
        above={
          rows && (
            <>
              <MailServerNote />
              <SegmentedCounts
                label={words('emails.status')}
                value={shown}
                onChange={setShown}
                segments={[
                  { value: 'all', label: words('emails.all'), count: rows.length },
                  ...statusWords
                    .map((word, value) => ({
                      value: String(value),
                      label: words(word),
                      count: countOf(value),
                      icon: <span className={classes.status} data-status={value} aria-hidden />,
                    }))
                    .filter(({ count, value }) => count > 0 || value === shown),
                ]}
              />
            </>
          )
        }
        footer={rows && words('emails.statusCount', { count: rows.length })}
        footerEnd={
          rows && (
            <a href={back} className={classes.link}>
              {words('emails.back')}
            </a>
          )
        }
      >
        {rows ? (
          <Grid
            id="send-status"
            label={words('emails.statusTitle')}
            columns={columns}
            rows={shown === 'all' ? rows : rows.filter((row) => String(row.StatusValue) === shown)}
            rowKey={({ place }) => place}
            sort={sort}
            onSort={setSort}
            sortHere
            noColumnChoice
            empty={{ text: words('emails.noneWithStatus') }}
          />
        ) : (
          <PageMessage
            kind="empty"
            text={words('emails.noStatuses')}
            detail={words('emails.noStatusesDetail')}
            next={
              <a href={back} className={classes.link}>
                {words('emails.back')}
              </a>
            }
          />
        )}
      </Page>
    </div>
  )
}
