import {
  IconAlertCircle,
  IconBuildingBroadcastTower,
  IconCalendarX,
  IconCertificate,
  IconChevronDown,
  IconCloudUpload,
  IconEdit,
  IconLogin2,
  IconLogout,
  IconMapPin,
  IconMapPinCheck,
  IconRefresh,
} from '@tabler/icons-react'
import { useCallback, useDeferredValue, useEffect, useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { formatDistance } from '#contract/sites/distance.ts'
import { type ClockShift, getClock, type Ledger } from '#contract/time/clock.ts'
import { useRead } from '#web/api/use-call.ts'
import { useUser } from '#web/api/use-state.ts'
import { HoursRing } from '#web/shared/HoursRing.tsx'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { SiteCall } from '#web/shared/SiteCall.tsx'
import { Announcements, useOwnAnnouncements } from '#web/shell/Announcements.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatDate, formatDay, formatHours, timeOfInstant, weekday } from '#web/ui/dates.ts'
import { directionsLink } from '#web/ui/directions-link.ts'
import { later } from '#web/ui/later.tsx'
import { PageDirections } from '#web/ui/PageDirections.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { PlainButton } from '#web/ui/PlainButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'
import type { ReportKind } from './ReportDialog.tsx'
import { offsetText, shiftTypeName, standing, typeName } from './record-words.tsx'
import { useInstall } from './use-install.ts'
import { useNow } from './use-now.ts'
import { type KeptPunch, type Punching, usePunch } from './use-punch.ts'

type Clock = AnswerOf<typeof getClock>

const ReportDialog = later(() => import('./ReportDialog.tsx').then((m) => m.ReportDialog))
const InstallCard = later(() => import('./InstallCard.tsx').then((m) => m.InstallCard))
const ForgottenCard = later(() => import('./ForgottenCard.tsx').then((m) => m.ForgottenCard))
const CreditNote = later(() => import('#web/shared/CreditNote.tsx').then((m) => m.CreditNote))
const Mistake = later(() => import('./Mistake.tsx').then((m) => m.Mistake))
const SiteDialog = later(() => import('./SiteDialog.tsx').then((m) => m.SiteDialog))

/** The dialogs come once the clock is drawn, so that they are there when the connection is not. */
const useDialogsAhead = (): void => {
  useEffect(() => {
    const timer = setTimeout(
      () =>
        void Promise.allSettled([
          ReportDialog.load(),
          SiteDialog.load(),
          ForgottenCard.load(),
          Mistake.load(),
        ]),
      3_000,
    )
    return () => clearTimeout(timer)
  }, [])
}

/** The student's clock: today's shift, one big button, the state in words, the hours ledger. */
export function ClockPage() {
  const words = useWords()
  const clock = useRead(getClock, {}, { refetchEveryMs: 120_000 })
  const announcements = useOwnAnnouncements()
  const tellLate = useCallback((count: number) => void toast.done(words('time.sentLate', { count })), [words])
  const punch = usePunch({ readAt: clock.dataUpdatedAt, onSentLate: tellLate })
  // The button must not move away under the thumb when an announcement comes, nor change its mind over a punch that waits.
  // Deferred, so that a slow phone draws the whole screen in small steps between which it answers touches.
  const isKnown = useDeferredValue(clock.data !== undefined && announcements.isFetched && punch.isKnown)
  if (!clock.data || !isKnown) {
    return clock.error ? (
      <PageMessage kind="error" text={clock.error.message} onRetry={() => void clock.refetch()} />
    ) : (
      <title>{`${words('time.clockTitle')} · Practicum`}</title>
    )
  }
  return <ClockScreen clock={clock.data} readAt={clock.dataUpdatedAt} punch={punch} />
}

function ClockScreen({ clock, readAt, punch }: { clock: Clock; readAt: number; punch: Punching }) {
  const words = useWords()
  useDialogsAhead()
  const user = useUser()
  const now = useNow(Date.parse(clock.Now) - readAt)
  const [report, setReport] = useState<ReportKind>()
  const [unplaced, setUnplaced] = useState<KeptPunch>()
  const install = useInstall()
  const lastKept = punch.waiting.at(-1)
  const unread = punch.unread.at(-1)
  const firstName = user.Name.split(' ')[0] ?? user.Name
  // A kept punch counts for the eye at once: what the person did has happened.
  const isIn = unread ? unread.Kind === 'in' : clock.Open !== null
  const since = unread?.Kind === 'in' ? unread.OccurredAt : (clock.Open?.OccurredAt ?? null)
  const hasWorked = !isIn && (unread !== undefined || isSameDay(clock))
  const shift = currentShift(clock, now)
  const shownShift = shift ?? clock.Shifts[0]
  const mustChoose = punch.failure?.code === 'SiteId'
  return (
    <div className={classes.screen}>
      <title>{`${words('time.clockTitle')} · Practicum`}</title>
      <header className={classes.hello}>
        <p>
          {weekday(clock.Date, 'long')} {formatDate(clock.Date)}
        </p>
        {/* Spoken when it changes; the minutes below it are read on request. */}
        <h1 aria-live="polite">
          {words(isIn ? 'time.youAreIn' : hasWorked ? 'time.youWereIn' : 'time.youAreOut', {
            name: firstName,
          })}
        </h1>
        <PageDirections />
      </header>

      <section className={classes.card} aria-label={words('time.clockTitle')}>
        <div className={classes.state}>
          {isIn && since ? (
            <Running clock={clock} since={since} now={now} shift={shift} />
          ) : (
            <Waiting clock={clock} now={now} shift={shift} />
          )}
        </div>
        <button
          type="button"
          className={classes.punch}
          data-out={isIn || undefined}
          aria-busy={punch.state !== 'idle'}
          disabled={punch.state !== 'idle'}
          aria-disabled={punch.isHeld || undefined}
          onClick={() => !punch.isHeld && void punch.press(isIn ? 'out' : 'in')}
        >
          {isIn ? (
            <IconLogout size={26} stroke={2} aria-hidden />
          ) : (
            <IconLogin2 size={26} stroke={2} aria-hidden />
          )}
          {punch.state === 'position'
            ? words('time.askingPosition')
            : punch.state === 'sending'
              ? words('time.sending')
              : words(isIn ? 'time.clockOut' : 'time.clockIn')}
        </button>
        <Where clock={clock} isIn={isIn} isWaiting={unread !== undefined} />
        <Mistake
          since={isIn ? since : null}
          last={unread ? null : clock.Last}
          now={now}
          onTakeBack={punch.takeBack}
        />
        {punch.failure && !mustChoose && (
          <p role="alert" className={classes.refused}>
            <IconAlertCircle size={17} stroke={1.75} aria-hidden />
            {punch.failure.message}
          </p>
        )}
        {lastKept && (
          <p role="status" className={classes.kept}>
            <IconCloudUpload size={17} stroke={1.75} aria-hidden />
            {words(lastKept.item.isLasting ? 'time.keptAt' : 'time.keptOnPage', {
              time: timeOfInstant(lastKept.OccurredAt, clock.TimeZone),
            })}
          </p>
        )}
        {punch.refused.map((kept) => (
          <div role="alert" key={kept.item.key} className={classes.refused}>
            <IconAlertCircle size={17} stroke={1.75} aria-hidden />
            <span>
              {words('time.refusedPunch', {
                kind: typeName(words, kept.Kind === 'mistake' ? 'in' : kept.Kind).toLowerCase(),
                when: timeOfInstant(kept.OccurredAt, clock.TimeZone),
                message: kept.item.refusal ?? '',
              })}{' '}
              {kept.item.refusalCode === 'SiteId' && (
                <button type="button" onClick={() => setUnplaced(kept)}>
                  {words('time.chooseSite')}
                </button>
              )}{' '}
              <button type="button" onClick={() => punch.dismiss(kept)}>
                {words('time.dismiss')}
              </button>
            </span>
          </div>
        ))}
      </section>

      {/* All of it below the button, which nothing may push away from the thumb. */}
      {clock.Forgotten && <ForgottenCard key={clock.Forgotten.Id} record={clock.Forgotten} />}
      {shownShift ? <ShiftCard shift={shownShift} /> : <NoShift clock={clock} />}
      <Announcements part="waiting" isFolded />

      <PageLink href="/new/competencies/log" className={classes.logLink}>
        <IconCertificate size={20} stroke={1.75} aria-hidden />
        {words('time.logProcedures')}
      </PageLink>

      <LedgerCard ledger={clock.Ledger} today={clock.Date} />

      <div className={classes.verbs}>
        <PlainButton
          isLarge
          icon={<IconCalendarX size={17} stroke={1.75} aria-hidden />}
          onClick={() => setReport('absence')}
        >
          {words('time.reportAbsence')}
        </PlainButton>
        <PlainButton
          isLarge
          icon={<IconEdit size={17} stroke={1.75} aria-hidden />}
          onClick={() => setReport('exception')}
        >
          {words('time.timeException')}
        </PlainButton>
        {clock.Ledger.MakeupOwedMinutes > 0 && (
          <PlainButton
            isLarge
            className={classes.wide}
            icon={<IconRefresh size={17} stroke={1.75} aria-hidden />}
            onClick={() => setReport('makeup')}
          >
            {words('time.planMakeup')}
          </PlainButton>
        )}
      </div>

      {install.isOffered && <InstallCard {...install} />}

      <Announcements part="rest" isFolded />

      {report && (
        <ReportDialog
          kind={report}
          date={clock.Date}
          siteId={shownShift?.SiteId ?? null}
          sites={clock.Sites}
          zone={clock.TimeZone}
          onClose={() => setReport(undefined)}
        />
      )}
      {unplaced && (
        <SiteDialog
          sites={clock.Sites}
          isBlocked={false}
          hasPosition={false}
          onChoose={(siteId) => {
            setUnplaced(undefined)
            void import('./placed-punch.ts').then(({ placePunch }) => placePunch(unplaced.item, siteId))
          }}
          onClose={() => setUnplaced(undefined)}
        />
      )}
      {mustChoose && (
        <SiteDialog
          sites={clock.Sites}
          {...punch.where}
          onChoose={(siteId) => void punch.press('in', siteId)}
          onClose={punch.clearFailure}
        />
      )}
    </div>
  )
}

const isSameDay = (clock: Clock): boolean => clock.Last?.Type === 'out' && clock.Last.Date === clock.Date

const isShiftOf = ({ SiteId, EndsAt }: ClockShift, punch: Clock['Last']): boolean =>
  punch?.ShiftEndsAt != null &&
  SiteId === punch.SiteId &&
  Date.parse(EndsAt) === Date.parse(punch.ShiftEndsAt)

/** The shift that somebody is clocked in for; without one that runs, the next of today for which they did not clock out yet. */
const currentShift = ({ Shifts, Open, Last }: Clock, now: number): ClockShift | undefined => {
  const own = Open && Shifts.find((shift) => isShiftOf(shift, Open))
  // The clock-in of a shift that is not of today has nothing to do with today's.
  if (own || Open?.ShiftEndsAt) return own ?? undefined
  const left = Shifts.filter(({ EndsAt }) => Date.parse(EndsAt) > now)
  return left.find((shift) => !(Last?.Type === 'out' && isShiftOf(shift, Last))) ?? left[0]
}

const leftText = (words: Words, from: number, to: number): string => {
  const minutes = Math.max(0, Math.round((to - from) / 60_000))
  if (minutes === 0) return words('time.justNow')
  return minutes < 60
    ? `${minutes} min`
    : words('time.runningFor', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

function Running(props: { clock: Clock; since: string; now: number; shift: ClockShift | undefined }) {
  const { clock, since, now, shift } = props
  const words = useWords()
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000))
  const offset = clock.Open && clock.Open.OccurredAt === since ? offsetText(words, clock.Open) : ''
  return (
    <>
      <p className={classes.since}>
        <i aria-hidden />
        {words('time.since', { time: timeOfInstant(since, clock.TimeZone) })}
        {offset && ` · ${offset}`}
      </p>
      <p className={classes.running}>
        {words('time.runningFor', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })}
      </p>
      {shift && (
        <p className={classes.quiet}>
          {Date.parse(shift.EndsAt) > now
            ? words('time.shiftEndsIn', {
                time: shift.EndTime,
                left: leftText(words, now, Date.parse(shift.EndsAt)),
              })
            : words('time.shiftEndedAt', { time: shift.EndTime })}
        </p>
      )}
    </>
  )
}

