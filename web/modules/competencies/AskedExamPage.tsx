import { useState } from 'react'
import { decideExam, getGrading, listAskedExams, scoreItem } from '#contract/competencies/exam-grading.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { call } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { usePhoneTask } from '#web/shell/phone-task.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import { GradedMessage } from './GradedMessage.tsx'
import { GradeForm } from './GradeForm.tsx'

/** An exam for which a student asked whoever looks, in their own account. */
export function AskedExamPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const user = useUser()
  const { attemptId } = useParams()
  const params = { programId, attemptId: Number(attemptId) }
  const [decided, setDecided] = useState<AnswerOf<typeof decideExam>>()
  const grading = useRead(
    getGrading,
    { params },
    { staleMs: Number.POSITIVE_INFINITY, isForgotten: true, isEnabled: !decided },
  )
  const decide = useSave(decideExam, { refresh: [listAskedExams] })
  const back = () => navigate(user.AccessLevel >= Level.Faculty ? '/admin/competencies/asked' : '/exams')
  usePhoneTask({ title: words('exams.grade'), onBack: back }, 'grade')
  if (grading.error && !decided) return <ReadProblem read={grading} />
  if (!grading.data) return <title>{`${words('exams.title')} · Practicum`}</title>
  return (
    <>
      <title>{`${grading.data.Procedure} · ${grading.data.Student} · Practicum`}</title>
      {decided ? (
        <GradedMessage procedure={grading.data.Procedure} decided={decided}>
          <Button size="lg" onClick={back}>
            {words('exams.back')}
          </Button>
        </GradedMessage>
      ) : (
        <GradeForm
          grading={grading.data}
          lock={words('exams.lockAccount', {
            name: [grading.data.Examiner, grading.data.Credential].filter(Boolean).join(', '),
          })}
          save={(body) => call(scoreItem, { params, body })}
          decide={(body) => decide.run({ params, body })}
          onDone={setDecided}
        />
      )}
    </>
  )
}
