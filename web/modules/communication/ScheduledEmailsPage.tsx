import { IconBan, IconMailOpened, IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  cancelScheduledEmails,
  getDateFilter,
  getScheduledEmail,
  listScheduledEmails,
  maxEmailsCounted,
  retryScheduledEmails,
  type ScheduledEmail,
} from '#contract/communication/scheduled-emails.ts'
import { listPrograms, programLabel } from '#contract/programs/programs.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant, isMoment } from '#web/ui/dates.ts'
import { DateChip } from '#web/ui/filters/DateChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowAction, RowKey } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Html } from '#web/ui/Html.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'
import { MailServerNote } from './MailServerNote.tsx'

const pageSize = 50

const states = [
  { word: 'emails.any', tag: 'pending' },
  { word: 'emails.queued', tag: 'pending' },
  { word: 'emails.sending', tag: 'review' },
  { word: 'emails.success', tag: 'approved' },
  { word: 'emails.error', tag: 'rejected' },
] as const satisfies readonly { word: string; tag: Status }[]

/** Scheduled Emails: everything that was written to anybody, and what became of it. */
export function ScheduledEmailsPage() {
  const words = useWords()
  const mayOpen = useMay()('mail.read')
  const initial = useRead(getDateFilter, {}, { isEnabled: mayOpen, staleMs: 600_000 })
  if (!mayOpen) return <RedirectHome />
  if (initial.error) return <ReadProblem read={initial} />
  if (!initial.data) return <Page title={words('emails.scheduledTitle')} />
  return <Ledger from={initial.data.InitialStartDate} through={initial.data.InitialEndDate} />
}

interface Filter {
  from: string
  through: string
  status: number
  program: number | null
  failed: boolean
  /** The moment after which the emails were made; '' for the days alone. */
  since: string
}

