import type { ReactNode } from 'react'
import type { decideExam } from '#contract/competencies/exam-grading.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'

/** What an examiner sees once they have signed. */
export function GradedMessage(props: {
  procedure: string
  decided: AnswerOf<typeof decideExam>
  children?: ReactNode
}) {
  const { procedure, decided } = props
  const words = useWords()
  return (
    <div className={classes.screen}>
      <PageMessage
        kind="empty"
        text={words('exams.doneTitle')}
        detail={`${words(decided.Result === 'passed' ? 'exams.donePassed' : 'exams.doneFailed', {
          procedure,
          score: decided.Score,
          highest: decided.Highest,
        })} ${words('exams.doneNext')}`}
      />
      {props.children}
    </div>
  )
}
