import { useState } from 'react'
import { decideExamByLink, getGradingByLink, scoreItemByLink } from '#contract/competencies/exam-grading.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { call } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { LinkGate } from '#web/shared/LinkGate.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'
import { GradedMessage } from './GradedMessage.tsx'
import { GradeForm } from './GradeForm.tsx'

/** An exam by the link that was mailed to its examiner. */
export function ExamLinkPage() {
  const words = useWords()
  const { token = '' } = useParams()
  return (
    <LinkGate kind="exam" token={token} title={words('exams.openTitle')}>
      {() => <Opened token={token} />}
    </LinkGate>
  )
}

function Opened({ token }: { token: string }) {
  const words = useWords()
  const params = { token }
  const [decided, setDecided] = useState<AnswerOf<typeof decideExamByLink>>()
  const grading = useRead(
    getGradingByLink,
    { params },
    { staleMs: Number.POSITIVE_INFINITY, isForgotten: true, isEnabled: !decided },
  )
  return (
    <main className={classes.alone}>
      <title>{`${words('exams.openTitle')} · Practicum`}</title>
      {decided && grading.data ? (
        <GradedMessage procedure={grading.data.Procedure} decided={decided} />
      ) : grading.error ? (
        <PageMessage kind="not-found" text={words('exams.over')} detail={grading.error.message} />
      ) : (
        grading.data && (
          <GradeForm
            grading={grading.data}
            lock={words('exams.lockLink', { name: grading.data.Examiner })}
            save={(body) => call(scoreItemByLink, { params, body })}
            decide={(body) => call(decideExamByLink, { params, body })}
            onDone={setDecided}
          />
        )
      )}
    </main>
  )
}