function Waiting({ clock, now, shift }: { clock: Clock; now: number; shift: ClockShift | undefined }) {
  const words = useWords()
  const last = isSameDay(clock) ? clock.Last : null
  const next = last && shift && !isShiftOf(shift, last) ? shift : undefined
  return (
    <>
      <p className={classes.running}>{timeOfInstant(now, clock.TimeZone)}</p>
      {next && (
        <p className={classes.quiet}>
          {words('time.nextToday', { from: next.StartTime, to: next.EndTime, site: next.Site })}
        </p>
      )}
      <p className={classes.quiet}>
        {last
          ? words('time.lastOut', {
              time: last.Time,
              hours: formatHours(last.Minutes),
              status: standing(words, last, true).toLowerCase(),
            })
          : shift
            ? Date.parse(shift.StartsAt) > now
              ? words('time.shiftBeginsIn', {
                  time: shift.StartTime,
                  left: leftText(words, now, Date.parse(shift.StartsAt)),
                })
              : words('time.shiftBeganAt', {
                  time: shift.StartTime,
                  left: leftText(words, Date.parse(shift.StartsAt), now),
                })
            : words('time.noShiftClock')}
      </p>
      {last && last.Minutes !== last.ClockMinutes && <CreditNote record={last} />}
    </>
  )
}

