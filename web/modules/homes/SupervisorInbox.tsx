import { Button } from '@mantine/core'
import { listAskedExams } from '#contract/competencies/exam-grading.ts'
import { countWaiting } from '#contract/competencies/log-verification.ts'
import { listOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import { getInboxItems, mailOwnInbox } from '#contract/inbox/inbox.ts'
import { listSupervisedStudents } from '#contract/students/students.ts'
import { listPendingShifts } from '#contract/time/time-records.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { Announcements } from '#web/shell/Announcements.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './homes.module.css'

/** What a supervisor does in two minutes: hours to approve, forms to fill. */
export function SupervisorInbox() {
  const words = useWords()
  const { Name } = useUser()
  const own = useRead(listOwnEvaluations)
  const shifts = useRead(listPendingShifts, { params: { programId: useProgramId() }, query: { pageSize: 1 } })
  const logs = useRead(countWaiting, { params: { programId: useProgramId() } })
  const exams = useRead(listAskedExams, { params: { programId: useProgramId() } })
  const students = useRead(listSupervisedStudents, {
    params: { programId: useProgramId() },
    query: { pageSize: 1 },
  })
  return (
    <Page title={words('shell.greeting', { name: Name.split(' ')[0] ?? Name })} greeting inset>
      <div className={classes.tasks}>
        <PageLink href="/new/approve" className={classes.task}>
          <b>{words('communication.approve')}</b>
          <span>
            {shifts.data && words('communication.approveDetail', { count: shifts.data.Totals.Shifts })}
          </span>
        </PageLink>
        <PageLink href="/new/verify-procedures" className={classes.task}>
          <b>{words('homes.verify')}</b>
          <span>{logs.data && words('homes.verifyDetail', { count: logs.data.Days })}</span>
        </PageLink>
        <PageLink href="/new/exams" className={classes.task}>
          <b>{words('homes.exams')}</b>
          <span>{exams.data && words('homes.examsDetail', { count: exams.data.length })}</span>
        </PageLink>
        <PageLink href="/new/evaluate" className={classes.task}>
          <b>{words('communication.evaluate')}</b>
          <span>{words('communication.evaluateDetail', { count: own.data?.Waiting.length ?? 0 })}</span>
        </PageLink>
        <PageLink href="/new/students" className={classes.task}>
          <b>{words('homes.students')}</b>
          <span>{students.data && words('homes.studentsDetail', { count: students.data.Total ?? 0 })}</span>
        </PageLink>
      </div>
      <MailInbox />
      <div className={classes.announcements}>
        <Announcements />
      </div>
    </Page>
  )
}

/** The inbox by link, for the phone: mailed when they ask, in programs that use it. */
function MailInbox() {
  const words = useWords()
  const mail = useSave(mailOwnInbox)
  const programId = useProgramId()
  const items = useRead(getInboxItems, { params: { programId } })
  if (!items.data?.IsOn) return null
  return (
    <p className={classes.byLink}>
      {words('inbox.own')}.{' '}
      <Button
        variant="subtle"
        size="md"
        loading={mail.isRunning}
        onClick={() =>
          void attempt(async () => {
            const { Email } = await mail.run({ params: { programId } })
            toast.done(words('inbox.ownSent', { email: Email }))
          })
        }
      >
        {words('inbox.ownHint')}
      </Button>
    </p>
  )
}
