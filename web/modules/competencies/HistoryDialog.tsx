import { getCompetencyHistory } from '#contract/competencies/competency-grid.ts'
import type { AttemptState } from '#contract/competencies/exam-rules.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './HistoryDialog.module.css'
import { entryLine, stateTags } from './log-words.ts'

type History = AnswerOf<typeof getCompetencyHistory>

const attemptTags: Readonly<Record<AttemptState, { status: Status; word: WordKey }>> = {
  open: { status: 'pending', word: 'competencyProgress.attempt_open' },
  passed: { status: 'approved', word: 'competencyProgress.attempt_passed' },
  failed: { status: 'rejected', word: 'competencyProgress.attempt_failed' },
  withdrawn: { status: 'pending', word: 'competencyProgress.attempt_withdrawn' },
  suspended: { status: 'careful', word: 'competencyProgress.attempt_suspended' },
  voided: { status: 'rejected', word: 'competencyProgress.attempt_voided' },
}

/** What a student did of one procedure: exams, lab check, logs, and what others changed. */
export function HistoryDialog(props: { studentId: number; procedureId: number; onClose: () => void }) {
  const { studentId, procedureId, onClose } = props
  const words = useWords()
  const programId = useProgramId()
  const history = useRead(
    getCompetencyHistory,
    { params: { programId, studentId, procedureId } },
    { keepsLast: false },
  )
  const { data } = history
  if (!data && !history.error) return null
  return (
    <Dialog
      opened
      onClose={onClose}
      title={data?.Procedure ?? words('competencyProgress.title')}
      subtitle={
        data &&
        [
          data.Student,
          data.MajorStudy,
          words(data.IsMandatory ? 'competencyProgress.mandatory' : 'competencyProgress.elective'),
        ].join(' · ')
      }
      actions={
        data && (
          <RouterLink
            href={`/new/admin/students/${studentId}?tab=competencies`}
            className={classes.card}
            onClick={onClose}
          >
            {words('competencyProgress.openCard')}
          </RouterLink>
        )
      }
      summary={
        data &&
        [
          words('competencyProgress.loggedOf', { count: data.Counted, total: data.LogsNeeded }),
          data.CountedWaiting > 0 && words('competencyProgress.waitingToo', { count: data.CountedWaiting }),
        ]
          .filter(Boolean)
          .join(' · ')
      }
    >
      {history.error && !data ? (
        <PageMessage kind="error" text={history.error.message} onRetry={() => void history.refetch()} />
      ) : (
        data && <Parts history={data} />
      )}
    </Dialog>
  )
}

function Parts({ history }: { history: History }) {
  const { Attempts, Entries, EntryCount, Changes, NeedsLabCheck, LabCheck } = history
  const words = useWords()
  return (
    <div className={classes.parts}>
      <section>
        <h3>{words('competencyProgress.exams')}</h3>
        {Attempts.length === 0 && <p className={classes.quiet}>{words('competencyProgress.noExams')}</p>}
        <ul>
          {Attempts.map((attempt) => (
            <li key={attempt.Id}>
              <span className={classes.text}>
                <b>
                  {formatDate(attempt.Date)} ·{' '}
                  {attempt.IsRecheck
                    ? words('competencyProgress.recheck')
                    : words('competencyProgress.attempt', { number: attempt.Number })}
                </b>
                <span>
                  {[
                    attempt.IsSimulated && words('competencyProgress.simulated'),
                    attempt.Examiner,
                    attempt.Site,
                    attempt.Comment,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <StatusTag status={attemptTags[attempt.State].status}>
                {words(attemptTags[attempt.State].word)}
              </StatusTag>
            </li>
          ))}
        </ul>
      </section>
      {(NeedsLabCheck || LabCheck) && (
        <section>
          <h3>{words('competencyProgress.labCheck')}</h3>
          <p className={classes.quiet}>
            {LabCheck
              ? words('competencyProgress.labChecked', {
                  date: formatDate(LabCheck.Date),
                  name: LabCheck.Faculty,
                })
              : words('competencyProgress.labMissing')}
          </p>
        </section>
      )}
      <section>
        <h3>{words('competencyProgress.logs')}</h3>
        {Entries.length === 0 && <p className={classes.quiet}>{words('competencyProgress.noLogs')}</p>}
        {Entries.length < EntryCount && (
          <p className={classes.quiet}>
            {words('competencyProgress.shownOf', { shown: Entries.length, total: EntryCount })}
          </p>
        )}
        <ul>
          {Entries.map((entry) => (
            <li key={entry.Id}>
              <span className={classes.text}>
                <b>
                  {formatDate(entry.Date)} · {entry.Count} ×
                </b>
                <span>
                  {[entryLine(words, entry), entry.Site, entry.Supervisor].filter(Boolean).join(' · ')}
                </span>
              </span>
              <StatusTag status={stateTags[entry.State].status}>
                {words(stateTags[entry.State].word)}
              </StatusTag>
            </li>
          ))}
        </ul>
      </section>
      {Changes.length > 0 && (
        <section>
          <h3>{words('competencyProgress.changes')}</h3>
          <ul>
            {Changes.map((change) => (
              <li key={`${change.LogId} ${change.At}`}>
                <span className={classes.text}>
                  <span>
                    {words('procedureLog.historyLine', {
                      procedure: change.Procedure,
                      count: change.Count,
                      level: change.Level ?? '',
                      state: words(stateTags[change.State].word),
                    })}
                  </span>
                  <span>
                    {words('procedureLog.by', {
                      name: change.By,
                      when: formatInstant(change.At),
                      reason: change.Reason,
                    })}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
