import { IconCheck } from '@tabler/icons-react'
import { isClean } from '#contract/competencies/log-rules.ts'
import type { LogEntry, listWaitingDays } from '#contract/competencies/log-verification.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate, weekday } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { entryLine } from './log-words.ts'
import classes from './procedure-log.module.css'

/** What a student logged on a day and waits for whoever looks. */
export type Day = AnswerOf<typeof listWaitingDays>['Days'][number]

/** The entries of a day that can be verified together: repeats are confirmed one at a time. */
export const cleanOf = ({ Entries }: Day): LogEntry[] => Entries.filter(isClean)

/** A student's day: its entries, one button for those without repeats, and the repeats by themselves. */
export function DayCard(props: {
  day: Day
  isRunning: boolean
  onVerify: () => void
  onOpen: (entry: LogEntry) => void
  /** The day is named above it, on a card of its own. */
  isInside?: boolean
}) {
  const { day, onOpen, isInside = false } = props
  const words = useWords()
  const clean = cleanOf(day)
  const repeats = day.Entries.filter((entry) => !isClean(entry))
  const sites = [...new Set(day.Entries.flatMap(({ Site }) => Site ?? []))]
  const rows = (entries: readonly LogEntry[]) => (
    <ul className={classes.entries}>
      {entries.map((entry) => (
        <li key={entry.Id}>
          <button type="button" className={classes.entry} onClick={() => onOpen(entry)}>
            <span className={classes.count}>{entry.Count}</span>
            <span className={classes.rowText}>
              <b>{entry.Procedure}</b>
              <span>{entryLine(words, entry)}</span>
              {entry.Note !== '' && <span>{entry.Note}</span>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <section
      {...(!isInside && { className: classes.card })}
      aria-label={`${day.Student}, ${formatDate(day.Date)}`}
    >
      {!isInside && (
        <div className={classes.dayHead}>
          <b>{day.Student}</b>
          <span>
            {weekday(day.Date)} {formatDate(day.Date)}
            {sites.length > 0 && ` · ${sites.join(', ')}`}
          </span>
        </div>
      )}
      {rows(clean)}
      {clean.length > 0 && (
        <div className={classes.dayFoot} data-decides>
          <Button
            size="lg"
            fullWidth
            loading={props.isRunning}
            leftSection={<IconCheck size={18} stroke={2} aria-hidden />}
            onClick={props.onVerify}
          >
            {words('procedureLog.verifyDay', { name: day.FirstName })}
          </Button>
        </div>
      )}
      {repeats.length > 0 && (
        <>
          <div className={classes.dayHead}>
            <span>{words('procedureLog.repeatsFirst')}</span>
          </div>
          {rows(repeats)}
        </>
      )}
    </section>
  )
}
