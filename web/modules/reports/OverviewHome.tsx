import { IconArrowRight } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import type { PageAddress } from '#contract/core/pages.ts'
import {
  type ActiveProgram,
  getOverview,
  listActivePrograms,
  type Overview,
} from '#contract/reports/overview.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useSaveState, useTimeZone, useUser } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { WeekBars } from '#web/ui/charts/WeekBars.tsx'
import { dateOfInstant, formatHours, formatInstant } from '#web/ui/dates.ts'
import { fileSize } from '#web/ui/file-size.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './home.module.css'
import { Posts } from './Posts.tsx'

const pageSize = 15
const figure = (value: number): string => value.toLocaleString('en-US')

/** The super admin's home: who works where, and whether emails, jobs and storage are well. */
export function OverviewHome() {
  const words = useWords()
  const { Name } = useUser()
  const overview = useRead(getOverview, {}, { refetchEveryMs: 120_000 })
  const title = words('shell.greeting', { name: Name.split(' ')[0] ?? Name })
  if (overview.error)
    return (
      <Page title={title} greeting inset>
        <PageMessage kind="error" text={overview.error.message} onRetry={() => void overview.refetch()} />
      </Page>
    )
  const data = overview.data
  if (!data) return <Page title={title} greeting inset />
  return (
    <Page
      title={title}
      greeting
      intro={
        <>
          <PageLink href="/new/admin/manage-colleges">
            {words('programs.collegeCount', { count: data.Colleges })}
          </PageLink>
          {' · '}
          <PageLink href="/new/admin/manage-programs">
            {words('programs.count', { count: data.Programs })}
          </PageLink>
        </>
      }
      aside={<Health overview={data} />}
      inset
    >
      <Section title={words('overview.now')}>
        <dl className={classes.facts}>
          <Fact label={words('overview.online')} value={figure(data.Online)} />
          <Fact label={words('overview.signedInToday')} value={figure(data.SignedInToday)} />
          <Fact label={words('overview.students')} value={figure(data.Students)} />
          <Fact
            label={words('overview.quiet')}
            value={figure(data.Quiet)}
            href="/new/admin/home?quiet=true"
          />
        </dl>
      </Section>
      <Section title={words('overview.signIns')}>
        <WeekBars
          label={words('overview.signIns')}
          height={140}
          valueName={words('overview.people')}
          bars={data.Days.map(({ Date: date, People }, index) => ({
            label: `${date.slice(5, 7)}/${date.slice(8)}`,
            value: People,
            isNow: index === data.Days.length - 1,
          }))}
        />
      </Section>
      <Programs />
    </Page>
  )
}

function Fact(props: { label: string; value: ReactNode; href?: PageAddress | false }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.href ? <PageLink href={props.href}>{props.value}</PageLink> : props.value}</dd>
    </div>
  )
}

