import { type ReactNode, useId } from 'react'
import type { PageAddress } from '#contract/core/pages.ts'
import { getEvaluationMeans, getOutcomes, getSiteUse, type Outcomes } from '#contract/reports/outcomes.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ChartKey } from '#web/ui/charts/ChartKey.tsx'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { TrendLine } from '#web/ui/charts/TrendLine.tsx'
import { WeekBars } from '#web/ui/charts/WeekBars.tsx'
import { addDays, dateOfInstant, formatDate, formatHours } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { LoadingRows } from '#web/ui/LoadingRows.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import home from './home.module.css'
import classes from './outcomes.module.css'

const figure = (value: number): string => value.toLocaleString('en-US')
const share = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null)
const percentText = (words: Words, value: number | null): string =>
  value === null ? '–' : words('outcomes.percent', { value: value.toFixed(value % 1 === 0 ? 0 : 1) })

/** The director's home: the figures of a period, beside the one before; every figure leads to the list behind it. */
export function OutcomesHome({ programId, choice }: { programId: number; choice: ReactNode }) {
  const words = useWords()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const [at, setAt] = useAddress({ from: '', through: '' })
  const asked = {
    params: { programId },
    query: { ...(at.from && { FromDate: at.from }), ...(at.through && { ThroughDate: at.through }) },
  }
  const outcomes = useRead(getOutcomes, asked, { refetchEveryMs: 600_000 })
  const data = outcomes.data
  if (outcomes.error) {
    return (
      <Page title={words('outcomes.title')} greeting inset actions={choice}>
        <PageMessage
          kind="error"
          text={outcomes.error.message}
          onRetry={() => {
            if (at.from || at.through) setAt({ from: '', through: '' })
            else void outcomes.refetch()
          }}
        />
      </Page>
    )
  }
  const yesterday = addDays(today, -1)
  const presets = [
    { value: 'last30', label: words('outcomes.last30'), from: addDays(today, -30), through: yesterday },
    { value: 'last90', label: words('outcomes.last90'), from: addDays(today, -90), through: yesterday },
    { value: 'last365', label: words('outcomes.last365'), from: addDays(today, -365), through: yesterday },
    ...(data?.Rotations ?? []).map(({ Id, Name, StartDate, EndDate }) => ({
      value: `rotation-${Id}`,
      label: Name,
      from: StartDate,
      through: EndDate < today ? EndDate : yesterday,
    })),
  ].filter(({ from, through }) => from <= through)
  const chosen = presets.find(({ from, through }) => from === data?.FromDate && through === data?.ThroughDate)
  return (
    <Page
      title={words('outcomes.title')}
      greeting
      actions={choice}
      intro={
        data &&
        words('outcomes.intro', {
          from: formatDate(data.FromDate),
          through: formatDate(data.ThroughDate),
          beforeFrom: formatDate(data.BeforeFrom),
          beforeThrough: formatDate(data.BeforeThrough),
        })
      }
      filters={
        <FilterBar>
          <SelectChip
            name={words('outcomes.period')}
            fixed
            none={words('outcomes.ownDates')}
            options={presets.map(({ value, label }) => ({ value, label }))}
            value={chosen?.value ?? null}
            onChange={(value) => {
              const preset = presets.find((each) => each.value === value)
              if (preset) setAt({ from: preset.from, through: preset.through })
            }}
          />
          <DateRangeChip
            name={words('outcomes.dates')}
            value={{ from: data?.FromDate ?? null, to: data?.ThroughDate ?? null }}
            onChange={({ from, to }) => setAt({ from: from ?? '', through: to ?? '' })}
          />
        </FilterBar>
      }
      inset
    >
      {!data && <LoadingRows />}
      {data && (
        <div className={classes.parts}>
          <Completion data={data} />
          <Attendance data={data} />
          <Evaluations asked={asked} />
          <Sites asked={asked} />
          <Agreements data={data} />
          <Graduates data={data} />
        </div>
      )}
    </Page>
  )
}

/** A figure with its name that leads to the list behind it, and how it was in the period before. */
function Figure(props: {
  label: string
  value: ReactNode
  href?: PageAddress
  now?: number | null
  before?: number | null
  /** How a difference is said; a plain number unless given. */
  format?: (change: number) => string
  detail?: ReactNode
}) {
  const words = useWords()
  const id = useId()
  const { now, before, format = figure } = props
  const change =
    now === undefined || before === undefined
      ? null
      : now === null || before === null
        ? words('outcomes.noBefore')
        : Math.abs(now - before) < 0.05
          ? words('outcomes.same')
          : words(now > before ? 'outcomes.more' : 'outcomes.less', {
              change: format(Math.abs(now - before)),
            })
  return (
    <div className={classes.figure}>
      <dt id={id}>{props.label}</dt>
      <dd className={classes.value}>
        {props.href ? (
          <PageLink href={props.href} aria-describedby={id}>
            {props.value}
          </PageLink>
        ) : (
          props.value
        )}
      </dd>
      {props.detail && <dd>{props.detail}</dd>}
      {change && <dd>{change}</dd>}
    </div>
  )
}

