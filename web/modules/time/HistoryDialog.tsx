import { getTimeRecord, type TimeRecord } from '#contract/time/time-records.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate, formatInstant, timeOfInstant } from '#web/ui/dates.ts'
import type { RowAction } from '#web/ui/grid/grid-types.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { Reasons } from './Reasons.tsx'
import { standing, statusName, timeText, typeName } from './record-words.tsx'
import classes from './time.module.css'

/** What was changed on a record, by whom and why, and who decided it, also what was undone. */
export function HistoryDialog(props: {
  record: TimeRecord
  /** The undos of its decision. */
  undos: readonly RowAction[]
  onClose: () => void
}) {
  const { record, undos, onClose } = props
  const words = useWords()
  const programId = useProgramId()
  const found = useRead(getTimeRecord, { params: { programId, recordId: record.Id } })
  const lineOf = (at: string, end: string | null, site: string | null) =>
    [`${formatInstant(at, record.TimeZone)}${end ? `–${timeOfInstant(end, record.TimeZone)}` : ''}`, site]
      .filter(Boolean)
      .join(', ')
  const { History: edits = [], Decisions: former = [] } = found.data ?? {}
  const lines = [
    // What an edit made of it is what the next one found.
    ...edits.map((edit, place) => {
      const next = edits[place + 1]
      return {
        at: edit.At,
        text: words('time.historyLine', {
          when: formatInstant(edit.At),
          by: edit.By,
          was: lineOf(edit.OccurredAt, edit.EndsAt, edit.Site),
          now: next
            ? lineOf(next.OccurredAt, next.EndsAt, next.Site)
            : `${formatDate(record.Date)} ${[timeText(record), record.Location].filter(Boolean).join(', ')}`,
        }),
        reason: edit.Reason,
      }
    }),
    ...former.flatMap(({ At, By, Status, IsTakenBack, Reason, UndoneAt, UndoneBy }) => [
      {
        at: At,
        text: words('time.decidedLine', {
          status: IsTakenBack ? words('time.reportTakenBack') : statusName(words, Status),
          when: formatInstant(At),
          by: By,
        }),
        reason: Reason,
      },
      ...(UndoneAt
        ? [
            {
              at: UndoneAt,
              text: words('time.undoneLine', { when: formatInstant(UndoneAt), by: UndoneBy }),
              reason: '',
            },
          ]
        : []),
    ]),
    ...(record.DecidedAt
      ? [
          {
            at: record.DecidedAt,
            text: words('time.decidedLine', {
              status: standing(words, record),
              when: formatInstant(record.DecidedAt),
              by: record.DecidedBy ?? '',
            }),
            reason: record.DecisionReason,
          },
        ]
      : []),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.historyTitle')}
      subtitle={`${record.Student}, ${typeName(words, record.Type)} ${formatDate(record.Date)} ${timeText(record)}`}
      actions={
        undos.length > 0 && (
          <>
            <LeaveButton onClick={onClose}>{words('ui.close')}</LeaveButton>
            {undos.map(({ label, icon, onRun }) => (
              <Button
                key={label}
                variant="default"
                leftSection={icon}
                onClick={() => {
                  onClose()
                  onRun()
                }}
              >
                {label}
              </Button>
            ))}
          </>
        )
      }
    >
      {found.error && (
        <PageMessage kind="error" text={found.error.message} onRetry={() => void found.refetch()} />
      )}
      <div className={classes.historyReasons}>
        <Reasons reasons={record.Reasons} all />
      </div>
      {found.data && lines.length === 0 && <p className="p-muted">{words('time.noHistory')}</p>}
      <ul className={classes.history}>
        {lines.map(({ at, text, reason }) => (
          <li key={`${at} ${text}`}>
            {text}
            {reason && <small>“{reason}”</small>}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