function Programs() {
  const words = useWords()
  const zone = useTimeZone()
  const navigate = usePageNavigate()
  const save = useSaveState()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    listActivePrograms,
    { search: '', quiet: false, sort: '-LastSeenAt', page: 1 },
    pageSize,
  )
  const programs = useRead(
    listActivePrograms,
    {
      query: {
        search: at.search,
        Quiet: at.quiet,
        ...paging,
      },
    },
    { refetchEveryMs: 300_000 },
  )
  const open = async (id: number) => {
    if (await save.run({ ProgramId: id })) navigate('/admin/home')
  }
  const columns = useMemo((): GridColumn<ActiveProgram>[] => {
    const people = { align: 'end' as const, width: 116, sortable: true }
    return [
      {
        id: 'Name',
        header: words('programs.programName'),
        identity: true,
        sortable: true,
        detail: (row) => row.CollegeName,
      },
      {
        id: 'LastSeenAt',
        header: words('overview.lastSeen'),
        width: 154,
        sortable: true,
        cell: (row) =>
          row.IsQuiet ? (
            <StatusTag status="review">{words('overview.never')}</StatusTag>
          ) : (
            formatInstant(row.LastSeenAt, zone)
          ),
        text: (row) => (row.IsQuiet ? words('overview.never') : formatInstant(row.LastSeenAt, zone)),
      },
      { ...people, id: 'PeopleWeek', header: words('overview.week'), cell: (row) => figure(row.PeopleWeek) },
      {
        ...people,
        id: 'PeopleMonth',
        header: words('overview.month'),
        cell: (row) => figure(row.PeopleMonth),
      },
      {
        ...people,
        id: 'RecordedMinutes',
        header: words('overview.hours'),
        sortable: false,
        cell: (row) => formatHours(row.RecordedMinutes, true),
      },
      {
        ...people,
        id: 'Students',
        hidden: true,
        header: words('overview.students'),
        width: 110,
        cell: (row) => figure(row.Students),
      },
    ]
  }, [words, zone])
  const total = programs.data?.Total ?? 0
  return (
    <Section title={words('overview.programs')}>
      <div className={classes.filters}>
        <FilterBar isSet={isFiltered} onReset={reset} resetLabel={words('time.reset')}>
          <SearchBox
            label={words('overview.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
          <SelectChip
            name={words('overview.activity')}
            options={[{ value: 'quiet', label: words('overview.quietOnly') }]}
            value={at.quiet ? 'quiet' : null}
            onChange={(value) => filter({ quiet: value !== null })}
          />
        </FilterBar>
      </div>
      <Grid
        id="active-programs"
        label={words('overview.programs')}
        columns={columns}
        {...fromList(programs)}
        rowKey={(row) => row.Id}
        height="auto"
        framed
        {...sorting}
        empty={{ text: words('programs.noneYet'), filters: { isFiltered, reset } }}
        onOpen={(row) => void open(row.Id)}
        actions={(row) => [
          {
            label: words('overview.open'),
            icon: <IconArrowRight size={16} stroke={1.75} />,
            quick: true,
            onRun: () => void open(row.Id),
          },
        ]}
      />
      <Pager {...pager} total={total} />
    </Section>
  )
}

/** Emails, jobs, failures, storage and versions. */
function Health({ overview }: { overview: Overview }) {
  const words = useWords()
  const mayReadMail = useMay()('mail.read')
  const { Mail, Jobs, Storage, Versions } = overview
  const emails = (query: string): PageAddress | false => mayReadMail && `/new/admin/scheduled-emails?${query}`
  const lines = (
    rows: { label: string; value: ReactNode; href?: PageAddress | false; isBad?: boolean }[],
  ) => (
    <ul className={classes.list}>
      {rows.map(({ label, value, href, isBad }) => (
        <li key={label}>
          <span>{href ? <PageLink href={href}>{label}</PageLink> : label}</span>
          <span className={classes.end}>
            {isBad ? <StatusTag status="rejected">{value}</StatusTag> : value}
          </span>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <Section
        title={words('overview.email')}
        end={<span className={classes.quiet}>{words('overview.last30')}</span>}
      >
        {!Mail.IsServerSet && (
          <p role="note" className={classes.explanation}>
            {words('reports.noMailServer')}
          </p>
        )}
        {lines([
          { label: words('overview.queued'), value: figure(Mail.Queued), href: emails('status=1') },
          {
            label: words('overview.failed'),
            value: figure(Mail.Failed),
            href: emails('status=4&failed=true'),
            isBad: Mail.Failed > 0,
          },
          { label: words('overview.returned'), value: figure(Mail.Returned) },
        ])}
      </Section>
      <Section title={words('overview.jobs')}>
        {lines([
          { label: words('overview.waiting'), value: figure(Jobs.Waiting) },
          { label: words('overview.late'), value: figure(Jobs.Late), isBad: Jobs.Late > 0 },
          { label: words('overview.stopped'), value: figure(Jobs.Failed), isBad: Jobs.Failed > 0 },
        ])}
      </Section>
      <Section title={words('overview.failures')}>
        <FailureTable overview={overview} />
      </Section>
      <Section title={words('overview.storage')}>
        {lines([
          { label: words('overview.database'), value: fileSize(Storage.DatabaseBytes) },
          { label: words('overview.files', { count: Storage.Files }), value: fileSize(Storage.FileBytes) },
        ])}
      </Section>
      <Section title={words('overview.versions')}>
        {lines([
          { label: 'Practicum', value: Versions.Product },
          { label: 'Node.js', value: Versions.Node },
          { label: 'PostgreSQL', value: Versions.PostgreSql },
          {
            label: words('overview.migration'),
            value: words('overview.migrations', {
              name: Versions.Migration.slice(0, 4),
              count: Versions.Migrations,
            }),
          },
        ])}
      </Section>
      <Posts news={overview.News} showsModality />
    </>
  )
}

/** What failed in the last day and week, each with the list that tells more where there is one. */
function FailureTable({ overview }: { overview: Overview }) {
  const words = useWords()
  const mayReadMail = useMay()('mail.read')
  const { Failures, WeekBegan, Today } = overview
  const firstDay = dateOfInstant(WeekBegan, useTimeZone())
  const rows: {
    label: string
    failed: { Day: number; Week: number; Causes?: { Name: string; Week: number }[] }
    href?: PageAddress | false
  }[] = [
    { label: words('overview.serverErrors'), failed: Failures.Server },
    { label: words('overview.failedJobs'), failed: Failures.Jobs },
    { label: words('overview.browserErrors'), failed: Failures.Browsers },
    {
      label: words('overview.failedEmails'),
      failed: Failures.Emails,
      href:
        mayReadMail &&
        `/new/admin/scheduled-emails?status=4&failed=true&from=${firstDay}&through=${Today}&since=${WeekBegan}`,
    },
    { label: words('overview.returnedEmails'), failed: Failures.ReturnedEmails },
    { label: words('overview.collegeSignIns'), failed: Failures.CollegeSignIns },
    {
      label: words('overview.dataSync'),
      failed: Failures.DataSync,
      href: `/new/admin/logs/data-sync?failed=true&since=${WeekBegan}`,
    },
  ]
  if (rows.every(({ failed }) => failed.Week === 0))
    return <p className={classes.explanation}>{words('overview.noFailures')}</p>
  return (
    <table className={classes.failures}>
      <thead>
        <tr>
          <th scope="col">
            <span className="p-sr-only">{words('overview.failures')}</span>
          </th>
          <th scope="col">{words('overview.day')}</th>
          <th scope="col">{words('overview.sevenDays')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, failed: { Day, Week, Causes = [] }, href }) => (
          <tr key={label} data-none={Week === 0 || undefined}>
            <th scope="row">
              {href && Week > 0 ? <PageLink href={href}>{label}</PageLink> : label}
              {Causes.map(({ Name, Week: number }) => (
                <span key={Name} className={classes.cause}>
                  <span>{Name}</span>
                  <span>{figure(number)}</span>
                </span>
              ))}
            </th>
            <td data-bad={Day > 0 || undefined}>{count(Day)}</td>
            <td>{count(Week)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Longer lists are not counted to their end. */
const count = (value: number): string => (value > 10_000 ? '10,000+' : figure(value))
