import { IconDots, IconEye, IconMail, IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Level } from '#contract/core/levels.ts'
import { viewAs } from '#contract/identity/identity.ts'
import { getStudent, type Student } from '#contract/students/students.ts'
import { useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useUser } from '#web/api/use-state.ts'
import { useComeBack } from '#web/shared/use-come-back.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Menu } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { FloatingMenu } from '#web/ui/FloatingMenu.tsx'
import { ActionIcon } from '#web/ui/icon-buttons.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { phoneLink } from '#web/ui/phone-link.ts'
import { PlainTag, StatusTag } from '#web/ui/StatusTag.tsx'
import { type Tab, Tabs } from '#web/ui/Tabs.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AbsenceDialog } from './AbsenceDialog.tsx'
import { StudentCompetencies } from './StudentCompetencies.tsx'
import { StudentNotes } from './StudentNotes.tsx'
import { StudentOverview } from './StudentOverview.tsx'
import { StudentProgress } from './StudentProgress.tsx'
import { Changes, Emails, Evaluations, Records, Requirements, Shifts } from './student-lists.tsx'
import type { Part } from './student-parts.ts'
import classes from './students.module.css'

/** Everything about one student in one place, for staff; supervisors see what happens at their sites. */
export function StudentPage() {
  const { studentId: given } = useParams()
  const words = useWords()
  const programId = useProgramId()
  const studentId = Number(given)
  const isId = Number.isSafeInteger(studentId) && studentId > 0
  const student = useRead(
    getStudent,
    { params: { programId, studentId } },
    { isEnabled: isId, keepsLast: false },
  )
  if (!isId) return <PageMessage kind="not-found" text={words('shell.notFound')} />
  if (student.error) {
    return student.error.status === 404 ? (
      <PageMessage kind="not-found" text={student.error.message} />
    ) : (
      <PageMessage kind="error" text={student.error.message} onRetry={() => void student.refetch()} />
    )
  }
  if (!student.data) return null
  return <Record key={studentId} student={student.data} programId={programId} />
}

function Record({ student, programId }: { student: Student; programId: number }) {
  const words = useWords()
  const may = useMay()
  const hasFiles = may('students.files')
  const [{ tab }, setAddress] = useAddress({ tab: 'overview' })
  const [isAbsent, setAbsent] = useState(false)
  const at = { params: { programId, studentId: student.Id } }
  const name = `${student.FirstName} ${student.LastName}`
  const open = (part: Part) => setAddress({ tab: part })
  const parts: Tab<Part>[] = [
    {
      value: 'overview',
      label: words('students.overview'),
      content: <StudentOverview at={at} hasFiles={hasFiles} isActive={student.IsActive} onOpen={open} />,
    },
    { value: 'schedule', label: words('students.schedule'), content: <Shifts at={at} /> },
    { value: 'records', label: words('students.records'), content: <Records at={at} /> },
    { value: 'evaluations', label: words('students.evaluations'), content: <Evaluations at={at} /> },
  ]
  if (may('procedure-logs.read'))
    parts.push({
      value: 'competencies',
      label: words('students.competencies'),
      content: <StudentCompetencies at={at} />,
    })
  if (hasFiles) {
    parts.splice(1, 0, {
      value: 'progress',
      label: words('students.progress'),
      content: <StudentProgress at={at} />,
    })
    parts.push(
      { value: 'requirements', label: words('students.requirements'), content: <Requirements at={at} /> },
      { value: 'notes', label: words('students.notes'), content: <StudentNotes at={at} /> },
      { value: 'emails', label: words('students.emails'), content: <Emails at={at} /> },
      { value: 'changes', label: words('students.changes'), content: <Changes at={at} /> },
    )
  }
  const value = parts.find((part) => part.value === tab)?.value ?? 'overview'
  const facts = [
    student.StudentLevel,
    student.Cohort && words('students.cohort', { cohort: student.Cohort }),
    student.Area,
    student.StudentNumber,
  ].filter((fact): fact is string => Boolean(fact))
  return (
    <Page
      title={name}
      breadcrumb={
        <PageLink href={hasFiles ? '/new/admin/hours-summary' : '/new/students'}>
          {words(hasFiles ? 'students.hours' : 'students.list')}
        </PageLink>
      }
      beside={
        <>
          <Avatar name={name} size={36} />
          {student.IsOnTrack !== null && (
            <StatusTag status={student.IsOnTrack ? 'approved' : 'careful'}>
              {words(student.IsOnTrack ? 'students.onTrack' : 'students.short')}
            </StatusTag>
          )}
          {student.AccessLevel === Level.Alumnus && <PlainTag>{words('students.alumnus')}</PlainTag>}
          {student.LeavesOn && (
            <PlainTag>{words('students.leavesOn', { date: formatDate(student.LeavesOn) })}</PlainTag>
          )}
          {!student.IsActive && (
            <PlainTag>
              {student.LastDay
                ? words('students.leftOn', { date: formatDate(student.LastDay) })
                : words('students.inactive')}
            </PlainTag>
          )}
        </>
      }
      intro={
        <span className={classes.who}>
          <span>{facts.join(' · ')}</span>
          {student.PhoneNumber && (
            <a href={phoneLink(student.PhoneNumber)} className={classes.phone}>
              {student.PhoneNumber}
            </a>
          )}
          {student.EmailAddress && <a href={`mailto:${student.EmailAddress}`}>{student.EmailAddress}</a>}
        </span>
      }
      actions={<Actions student={student} programId={programId} onAbsent={() => setAbsent(true)} />}
    >
      <div className={classes.tabs}>
        <Tabs label={words('students.parts')} tabs={parts} value={value} onChange={open} />
      </div>
      {isAbsent && <AbsenceDialog student={student} onClose={() => setAbsent(false)} />}
    </Page>
  )
}