const more = (text: string, href: PageAddress) => <PageLink href={href}>{text}</PageLink>

function Completion({ data }: { data: Outcomes }) {
  const words = useWords()
  const rotation = data.Completion
  if (!rotation)
    return (
      <Section title={words('outcomes.completion')}>
        <p className={home.explanation}>{words('outcomes.noRotation')}</p>
      </Section>
    )
  const list: PageAddress = `/new/admin/hours-summary?rotation=${rotation.RotationId}`
  const isOver = rotation.EndDate <= data.ThroughDate
  const isAsked = rotation.TargetMinutes > 0
  const before = rotation.Before
  return (
    <Section title={words('outcomes.completion')} end={more(words('outcomes.hoursSummary'), list)}>
      <dl className={classes.figures}>
        {isAsked ? (
          <Figure
            label={words(isOver ? 'outcomes.reachedLabel' : 'outcomes.reachLabel', {
              rotation: rotation.Name,
            })}
            value={words('outcomes.reach', { count: figure(rotation.Reach), all: figure(rotation.Students) })}
            href={list}
            detail={words('outcomes.approvedOf', {
              hours: formatHours(rotation.ApprovedMinutes, true),
              target: formatHours(rotation.TargetMinutes, true),
            })}
          />
        ) : (
          <Figure
            label={words('outcomes.approvedIn', { rotation: rotation.Name })}
            value={formatHours(rotation.ApprovedMinutes, true)}
            href={list}
            detail={words('outcomes.noTarget')}
          />
        )}
      </dl>
      <ul className={classes.bars}>
        {rotation.Levels.map((level) => (
          <li key={level.LevelId ?? 0}>
            {level.LevelId === null ? (
              <span className={home.siteName}>{words('outcomes.noLevel')}</span>
            ) : (
              <PageLink href={`${list}&levels=${level.LevelId}`} className={home.siteName}>
                {level.Level}
              </PageLink>
            )}
            <Meter
              value={level.Reach}
              most={level.Students}
              label={words('outcomes.reach', { count: level.Reach, all: level.Students })}
            />
            <span className={classes.end}>
              {words('outcomes.reach', { count: figure(level.Reach), all: figure(level.Students) })}
            </span>
          </li>
        ))}
        {before && (
          <li>
            <PageLink
              href={`/new/admin/hours-summary?rotation=${before.RotationId}`}
              className={home.siteName}
            >
              {before.Name}
            </PageLink>
            <Meter
              value={before.Reach}
              most={before.Students}
              label={words('outcomes.reach', { count: before.Reach, all: before.Students })}
            />
            <span className={classes.end}>
              {words('outcomes.reach', { count: figure(before.Reach), all: figure(before.Students) })}
            </span>
          </li>
        )}
      </ul>
    </Section>
  )
}

const monthDay = (date: string): string => `${date.slice(5, 7)}/${date.slice(8, 10)}`
const wholeHours = (minutes: number): number => Math.round(minutes / 60)

function Attendance({ data }: { data: Outcomes }) {
  const words = useWords()
  const { Now, Before, Weeks } = data.Attendance
  const days = `from=${data.FromDate}&through=${data.ThroughDate}`
  const worked = (sums: typeof Now): number => sums.ApprovedMinutes + sums.PendingMinutes
  const of = (sums: typeof Now) => share(worked(sums), sums.PlannedMinutes)
  return (
    <Section
      title={words('outcomes.attendance')}
      end={more(words('outcomes.totals'), `/new/admin/time-summaries?${days}`)}
    >
      <dl className={classes.figures}>
        <Figure
          label={words('outcomes.workedShare')}
          value={percentText(words, of(Now))}
          href={`/new/admin/time-summaries?${days}`}
          detail={words('outcomes.workedOf', {
            worked: formatHours(worked(Now), true),
            planned: formatHours(Now.PlannedMinutes, true),
          })}
          now={of(Now)}
          before={of(Before)}
          format={(change) => words('outcomes.points', { value: change.toFixed(1) })}
        />
        <Figure
          label={words('outcomes.shifts')}
          value={figure(Now.Shifts)}
          href={`/new/admin/shift-assignments?${days}`}
          now={Now.Shifts}
          before={Before.Shifts}
        />
        <Figure
          label={words('outcomes.absences')}
          value={figure(Now.Absences)}
          href={`/new/admin/time-summaries?${days}&type=absence`}
          now={Now.Absences}
          before={Before.Absences}
        />
        <Figure
          label={words('outcomes.late')}
          value={figure(Now.Late)}
          href={`/new/admin/logclock-list?${days}&late=true`}
          now={Now.Late}
          before={Before.Late}
        />
        <Figure
          label={words('outcomes.missed')}
          value={figure(Now.Missed)}
          href={`/new/admin/missed-time-records?${days}`}
          now={Now.Missed}
          before={Before.Missed}
        />
      </dl>
      {Weeks.some((week) => week.PlannedMinutes + week.WorkedMinutes > 0) && (
        <div className={classes.chart}>
          <ChartKey
            items={[
              { mark: 'data', label: words('outcomes.worked') },
              { mark: 'data2', label: words('outcomes.planned') },
            ]}
          />
          <WeekBars
            label={words('outcomes.weeks')}
            height={150}
            valueName={words('outcomes.worked')}
            pendingName={words('outcomes.planned')}
            pairs
            bars={Weeks.map((week) => ({
              label: monthDay(week.Week),
              value: wholeHours(week.WorkedMinutes),
              pending: wholeHours(week.PlannedMinutes),
            }))}
          />
        </div>
      )}
    </Section>
  )
}

