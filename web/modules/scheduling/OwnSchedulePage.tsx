import { IconCalendarShare, IconMapPin } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { addDays, daysBetween, weekOf } from '#contract/core/calendar.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { getOwnSchedule } from '#contract/scheduling/own-schedule.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ownWeeks } from '#web/shared/own-weeks.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { SiteCall } from '#web/shared/SiteCall.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDay, formatHours } from '#web/ui/dates.ts'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './OwnSchedulePage.module.css'
import { shiftTypeName } from './shift-words.ts'

const CalendarDialog = later(() => import('#web/shared/CalendarDialog.tsx').then((m) => m.CalendarDialog))

type Answer = AnswerOf<typeof getOwnSchedule>
type OwnShift = Answer['Shifts'][number]

/** A student's shifts week by week, with where to go and how long. */
export function OwnSchedulePage() {
  const words = useWords()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const [at, setAt] = useAddress({ from: null as string | null })
  const [isFeedOpen, setFeedOpen] = useState(false)
  const from = at.from ?? weekOf(today)
  const schedule = useRead(getOwnSchedule, ownWeeks(today, from))
  const weeks = useMemo(() => (schedule.data ? weeksOf(schedule.data, today) : []), [schedule.data, today])
  return (
    <Page
      title={words('scheduling.mySchedule')}
      actions={
        <Button
          variant="default"
          leftSection={<IconCalendarShare size={17} stroke={1.75} aria-hidden />}
          onClick={() => setFeedOpen(true)}
        >
          {words('scheduling.calendar')}
        </Button>
      }
      inset
    >
      <div className={classes.list}>
        <button type="button" className={classes.earlier} onClick={() => setAt({ from: addDays(from, -28) })}>
          {words('scheduling.earlierWeeks')}
        </button>
        {at.from !== null && (
          <button type="button" className={classes.earlier} onClick={() => setAt({ from: null })}>
            {words('scheduling.today')}
          </button>
        )}
        {schedule.error && !schedule.data && (
          <PageMessage kind="error" text={schedule.error.message} onRetry={() => void schedule.refetch()} />
        )}
        {schedule.data && weeks.length === 0 && (
          <PageMessage kind="empty" text={words('scheduling.nothingPlanned')} />
        )}
        {weeks.map(([weekStart, shifts]) => (
          <section key={weekStart} className={classes.week} aria-label={weekName(words, weekStart, today)}>
            <h2>
              {weekName(words, weekStart, today)}
              <span className={classes.total}>
                {words('scheduling.hoursTotal', {
                  hours: formatHours(shifts.reduce((sum, shift) => sum + minutesOf(shift), 0)),
                })}
              </span>
            </h2>
            <ul>
              {withToday(shifts, weekStart, today).map((shift) =>
                shift === 'today' ? (
                  <li key="today" className={classes.free} data-today aria-current="date">
                    <b>{formatDay(today)}</b> {words('scheduling.todayFree')}
                  </li>
                ) : (
                  <Shift
                    key={shift.Id}
                    shift={shift}
                    today={today}
                    maySwap={schedule.data?.MaySwap === true}
                  />
                ),
              )}
            </ul>
          </section>
        ))}
      </div>
      {isFeedOpen && <CalendarDialog of="own" onClose={() => setFeedOpen(false)} />}
    </Page>
  )
}

const minutesOf = ({ StartsAt, EndsAt }: OwnShift): number =>
  Math.round((Date.parse(EndsAt) - Date.parse(StartsAt)) / 60_000)

/** The weeks with shifts, and this one among them whatever it has. */
const weeksOf = ({ Shifts }: Answer, today: string): [string, OwnShift[]][] => {
  if (Shifts.length === 0) return []
  const weeks = Map.groupBy(Shifts, ({ Date: date }) => weekOf(date))
  if (!weeks.has(weekOf(today))) weeks.set(weekOf(today), [])
  return [...weeks].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** The shifts of a week, with a place for today where it is in the week and has none. */
const withToday = (shifts: readonly OwnShift[], weekStart: string, today: string): (OwnShift | 'today')[] => {
  if (weekStart !== weekOf(today) || shifts.some(({ Date: date }) => date === today)) return [...shifts]
  const isBefore = ({ Date: date }: OwnShift) => date < today
  return [...shifts.filter(isBefore), 'today', ...shifts.filter((shift) => !isBefore(shift))]
}

const weekName = (words: Words, weekStart: string, today: string): string =>
  weekStart === weekOf(today)
    ? words('scheduling.thisWeek')
    : words('scheduling.week', { day: formatDay(weekStart) })

const nearDay = (words: Words, date: string, today: string): string | undefined => {
  const away = daysBetween(today, date)
  if (away === 0) return words('scheduling.today')
  if (away === 1) return words('scheduling.tomorrow')
  return away === -1 ? words('scheduling.yesterday') : undefined
}

function Shift({ shift, today, maySwap }: { shift: OwnShift; today: string; maySwap: boolean }) {
  const words = useWords()
  const near = nearDay(words, shift.Date, today)
  const place =
    shift.Latitude === null ? `${shift.Site}, ${shift.Address}` : `${shift.Latitude},${shift.Longitude}`
  return (
    <li
      className={classes.shift}
      data-today={shift.Date === today || undefined}
      aria-current={shift.Date === today ? 'date' : undefined}
    >
      <div className={classes.day}>
        <b>{formatDay(shift.Date)}</b>
        {near && <span>{near}</span>}
      </div>
      <ShiftMark kind={shift.ShiftType} size={40} label={shiftTypeName(words, shift.ShiftType)} />
      <div className={classes.what}>
        <b>
          {shift.StartTime}–{shift.EndTime}
          {shift.EndTime <= shift.StartTime && <small> {words('scheduling.nextDay')}</small>}
        </b>
        <span className={classes.site}>{shift.Site}</span>
        {shift.Address && <span className={classes.quiet}>{shift.Address}</span>}
        <span className={classes.quiet}>
          {shift.ShiftCode} · {shift.Rotation} ·{' '}
          {words('scheduling.hours', { hours: formatHours(minutesOf(shift)) })}
        </span>
        <SiteCall contact={shift.Contact} phone={shift.Phone} className={classes.swap} />
        {shift.Offered && (
          <PageLink href="/new/swaps" className={classes.swap}>
            <StatusTag status="pending">{words(`scheduling.offered_${shift.Offered}`)}</StatusTag>
          </PageLink>
        )}
        {maySwap && !shift.Offered && Date.parse(shift.StartsAt) > Date.now() && (
          <PageLink href={`/new/swaps?shift=${shift.Id}`} className={classes.swap}>
            {words('scheduling.swapOrCover')}
          </PageLink>
        )}
      </div>
      <a
        className={classes.directions}
        href={`https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(place)}`}
        target="_blank"
        rel="noreferrer"
        aria-label={`${words('scheduling.directions')}: ${shift.Site}`}
      >
        <IconMapPin size={20} stroke={1.75} aria-hidden />
        <span>{words('scheduling.directions')}</span>
      </a>
    </li>
  )
}
