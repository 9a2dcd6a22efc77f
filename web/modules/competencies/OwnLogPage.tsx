import { useState } from 'react'
import { lineOf } from '#contract/competencies/log-line.ts'
import { isOpenToStudent, type LogState } from '#contract/competencies/log-rules.ts'
import {
  changeProcedure,
  deleteProcedure,
  getLogContext,
  getOwnStanding,
  listOwnLog,
  type OwnEntry,
  restoreProcedure,
} from '#contract/competencies/procedure-logs.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { offerUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate, weekday } from '#web/ui/dates.ts'
import { OwnScreen } from '#web/ui/OwnScreen.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { LineDialog } from './LineDialog.tsx'
import { logReads } from './log-sending.ts'
import { entryLine, stateTags } from './log-words.ts'
import classes from './procedure-log.module.css'
import { RadioChips } from './RadioChips.tsx'

const daysAPage = 14
const choices = ['all', 'submitted', 'verified', 'returned'] as const
const choiceWords = {
  all: 'procedureLog.all',
  submitted: 'procedureLog.waiting',
  verified: 'procedureLog.verified',
  returned: 'procedureLog.returnedState',
} as const

/** The student's own log by day. What is not verified yet can be corrected and deleted. */
export function OwnLogPage() {
  const words = useWords()
  const [at, setAt] = useAddress({ show: 'all', days: daysAPage })
  const show = choices.find((each) => each === at.show) ?? 'all'
  const log = useRead(listOwnLog, { query: { Show: show, days: Math.min(60, at.days) } })
  const [open, setOpen] = useState<OwnEntry>()
  useLiveEvent('procedure-logs', () => void log.refetch(), 1_000)
  if (log.error) return <ReadProblem read={log} />
  const days = log.data?.Days ?? []
  return (
    <OwnScreen title={words('procedureLog.historyTitle')}>
      <RadioChips<'all' | LogState>
        isSmall
        label={words('procedureLog.status')}
        name="show"
        options={choices.map((value) => ({ value, label: words(choiceWords[value]) }))}
        value={show}
        onChange={(value) => setAt({ show: value, days: daysAPage })}
      />
      {log.data && days.length === 0 && (
        <PageMessage
          kind="empty"
          text={words(show === 'all' ? 'procedureLog.noEntries' : 'procedureLog.noneOfThese')}
        />
      )}
      {days.map(({ Date: date, Entries }) => (
        <section key={date} className={classes.card} aria-label={formatDate(date)}>
          <div className={classes.dayHead}>
            <b>
              {weekday(date)} {formatDate(date)}
            </b>
            <span>{Entries[0]?.Site}</span>
          </div>
          <ul className={classes.entries}>
            {Entries.map((entry) => (
              <li key={entry.Id}>
                <EntryRow
                  entry={entry}
                  onOpen={isOpenToStudent(entry.State) ? () => setOpen(entry) : undefined}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {log.data?.NextDate && at.days < 60 && (
        <Button
          variant="default"
          size="lg"
          onClick={() => setAt({ days: Math.min(60, at.days + daysAPage) })}
        >
          {words('procedureLog.older')}
        </Button>
      )}
      {open && <EditEntry entry={open} onClose={() => setOpen(undefined)} />}
    </OwnScreen>
  )
}

function EntryRow({ entry, onOpen }: { entry: OwnEntry; onOpen: (() => void) | undefined }) {
  const words = useWords()
  const { status, word } = stateTags[entry.State]
  const content = (
    <>
      <span className={classes.count}>{entry.Count}</span>
      <span className={classes.rowText}>
        <b>{entry.Procedure}</b>
        <span>{entryLine(words, entry)}</span>
        {entry.State === 'submitted' && entry.Supervisor && (
          <span>{words('procedureLog.asks', { name: entry.Supervisor })}</span>
        )}
        {entry.State === 'returned' && (
          <span className={classes.reason}>
            {words('procedureLog.returnedBy', { name: entry.DecidedBy ?? '', reason: entry.ReturnReason })}
          </span>
        )}
        {entry.Changes > 0 && <span>{words('procedureLog.corrected', { count: entry.Changes })}</span>}
      </span>
      <StatusTag status={status}>{words(word)}</StatusTag>
    </>
  )
  return onOpen ? (
    <button type="button" className={classes.entry} onClick={onOpen}>
      {content}
    </button>
  ) : (
    <div className={classes.entry}>{content}</div>
  )
}

function EditEntry({ entry, onClose }: { entry: OwnEntry; onClose: () => void }) {
  const words = useWords()
  const standing = useRead(getOwnStanding)
  const context = useRead(getLogContext, { query: { Date: entry.Date } })
  const change = useSave(changeProcedure, { refresh: logReads })
  const erase = useSave(deleteProcedure, { refresh: logReads })
  const restore = useSave(restoreProcedure, { refresh: logReads })
  const [problem, setProblem] = useState<string>()
  const procedure = standing.data?.Procedures.find(({ Id }) => Id === entry.ProcedureId)
  if (!standing.data || !context.data || !procedure) return null
  const params = { logId: entry.Id }
  const attempt = async (work: () => Promise<unknown>, tell: () => void) => {
    try {
      await work()
      tell()
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <LineDialog
      title={entry.Procedure}
      isWhole
      standing={standing.data}
      procedure={procedure}
      context={context.data}
      line={lineOf(entry)}
      problem={problem ?? (entry.State === 'returned' ? entry.ReturnReason : undefined)}
      isSaving={change.isRunning}
      doneLabel={words(entry.State === 'returned' ? 'procedureLog.resubmit' : 'procedureLog.save')}
      more={
        <Button
          variant="default"
          size="lg"
          loading={erase.isRunning}
          onClick={() =>
            void attempt(
              () => erase.run({ params, query: { Revision: entry.Revision } }),
              () =>
                offerUndo({
                  restore: () => restore.run({ params }),
                  deleted: words('procedureLog.deleted'),
                  restored: words('procedureLog.restored'),
                  notRestored: words('procedureLog.notRestored'),
                }),
            )
          }
        >
          {words('procedureLog.deleteEntry')}
        </Button>
      }
      onDone={(line) =>
        void attempt(
          () =>
            change.run({
              params,
              body: { ...line, Revision: entry.Revision, SupervisorId: entry.SupervisorId },
            }),
          () =>
            toast.done(
              words(entry.State === 'returned' ? 'procedureLog.resubmitted' : 'procedureLog.edited'),
            ),
        )
      }
      onClose={onClose}
    />
  )
}