interface Asked {
  params: { programId: number }
  query: { FromDate?: string; ThroughDate?: string }
}

function Evaluations({ asked }: { asked: Asked }) {
  const words = useWords()
  const means = useRead(getEvaluationMeans, asked)
  const title = words('outcomes.evaluations')
  if (means.error)
    return (
      <Section title={title}>
        <PageMessage kind="error" text={means.error.message} onRetry={() => void means.refetch()} />
      </Section>
    )
  if (!means.data) return <Section title={title} />
  const { Now, Before, Trend, Templates, Sites, IsHeldBack, FromDate, ThroughDate } = means.data
  const list: PageAddress = `/new/admin/evaluations/results?from=${FromDate}&through=${ThroughDate}`
  const rows = (
    name: string,
    by: 'template' | 'site',
    items: readonly { Id: number; Name: string; Percent: number; BeforePercent: number | null }[],
  ) =>
    items.length > 0 && (
      <>
        <h3 className={classes.subhead}>
          <PageLink href={`${list}&by=${by}`}>{name}</PageLink>
        </h3>
        <ul className={classes.bars}>
          {items.map((item) => (
            <li key={item.Id}>
              <PageLink href={`${list}&${by}=${item.Id}`} className={home.siteName} title={item.Name}>
                {item.Name}
              </PageLink>
              <Meter value={item.Percent} most={100} label={percentText(words, item.Percent)} />
              <span className={classes.end}>
                {percentText(words, item.Percent)}
                <small>{words('outcomes.before', { value: percentText(words, item.BeforePercent) })}</small>
              </span>
            </li>
          ))}
        </ul>
      </>
    )
  return (
    <Section title={title} end={more(words('outcomes.results'), list)}>
      {Now.Answers === 0 ? (
        <p className={home.explanation}>{words('outcomes.noScores')}</p>
      ) : (
        <>
          <dl className={classes.figures}>
            <Figure
              label={words('outcomes.mean')}
              value={percentText(words, Now.Percent)}
              href={list}
              detail={words('outcomes.answers', { count: figure(Now.Answers) })}
              now={Now.Percent}
              before={Before.Percent}
              format={(change) => words('outcomes.points', { value: change.toFixed(1) })}
            />
          </dl>
          {Trend.length > 1 && (
            <div className={classes.chart}>
              <TrendLine
                label={words('outcomes.trend')}
                most={100}
                height={130}
                valueName={words('outcomes.mean')}
                format={(value) => `${Math.round(value)}%`}
                points={Trend.map(({ Month, Percent }) => ({
                  label: `${Month.slice(5)}/${Month.slice(0, 4)}`,
                  value: Percent,
                }))}
              />
            </div>
          )}
          {rows(words('outcomes.byTemplate'), 'template', Templates)}
          {rows(words('outcomes.bySite'), 'site', Sites)}
        </>
      )}
      {IsHeldBack && <p className={home.explanation}>{words('outcomes.heldBack')}</p>}
    </Section>
  )
}