/** Where the punch was made, or what is known before it is. */
function Where({ clock, isIn, isWaiting }: { clock: Clock; isIn: boolean; isWaiting: boolean }) {
  const words = useWords()
  const { Open } = clock
  if (isWaiting) return null
  if (isIn && Open?.IsInside && Open.Distance !== null)
    return (
      <p className={classes.here}>
        <IconMapPinCheck size={17} stroke={1.75} aria-hidden />
        {words('time.atSite', {
          site: Open.Location ?? '',
          distance: formatDistance(Open.Accuracy ?? Open.Distance),
        })}
      </p>
    )
  if (isIn ? Open?.IPName : clock.IPName)
    return (
      <p className={classes.here}>
        <IconBuildingBroadcastTower size={17} stroke={1.75} aria-hidden />
        {words('time.onNetwork', { name: (isIn ? Open?.IPName : clock.IPName) ?? '' })}
      </p>
    )
  return (
    <p className={classes.quiet}>
      <IconMapPin size={17} stroke={1.75} aria-hidden />
      {isIn && Open && Open.Distance !== null
        ? words('time.farPunch', {
            site: Open.Location ?? '',
            distance: formatDistance(Open.Distance),
          })
        : words(isIn && Open ? 'time.positionDenied' : 'time.positionOnPunch')}
    </p>
  )
}