function Ledger({ from, through }: { from: string; through: string }) {
  const words = useWords()
  const zone = useTimeZone()
  const initial: Filter = { from, through, status: 0, program: null, failed: false, since: '' }
  const { at, filter, reset, paging, pager } = useListAddress(
    listScheduledEmails,
    { ...initial, page: 1 },
    pageSize,
  )
  const applied: Filter = {
    from: at.from,
    through: at.through,
    status: at.status in states ? at.status : 0,
    program: at.program,
    failed: at.failed,
    since: isMoment(at.since) ? at.since : '',
  }
  const isFiltered = JSON.stringify(applied) !== JSON.stringify(initial)
  const [ticked, setTicked] = useState<ReadonlySet<RowKey>>(new Set())
  const [openId, setOpenId] = useState<number>()
  const programs = useRead(listPrograms, {}, { staleMs: 300_000 })
  const emails = useRead(listScheduledEmails, {
    query: {
      FromDate: at.from,
      ThroughDate: at.through,
      Status: applied.status,
      ...(at.program !== null && { ProgramId: at.program }),
      FailedOnly: at.failed,
      ...(applied.since && { Since: applied.since }),
      ...paging,
    },
  })
  const refresh = { refresh: [listScheduledEmails, getScheduledEmail] }
  const retry = useSave(retryScheduledEmails, refresh)
  const cancel = useSave(cancelScheduledEmails, refresh)

  const skipped = (count: number) => (count > 0 ? { detail: words('emails.skipped', { count }) } : {})
  const attemptAll = async (work: () => Promise<void>) => {
    if (await attempt(work)) setTicked(new Set())
  }
  const sendAgain = (Ids: number[]) =>
    attemptAll(async () => {
      const { Queued, Skipped } = await retry.run({ body: { Ids } })
      toast.done({ title: words('emails.retried', { count: Queued }), ...skipped(Skipped) })
    })
  const keepBack = (Ids: number[]) =>
    attemptAll(async () => {
      const { Cancelled, Skipped } = await cancel.run({ body: { Ids } })
      toast.done({
        title: words('emails.cancelled', { count: Cancelled }),
        ...skipped(Skipped),
        ...(Cancelled > 0 && { undo: () => void sendAgain(Ids) }),
      })
    })
  const whyNoRetry = (email: ScheduledEmail) =>
    !email.MayRetry &&
    words(
      email.Status !== 4
        ? 'emails.mayNotRetry'
        : email.IsBlocked
          ? 'emails.mayNotRetryBlocked'
          : email.IsSecret
            ? 'emails.mayNotRetrySecret'
            : 'emails.mayNotRetryMuted',
    )
  const actions = (email: ScheduledEmail): RowAction[] => [
    {
      label: words('emails.open'),
      icon: <IconMailOpened size={16} stroke={1.75} />,
      quick: true,
      onRun: () => setOpenId(email.Id),
    },
    {
      label: words('emails.retry'),
      icon: <IconRefresh size={16} stroke={1.75} />,
      reason: whyNoRetry(email),
      onRun: () => void sendAgain([email.Id]),
    },
    {
      label: words('emails.cancel'),
      icon: <IconBan size={16} stroke={1.75} />,
      tone: 'danger',
      reason: !email.MayCancel && words('emails.mayNotCancel'),
      onRun: () => void keepBack([email.Id]),
    },
  ]
  const columns = useMemo(
    (): GridColumn<ScheduledEmail>[] => [
      {
        id: 'Date',
        header: words('emails.date'),
        width: 150,
        cell: (email) => formatInstant(email.Date, zone),
      },
      {
        id: 'To',
        header: words('emails.to'),
        identity: true,
        detail: (email) => email.Program ?? words('emails.installation'),
      },
      { id: 'Subject', header: words('emails.subject') },
      {
        id: 'Message',
        header: words('emails.message'),
        grow: 2,
        text: (email) => (email.IsSecret ? words('emails.secret') : email.Message),
        cell: (email) => (email.IsSecret ? <em>{words('emails.secret')}</em> : email.Message),
      },
      {
        id: 'Status',
        header: words('emails.status'),
        width: 190,
        text: (email) => `${words(states[email.Status]!.word)} ${email.StatusMessage}`,
        cell: (email) => (
          <StatusTag status={states[email.Status]!.tag}>{words(states[email.Status]!.word)}</StatusTag>
        ),
        detail: (email) => email.StatusMessage !== 'Sent' && email.StatusMessage,
      },
    ],
    [words, zone],
  )
  const total = emails.data?.Total ?? 0
  const counted =
    emails.data &&
    (emails.data.IsTotalCapped
      ? words('emails.scheduledCapped', { count: maxEmailsCounted.toLocaleString('en-US') })
      : words('emails.scheduledCount', { count: total }))
  const change = (part: Partial<Filter>) => {
    setTicked(new Set())
    filter(part)
  }
  // A day past the other one takes it along: the days are never backwards.
  const changeFrom = (next: string) =>
    change({ from: next, ...(next > applied.through && { through: next }) })
  const changeThrough = (next: string) =>
    change({ through: next, ...(next < applied.from && { from: next }) })
  return (
    <Page
      title={words('emails.scheduledTitle')}
      count={counted}
      above={<MailServerNote />}
      filters={
        <FilterBar
          onApply={() => void emails.refetch()}
          applyLabel={words('emails.apply')}
          isSet={isFiltered}
          onReset={reset}
        >
          <DateChip
            name={words('emails.fromDate')}
            none=""
            value={applied.from}
            onChange={(next) => changeFrom(next ?? from)}
          />
          <DateChip
            name={words('emails.throughDate')}
            none=""
            value={applied.through}
            onChange={(next) => changeThrough(next ?? through)}
          />
          <SelectChip
            name={words('emails.displayStatus')}
            fixed
            options={states.map(({ word }, value) => ({ value: String(value), label: words(word) }))}
            value={String(applied.status)}
            onChange={(status) => change({ status: Number(status ?? 0) })}
          />
          <SelectChip
            name={words('emails.programFilter')}
            none={words('emails.anyProgram')}
            options={(programs.data ?? []).map((program) => ({
              value: String(program.Id),
              label: programLabel(program),
            }))}
            value={applied.program === null ? null : String(applied.program)}
            onChange={(program) => change({ program: program === null ? null : Number(program) })}
          />
          <SelectChip
            name={words('emails.errors')}
            options={[{ value: 'failed', label: words('emails.failedOnly') }]}
            value={applied.failed ? 'failed' : null}
            onChange={(failed) => change({ failed: failed !== null })}
          />
          {applied.since && (
            <SelectChip
              name={words('emails.since')}
              none={words('emails.sinceAny')}
              options={[{ value: applied.since, label: formatInstant(applied.since, zone) }]}
              value={applied.since || null}
              onChange={(since) => change({ since: since ?? '' })}
            />
          )}
        </FilterBar>
      }
      footer={counted}
      footerEnd={
        <Pager
          {...pager}
          total={total}
          onPage={(page) => {
            setTicked(new Set())
            pager.onPage(page)
          }}
        />
      }
    >
      <Grid
        id="scheduled-emails"
        label={words('emails.scheduledTitle')}
        columns={columns}
        {...fromList(emails)}
        rowKey={({ Id }) => Id}
        actions={actions}
        onOpen={(email) => setOpenId(email.Id)}
        selection={{
          selected: ticked,
          onChange: setTicked,
          reason: (email) => !email.MayCancel && whyNoRetry(email),
        }}
        bulk={(rows) => {
          const failed = rows.filter(({ MayRetry }) => MayRetry).map(({ Id }) => Id)
          const waiting = rows.filter(({ MayCancel }) => MayCancel).map(({ Id }) => Id)
          return {
            verbs: [
              {
                label: words('emails.retry'),
                main: true,
                reason: failed.length === 0 && words('emails.mayNotRetry'),
                onRun: () => void sendAgain(failed),
              },
              {
                label: words('emails.cancel'),
                reason: waiting.length === 0 && words('emails.mayNotCancel'),
                onRun: () => void keepBack(waiting),
              },
            ],
          }
        }}
        empty={{ text: words('emails.noneScheduled'), filters: { isFiltered, reset: reset } }}
      />
      {openId !== undefined && (
        <EmailDialog
          id={openId}
          onClose={() => setOpenId(undefined)}
          onRetry={(id) => void sendAgain([id])}
          onCancel={(id) => void keepBack([id])}
        />
      )}
    </Page>
  )
}

