import { useState } from 'react'
import { writeShortCode } from '#contract/competencies/exam-rules.ts'
import { getOwnExam, getOwnExams, withdrawExam } from '#contract/competencies/exams.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePhoneTask } from '#web/shell/phone-task.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AttemptFacts } from './AttemptFacts.tsx'
import { attemptLine, attemptTags } from './exam-words.ts'
import classes from './exams.module.css'
import { PreviousAttempts } from './PreviousAttempts.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

type Own = AnswerOf<typeof getOwnExam>

/** One attempt of the student: how it reaches its examiner, and what became of it. */
export function OwnExamPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const { attemptId } = useParams()
  const exam = useRead(getOwnExam, { params: { attemptId: Number(attemptId) } })
  useLiveEvent('procedure-logs', () => void exam.refetch(), 1_000)
  usePhoneTask({ title: words('exams.title'), onBack: () => navigate('/competencies') }, 'exam')
  if (exam.error && !exam.data) return <ReadProblem read={exam} />
  if (!exam.data) return <title>{`${words('exams.title')} · Practicum`}</title>
  const { data } = exam
  return (
    <div className={classes.screen}>
      <title>{`${data.Procedure} · Practicum`}</title>
      <div>
        <h1 className={classes.title}>{data.Procedure}</h1>
        <p className={classes.quiet}>{attemptLine(words, data)}</p>
      </div>
      <div>
        <StatusTag status={attemptTags[data.State].status}>{words(attemptTags[data.State].word)}</StatusTag>
      </div>
      {data.State === 'open' ? <OpenAttempt exam={data} /> : <AttemptFacts exam={data} />}
      <PreviousAttempts attempts={data.Previous} />
    </div>
  )
}

function OpenAttempt({ exam }: { exam: Own }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const [isWithdrawing, setWithdrawing] = useState(false)
  const handOver = () => navigate('/exam', { search: { code: exam.ShortCode, attempt: exam.Id } })
  const page = `${location.host}${location.pathname.replace(/\/new\/.*$/, '')}/new/exam`
  return (
    <>
      <p>{words('exams.askedOf', { name: [exam.Examiner, exam.Credential].filter(Boolean).join(', ') })}</p>
      {exam.IsSimulated && !exam.IsSimulationApproved && (
        <p className={classes.quiet}>{words('exams.simulationWaits')}</p>
      )}
      <Button size="xl" onClick={handOver}>
        {words('exams.handOver')}
      </Button>
      <p className={classes.quiet}>{words('exams.handOverHint', { name: exam.Examiner })}</p>
      <section aria-label={words('exams.otherDevice')} className={`${classes.card} ${classes.padded}`}>
        <b>{words('exams.otherDevice')}</b>
        <p className={classes.code}>{writeShortCode(exam.ShortCode)}</p>
        <p className={classes.quiet}>{words('exams.otherDeviceHint', { page })}</p>
      </section>
      <div className={classes.verbs}>
        <Button size="lg" variant="default" onClick={() => setWithdrawing(true)}>
          {words('exams.withdraw')}
        </Button>
        <Button
          size="lg"
          variant="default"
          onClick={() =>
            navigate('/competencies/exam', { search: { procedure: exam.ProcedureId, attempt: exam.Id } })
          }
        >
          {words('exams.askElse')}
        </Button>
      </div>
      {isWithdrawing && <WithdrawDialog exam={exam} onClose={() => setWithdrawing(false)} />}
    </>
  )
}

function WithdrawDialog({ exam, onClose }: { exam: Own; onClose: () => void }) {
  const words = useWords()
  const withdraw = useSave(withdrawExam, { refresh: [getOwnExam, getOwnExams] })
  return (
    <ReasonDialog
      title={words('exams.withdrawTitle')}
      hint={words('exams.withdrawHint')}
      label={words('exams.withdrawReason')}
      verb={words('exams.withdraw')}
      done={words('exams.didWithdraw')}
      maxLength={200}
      run={(Reason) => withdraw.run({ params: { attemptId: exam.Id }, body: { Reason } })}
      onClose={onClose}
    />
  )
}
