import {
  IconAlertTriangle,
  IconBuildingHospital,
  IconCalendarX,
  IconCircleCheck,
  IconClipboardText,
  IconFileAlert,
  IconFileSearch,
  IconHourglass,
  IconListCheck,
  IconShieldExclamation,
  IconSignature,
  IconTargetArrow,
  IconUnlink,
  IconUserPlus,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { addDays } from '#contract/core/calendar.ts'
import type { PageAddress } from '#contract/core/pages.ts'
import type { Permission } from '#contract/core/permissions.ts'
import { getHome, type Home } from '#contract/reports/reports.ts'
import type { State } from '#contract/session/session.ts'
import { approveTimeRecords, undoDecisions } from '#contract/time/approvals.ts'
import { missedAfterMinutes } from '#contract/time/insight.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { CapacityBar } from '#web/ui/charts/CapacityBar.tsx'
import { ChartKey } from '#web/ui/charts/ChartKey.tsx'
import { WeekBars } from '#web/ui/charts/WeekBars.tsx'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { LoadingRows } from '#web/ui/LoadingRows.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './home.module.css'
import { Posts } from './Posts.tsx'

type Tone = 'careful' | 'unmatched' | 'pending' | 'review' | 'rejected'
interface Row {
  key: string
  /** Who has something to do about it; nobody else is told that it waits. */
  may: Permission
  tone: Tone
  icon: ReactNode
  count: number
  title: string
  detail: string
  verb: string
  href: PageAddress
}

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true } as const

const agreementsText = (words: Words, { Detail, Ended, ShiftsAhead }: Home['EndingAgreements']): string =>
  [
    Ended > 0 &&
      words('reports.agreementsEnded', {
        ended: Ended,
        count: ShiftsAhead,
      }),
    Detail && words('reports.agreementsDetail', { date: formatDate(Detail) }),
  ]
    .filter(Boolean)
    .join('. ')

