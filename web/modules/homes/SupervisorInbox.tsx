import { useState } from 'react'
import { listAskedExams } from '#contract/competencies/exam-grading.ts'
import { countWaiting } from '#contract/competencies/log-verification.ts'
import { listOwnEvaluations } from '#contract/evaluations/evaluations.ts'
import { getPreferences } from '#contract/identity/preferences.ts'
import { getInboxItems, mailOwnInbox } from '#contract/inbox/inbox.ts'
import { getMemberHome, listExpectedStudents } from '#contract/reports/member-homes.ts'
import { listSupervisedStudents } from '#contract/students/students.ts'
import { listPendingShifts } from '#contract/time/time-records.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId, useUser } from '#web/api/use-state.ts'
import { ContactList } from '#web/shared/ContactList.tsx'
import { Announcements } from '#web/shell/Announcements.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CalendarLink } from './CalendarLink.tsx'
import { ExpectedDays } from './ExpectedDays.tsx'
import classes from './homes.module.css'

/** What a supervisor does in two minutes: hours to approve, forms to fill; then who comes, whom to call, and which emails come. */
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
      <div className={classes.announcements}>
        <Announcements />
      </div>
      <div className={classes.halves}>
        <Coming />
        <div>
          <Contacts />
          <Emails />
        </div>
      </div>
    </Page>
  )
}

const mostShown = 8

/** Who comes today and in the six days after. */
function Coming() {
  const words = useWords()
  const [isAll, setAll] = useState(false)
  const coming = useReadAll(listExpectedStudents, { query: { When: 'days' } })
  if (coming.error)
    return <PageMessage kind="error" text={coming.error.message} onRetry={() => void coming.refetch()} />
  if (!coming.data) return null
  const Items = coming.data
  return (
    <Section title={words('homes.who')} end={<CalendarLink />}>
      {Items.length === 0 && <p className={classes.quiet}>{words('homes.noneDays')}</p>}
      <ExpectedDays
        shifts={isAll ? Items : Items.slice(0, mostShown)}
        withSite={new Set(Items.map(({ SiteId }) => SiteId)).size > 1}
      />
      {!isAll && Items.length > mostShown && (
        <Button variant="default" size="md" onClick={() => setAll(true)}>
          {words('homes.showAll', { count: Items.length })}
        </Button>
      )}
    </Section>
  )
}

function Contacts() {
  const words = useWords()
  const home = useRead(getMemberHome)
  if (!home.data) return null
  const { Program, College, Contacts: contacts } = home.data
  return (
    <Section title={words('homes.contacts')}>
      <p className={classes.quiet}>
        {Program} · {College}
      </p>
      <ContactList contacts={contacts} />
    </Section>
  )
}

/** How often emails come, so that nobody wonders what the next one will be. */
function Emails() {
  const words = useWords()
  const items = useRead(getInboxItems, { params: { programId: useProgramId() } })
  const preferences = useRead(getPreferences)
  if (!items.data || !preferences.data) return null
  const isMuted = preferences.data.MutedEmails.includes('INBOX_weekly')
  return (
    <Section title={words('homes.emails')}>
      <ul className={classes.lines}>
        {items.data.IsOn && <li>{words(isMuted ? 'homes.emailsWeeklyOff' : 'homes.emailsWeekly')}</li>}
        <li>{words('homes.emailsDue')}</li>
        <li>{words('homes.emailsAsked')}</li>
      </ul>
      <PageLink href="/new/preferences">{words('homes.emailsChange')}</PageLink>
      {items.data.IsOn && <MailInbox />}
    </Section>
  )
}

/** The inbox by link, for the phone: mailed when they ask. */
function MailInbox() {
  const words = useWords()
  const mail = useSave(mailOwnInbox)
  const programId = useProgramId()
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
