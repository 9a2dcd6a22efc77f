import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconEye,
  IconMessage2,
  IconMessagePlus,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { askTimeChange, getClock, type Ledger, listOwnRecords, type OwnRecord } from '#contract/time/clock.ts'
import { shortBy } from '#contract/time/short-by.ts'
import { isTakenBack } from '#contract/time/time-records.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { CreditNote } from '#web/shared/CreditNote.tsx'
import { ownRecords, type Show } from '#web/shared/own-records.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate, formatHours, weekday } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TimeField } from '#web/ui/form/TimeField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { PageDirections } from '#web/ui/PageDirections.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'
import { shiftTypeName, timeText, typeIcon, typeName } from './record-words.tsx'
import { StandingTag } from './StandingTag.tsx'
import timeClasses from './time.module.css'
import { useTakeBack } from './use-take-back.ts'
import { isSecond, WhichTime } from './WhichTime.tsx'

type OwnRow = AnswerOf<typeof listOwnRecords>['Items'][number]

/** The student's own hours: the ledger, the records with their status, and asking for another time. */
export function OwnHoursPage() {
  const words = useWords()
  const [at, setAt] = useAddress({ show: 'all' })
  const show = (['all', 'pending', 'rejected', 'absences'].includes(at.show) ? at.show : 'all') as Show
  const clock = useRead(getClock)
  const records = useInfiniteQuery(ownRecords(show))
  const [asking, setAsking] = useState<OwnRow>()
  const first = records.data?.pages[0]
  const rows = records.data?.pages.flatMap(({ Items }) => Items) ?? []
  const chips: { value: Show; label: string; count?: number }[] = [
    { value: 'all', label: words('time.showAll') },
    { value: 'pending', label: words('time.showPending'), count: first?.PendingCount },
    { value: 'rejected', label: words('time.showRejected'), count: first?.RejectedCount },
    { value: 'absences', label: words('time.showAbsences') },
  ]
  return (
    <div className={classes.screen}>
      <title>{`${words('time.ownTitle')} · Practicum`}</title>
      <h1 className={classes.title}>{words('time.ownTitle')}</h1>
      <PageDirections />
      {clock.data ? (
        <LedgerBar ledger={clock.data.Ledger} />
      ) : (
        !clock.error && <div className={`${classes.card} ${classes.bookRoom}`} />
      )}
      <div className={classes.chips} role="radiogroup" aria-label={words('time.status')}>
        {chips.map(({ value, label, count }) => (
          <label key={value} data-on={value === show || undefined}>
            <input
              type="radio"
              className="p-sr-only"
              name="show"
              checked={value === show}
              onChange={() => setAt({ show: value })}
            />
            {label}
            {Boolean(count) && <b>{count}</b>}
          </label>
        ))}
      </div>
      {records.error && !first ? (
        <PageMessage kind="error" text={records.error.message} onRetry={() => void records.refetch()} />
      ) : (
        first && (
          <>
            {rows.length === 0 ? (
              <div className={classes.card}>
                {words(show === 'all' ? 'time.ownEmpty' : 'time.ownEmptyFiltered')}
              </div>
            ) : (
              <ul className={classes.list}>
                {rows.map((row) => (
                  <OwnRecordRow
                    key={row.Id}
                    row={row}
                    today={clock.data?.Date}
                    onAsk={() => setAsking(row)}
                  />
                ))}
              </ul>
            )}
            {records.hasNextPage && (
              <Button
                variant="default"
                size="lg"
                loading={records.isFetchingNextPage}
                onClick={() => void records.fetchNextPage()}
              >
                {words('time.loadMore')}
              </Button>
            )}
          </>
        )
      )}
      {asking && <AskDialog row={asking} onClose={() => setAsking(undefined)} />}
    </div>
  )
}