function Actions(props: { student: Student; programId: number; onAbsent: () => void }) {
  const { student, programId } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const open = useOpenAddress()
  const may = useMay()
  const me = useUser()
  const view = useSave(viewAs)
  const comeBack = useComeBack(programId)
  const id = String(student.Id)
  const isStaff = may('students.files')
  const see = () =>
    attempt(async () =>
      location.assign((await view.run({ params: { programId, userId: student.Id } })).RedirectTo),
    )
  const isStudent = student.AccessLevel === Level.Student && student.IsActive
  const more = [
    isStudent &&
      may('evaluations.assign') && {
        label: words('students.assign'),
        run: () => navigate('/admin/evaluations/status', { search: { subject: id, assign: 'true' } }),
      },
    isStudent &&
      isStaff &&
      may('time.edit') && { label: words('students.reportAbsence'), run: props.onAbsent },
    may('clinical-records.read') && {
      label: words('students.clinicalRecord'),
      run: () => open(`/new/admin/clinical-records/${id}`),
    },
    may('people.write') && {
      label: words('students.edit'),
      run: () => navigate('/admin/manage-users/edit', { search: { id } }),
    },
    may('people.write') && {
      label: words('students.merge'),
      run: () => navigate('/admin/merge-accounts', { search: { kept: id } }),
    },
    may('people.write') &&
      student.IsActive && {
        label: words(student.LeavesOn ? 'people.changeLastDay' : 'students.leave'),
        run: () =>
          navigate('/admin/manage-users', {
            search: { search: `${student.FirstName} ${student.LastName}`, leaves: id },
          }),
      },
  ].filter((verb) => verb !== false)
  return (
    <>
      {may('people.write') && (!student.IsActive || student.LeavesOn) && (
        <Button
          {...(student.IsActive && { variant: 'default' })}
          leftSection={<IconUserCheck size={17} stroke={1.75} aria-hidden />}
          onClick={() => void comeBack(student)}
        >
          {words(student.IsActive ? 'people.takeBackLeaving' : 'people.reactivate')}
        </Button>
      )}
      {may('mail.send') && (
        <DisabledReason
          reason={
            !student.IsActive
              ? words('students.inactiveGetsNone')
              : student.EmailAddress
                ? undefined
                : words('students.noEmail')
          }
        >
          <Button
            variant="default"
            leftSection={<IconMail size={17} stroke={1.75} aria-hidden />}
            onClick={() =>
              navigate('/admin/emails', {
                search: { i: id },
                state: { returnUrl: location.pathname + location.search },
              })
            }
          >
            {words('students.email')}
          </Button>
        </DisabledReason>
      )}
      {may('people.view-as') && student.Id !== me.Id && (
        <DisabledReason reason={student.IsActive ? undefined : words('students.inactiveNotViewed')}>
          <Button
            variant="default"
            leftSection={<IconEye size={17} stroke={1.75} aria-hidden />}
            loading={view.isRunning}
            onClick={() => void see()}
          >
            {words('students.viewAs')}
          </Button>
        </DisabledReason>
      )}
      {more.length > 0 && (
        <FloatingMenu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={words('students.more')}>
              <IconDots size={17} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </FloatingMenu>
      )}
    </>
  )
}