const rowsOf = (home: Home, words: Words, may: (permission: Permission) => boolean): Row[] => {
  const blocked = Number(home.WaitingProofs.Detail)
  const proofs: Row = {
    key: 'proofs',
    may: 'requirements.review',
    tone: blocked > 0 ? 'careful' : 'review',
    icon: <IconFileSearch {...icon} />,
    count: home.WaitingProofs.Count,
    title: words('reports.proofs'),
    detail: words(blocked > 0 ? 'reports.proofsBlocking' : 'reports.proofsDetail', { count: blocked }),
    verb: words('reports.review'),
    href: '/new/admin/requirements/review',
  }
  const rows: Row[] = [
    ...(blocked > 0 ? [proofs] : []),
    {
      key: 'careful',
      may: 'time.approve',
      tone: 'careful' as const,
      icon: <IconAlertTriangle {...icon} />,
      count: home.Careful.Count,
      title: words('reports.careful'),
      detail: words('reports.carefulDetail'),
      verb: words('reports.review'),
      href: '/new/admin/approve-time-records?insight=3',
    },
    {
      key: 'unmatched',
      may: 'time.edit',
      tone: 'unmatched' as const,
      icon: <IconUnlink {...icon} />,
      count: home.Unmatched.Count,
      title: words('reports.unmatched'),
      detail: home.Unmatched.Detail,
      verb: words('reports.resolve'),
      href: '/new/admin/approve-time-records?insight=u',
    },
    {
      key: 'notIn',
      may: 'time.read',
      tone: 'pending' as const,
      icon: <IconCalendarX {...icon} />,
      count: home.NotClockedIn.Count,
      title: words('reports.notIn'),
      detail: words('reports.notInDetail'),
      verb: words('reports.seeWho'),
      href: `/new/admin/missed-time-records?from=${home.Today}&through=${home.Today}&begun=true`,
    },
    {
      key: 'late',
      may: 'evaluations.assign',
      tone: 'review' as const,
      icon: <IconClipboardText {...icon} />,
      count: home.LateEvaluations.Count,
      title: words('reports.late'),
      detail: words('reports.lateDetail', { count: home.LateEvaluations.Detail }),
      verb: words('reports.seeLate'),
      href: '/new/admin/evaluations/status?quick=late',
    },
    ...(blocked > 0 ? [] : [proofs]),
    {
      key: 'expired',
      may: 'students.files',
      tone: 'rejected' as const,
      icon: <IconFileAlert {...icon} />,
      count: home.ExpiredRequirements.Count,
      title: words('reports.expired'),
      detail: words('reports.expiredDetail', { date: formatDate(home.ExpiredRequirements.Detail) }),
      verb: words('reports.seeWho'),
      href: '/new/admin/expired-requirements',
    },
    {
      key: 'risk',
      may: 'students.files',
      tone: 'careful' as const,
      icon: <IconTargetArrow {...icon} />,
      count: home.AtRisk.Count,
      title: words('reports.atRisk'),
      detail: words('reports.atRiskDetail'),
      verb: words('reports.see'),
      href: '/new/admin/progress?risk=true',
    },
    {
      key: 'setUp',
      may: 'students.files',
      tone: 'review' as const,
      icon: <IconUserPlus {...icon} />,
      count: home.NotSetUp.Count,
      title: words('reports.notSetUp'),
      detail: words('reports.notSetUpDetail', { names: home.NotSetUp.Detail }),
      verb: words('reports.see'),
      href: '/new/admin/progress?new=true',
    },
    {
      key: 'logs',
      may: 'procedure-logs.verify',
      tone: 'pending' as const,
      icon: <IconListCheck {...icon} />,
      count: home.WaitingLogs.Count,
      title: words('reports.waitingLogs'),
      detail: words('reports.waitingLogsDetail', { date: formatDate(home.WaitingLogs.Detail) }),
      verb: words('reports.see'),
      href: `/new/admin/competencies/logs?status=submitted&through=${addDays(home.Today, -8)}`,
    },
    {
      key: 'suspended',
      may: 'exams.manage',
      tone: 'rejected' as const,
      icon: <IconShieldExclamation {...icon} />,
      count: home.SuspendedExams.Count,
      title: words('reports.suspendedExams'),
      detail: words('reports.suspendedExamsDetail'),
      verb: words('reports.review'),
      href: '/new/admin/competencies/exams?status=suspended',
    },
    {
      key: 'simulations',
      may: 'exams.manage',
      tone: 'pending' as const,
      icon: <IconHourglass {...icon} />,
      count: home.SimulationsToApprove.Count,
      title: words('reports.simulations'),
      detail: words('reports.simulationsDetail', { date: formatDate(home.SimulationsToApprove.Detail) }),
      verb: words('reports.review'),
      href: '/new/admin/competencies/exams?simulated=waiting',
    },
    {
      key: 'places',
      may: 'place-requests.send',
      tone: 'review' as const,
      icon: <IconBuildingHospital {...icon} />,
      count: home.OfferedPlaces.Count,
      title: words('reports.offeredPlaces'),
      detail: words('reports.offeredPlacesDetail', { site: home.OfferedPlaces.Detail }),
      verb: words('reports.review'),
      href: '/new/admin/place-requests?show=offered',
    },
    {
      key: 'agreements',
      may: 'agreements.manage',
      tone: 'review' as const,
      icon: <IconSignature {...icon} />,
      count: home.EndingAgreements.Count,
      title: words(home.EndingAgreements.Ended > 0 ? 'reports.agreementsToRenew' : 'reports.agreements'),
      detail: agreementsText(words, home.EndingAgreements),
      verb: words('reports.renew'),
      href: '/new/admin/affiliate-agreements?standing=to-renew',
    },
  ]
  return rows.filter(({ count, may: needed }) => count > 0 && may(needed))
}

const greetingKey = (hour: number) =>
  hour < 12
    ? ('reports.morning' as const)
    : hour < 18
      ? ('reports.afternoon' as const)
      : ('reports.evening' as const)

