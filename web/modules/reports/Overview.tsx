import { IconArrowRight } from '@tabler/icons-react'
import { getMailServer } from '#contract/emails.ts'
import { getOverview } from '#contract/reports.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useSaveState, useUser } from '#web/api/use-state.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './home.module.css'
import { Posts } from './Posts.tsx'

/** The super admin's home: the installation in figures, and its newest programs to go to. */
export function Overview() {
  const words = useWords()
  const { Name } = useUser()
  const navigate = usePageNavigate()
  const save = useSaveState()
  const overview = useRead(getOverview, {}, { refetchEveryMs: 300_000 })
  const mailServer = useRead(getMailServer, {}, { staleMs: 300_000 })
  const open = async (id: number) => {
    if (await save.run({ ProgramId: id })) navigate('/admin/home')
  }
  const figures = overview.data && [
    [words('programs.collegeCount', { count: overview.data.Colleges }), '/new/admin/manage-colleges'],
    [words('programs.count', { count: overview.data.Programs }), '/new/admin/manage-programs'],
  ]
  const facts = overview.data && [
    [words('reports.studentsName'), overview.data.Students],
    [words('reports.onlineToday'), overview.data.DailyUsers],
    [words('reports.mailWaiting'), overview.data.MailWaiting],
    [words('reports.mailFailed'), overview.data.MailFailed],
  ]
  return (
    <Page
      title={words('shell.greeting', { name: Name.split(' ')[0] ?? Name })}
      greeting
      intro={figures?.map(([text]) => text).join(' · ')}
      {...(overview.data &&
        overview.data.News.length > 0 && { aside: <Posts news={overview.data.News} showsModality /> })}
      inset
    >
      <Section title={words('reports.figures')}>
        <dl className={classes.facts}>
          {facts?.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value?.toLocaleString('en-US')}</dd>
            </div>
          ))}
        </dl>
        {mailServer.data?.IsSet === false && <p role="note">{words('reports.noMailServer')}</p>}
      </Section>
      <Section title={words('reports.newest')}>
        <Grid
          id="newest-programs"
          label={words('reports.newest')}
          rows={overview.data?.RecentPrograms}
          rowKey={(row) => row.Id}
          isLoading={overview.isFetching}
          error={overview.error?.message}
          onRetry={() => void overview.refetch()}
          height="auto"
          framed
          noColumnChoice
          onOpen={(row) => void open(row.Id)}
          actions={(row) => [
            {
              label: words('reports.open'),
              icon: <IconArrowRight size={16} stroke={1.75} />,
              quick: true,
              onRun: () => void open(row.Id),
            },
          ]}
          columns={[
            { id: 'Name', header: words('programs.programName'), identity: true },
            { id: 'CollegeName', header: words('programs.collegeName') },
            {
              id: 'Students',
              header: words('reports.studentsName'),
              align: 'end',
              width: 120,
            },
          ]}
        />
      </Section>
    </Page>
  )
}
