import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTimeZone } from '#web/api/use-state.ts'
import { dateOfInstant, formatDayLong } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './AssignDialog.module.css'
import {
  monthAfter,
  openDays,
  type Plan,
  type PlanDay,
  type Selection,
  weekdaysOfDates,
  weeksOfMonth,
} from './assign-selection.ts'
import { weekdayName } from './shift-words.ts'

export type DateColumnProps = {
  month: string
  onMonth: (month: string) => void
  plan: Plan | undefined
  selection: Selection
  onChange: (dates: ReadonlySet<string>) => void
  /** "Show assigned students", which works on the column beside. */
  areStudentsShown: boolean
  onStudentsShown: (areShown: boolean) => void
}

const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** The third column of Add/Remove: dates on a calendar, 412 px wide, full days in a red frame. */
export function DateColumn(props: DateColumnProps) {
  const { month, onMonth, plan, selection, onChange } = props
  const words = useWords()
  const today = dateOfInstant(Date.now(), useTimeZone())
  const [areAssignedShown, setAssignedShown] = useState(true)
  const days = useMemo(() => new Map((plan?.Days ?? []).map((day) => [day.Date, day])), [plan])
  const taken = useMemo(() => {
    const dates = new Set<string>()
    plan?.Assigned.Dates.forEach((date, index) => {
      const isHere = plan.Assigned.SiteShiftIds[index] === selection.shiftId
      if (isHere && selection.studentIds.has(plan.Assigned.StudentIds[index]!)) dates.add(date)
    })
    return dates
  }, [plan, selection.shiftId, selection.studentIds])
  const weekdays = weekdaysOfDates(selection.dates)
  const choose = (dates: Iterable<string>) => onChange(new Set([...selection.dates, ...dates]))
  const toggle = (date: string) => {
    const next = new Set(selection.dates)
    if (!next.delete(date)) next.add(date)
    onChange(next)
  }
  return (
    <section className={classes.column} aria-label={words('scheduling.stepDates')}>
      <div className={classes.heading}>
        <h2>3 {words('scheduling.stepDates')}</h2>
        {selection.dates.size > 0 && <span className={classes.badge}>{selection.dates.size}</span>}
        <span className={classes.links}>
          {weekdays.length > 0 && weekdays.length < 4 && (
            <button type="button" onClick={() => choose(openDays(comingDays(plan, today), weekdays))}>
              {words('scheduling.allWeekdays', {
                days: weekdays.map((day) => weekdayName(words, day)).join(', '),
              })}
            </button>
          )}
          <button type="button" onClick={() => choose(openDays(comingDays(plan, today)))}>
            {words('scheduling.all')}
          </button>
          <button type="button" onClick={() => onChange(new Set())}>
            {words('scheduling.clear')}
          </button>
        </span>
      </div>
      <div className={classes.monthBar}>
        <button
          type="button"
          aria-label={words('scheduling.previousMonth')}
          onClick={() => onMonth(monthAfter(month, -1))}
        >
          <IconChevronLeft size={17} aria-hidden />
        </button>
        <b aria-live="polite">{monthName(month)}</b>
        <button
          type="button"
          aria-label={words('scheduling.nextMonth')}
          onClick={() => onMonth(monthAfter(month, 1))}
        >
          <IconChevronRight size={17} aria-hidden />
        </button>
      </div>
      <div className={classes.month}>
        {[0, 1, 2, 3, 4, 5, 6].map((day) => (
          <span key={day} className={classes.weekday} aria-hidden>
            {weekdayName(words, day)}
          </span>
        ))}
        {weeksOfMonth(month)
          .flat()
          .map((date) =>
            date.startsWith(month) ? (
              <DayButton
                key={date}
                date={date}
                today={today}
                day={days.get(date)}
                isOn={selection.dates.has(date)}
                isTaken={areAssignedShown && taken.has(date)}
                mayRemove={taken.has(date)}
                onToggle={() => toggle(date)}
              />
            ) : (
              <span key={date} className={classes.outside} aria-hidden>
                {Number(date.slice(8))}
              </span>
            ),
          )}
      </div>
      <ul className={classes.key}>
        <li>
          <i className={classes.keyFull} aria-hidden />
          {words('scheduling.redFrame')}
        </li>
        <li>
          <i className={classes.dot} aria-hidden />
          {words('scheduling.hasChosen')}
        </li>
        <li>
          <i className={classes.keyOff} aria-hidden />
          {words('scheduling.closed')}
        </li>
      </ul>
      <div className={classes.shows}>
        <label className={classes.show}>
          <input
            type="checkbox"
            className="p-tick"
            checked={areAssignedShown}
            onChange={(event) => setAssignedShown(event.currentTarget.checked)}
          />
          {words('scheduling.showDates')}
        </label>
        <label className={classes.show}>
          <input
            type="checkbox"
            className="p-tick"
            checked={props.areStudentsShown}
            onChange={(event) => props.onStudentsShown(event.currentTarget.checked)}
          />
          {words('scheduling.showStudents')}
        </label>
      </div>
    </section>
  )
}

type DayButtonProps = {
  date: string
  today: string
  day: PlanDay | undefined
  isOn: boolean
  isTaken: boolean
  /** A closed day can still be chosen when there is something to remove on it. */
  mayRemove: boolean
  onToggle: () => void
}

function DayButton({ date, today, day, isOn, isTaken, mayRemove, onToggle }: DayButtonProps) {
  const words = useWords()
  const isClosed = day?.IsBlocked === true && day.State !== 'full'
  const free = day && day.Capacity - day.Placed
  const note = !day
    ? undefined
    : day.State === 'full'
      ? words('scheduling.full')
      : isClosed
        ? undefined
        : words('scheduling.free', { count: free ?? 0 })
  const said = [
    formatDayLong(date),
    date === today && words('scheduling.today'),
    day?.Message ?? note,
    isTaken && words('scheduling.hasChosen'),
  ]
    .filter(Boolean)
    .join('. ')
  const isRefused = isClosed && !mayRemove && !isOn
  return (
    <button
      type="button"
      className={classes.day}
      aria-pressed={isOn}
      aria-label={said}
      aria-current={date === today ? 'date' : undefined}
      data-past={date < today || undefined}
      aria-disabled={isRefused || undefined}
      title={day?.Message ?? undefined}
      data-state={!day ? 'open' : isClosed ? closedKind(day) : day.State === 'full' ? 'full' : 'open'}
      onClick={isRefused ? undefined : onToggle}
    >
      <b>{Number(date.slice(8))}</b>
      {note && <span>{note}</span>}
      {isTaken && <i className={classes.dot} aria-hidden />}
    </button>
  )
}

/** All takes no days that are over, unless the whole month is. */
const comingDays = (plan: Plan | undefined, today: string): readonly PlanDay[] => {
  const days = plan?.Days ?? []
  const coming = days.filter((day) => day.Date >= today)
  return coming.length > 0 ? coming : days
}

/** Days on which the shift never runs stay plain; days that are taken out are hatched. */
const closedKind = ({ State }: PlanDay): 'closed' | 'hatched' =>
  State === 'shift_weekday' ? 'closed' : 'hatched'
