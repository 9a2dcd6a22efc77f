// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { memo } from 'react'
import { addDays } from '#contract/core/calendar.ts'
import { weekday } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { daysOffRuns, type GridAnswer, type GridModel } from './grid-layout.ts'
import classes from './ScheduleGrid.module.css'

type DayStripesProps = {
  model: GridModel
  from: string
  dayWidth: number
  todayAt: number
  names: number
}

/** The columns of the days behind all rows: lines, weekends, days off, today. */
export const DayStripes = memo(function DayStripes({
  model,
  from,
  dayWidth,
  todayAt,
  names,
}: DayStripesProps) {
  const firstWeekday = new Date(`${from}T00:00:00Z`).getUTCDay()
  return (
    <div className={classes.stripes} aria-hidden>
      {Array.from({ length: model.days }, (_, day) => {
        const isWeekend = (firstWeekday + day) % 7 === 0 || (firstWeekday + day) % 7 === 6
        return (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: the day is its place
            key={day}
            data-off={model.daysOff.has(day) || undefined}
            data-weekend={isWeekend || undefined}
            data-today={day === todayAt || undefined}
            style={{ left: names + day * dayWidth, width: dayWidth }}
          />
        )
      })}
      {daysOffRuns(model).map(({ name, from: start, length }) => (
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

type ScheduleHeadProps = { answer: GridAnswer; model: GridModel; todayAt: number }

/** Days and the capacity row; both stay at the top. */
export const ScheduleHead = memo(function ScheduleHead({ answer, model, todayAt }: ScheduleHeadProps) {
  const words = useWords()
  const days = Array.from({ length: model.days }, (_, day) => day)
  return (
    <div className={classes.head} role="rowgroup">
      <div className={classes.days} role="row" aria-rowindex={1}>
        <span className={classes.corner} role="columnheader" aria-colindex={1}>
          <b>{words('scheduling.students', { count: model.names.length })}</b>
          <span>{words('scheduling.hoursThisWeek')}</span>
        </span>
        {days.map((day) => {
          const date = addDays(answer.FromDate, day)
          return (
            <span
              key={day}
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
          )
        })}
      </div>
      <div className={classes.capacity} role="row" aria-rowindex={2}>
        <span className={classes.corner} role="rowheader" aria-colindex={1}>
          <b>{words('scheduling.capacityRow')}</b>
          <span>{words('scheduling.placedPlaces')}</span>
        </span>
        {days.map((day) => {
          const placed = answer.Capacity.Placed[day] ?? 0
          const places = answer.Capacity.Places[day] ?? 0
          const isFull = places > 0 && placed >= places
          const isShown = places > 0 && !model.daysOff.has(day)
          return (
            <span
              key={day}
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