interface EmailDialogProps {
  id: number
  onClose: () => void
  onRetry: (id: number) => void
  onCancel: (id: number) => void
}

/** One email with its text, and what can be done with it. */
function EmailDialog({ id, onClose, onRetry, onCancel }: EmailDialogProps) {
  const words = useWords()
  const zone = useTimeZone()
  const email = useRead(getScheduledEmail, { params: { emailId: id } }, { keepsLast: false })
  const data = email.data
  const facts = data && [
    data.From,
    data.CarbonCopy.length > 0 && words('emails.ccLine', { addresses: data.CarbonCopy.join(', ') }),
    formatInstant(data.Date, zone),
    data.Attempts > 0 && words('emails.attempts', { count: data.Attempts }),
    data.SentAt && words('emails.sentAt', { when: formatInstant(data.SentAt, zone) }),
  ]
  return (
    <Dialog
      opened
      onClose={onClose}
      width={720}
      title={data?.Subject || words('emails.noSubject')}
      subtitle={data?.To}
      summary={
        data && <StatusTag status={states[data.Status]!.tag}>{words(states[data.Status]!.word)}</StatusTag>
      }
      refusal={data?.StatusMessage}
      actions={
        (data?.MayRetry && <Button onClick={() => onRetry(id)}>{words('emails.retry')}</Button>) ||
        (data?.MayCancel && (
          <Button color="red" variant="default" onClick={() => onCancel(id)}>
            {words('emails.cancel')}
          </Button>
        ))
      }
    >
      {email.error && (
        <PageMessage kind="error" text={email.error.message} onRetry={() => void email.refetch()} />
      )}
      {facts && <p className={classes.facts}>{facts.filter(Boolean).join(' · ')}</p>}
      {data &&
        (data.IsSecret ? (
          <p>{words('emails.secretDetail')}</p>
        ) : (
          <Html html={data.Html} className={classes.emailText} />
        ))}
    </Dialog>
  )
}
