import type { AttemptItem, ExamDetail } from '#contract/competencies/exams.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { proofWords, scoreText } from './exam-words.ts'
import classes from './exams.module.css'

const givenOf = ({ Scale, ValueId }: AttemptItem): string =>
  Scale.find(({ Id }) => Id === ValueId)?.Label ?? '–'

/** What became of an attempt: its score, what was said, its items, and the signature. */
export function AttemptFacts({ exam }: { exam: ExamDetail }) {
  const words = useWords()
  const { Signature } = exam
  const isGraded = exam.GradedAt !== null
  return (
    <>
      <div className={`${classes.card} ${classes.padded}`}>
        <dl className={classes.facts}>
          {isGraded && (
            <>
              <dt>{words('exams.score')}</dt>
              <dd>{scoreText(words, exam)}</dd>
            </>
          )}
          {exam.Comment !== '' && (
            <>
              <dt>{words('exams.comment')}</dt>
              <dd>{exam.Comment}</dd>
            </>
          )}
          {exam.EndedReason !== '' && (
            <>
              <dt>{words('exams.withdrawReason')}</dt>
              <dd>{exam.EndedReason}</dd>
            </>
          )}
          {exam.Remediation !== '' && (
            <>
              <dt>{words('exams.remediation')}</dt>
              <dd>
                {exam.RemediationBy
                  ? words('exams.remediationBy', { text: exam.Remediation, name: exam.RemediationBy })
                  : exam.Remediation}
              </dd>
            </>
          )}
          {exam.State === 'failed' && exam.RetryFrom && (
            <>
              <dt>{words('exams.nextAttempt')}</dt>
              <dd>{words('exams.retryFrom', { date: formatDate(exam.RetryFrom) })}</dd>
            </>
          )}
          {Signature ? (
            <>
              <dt>{words('exams.signed')}</dt>
              <dd>
                {words('exams.signedBy', {
                  name: [Signature.Name, Signature.Credential].filter(Boolean).join(', '),
                  date: formatDate(dateOfInstant(Signature.SignedAt)),
                })}
                <br />
                <span className={classes.quiet}>{words(proofWords[Signature.How])}</span>
              </dd>
            </>
          ) : (
            <>
              <dt>{words('exams.who')}</dt>
              <dd>{[exam.Examiner, exam.Credential].filter(Boolean).join(', ')}</dd>
            </>
          )}
        </dl>
        {/* What was signed is English in every language. */}
        {Signature && (
          <p lang="en" className={classes.statement}>
            {Signature.Text}
          </p>
        )}
      </div>
      {isGraded && exam.Items.length > 0 && (
        <section aria-label={words('exams.items')} className={classes.group}>
          <div className={classes.part}>
            <h2>{words('exams.items')}</h2>
          </div>
          <ul className={classes.card}>
            {exam.Items.map((item) => (
              <li key={item.Position} className={classes.row}>
                <span className={classes.rowText}>
                  {item.Text}
                  {item.Comment !== '' && <span>{item.Comment}</span>}
                </span>
                <b>{givenOf(item)}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
