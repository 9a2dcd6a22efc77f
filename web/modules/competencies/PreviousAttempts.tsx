import type { Attempt } from '#contract/competencies/exams.ts'
import { formatDate } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { attemptLine, attemptTags, scoreText } from './exam-words.ts'
import classes from './exams.module.css'

/** Earlier attempts at the same procedure, with what was said of them. */
export function PreviousAttempts({ attempts }: { attempts: readonly Attempt[] }) {
  const words = useWords()
  if (attempts.length === 0) return null
  return (
    <section aria-label={words('exams.previous')} className={classes.group}>
      <div className={classes.part}>
        <h2>{words('exams.previous')}</h2>
      </div>
      <ul className={classes.card}>
        {attempts.map((attempt) => (
          <li key={attempt.Id} className={classes.row}>
            <div className={classes.rowText}>
              <b>
                {formatDate(attempt.Date)} · {attemptLine(words, attempt)}
              </b>
              <span>
                {[attempt.Examiner, attempt.GradedAt && scoreText(words, attempt)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {attempt.Comment !== '' && <span>{attempt.Comment}</span>}
              {attempt.Remediation !== '' && (
                <span>
                  {words('exams.remediation')}: {attempt.Remediation}
                </span>
              )}
            </div>
            <StatusTag status={attemptTags[attempt.State].status}>
              {words(attemptTags[attempt.State].word)}
            </StatusTag>
          </li>
        ))}
      </ul>
    </section>
  )
}
