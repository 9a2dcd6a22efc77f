import { IconMail } from '@tabler/icons-react'
import { type ExpiredRequirement, listExpiredRequirements } from '#contract/students/students.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { useWriteTo } from '#web/shared/use-write-to.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 50

/** Who cannot be scheduled, and for which requirement: exactly what home counts. */
export function ExpiredRequirementsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { paging, pager } = useListAddress(listExpiredRequirements, { page: 1 }, pageSize)
  const expired = useRead(listExpiredRequirements, { params: { programId }, query: paging })
  const mayWrite = useMay()('mail.send')
  const writeTo = useWriteTo()
  const ticks = useTicks()
  const timeZone = useTimeZone()
  const waitingText = ({ SentAt }: NonNullable<ExpiredRequirement['Waiting']>): string =>
    words('students.sentWaiting', { date: formatDate(dateOfInstant(Date.parse(SentAt), timeZone)) })
  const total = expired.data?.Total ?? 0
  return (
    <Page
      title={words('students.expiredTitle')}
      count={expired.data && words('students.expiredCount', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        ticks={ticks}
        untickable={({ Waiting }) => Waiting !== null && words('students.proofWaits')}
        id="expired-requirements"
        label={words('students.expiredTitle')}
        {...fromList(expired)}
        rowKey={(row) => `${row.StudentId}-${row.RequirementId}`}
        empty={{ text: words('students.expiredEmpty') }}
        {...(mayWrite && {
          bulk: (chosen: ExpiredRequirement[]) => ({
            verbs: [
              {
                label: words('requirements.email'),
                icon: <IconMail size={16} stroke={1.75} aria-hidden />,
                onRun: () =>
                  writeTo(
                    chosen.map(({ StudentId, Student }) => ({ id: StudentId, name: Student })),
                    { subject: words('requirements.emailSubject'), text: words('requirements.emailText') },
                  ),
                main: true,
              },
            ],
          }),
        })}
        columns={[
          {
            id: 'Student',
            header: words('students.student'),
            identity: true,
            grow: 2,
            cell: (row) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
            text: (row) => row.Student,
            detail: (row) => row.StudentLevel,
          },
          { id: 'Requirement', header: words('students.requirement'), grow: 2 },
          {
            id: 'Expires',
            header: words('students.expiredOn'),
            width: 130,
            cell: (row) => formatDate(row.Expires),
          },
          {
            id: 'Waiting',
            header: words('students.proof'),
            grow: 3,
            cell: ({ Waiting }) =>
              Waiting && (
                <PageLink href={`/new/admin/requirements/review?proof=${Waiting.ProofId}`}>
                  {waitingText(Waiting)}
                </PageLink>
              ),
            text: ({ Waiting }) => (Waiting ? waitingText(Waiting) : ''),
          },
          {
            id: 'EmailAddress',
            header: words('students.email'),
            grow: 2,
            cell: (row) => row.EmailAddress && <a href={`mailto:${row.EmailAddress}`}>{row.EmailAddress}</a>,
            text: (row) => row.EmailAddress,
          },
        ]}
      />
    </Page>
  )
}
