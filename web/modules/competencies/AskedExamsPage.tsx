import { listAskedExams } from '#contract/competencies/exam-grading.ts'
import { Level } from '#contract/core/levels.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { attemptLine } from './exam-words.ts'
import classes from './exams.module.css'

/** The exams for which students ask whoever looks. */
export function AskedExamsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { AccessLevel } = useUser()
  const asked = useRead(listAskedExams, { params: { programId } })
  useLiveEvent('procedure-logs', () => void asked.refetch(), 1_000)
  if (asked.error) return <ReadProblem read={asked} />
  return (
    <div className={classes.screen}>
      <title>{`${words('exams.askedTitle')} · Practicum`}</title>
      <h1 className={classes.title}>{words('exams.askedTitle')}</h1>
      {asked.data?.length === 0 && <PageMessage kind="empty" text={words('exams.askedEmpty')} />}
      {asked.data && asked.data.length > 0 && (
        <ul className={classes.card}>
          {asked.data.map((attempt) => (
            <li key={attempt.Id}>
              <PageLink
                className={classes.row}
                data-link
                aria-label={words('exams.gradeOf', { procedure: attempt.Procedure, name: attempt.Student })}
                href={
                  AccessLevel >= Level.Faculty
                    ? `/new/admin/competencies/asked/${attempt.Id}`
                    : `/new/exams/${attempt.Id}`
                }
              >
                <span className={classes.rowText}>
                  <b>
                    {attempt.Procedure} · {attempt.Student}
                  </b>
                  <span>
                    {formatDate(attempt.Date)} · {attemptLine(words, attempt)}
                  </span>
                </span>
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
