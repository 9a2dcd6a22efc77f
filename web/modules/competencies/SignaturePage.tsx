import { useEffect, useState } from 'react'
import { disputeSignature, readSignature } from '#contract/competencies/exam-grading.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { CallError, call } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { LinkFailure } from '#web/shared/LinkFailure.tsx'
import { Logo } from '#web/shell/Logo.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'

/** What was signed in somebody's name, and the way to say that it was not them. */
export function SignaturePage() {
  const words = useWords()
  const { token = '' } = useParams()
  const [signed, setSigned] = useState<AnswerOf<typeof readSignature>>()
  const [isDisputed, setDisputed] = useState(false)
  const [failed, setFailed] = useState<CallError>()
  const [round, setRound] = useState(0)
  const [isRunning, setRunning] = useState(false)
  const fail = (error: unknown) => {
    if (!(error instanceof CallError)) throw error
    setFailed(error)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fail` is new at every drawing, and another round reads it again
  useEffect(() => {
    call(readSignature, { body: { Token: token } }).then(setSigned, fail)
  }, [token, round])
  const dispute = async () => {
    setRunning(true)
    setFailed(undefined)
    await call(disputeSignature, { body: { Token: token } }).then(() => setDisputed(true), fail)
    setRunning(false)
  }
  return (
    <main className={classes.alone}>
      <title>{`${words('exams.disputeTitle')} · Practicum`}</title>
      <div className={classes.screen}>
        <div className={classes.brand}>
          <Logo size={28} />
          {signed?.Program ?? 'Practicum'}
        </div>
        <h1 className={classes.title}>{words('exams.disputeTitle')}</h1>
        {signed ? (
          <>
            <p lang="en" className={classes.statement}>
              {signed.Text}
            </p>
            <p className={classes.quiet}>
              {words('exams.disputeLine', {
                name: signed.Name,
                date: formatDate(dateOfInstant(signed.SignedAt)),
              })}
            </p>
            {isDisputed || signed.DisputedAt !== null ? (
              <p role="status">{words('exams.disputed')}</p>
            ) : (
              <>
                <p>{words('exams.disputeHint')}</p>
                <Button size="lg" color="red" loading={isRunning} onClick={() => void dispute()}>
                  {words('exams.dispute')}
                </Button>
              </>
            )}
            <Problem text={failed?.message} />
          </>
        ) : (
          failed && (
            <LinkFailure
              error={failed}
              onRetry={() => {
                setFailed(undefined)
                setRound(round + 1)
              }}
            />
          )
        )}
      </div>
    </main>
  )
}
