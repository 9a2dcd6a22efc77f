import { IconDownload } from '@tabler/icons-react'
import { getOwnResults } from '#contract/evaluations/evaluation-results.ts'
import { type EmploymentStatus, getOwnEmployment } from '#contract/people/employment.ts'
import { exportHoursRecord, getHoursRecord } from '#contract/reports/member-homes.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './homes.module.css'

const statusWords = {
  field: 'homes.statusField',
  other: 'homes.statusOther',
  seeking: 'homes.statusSeeking',
  education: 'homes.statusEducation',
  military: 'homes.statusMilitary',
  notSeeking: 'homes.statusNotSeeking',
} as const satisfies Record<EmploymentStatus, string>

/** An alumnus's home: the record of hours to keep, where one works now, results and verification. */
export function AlumnusHome() {
  return (
    <>
      <Record />
      <div className={classes.pair}>
        <Work />
        <Results />
        <Verification />
      </div>
    </>
  )
}

function Record() {
  const words = useWords()
  const record = useRead(getHoursRecord)
  const { data } = record
  return (
    <Section
      title={words('homes.record')}
      end={
        data &&
        data.Rotations.length > 0 && (
          <Button
            component="a"
            href={callAddress(exportHoursRecord, {})}
            download
            variant="default"
            leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
          >
            {words('homes.download')}
          </Button>
        )
      }
    >
      {data && data.Rotations.length > 0 && (
        <p className={classes.large}>
          {words('homes.recordDetail', {
            hours: formatHours(data.ApprovedMinutes, true),
            target: formatHours(data.TargetMinutes, true),
          })}
        </p>
      )}
      <Grid
        id="hours-record"
        label={words('homes.record')}
        rows={data?.Rotations}
        rowKey={(row) => row.Id}
        isLoading={record.isFetching}
        error={record.error?.message}
        onRetry={() => void record.refetch()}
        height="auto"
        framed
        noColumnChoice
        empty={{ text: words('homes.noHours') }}
        columns={[
          {
            id: 'Name',
            header: words('homes.rotation'),
            identity: true,
            cell: (row) => row.Name || words('homes.outside'),
            text: (row) => row.Name || words('homes.outside'),
            detail: (row) => row.Sites.join(', '),
            grow: 2,
          },
          {
            id: 'StartDate',
            header: words('homes.dates'),
            width: 200,
            cell: (row) =>
              row.StartDate ? `${formatDate(row.StartDate)} – ${formatDate(row.EndDate)}` : '–',
          },
          {
            id: 'TargetMinutes',
            header: words('homes.required'),
            align: 'end',
            width: 110,
            cell: (row) => formatHours(row.TargetMinutes, true),
          },
          {
            id: 'ApprovedMinutes',
            header: words('homes.approved'),
            align: 'end',
            width: 110,
            cell: (row) => formatHours(row.ApprovedMinutes, true),
          },
        ]}
      />
    </Section>
  )
}

function Work() {
  const words = useWords()
  const own = useRead(getOwnEmployment)
  if (own.error)
    return <PageMessage kind="error" text={own.error.message} onRetry={() => void own.refetch()} />
  if (!own.data) return null
  const job = own.data.Employment
  return (
    <Section title={words('homes.employment')}>
      {job ? (
        <>
          <p className={classes.large}>{words(statusWords[job.Status])}</p>
          {job.Employer && (
            <p>
              {job.Position
                ? words('homes.jobAt', { position: job.Position, employer: job.Employer })
                : job.Employer}
            </p>
          )}
          <p className={classes.quiet}>
            {words('homes.employmentSince', { date: formatDate(job.UpdatedOn) })}
          </p>
        </>
      ) : (
        <p className={classes.quiet}>{words('homes.employmentNone')}</p>
      )}
      <PageLink href="/new/employment" className={classes.verb}>
        {words(job ? 'homes.employmentChange' : 'homes.employmentTell')}
      </PageLink>
    </Section>
  )
}

function Results() {
  const words = useWords()
  const results = useRead(getOwnResults, { query: {} })
  if (results.error)
    return <PageMessage kind="error" text={results.error.message} onRetry={() => void results.refetch()} />
  if (!results.data) return null
  const { Answers, Percent } = results.data.Totals
  return (
    <Section title={words('homes.evaluations')}>
      {Percent === null ? (
        <p className={classes.quiet}>{words('homes.evaluationsNone')}</p>
      ) : (
        <>
          <p className={classes.large}>
            {words('homes.evaluationsScore', { percent: Percent.toFixed(1), count: Answers })}
          </p>
          <PageLink href="/new/evaluate/results" className={classes.verb}>
            {words('homes.evaluationsOpen')}
          </PageLink>
        </>
      )}
    </Section>
  )
}

function Verification() {
  const words = useWords()
  return (
    <Section title={words('homes.verification')}>
      <div className={classes.verbs}>
        <PageLink href="/new/verification?type=1" className={classes.verb}>
          {words('homes.backgroundCheck')}
        </PageLink>
        <PageLink href="/new/verification?type=2" className={classes.verb}>
          {words('homes.immunizations')}
        </PageLink>
      </div>
    </Section>
  )
}