/** The coordinator's home as the day begins: count, what, why and one verb in every row. */
export function ProgramHome({
  programId,
  state,
  choice,
}: {
  programId: number
  state: State
  /** Of those who may see more than today. */
  choice?: ReactNode
}) {
  const words = useWords()
  const home = useRead(getHome, { params: { programId } }, { refetchEveryMs: 120_000 })
  const may = useMay()
  const mayApprove = may('time.approve')
  const name = state.User.Name.split(' ')[0] ?? state.User.Name
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { hour: '2-digit', hourCycle: 'h23', timeZone: state.TimeZone }).format(
      new Date(),
    ),
  )
  const title = words(greetingKey(hour), { name })
  if (home.error) {
    return (
      <Page title={title} greeting inset actions={choice}>
        <PageMessage kind="error" text={home.error.message} onRetry={() => void home.refetch()} />
      </Page>
    )
  }
  if (!home.data)
    return (
      <Page title={title} greeting inset actions={choice}>
        <LoadingRows />
      </Page>
    )
  const rows = rowsOf(home.data, words, may)
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  const intro = [
    count === 0 ? words('reports.need_zero') : words('reports.need', { count }),
    mayApprove && home.data.Clean.Count > 0
      ? words('reports.cleanCanGo', { count: home.data.Clean.Count })
      : '',
  ].join(' ')
  return (
    <Page
      title={title}
      greeting
      intro={intro}
      actions={choice}
      aside={<Aside home={home.data} timeZone={state.TimeZone} />}
      inset
    >
      <Attention rows={rows} home={home.data} programId={programId} />
      <Weeks home={home.data} />
    </Page>
  )
}

function Attention({ rows, home, programId }: { rows: Row[]; home: Home; programId: number }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const mayApprove = useMay()('time.approve')
  const [isExplained, setExplained] = useState(false)
  const approve = useSave(approveTimeRecords, { refresh: [getHome] })
  const undo = useSave(undoDecisions, { refresh: [getHome] })
  const clean = mayApprove ? home.Clean.Count + home.Clean.Running : 0
  const approveAll = () =>
    attempt(async () => {
      const done = await approve.run({ params: { programId }, body: { Filter: { Insight: '1' } } })
      const takeBack = async () => {
        // Undo is only offered after something was approved.
        const { Undone } = await undo.run({ params: { programId }, body: { DecidedAt: done.DecidedAt! } })
        toast.done(words('reports.undone', { count: Undone }))
      }
      toast.done({
        title: words('reports.approved', { count: done.Approved, hours: formatHours(done.Minutes, true) }),
        // The page of all records lists and explains the rest.
        detail: [
          done.Approved > 0 && words('reports.approvedOf', { count: done.Students }),
          ...done.LeftOut.slice(0, 2).map(({ Student, Message }) => `${Student}, ${Message}`),
        ]
          .filter(Boolean)
          .join(' '),
        duration: 15_000,
        ...(done.DecidedAt && { undo: () => void attempt(takeBack) }),
      })
    })
  return (
    <Section
      title={words('reports.attention')}
      end={
        <button
          type="button"
          className={classes.quietLink}
          aria-expanded={isExplained}
          onClick={() => setExplained(!isExplained)}
        >
          {words(isExplained ? 'reports.close' : 'reports.whatCounts')}
        </button>
      }
    >
      {isExplained && (
        <p className={classes.explanation}>
          {words('reports.whatCountsText', { minutes: missedAfterMinutes })}
        </p>
      )}
      {rows.length === 0 && clean === 0 && <p className={classes.explanation}>{words('reports.allClear')}</p>}
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row.key} className={classes.row}>
            <span className={classes.tile} data-tone={row.tone}>
              {row.icon}
            </span>
            <b className={classes.figure}>{row.count}</b>
            <span className={classes.what}>
              <b>{row.title}</b>
              <span>{row.detail}</span>
            </span>
            <PageLink href={row.href} className={classes.verb}>
              {row.verb}
            </PageLink>
          </li>
        ))}
        {clean > 0 && (
          <li className={classes.row} data-clean>
            <span className={classes.tile} data-tone="clean">
              <IconCircleCheck {...icon} />
            </span>
            <b className={classes.figure}>{clean}</b>
            <span className={classes.what}>
              <b>{words('reports.clean')}</b>
              <span>
                {words('reports.cleanDetail', {
                  hours: formatHours(home.Clean.Minutes, true),
                  minutes: home.Clean.ToleranceMinutes,
                })}
                {home.Clean.Running > 0 &&
                  ` · ${words('reports.stillRunning', { count: home.Clean.Running })}`}
              </span>
            </span>
            {home.Clean.Count > 0 ? (
              <Button loading={approve.isRunning} onClick={() => void approveAll()}>
                {words('reports.approveAll', { count: home.Clean.Count })}
              </Button>
            ) : (
              <Button variant="default" onClick={() => navigate('/admin/approve-time-records')}>
                {words('reports.see')}
              </Button>
            )}
          </li>
        )}
      </ul>
    </Section>
  )
}