function Sites({ asked }: { asked: Asked }) {
  const words = useWords()
  const use = useRead(getSiteUse, asked)
  const title = words('outcomes.use')
  if (use.error)
    return (
      <Section title={title}>
        <PageMessage kind="error" text={use.error.message} onRetry={() => void use.refetch()} />
      </Section>
    )
  if (!use.data) return <Section title={title} />
  const { Now, Before, Active, Sites: sites, FromDate, ThroughDate } = use.data
  const list: PageAddress = `/new/admin/shift-assignments?from=${FromDate}&through=${ThroughDate}`
  return (
    <Section title={title} end={more(words('outcomes.schedule'), '/new/admin/visualization')}>
      <dl className={classes.figures}>
        <Figure
          label={words('outcomes.placesFilled')}
          value={words('outcomes.placesOf', { placed: figure(Now.Placed), places: figure(Now.Places) })}
          href={list}
          detail={percentText(words, share(Now.Placed, Now.Places))}
          now={share(Now.Placed, Now.Places)}
          before={share(Before.Placed, Before.Places)}
          format={(change) => words('outcomes.points', { value: change.toFixed(1) })}
        />
        <Figure
          label={words('outcomes.idle')}
          value={words('outcomes.idleOf', { count: figure(Now.Idle), all: figure(Active) })}
          href={`/new/admin/sites?idle=${FromDate}..${ThroughDate}&follow=false`}
          now={Now.Idle}
          before={Before.Idle}
        />
      </dl>
      {sites.length === 0 ? (
        <p className={home.explanation}>{words('outcomes.noPlaces')}</p>
      ) : (
        <>
          <h3 className={classes.subhead}>{words('outcomes.mostUsed')}</h3>
          <ul className={classes.bars}>
            {sites.map((site) => (
              <li key={site.SiteId}>
                <PageLink href={`${list}&site=${site.SiteId}`} className={home.siteName} title={site.Site}>
                  {site.Site}
                </PageLink>
                <Meter
                  value={site.Placed}
                  most={site.Places}
                  label={words('outcomes.placesOf', { placed: site.Placed, places: site.Places })}
                />
                <span className={classes.end}>
                  {words('outcomes.placesOf', { placed: figure(site.Placed), places: figure(site.Places) })}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function Agreements({ data }: { data: Outcomes }) {
  const words = useWords()
  const { Urgent, Ending, Expired, Next } = data.Agreements
  const list = (standing: string): PageAddress => `/new/admin/affiliate-agreements?standing=${standing}`
  return (
    <Section title={words('outcomes.agreements')}>
      <dl className={classes.figures}>
        <Figure label={words('outcomes.within30')} value={figure(Urgent)} href={list('urgent')} />
        <Figure label={words('outcomes.within90')} value={figure(Ending)} href={list('ending')} />
        <Figure label={words('outcomes.expired')} value={figure(Expired)} href={list('expired')} />
      </dl>
      {Next.length === 0 ? (
        <p className={home.explanation}>{words('outcomes.noneEnding')}</p>
      ) : (
        <ul className={home.list}>
          {Next.map((agreement) => (
            <li key={agreement.Id}>
              <PageLink
                href={`/new/admin/affiliate-agreements/edit?id=${agreement.Id}`}
                className={home.siteName}
                title={agreement.Site}
              >
                {agreement.Site}
              </PageLink>
              <span className={home.end}>{formatDate(agreement.TerminationDate)}</span>
              <span className={home.daysTag} data-soon={agreement.Days <= 30 || undefined}>
                {words('outcomes.days', { count: agreement.Days })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Graduates({ data }: { data: Outcomes }) {
  const words = useWords()
  const { Placement, Plan } = data
  return (
    <Section title={words('outcomes.placement')} end={more(words('outcomes.open'), '/new/admin/employment')}>
      {Placement.Graduates === 0 ? (
        <p className={home.explanation}>{words('outcomes.noGraduates')}</p>
      ) : (
        <>
          <dl className={classes.figures}>
            <Figure
              label={words('outcomes.rate')}
              value={percentText(words, Placement.Rate)}
              href="/new/admin/employment"
            />
          </dl>
          <ul className={classes.bars}>
            {Placement.Cohorts.map((cohort) => (
              <li key={cohort.Cohort}>
                <span className={home.siteName}>
                  {cohort.Cohort
                    ? words('outcomes.cohort', { cohort: cohort.Cohort })
                    : words('outcomes.noCohort')}
                </span>
                <Meter
                  value={cohort.Rate ?? 0}
                  most={100}
                  label={words('outcomes.fieldOf', { count: cohort.Field, all: cohort.Graduates })}
                />
                <span className={classes.end}>{percentText(words, cohort.Rate)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3 className={classes.subhead}>
        <PageLink href="/new/admin/systematic-plans">
          {words('outcomes.plan', { year: String(Plan.Year) })}
        </PageLink>
      </h3>
      <p className={home.explanation}>
        {Plan.Outcomes === 0
          ? words('outcomes.noPlan', { year: String(Plan.Year) })
          : words('outcomes.withResult', { count: Plan.WithResult, all: Plan.Outcomes })}
      </p>
    </Section>
  )
}