function LedgerBar({ ledger }: { ledger: Ledger }) {
  const words = useWords()
  const { ApprovedMinutes, PendingMinutes, TargetMinutes, PlannedMinutes, ProjectedMinutes } = ledger
  const earned = ApprovedMinutes + PendingMinutes
  const part = (minutes: number) =>
    `${TargetMinutes > 0 ? Math.min(100, Math.max(0, (minutes / TargetMinutes) * 100)) : 0}%`
  const isShort = shortBy({ Projection: ProjectedMinutes, Needed: TargetMinutes }) > 0
  return (
    <section className={classes.card} aria-label={ledger.Rotation ?? words('time.ownTitle')}>
      <div className={classes.bookHead}>
        <div>
          <p>{ledger.Rotation ?? words('time.ownTitle')}</p>
          <p>
            <b className={classes.figure}>{formatHours(ApprovedMinutes)}</b>{' '}
            {TargetMinutes > 0 && words('time.ledgerOf', { hours: formatHours(TargetMinutes) })}
          </p>
        </div>
        {TargetMinutes > 0 && ledger.RotationEndDate && (
          <div className={classes.coming}>
            <p>{words('time.projectedShort', { date: formatDate(ledger.RotationEndDate).slice(0, 5) })}</p>
            <b data-short={isShort || undefined}>{formatHours(ProjectedMinutes, true)}</b>
          </div>
        )}
      </div>
      {TargetMinutes > 0 && (
        <div className={classes.book} aria-hidden>
          <i data-mark="data2" style={{ width: part(earned) }} />
          <i data-mark="data" style={{ width: part(ApprovedMinutes) }} />
          {PlannedMinutes > 0 && <i data-mark="plan" style={{ left: part(PlannedMinutes) }} />}
        </div>
      )}
      <div className={classes.bookFoot}>
        <span>
          {words('time.approvedPending', {
            approved: formatHours(ApprovedMinutes),
            pending: formatHours(PendingMinutes),
          })}
        </span>
        {PlannedMinutes > 0 && (
          <span>
            {words('time.planToday')} <b>{Math.round(PlannedMinutes / 60)}</b>
          </span>
        )}
      </div>
    </section>
  )
}

/** What is under the site's name: from when to when, or what was reported. */
const spanText = (words: Words, row: OwnRow): string => {
  if (row.Type === 'absence') return words('time.absentTold')
  if (row.Type === 'out') return row.In ? `${row.In.Time} – ${row.Time}` : `… – ${row.Time}`
  if (row.Type === 'in') return row.IsRunning ? `${row.Time} – ${words('time.nowText')}` : `${row.Time} – …`
  return `${typeName(words, row.Type)} ${timeText(row)}`
}

const openChange = (row: OwnRow): { half: OwnRecord; isIn: boolean } | undefined => {
  if (row.In?.TimeChangeRequest?.Status === 'asked') return { half: row.In, isIn: true }
  return row.TimeChangeRequest?.Status === 'asked' ? { half: row, isIn: row.Type === 'in' } : undefined
}

