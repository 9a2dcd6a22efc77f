// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { memo } from 'react'
import people from '#web/shared/PeopleSheet.module.css'
import { shiftPaint } from '#web/shared/ShiftMark.tsx'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { formatHours } from '#web/ui/dates.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { type GridCell, type GridDays, type GridRow, shiftLetter, weekMinutes } from './grid-layout.ts'
import classes from './ScheduleGrid.module.css'

type ScheduleRowProps = {
  index: number
  top: number
  /** Undefined while its page is on the way. */
  row: GridRow | undefined
  days: GridDays
  /** The first day of the week whose hours are told. */
  weekFrom: number
  maxMinutesPerWeek: number
  isCurrent: boolean
  cursorDay: number | undefined
  /** Only assignments from the first to the last of these days are drawn. */
  firstDay: number
  lastDay: number
  carriedId: number | undefined
}

/** One student; drawn again only when something about them changes. */
export const ScheduleRow = memo(function ScheduleRow(props: ScheduleRowProps) {
  const { index, row, days, cursorDay } = props
  const words = useWords()
  const isCursorFree = cursorDay !== undefined && !row?.cells.some(({ day }) => day === cursorDay)
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={index + 3}
      data-row={index}
      data-current={props.isCurrent || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {row ? (
        <StudentHead row={row} weekFrom={props.weekFrom} maxMinutesPerWeek={props.maxMinutesPerWeek} />
      ) : (
        <span className={classes.student} role="rowheader" aria-colindex={1} data-waiting>
          <i aria-hidden />
          <span className="p-sr-only">{words('scheduling.loading')}</span>
        </span>
      )}
      {row?.cells.map((cell) =>
        cell.day < props.firstDay || cell.day > props.lastDay ? null : (
          <ScheduleCell
            key={cell.id}
            words={words}
            cell={cell}
            name={row.name}
            dayLabel={days.labels[cell.day] ?? ''}
            isCursor={cursorDay === cell.day}
            isCarried={props.carriedId === cell.id}
          />
        ),
      )}
      {isCursorFree && (
        <span
          id="cell-cursor"
          role="gridcell"
          aria-colindex={cursorDay + 2}
          aria-selected
          aria-label={words('scheduling.cellFree', {
            name: row?.name ?? '',
            day: days.labels[cursorDay] ?? '',
          })}
          className={classes.free}
          style={{ left: `calc(var(--names) + ${cursorDay} * var(--day) + 3px)` }}
        />
      )}
    </div>
  )
})

type StudentHeadProps = { row: GridRow; weekFrom: number; maxMinutesPerWeek: number }

const StudentHead = memo(function StudentHead({ row, weekFrom, maxMinutesPerWeek }: StudentHeadProps) {
  const { studentId, name, level } = row
  const minutes = weekMinutes(row, weekFrom)
  return (
    <span className={classes.student} role="rowheader" aria-colindex={1}>
      <span className={people.studentName} title={name}>
        <StudentLink id={studentId}>{name}</StudentLink>
      </span>
      {level !== null && <span className={`${people.level} ${classes.level}`}>{level}</span>}
      <span className={classes.hours} data-over={minutes > maxMinutesPerWeek || undefined}>
        {formatHours(minutes)}
      </span>
    </span>
  )
})

type ScheduleCellProps = {
  words: Words
  cell: GridCell
  name: string
  dayLabel: string
  isCursor: boolean
  isCarried: boolean
}

const ScheduleCell = memo(function ScheduleCell(props: ScheduleCellProps) {
  const { cell, name, dayLabel: day, words } = props
  const { shift, conflict } = cell
  const said = { name, day, shift: `${shift.code} ${shift.site}` }
  return (
    <span
      id={`cell-${cell.id}`}
      data-cell={cell.id}
      role="gridcell"
      aria-colindex={cell.day + 2}
      aria-selected={props.isCursor}
      aria-label={
        conflict
          ? words('scheduling.cellConflict', { ...said, message: conflict.Message })
          : words('scheduling.cell', said)
      }
      className={`${classes.cell} ${shiftPaint}`}
      data-kind={shift.type}
      data-conflict={conflict?.Strictness}
      data-cursor={props.isCursor || undefined}
      data-carried={props.isCarried || undefined}
      style={{
        left: `calc(var(--names) + ${cell.day} * var(--day) + 3px + (var(--day) - 6px) * ${cell.part / cell.parts})`,
        width: `calc((var(--day) - 6px) / ${cell.parts})`,
      }}
    >
      <b className={classes.letter}>{shiftLetter[shift.type]}</b>
      <span className={classes.code}>{shift.siteCode}</span>
      {conflict && (
        <i className={classes.sign}>
          <IconAlertTriangleFilled size={12} aria-hidden />
        </i>
      )}
    </span>
  )
})