const monthDay = (date: string): string => `${date.slice(5, 7)}/${date.slice(8, 10)}`
const wholeHours = (minutes: number): number => Math.round(minutes / 6) / 10

function Weeks({ home }: { home: Home }) {
  const words = useWords()
  const { Rotation } = home
  const isAsked = Rotation !== null && Rotation.TargetMinutes > 0
  const last = home.Weeks.length - 1
  return (
    <Section
      title={words('reports.hoursPerWeek')}
      end={
        <ChartKey
          items={[
            { label: words('reports.approvedName'), mark: 'data' },
            { label: words('reports.pendingName'), mark: 'data2' },
            ...(isAsked
              ? [
                  {
                    label: words('reports.target', {
                      hours: formatHours(Rotation.WeeklyTargetMinutes, true),
                    }),
                    mark: 'target' as const,
                  },
                ]
              : []),
          ]}
        />
      }
    >
      <div className={classes.weeks}>
        <WeekBars
          bars={home.Weeks.map((week, index) => ({
            label: index === last ? words('reports.thisWeek') : monthDay(week.Week),
            value: wholeHours(week.ApprovedMinutes),
            pending: wholeHours(week.PendingMinutes),
            isNow: index === last,
          }))}
          {...(isAsked && { target: wholeHours(Rotation.WeeklyTargetMinutes) })}
          label={words('reports.hoursPerWeek')}
          valueName={words('reports.approvedName')}
          pendingName={words('reports.pendingName')}
        />
        {Rotation ? (
          <dl className={classes.sums}>
            <dt>{words('reports.approvedIn', { rotation: Rotation.Name })}</dt>
            <dd className={classes.large}>{formatHours(Rotation.ApprovedMinutes, true)}</dd>
            {isAsked && (
              <>
                <dd>{words('reports.ofOwed', { hours: formatHours(Rotation.TargetMinutes, true) })}</dd>
                <dt>{words('reports.projected')}</dt>
                <dd className={classes.strong}>
                  {words('reports.onTime', { count: Rotation.OnTime, all: Rotation.Students })}
                </dd>
              </>
            )}
            {Rotation.OnTime < Rotation.Students && (
              <dd>
                <PageLink href={`/new/admin/hours-summary?rotation=${Rotation.Id}&short=true&personal=off`}>
                  {words('reports.fallShort', { count: Rotation.Students - Rotation.OnTime })}
                </PageLink>
              </dd>
            )}
          </dl>
        ) : (
          <p className={classes.explanation}>{words('reports.noRotation')}</p>
        )}
      </div>
    </Section>
  )
}

const shiftWord = {
  day: 'reports.day',
  evening: 'reports.evening_shift',
  night: 'reports.night',
  weekend: 'reports.weekend',
  other: 'reports.other',
} as const
type ShiftKind = keyof typeof shiftWord

