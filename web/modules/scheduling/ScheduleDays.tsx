// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { memo } from 'react'
import { weekdayOf } from '#contract/core/calendar.ts'
import { weekday } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { daysOffRuns, type GridDays, type GridHead } from './grid-layout.ts'
import classes from './ScheduleGrid.module.css'

type DayStripesProps = {
  days: GridDays
  daysOff: ReadonlyMap<number, string>
  dayWidth: number
  todayAt: number
  names: number
}

/** The columns of the days behind all rows: lines, weekends, days off, today. */
export const DayStripes = memo(function DayStripes({
  days,
  daysOff,
  dayWidth,
  todayAt,
  names,
}: DayStripesProps) {
  return (
    <div className={classes.stripes} aria-hidden>
      {days.dates.map((date, day) => (
        <i
          key={date}
          data-off={daysOff.has(day) || undefined}
          data-weekend={weekdayOf(date) % 6 === 0 || undefined}
          data-today={day === todayAt || undefined}
          style={{ left: names + day * dayWidth, width: dayWidth }}
        />
      ))}
      {daysOffRuns(daysOff).map(({ name, from: start, length }) => (
        <span
          key={start}
          className={classes.offName}
          style={{ left: names + start * dayWidth, width: length * dayWidth }}
        >
          <b className={classes.offLabel} title={name}>
            {name}
          </b>
        </span>
      ))}
    </div>
  )
})

type ScheduleHeadProps = {
  days: GridDays
  daysOff: ReadonlyMap<number, string>
  /** Undefined while it is on the way. */
  count: number | undefined
  capacity: GridHead['Capacity'] | undefined
  todayAt: number
}

/** Days and the capacity row; both stay at the top. */
export const ScheduleHead = memo(function ScheduleHead(props: ScheduleHeadProps) {
  const { days, daysOff, count, capacity, todayAt } = props
  const words = useWords()
  return (
    <div className={classes.head} role="rowgroup">
      <div className={classes.days} role="row" aria-rowindex={1}>
        <span className={classes.corner} role="columnheader" aria-colindex={1}>
          <b>{count === undefined ? '' : words('scheduling.students', { count })}</b>
          <span>{words('scheduling.hoursThisWeek')}</span>
        </span>
        {days.dates.map((date, day) => (
          <span
            key={date}
            role="columnheader"
            aria-colindex={day + 2}
            className={classes.dayHead}
            data-today={day === todayAt || undefined}
          >
            <span>{day === todayAt ? words('scheduling.today') : weekday(date)}</span>
            <b>
              {date.slice(5, 7)}/{date.slice(8)}
            </b>
          </span>
        ))}
      </div>
      <div className={classes.capacity} role="row" aria-rowindex={2}>
        <span className={classes.corner} role="rowheader" aria-colindex={1}>
          <b>{words('scheduling.capacityRow')}</b>
          <span>{words('scheduling.placedPlaces')}</span>
        </span>
        {days.dates.map((date, day) => {
          const placed = capacity?.Placed[day] ?? 0
          const places = capacity?.Places[day] ?? 0
          const isFull = places > 0 && placed >= places
          const isShown = places > 0 && !daysOff.has(day)
          return (
            <span
              key={date}
              role="gridcell"
              aria-colindex={day + 2}
              className={classes.places}
              data-full={isFull || undefined}
            >
              {isShown && (
                <>
                  <span>
                    {placed}/{places}
                  </span>
                  <i aria-hidden>
                    <u style={{ width: `${Math.min(100, (placed / places) * 100)}%` }} />
                  </i>
                </>
              )}
            </span>
          )
        })}
      </div>
    </div>
  )
})