function ShiftCard({ shift }: { shift: ClockShift }) {
  const words = useWords()
  return (
    <details className={classes.shift}>
      <summary>
        <ShiftMark kind={shift.ShiftType} size={40} label={shiftTypeName(words, shift.ShiftType)} />
        <span>
          <b>{shift.Site}</b>
          <small>
            {shiftTypeName(words, shift.ShiftType)} {shift.StartTime}–{shift.EndTime} · {shift.Rotation}
          </small>
        </span>
        <IconChevronDown size={20} stroke={1.75} aria-hidden />
      </summary>
      <div>
        {shift.Address && <p>{shift.Address}</p>}
        <SiteCall contact={shift.Contact} phone={shift.Phone} />
        {shift.Latitude !== null && shift.Longitude !== null && (
          <a
            href={directionsLink(shift.Latitude, shift.Longitude)}
            target="_blank"
            rel="noreferrer"
            aria-label={`${words('time.map')}: ${shift.Site}`}
          >
            {words('time.map')}
          </a>
        )}
      </div>
    </details>
  )
}

function NoShift({ clock }: { clock: Clock }) {
  const words = useWords()
  const next = clock.NextShift
  return (
    <div className={classes.card}>
      <b>{words('time.noShiftToday')}</b>
      <p className={classes.after}>
        {next
          ? words('time.nextShift', { day: formatDay(next.Date), time: next.StartTime, site: next.Site })
          : words('time.noNextShift')}
      </p>
    </div>
  )
}

