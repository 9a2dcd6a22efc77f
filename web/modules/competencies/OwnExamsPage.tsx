import { getOwnExams } from '#contract/competencies/exams.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { attemptLine, attemptTags } from './exam-words.ts'
import classes from './exams.module.css'

/** All attempts of the student, the newest first. */
export function OwnExamsPage() {
  const words = useWords()
  const exams = useRead(getOwnExams)
  useLiveEvent('procedure-logs', () => void exams.refetch(), 1_000)
  if (exams.error && !exams.data) return <ReadProblem read={exams} />
  const attempts = exams.data?.Attempts ?? []
  return (
    <div className={classes.screen}>
      <title>{`${words('exams.myExamsTitle')} · Practicum`}</title>
      <h1 className={classes.title}>{words('exams.myExamsTitle')}</h1>
      {exams.data && attempts.length === 0 && <PageMessage kind="empty" text={words('exams.noExams')} />}
      {attempts.length > 0 && (
        <ul className={classes.card}>
          {attempts.map((attempt) => (
            <li key={attempt.Id}>
              <PageLink href={`/new/competencies/exams/${attempt.Id}`} className={classes.row} data-link>
                <span className={classes.rowText}>
                  <b>{attempt.Procedure}</b>
                  <span>
                    {formatDate(attempt.Date)} · {attemptLine(words, attempt)}
                  </span>
                </span>
                <StatusTag status={attemptTags[attempt.State].status}>
                  {words(attemptTags[attempt.State].word)}
                </StatusTag>
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