function OwnRecordRow(props: { row: OwnRow; today: string | undefined; onAsk: () => void }) {
  const { row, today, onAsk } = props
  const words = useWords()
  const start = row.In ?? row
  const change = openChange(row)
  const isPunch = row.Type === 'in' || row.Type === 'out'
  const mayAsk = isPunch && (row.Status === 'pending' || row.In?.Status === 'pending')
  const reason =
    row.Status === 'rejected'
      ? row.DecisionReason || (isPunch ? null : row.Reason)
      : !isPunch
        ? row.Reason
        : null
  const isReport = !isPunch && row.Reasons.some(({ Code }) => Code === 'self_reported')
  const takeBack = useTakeBack()
  return (
    <li className={classes.record}>
      <div className={classes.day}>
        <b>{start.Date === today ? capital(words('time.today')) : formatDate(start.Date).slice(0, 5)}</b>
        <small>{weekday(start.Date)}</small>
      </div>
      {row.ShiftType ? (
        <ShiftMark kind={row.ShiftType} label={shiftTypeName(words, row.ShiftType)} size={20} />
      ) : (
        <span className={classes.kind} title={typeName(words, row.Type)}>
          {typeIcon(row.Type)}
        </span>
      )}
      <div className={classes.what}>
        <div>
          <span>{row.Location ?? typeName(words, row.Type)}</span>
          <b>
            {row.Type === 'absence' || row.Minutes + row.ClockMinutes === 0 ? '–' : formatHours(row.Minutes)}
          </b>
        </div>
        <div>
          <small>{spanText(words, row)}</small>
          <RowTag row={row} isAsked={change !== undefined} />
        </div>
        <CreditNote record={row} />
        {change?.half.TimeChangeRequest && (
          <small>
            {change.half.TimeChangeRequest.IsRemoval
              ? words('time.askedRemoval')
              : words('time.outChange', {
                  half: words(change.isIn ? 'time.halfIn' : 'time.halfOut'),
                  from: change.half.Time,
                  to: change.half.TimeChangeRequest.Time,
                  reason: change.half.TimeChangeRequest.Reason,
                })}
          </small>
        )}
        {reason && <small>“{reason}”</small>}
        {(change || (isReport && row.Status === 'pending')) && (
          <button
            type="button"
            className={classes.ask}
            aria-label={`${words(change ? 'time.takeBackRequest' : 'time.takeBackReport')}: ${formatDate(start.Date)}`}
            disabled={takeBack.isRunning}
            onClick={() => void takeBack.run(change?.half ?? row)}
          >
            <IconArrowBackUp size={15} stroke={1.75} aria-hidden />
            {words(change ? 'time.takeBackRequest' : 'time.takeBackReport')}
          </button>
        )}
        {isReport && isTakenBack(row) && (
          <button
            type="button"
            className={classes.ask}
            aria-label={`${words('time.sendAgain')}: ${formatDate(start.Date)}`}
            disabled={takeBack.isRunning}
            onClick={() => void takeBack.sendAgain(row)}
          >
            <IconArrowForwardUp size={15} stroke={1.75} aria-hidden />
            {words('time.sendAgain')}
          </button>
        )}
        {mayAsk && (
          <button
            type="button"
            className={classes.ask}
            aria-label={`${words('time.askChange')}: ${formatDate(start.Date)}`}
            onClick={onAsk}
          >
            <IconMessagePlus size={15} stroke={1.75} aria-hidden />
            {words('time.askChange')}
          </button>
        )}
      </div>
    </li>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function RowTag({ row, isAsked }: { row: OwnRow; isAsked: boolean }) {
  const words = useWords()
  if (row.IsRunning) return <span className={classes.now}>{words('time.now')}</span>
  if (isAsked)
    return (
      <StatusTag status="pending" icon={<IconMessage2 size={14} stroke={2} aria-hidden />}>
        {words('time.changeAsked')}
      </StatusTag>
    )
  if (row.Insight === 'u')
    return (
      <StatusTag status="unmatched">
        {words(row.Type === 'in' ? 'time.noPartnerOut' : 'time.noPartnerIn')}
      </StatusTag>
    )
  if (row.Type === 'absence' && row.Status !== 'rejected' && row.Minutes > 0)
    return (
      <StatusTag status="review" icon={<IconEye size={14} stroke={2} aria-hidden />}>
        {words('time.makeupTag', { hours: formatHours(row.Minutes) })}
      </StatusTag>
    )
  return <StandingTag record={row} isOwn />
}

function AskDialog({ row, onClose }: { row: OwnRow; onClose: () => void }) {
  const words = useWords()
  const ask = useSave(askTimeChange, { refresh: [listOwnRecords, getClock] })
  const takeBack = useTakeBack()
  const halves = [row.In, row].filter((half): half is OwnRow => half !== null && half.Status === 'pending')
  const last = halves.at(-1) ?? row
  const form = useEditForm({
    initialValues: {
      Half: String(last.Id) as string | null,
      Date: last.Date as string | null,
      Time: null as string | null,
      TimeIsSecond: null as string | null,
      Reason: '',
    },
    rules: { Half: required(), Date: required(), Time: required(), Reason: required() },
    save: async (values) => {
      const asked = await ask.run({
        params: { recordId: Number(values.Half) },
        body: {
          // The form requires both.
          Date: values.Date!,
          // As it does the day.
          Time: values.Time!,
          TimeIsSecond: isSecond(values.TimeIsSecond),
          Reason: values.Reason.trim(),
        },
      })
      toast.done({ title: words('time.asked'), undo: () => void takeBack.run(asked) })
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={words('time.askTitle')}
      subtitle={words('time.askHint')}
      actions={
        <DialogActions
          verb={words('time.send')}
          onCancel={onClose}
          onRun={() => void form.submit()}
          isRunning={form.isSaving}
        />
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <div className={timeClasses.fields}>
          {halves.length > 1 && (
            <SelectField
              label={words('time.which')}
              required
              options={halves.map((half) => ({
                value: String(half.Id),
                label: `${typeName(words, half.Type)} ${half.Time}`,
              }))}
              {...form.field('Half')}
            />
          )}
          <DateField label={words('time.date')} required {...form.field('Date')} />
          <TimeField label={words('time.time')} required {...form.field('Time')} />
          <WhichTime
            date={form.values.Date}
            time={form.values.Time}
            zone={row.TimeZone}
            {...form.field('TimeIsSecond')}
          />
        </div>
        <TextAreaField
          label={words('time.reasonField')}
          required
          maxLength={1000}
          rows={2}
          {...form.field('Reason')}
        />
      </Form>
    </Dialog>
  )
}
