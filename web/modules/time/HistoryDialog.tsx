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
import { standing, timeText, typeName } from './record-words.tsx'
import classes from './time.module.css'

/** What was changed on a record, by whom and why, and who decided it. */
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
  const history = found.data?.History ?? []
  // What an edit made of it is what the next one found.
  const changes = history.map((entry, at) => {
    const next = history[at + 1]
    return {
      entry,
      was: lineOf(entry.OccurredAt, entry.EndsAt, entry.Site),
      now: next
        ? lineOf(next.OccurredAt, next.EndsAt, next.Site)
        : `${formatDate(record.Date)} ${[timeText(record), record.Location].filter(Boolean).join(', ')}`,
    }
  })
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
      {found.data?.History.length === 0 && record.DecidedAt === null && (
        <p className="p-muted">{words('time.noHistory')}</p>
      )}
      <ul className={classes.history}>
        {changes.map(({ entry, was, now }) => (
          <li key={entry.At}>
            {words('time.historyLine', { when: formatInstant(entry.At), by: entry.By, was, now })}
            {entry.Reason && <small>“{entry.Reason}”</small>}
          </li>
        ))}
        {record.DecidedAt && (
          <li>
            {words('time.decidedLine', {
              status: standing(words, record),
              when: formatInstant(record.DecidedAt),
              by: record.DecidedBy ?? '',
            })}
            {record.DecisionReason && <small>“{record.DecisionReason}”</small>}
          </li>
        )}
      </ul>
    </Dialog>
  )
}
