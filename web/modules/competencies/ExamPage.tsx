import { useState } from 'react'
import {
  approveSimulation,
  getExam,
  listExams,
  reinstateExam,
  saveRemediation,
  voidExam,
} from '#contract/competencies/exam-admin.ts'
import { longestComment } from '#contract/competencies/exam-rules.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AttemptFacts } from './AttemptFacts.tsx'
import { attemptLine, attemptTags } from './exam-words.ts'
import classes from './exams.module.css'
import { PreviousAttempts } from './PreviousAttempts.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'

type Asked = 'note' | 'void' | 'reinstate'

/** One exam for staff: what was graded and signed, earlier attempts beside it, and what comes of a failed or suspended one. */
export function ExamPage() {
  const words = useWords()
  const programId = useProgramId()
  const mayManage = useMay()('exams.manage')
  const { attemptId } = useParams()
  const params = { programId, attemptId: Number(attemptId) }
  const [asked, setAsked] = useState<Asked>()
  const exam = useRead(getExam, { params })
  const refresh = { refresh: [getExam, listExams] }
  const note = useSave(saveRemediation, refresh)
  const approve = useSave(approveSimulation, refresh)
  const takeBack = useSave(voidExam, refresh)
  const reinstate = useSave(reinstateExam, refresh)
  useLiveEvent('procedure-logs', () => void exam.refetch(), 1_000)
  if (exam.error && !exam.data) return <ReadProblem read={exam} />
  if (!exam.data) return <title>{`${words('exams.title')} · Practicum`}</title>
  const { data } = exam
  const waits = data.State === 'open' && data.IsSimulated && !data.IsSimulationApproved
  const dialogs = {
    note: {
      title: words('exams.noteTitle'),
      hint: words('exams.noteHint'),
      label: words('exams.practice'),
      verb: words('exams.save'),
      done: words('exams.didNote'),
      initial: data.Remediation,
      maxLength: longestComment,
      run: (Text: string) => note.run({ params, body: { Text } }),
    },
    void: {
      title: words('exams.voidTitle'),
      hint: words('exams.voidHint'),
      label: words('exams.withdrawReason'),
      verb: words('exams.void'),
      done: words('exams.didVoid'),
      maxLength: 200,
      run: (Reason: string) => takeBack.run({ params, body: { Reason } }),
    },
    reinstate: {
      title: words('exams.reinstateTitle'),
      hint: words('exams.reinstateHint'),
      label: words('exams.withdrawReason'),
      verb: words('exams.reinstate'),
      done: words('exams.didReinstate'),
      maxLength: 200,
      run: (Reason: string) => reinstate.run({ params, body: { Reason } }),
    },
  }
  return (
    <Page
      inset
      title={data.Procedure}
      aside={data.Previous.length > 0 && <PreviousAttempts attempts={data.Previous} />}
      breadcrumb={<PageLink href="/new/admin/competencies/exams">{words('exams.listTitle')}</PageLink>}
      beside={
        <StatusTag status={attemptTags[data.State].status}>{words(attemptTags[data.State].word)}</StatusTag>
      }
      actions={
        <>
          {mayManage && data.State !== 'voided' && data.State !== 'withdrawn' && (
            <Button variant="default" onClick={() => setAsked('void')}>
              {words('exams.void')}
            </Button>
          )}
          {data.State === 'failed' && (
            <Button onClick={() => setAsked('note')}>
              {words(data.Remediation === '' ? 'exams.addNote' : 'exams.changeNote')}
            </Button>
          )}
          {mayManage && data.State === 'suspended' && (
            <Button onClick={() => setAsked('reinstate')}>{words('exams.reinstate')}</Button>
          )}
          {mayManage && waits && (
            <Button
              loading={approve.isRunning}
              onClick={() =>
                void attempt(async () => {
                  await approve.run({ params })
                  toast.done(words('exams.didApproveSimulation'))
                })
              }
            >
              {words('exams.approveSimulation')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.wide}>
        <p className={classes.quiet}>
          <StudentLink id={data.StudentId}>{data.Student}</StudentLink> · {formatDate(data.Date)} ·{' '}
          {attemptLine(words, data)}
        </p>
        {waits && <p>{words('exams.simulationWaits')}</p>}
        <AttemptFacts exam={data} />
      </div>
      {asked && <ReasonDialog {...dialogs[asked]} onClose={() => setAsked(undefined)} />}
    </Page>
  )
}