function LedgerCard({ ledger, today }: { ledger: Ledger; today: string }) {
  const words = useWords()
  const { ApprovedMinutes, PendingMinutes, OwedMinutes, TargetMinutes, ProjectedFinishDate } = ledger
  const planned = Math.min(ledger.MakeupPlannedMinutes, OwedMinutes)
  const figures = {
    approved: formatHours(ApprovedMinutes),
    pending: formatHours(PendingMinutes),
    owed: formatHours(OwedMinutes - planned),
    target: formatHours(TargetMinutes),
  }
  const short = TargetMinutes - ledger.ProjectedMinutes
  return (
    <section className={classes.ledger} aria-label={ledger.Rotation ?? words('time.hours')}>
      <HoursRing
        approved={ApprovedMinutes}
        pending={PendingMinutes}
        planned={planned}
        target={TargetMinutes}
        caption={
          TargetMinutes > 0
            ? words('time.ledgerOf', { hours: Math.round(TargetMinutes / 60).toLocaleString('en-US') })
            : 'h'
        }
        label={[
          words(TargetMinutes > 0 ? 'time.ledgerLabel' : 'time.ledgerNoTarget', figures),
          planned > 0 && `${words('time.makeupPlanned')}: ${formatHours(planned)} h`,
        ]
          .filter(Boolean)
          .join('. ')}
      />
      <div>
        <dl>
          <Line mark="data" name={words('time.approved')} figure={figures.approved} />
          <Line mark="data2" name={words('time.pending')} figure={figures.pending} />
          {ledger.MakeupPlannedMinutes > 0 && (
            <Line
              mark="planned"
              name={words('time.makeupPlanned')}
              figure={formatHours(ledger.MakeupPlannedMinutes)}
            />
          )}
          {TargetMinutes > 0 && <Line mark="owed" name={words('time.stillOwed')} figure={figures.owed} />}
          {ledger.MakeupOwedMinutes > 0 && (
            <Line
              mark="owed"
              name={words('time.owedMakeup')}
              figure={formatHours(ledger.MakeupOwedMinutes)}
            />
          )}
        </dl>
        {TargetMinutes > 0 && (
          <p className={classes.pace}>
            {OwedMinutes === 0 ? (
              words('time.targetReached')
            ) : ProjectedFinishDate && ProjectedFinishDate >= today ? (
              <>
                {words('time.finishBy')} <b>{formatDate(ProjectedFinishDate)}</b>
              </>
            ) : (
              words('time.finishShort', { hours: formatHours(Math.max(0, short)) })
            )}
          </p>
        )}
      </div>
    </section>
  )
}

function Line({ mark, name, figure }: { mark: string; name: string; figure: string }) {
  return (
    <div>
      <dt>
        <i data-mark={mark} aria-hidden />
        {name}
      </dt>
      <dd>{figure}</dd>
    </div>
  )
}