function Aside({ home, timeZone }: { home: Home; timeZone: string }) {
  const words = useWords()
  const mayRenew = useMay()('agreements.manage')
  const now = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date())
  return (
    <>
      <Section
        title={words('reports.atSites')}
        end={
          <span className={classes.now}>
            <i aria-hidden />
            {now}
          </span>
        }
      >
        {home.AtSitesNow.length === 0 && home.InWithoutShift === 0 && (
          <p className={classes.explanation}>{words('reports.nobodyToday')}</p>
        )}
        <ul className={classes.list}>
          {home.AtSitesNow.map((shift) => (
            <li key={shift.ShiftType}>
              <ShiftMark kind={shift.ShiftType as ShiftKind} />
              <span>{words(shiftWord[shift.ShiftType as ShiftKind])}</span>
              <span className={classes.quiet}>
                {shift.StartTime}–{shift.EndTime}
              </span>
              <span className={classes.end}>{presence(words, shift)}</span>
            </li>
          ))}
          {home.InWithoutShift > 0 && (
            <li>
              <ShiftMark kind="other" />
              <span>{words('reports.withoutShift')}</span>
              <span className={classes.end}>{words('reports.inNow', { count: home.InWithoutShift })}</span>
            </li>
          )}
        </ul>
      </Section>
      {home.CapacityToday.length > 0 && (
        <Section
          title={words('reports.capacity')}
          end={<PageLink href="/new/admin/visualization">{words('reports.schedule')}</PageLink>}
        >
          <ul className={classes.plainList}>
            {home.CapacityToday.map((site) => (
              <li key={site.SiteId}>
                <span className={classes.siteName} title={site.Site}>
                  {site.Site}
                </span>
                <CapacityBar
                  taken={site.Placed}
                  places={site.Places}
                  label={`${site.Placed} / ${site.Places}`}
                />
                <span className={classes.places} data-full={site.Placed >= site.Places || undefined}>
                  {site.Placed} / {site.Places}
                </span>
                <span className={classes.fullTag}>{site.Placed >= site.Places && words('reports.full')}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section
        title={words('reports.ending')}
        end={<PageLink href="/new/admin/sites?agreement=ending">{words('reports.see')}</PageLink>}
      >
        {home.Agreements.length === 0 && <p className={classes.explanation}>{words('reports.noneEnding')}</p>}
        <ul className={classes.list}>
          {home.Agreements.map((agreement) => (
            <li key={agreement.SiteId}>
              <span className={classes.siteName} title={agreement.Site}>
                {agreement.Site}
              </span>
              <span className={classes.end}>{formatDate(agreement.TerminationDate)}</span>
              <span className={classes.daysTag} data-soon={agreement.Days <= 30 || undefined}>
                {agreement.Days < 0
                  ? words('reports.ended')
                  : words('reports.days', { count: agreement.Days })}
              </span>
              {mayRenew && (
                <PageLink href={`/new/admin/affiliate-agreements?renew=${agreement.AgreementId}`}>
                  {words('reports.renew')}
                  <span className="p-sr-only"> {agreement.Site}</span>
                </PageLink>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <Posts news={home.News} announcements={home.Announcements} />
    </>
  )
}

/** Who of a shift is there, has left and is missing, as far as there is anyone: '6 in · 1 not yet'. */
const presence = (
  words: Words,
  { Expected, In, Left, HasBegun, HasEnded }: Home['AtSitesNow'][number],
): string => {
  if (!HasBegun) return words('reports.expected', { count: Expected })
  const missing = Expected - In - Left
  return [
    In > 0 && words('reports.inNow', { count: In }),
    Left > 0 && words('reports.left', { count: Left }),
    missing > 0 && words(HasEnded ? 'reports.neverCame' : 'reports.notYet', { count: missing }),
  ]
    .filter(Boolean)
    .join(' · ')
}
