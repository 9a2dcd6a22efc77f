// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { memo } from 'react'
import { addDays } from '#contract/core/calendar.ts'
import { shiftPaint } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { formatDay, formatHours } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { type GridAnswer, type GridModel, shiftLetter } from './grid-layout.ts'
import classes from './ScheduleGrid.module.css'

type ScheduleRowProps = {
  index: number
  top: number
  answer: GridAnswer
  model: GridModel
  minutes: number
  isOver: boolean
  isCurrent: boolean
  cursorDay: number | undefined
  /** Only assignments from the first to the last of these days are drawn. */
  firstDay: number
  lastDay: number
  carriedId: number | undefined
}

/** One student; drawn again only when something of her changes. */
export const ScheduleRow = memo(function ScheduleRow(props: ScheduleRowProps) {
  const { index, answer, model, cursorDay } = props
  const words = useWords()
  const name = model.names[index] ?? ''
  const level = model.levels[index]
  const cells = model.cellsOf[index] ?? []
  const isCursorFree = cursorDay !== undefined && !cells.some(({ day }) => day === cursorDay)
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={index + 3}
      data-current={props.isCurrent || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      <span className={classes.student} role="rowheader" aria-colindex={1}>
        <span className={classes.studentName} title={name}>
          <StudentLink id={model.studentIds[index]!}>{name}</StudentLink>
        </span>
        {level !== null && level !== undefined && <span className={classes.level}>{level}</span>}
        <span className={classes.hours} data-over={props.isOver || undefined}>
          {formatHours(props.minutes)}
        </span>
      </span>
      {cells.map((cell) => {
        if (cell.day < props.firstDay || cell.day > props.lastDay) return null
        const conflict = model.conflictOf.get(cell.id)
        const day = formatDay(addDays(answer.FromDate, cell.day))
        const shift = `${answer.Shifts.Code[cell.shift]} ${answer.Shifts.Site[cell.shift]}`
        return (
          <span
            key={cell.id}
            id={`cell-${cell.id}`}
            data-cell={cell.id}
            role="gridcell"
            aria-colindex={cell.day + 2}
            aria-selected={cursorDay === cell.day}
            aria-label={
              conflict
                ? words('scheduling.cellConflict', { name, day, shift, message: conflict.Message })
                : words('scheduling.cell', { name, day, shift })
            }
            className={`${classes.cell} ${shiftPaint}`}
            data-kind={answer.Shifts.Type[cell.shift]}
            data-conflict={conflict?.Strictness}
            data-cursor={cursorDay === cell.day || undefined}
            data-carried={props.carriedId === cell.id || undefined}
            style={{
              left: `calc(var(--names) + ${cell.day} * var(--day) + 3px + (var(--day) - 6px) * ${cell.part / cell.parts})`,
              width: `calc((var(--day) - 6px) / ${cell.parts})`,
            }}
          >
            <b className={classes.letter}>{shiftLetter[answer.Shifts.Type[cell.shift]!]}</b>
            <span className={classes.code}>{answer.Shifts.SiteCode[cell.shift]}</span>
            {conflict && (
              <i className={classes.sign}>
                <IconAlertTriangleFilled size={12} aria-hidden />
              </i>
            )}
          </span>
        )
      })}
      {isCursorFree && (
        <span
          id="cell-cursor"
          role="gridcell"
          aria-colindex={cursorDay + 2}
          aria-selected
          aria-label={words('scheduling.cellFree', {
            name,
            day: formatDay(addDays(answer.FromDate, cursorDay)),
          })}
          className={classes.free}
          style={{ left: `calc(var(--names) + ${cursorDay} * var(--day) + 3px)` }}
        />
      )}
    </div>
  )
})
