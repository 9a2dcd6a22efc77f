// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { addDays, daysBetween, mondayOf } from '#contract/core/calendar.ts'
import { formatDay } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { AssignmentCard } from './AssignmentCard.tsx'
import { type GridAnswer, type GridCell, type GridModel, shiftLetter, weekMinutes } from './grid-layout.ts'
import { DayStripes, ScheduleHead } from './ScheduleDays.tsx'
import classes from './ScheduleGrid.module.css'
import { ScheduleRow } from './ScheduleRow.tsx'
import { useIsPrinting } from './use-is-printing.ts'

export type GridHandle = {
  /** Scrolls to an assignment and puts the cursor on it. */
  show: (assignmentId: number) => void
}

export type ScheduleGridProps = {
  ref?: Ref<GridHandle>
  answer: GridAnswer
  model: GridModel
  today: string
  maxMinutesPerWeek: number
  /** Days share the width that is there; otherwise each has its own and the picture scrolls sideways. */
  isFitted: boolean
  mayEdit: boolean
  onMove: (assignmentId: number, studentId: number, date: string) => void
  onChange: (assignmentId: number) => void
  onRemove: (assignmentId: number) => void
}

const rowHeight = 36
const headHeight = 82
const nameWidth = 248
const phoneNameWidth = 148
const minDayWidth = 66
const cardPause = 300
/** Days beside the view that are drawn ahead; the drawn stretch moves a week at a time. */
const daysAhead = 7

type Place = { row: number; day: number }
/** An assignment on its way to another place, by pointer or by keyboard. */
type Carried = { cell: GridCell; to: Place }

/**
 * Students down, days across. Only the rows and weeks in view exist, and in them only assignments: the lines of the days are drawn
 * once behind all rows, so that a quarter of a year of three hundred students scrolls like an empty page. One cursor moves
 * by the arrow keys; Enter picks an assignment up and drops it, as dragging does.
 */
export function ScheduleGrid(props: ScheduleGridProps) {
  const { answer, model, today, mayEdit, onMove } = props
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(1000)
  const [week, setWeek] = useState(0)
  const [cursor, setCursor] = useState<Place>({ row: 0, day: 0 })
  const [carried, setCarried] = useState<Carried>()
  const [openId, setOpenId] = useState<number>()
  const [said, setSaid] = useState('')
  const isPrinting = useIsPrinting()
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const names = width < 600 ? phoneNameWidth : nameWidth
  const dayWidth = props.isFitted ? Math.max(minDayWidth, (width - names) / model.days) : minDayWidth
  const rows = useVirtualizer({
    count: model.names.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: headHeight,
  })
  const firstDay = isPrinting ? 0 : week * 7 - daysAhead
  const lastDay = isPrinting ? model.days : week * 7 + 7 + Math.ceil(width / dayWidth) + daysAhead
  const todayAt = daysBetween(answer.FromDate, today)
  const isTodayIn = todayAt >= 0 && todayAt < model.days
  const weekFrom = isTodayIn ? daysBetween(answer.FromDate, mondayOf(today)) : 0
  const hours = useMemo(() => weekMinutes(model, weekFrom), [model, weekFrom])
  const at = (place: Place): GridCell | undefined =>
    model.cellsOf[place.row]?.find(({ day }) => day === place.day)

  const keepInView = useCallback(
    ({ row, day }: Place) => {
      rows.scrollToIndex(row, { align: 'auto' })
      const element = scroller.current
      if (!element) return
      const left = day * dayWidth
      if (left < element.scrollLeft) element.scrollLeft = left
      else if (left + dayWidth > element.scrollLeft + element.clientWidth - names)
        element.scrollLeft = left + dayWidth - element.clientWidth + names
    },
    [rows, dayWidth, names],
  )

  useImperativeHandle(
    props.ref,
    () => ({
      show: (assignmentId) => {
        const cell = model.cellById.get(assignmentId)
        if (!cell) return
        setCursor(cell)
        setOpenId(assignmentId)
        keepInView(cell)
        scroller.current?.focus({ preventScroll: true })
      },
    }),
    [model, keepInView],
  )

  const nameOf = (place: Place): string =>
    words('scheduling.moveTo', {
      name: model.names[place.row] ?? '',
      day: formatDay(addDays(answer.FromDate, place.day)),
    })
  const drop = ({ cell, to }: Carried) => {
    setCarried(undefined)
    if (to.row === cell.row && to.day === cell.day) return
    setCursor(to)
    onMove(cell.id, model.studentIds[to.row]!, addDays(answer.FromDate, to.day))
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const from = carried?.to ?? cursor
    const cell = at(cursor)
    const step = (row: number, day: number) => {
      const to = {
        row: Math.min(Math.max(0, row), model.names.length - 1),
        day: Math.min(Math.max(0, day), model.days - 1),
      }
      if (carried) {
        setCarried({ ...carried, to })
        setSaid(nameOf(to))
      } else {
        setCursor(to)
        setOpenId(undefined)
        // The card waits until the cursor rests: walking through cells must not load one after the other.
        clearTimeout(pause.current)
        pause.current = setTimeout(() => setOpenId(at(to)?.id), cardPause)
      }
      keepInView(to)
    }
    const page = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 400) - headHeight) / rowHeight) - 1,
    )
    switch (event.key) {
      case 'ArrowUp':
        step(from.row - 1, from.day)
        break
      case 'ArrowDown':
        step(from.row + 1, from.day)
        break
      case 'ArrowLeft':
        step(from.row, from.day - 1)
        break
      case 'ArrowRight':
        step(from.row, from.day + 1)
        break
      case 'PageUp':
        step(from.row - page, from.day)
        break
      case 'PageDown':
        step(from.row + page, from.day)
        break
      case 'Home':
        step(event.ctrlKey ? 0 : from.row, 0)
        break
      case 'End':
        step(event.ctrlKey ? model.names.length - 1 : from.row, model.days - 1)
        break
      case 'Enter':
      case ' ':
        if (carried) drop(carried)
        else if (cell && mayEdit) {
          clearTimeout(pause.current)
          setOpenId(undefined)
          setCarried({ cell, to: cell })
          setSaid(
            words('scheduling.moveStart', {
              name: model.names[cell.row] ?? '',
              day: formatDay(addDays(answer.FromDate, cell.day)),
            }),
          )
        }
        break
      case 'Delete':
      case 'Backspace':
        if (cell && mayEdit && !carried) props.onRemove(cell.id)
        break
      case 'Escape':
        if (carried) {
          setCarried(undefined)
          setSaid(words('scheduling.moveCancelled'))
        } else setOpenId(undefined)
        break
      default:
        return
    }
    event.preventDefault()
  }

  const placeOf = (event: { clientX: number; clientY: number }): Place => {
    // Pointers move only over what is drawn.
    const element = scroller.current!
    const box = element.getBoundingClientRect()
    const day = Math.floor((event.clientX - box.left - names + element.scrollLeft) / dayWidth)
    const row = Math.floor((event.clientY - box.top - headHeight + element.scrollTop) / rowHeight)
    return {
      row: Math.min(Math.max(0, row), model.names.length - 1),
      day: Math.min(Math.max(0, day), model.days - 1),
    }
  }

  /** Follows the pointer from an assignment; a drag begins after four pixels, less is a click. */
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const target = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
    const cell = target && model.cellById.get(Number(target.dataset.cell))
    if (!cell) {
      if ((event.target as HTMLElement).closest('[data-body]')) {
        setCursor(placeOf(event))
        setOpenId(undefined)
      }
      return
    }
    setCursor(cell)
    clearTimeout(pause.current)
    setOpenId(cell.id)
    if (!mayEdit || event.button !== 0 || event.pointerType === 'touch') return
    const begin = { x: event.clientX, y: event.clientY }
    let current: Carried | undefined
    const follow = (moved: globalThis.PointerEvent) => {
      if (!current && Math.hypot(moved.clientX - begin.x, moved.clientY - begin.y) < 4) return
      const to = placeOf(moved)
      if (current && current.to.row === to.row && current.to.day === to.day) return
      current = { cell, to }
      setOpenId(undefined)
      setCarried(current)
    }
    const end = (isDrop: boolean) => {
      removeEventListener('pointermove', follow)
      removeEventListener('pointerup', release)
      removeEventListener('pointercancel', cancel)
      removeEventListener('keydown', onEscape)
      if (current && isDrop) drop(current)
      else if (current) setCarried(undefined)
    }
    const release = () => end(true)
    const cancel = () => end(false)
    const onEscape = (pressed: globalThis.KeyboardEvent) => pressed.key === 'Escape' && end(false)
    addEventListener('pointermove', follow)
    addEventListener('pointerup', release)
    addEventListener('pointercancel', cancel)
    addEventListener('keydown', onEscape)
  }
  const onPointerOver = (event: PointerEvent) => {
    if (carried || event.pointerType === 'touch') return
    const target = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
    if ((event.target as HTMLElement).closest('[data-card]')) {
      clearTimeout(pause.current)
      return
    }
    clearTimeout(pause.current)
    const id = target ? Number(target.dataset.cell) : undefined
    pause.current = setTimeout(() => setOpenId(id), cardPause)
  }
  useEffect(() => () => clearTimeout(pause.current), [])

  const shown = isPrinting
    ? model.names.map((_, index) => ({ index, start: headHeight + index * rowHeight }))
    : rows.getVirtualItems()
  const cursorCell = at(cursor)
  const openCell = openId === undefined ? undefined : model.cellById.get(openId)
  const fullWidth = names + model.days * dayWidth
  return (
    <div className={classes.outer}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="grid"
        tabIndex={0}
        aria-label={words('scheduling.grid')}
        aria-rowcount={model.names.length + 2}
        aria-colcount={model.days + 1}
        aria-activedescendant={cursorCell ? `cell-${cursorCell.id}` : 'cell-cursor'}
        style={{ '--names': `${names}px`, '--day': `${dayWidth}px` }}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerOver={onPointerOver}
        onScroll={(event) => setWeek(Math.floor(event.currentTarget.scrollLeft / (dayWidth * 7)))}
      >
        <div
          className={classes.sheet}
          style={{ width: fullWidth, height: headHeight + model.names.length * rowHeight }}
          role="presentation"
        >
          <DayStripes
            model={model}
            from={answer.FromDate}
            dayWidth={dayWidth}
            todayAt={todayAt}
            names={names}
          />
          <ScheduleHead answer={answer} model={model} todayAt={todayAt} />
          <div data-body role="presentation">
            {shown.map(({ index, start }) => (
              <ScheduleRow
                key={model.studentIds[index]}
                index={index}
                top={start}
                answer={answer}
                model={model}
                minutes={hours[index] ?? 0}
                isOver={(hours[index] ?? 0) > props.maxMinutesPerWeek}
                isCurrent={(carried?.to ?? cursor).row === index}
                cursorDay={cursor.row === index ? cursor.day : undefined}
                firstDay={firstDay}
                lastDay={lastDay}
                carriedId={carried?.cell.row === index ? carried.cell.id : undefined}
              />
            ))}
            {carried && (
              <div
                className={classes.target}
                aria-hidden
                style={{
                  top: headHeight + carried.to.row * rowHeight + 3,
                  left: names + carried.to.day * dayWidth + 3,
                  width: dayWidth - 6,
                }}
              >
                {shiftLetter[answer.Shifts.Type[carried.cell.shift]!]}{' '}
                {answer.Shifts.SiteCode[carried.cell.shift]}
              </div>
            )}
          </div>
          {isTodayIn && (
            <div className={classes.now} style={{ left: names + todayAt * dayWidth }} aria-hidden />
          )}
        </div>
      </div>
      {openCell && !carried && (
        <AssignmentCard
          key={openCell.id}
          assignmentId={openCell.id}
          conflict={model.conflictOf.get(openCell.id)?.Message}
          mayEdit={mayEdit}
          {...cardPlace(scroller.current, openCell, names, dayWidth)}
          onChange={() => props.onChange(openCell.id)}
          onRemove={() => {
            setOpenId(undefined)
            props.onRemove(openCell.id)
          }}
          onLeave={() => setOpenId(undefined)}
          onEnter={() => clearTimeout(pause.current)}
        />
      )}
      <p className="p-sr-only" aria-live="assertive">
        {said}
      </p>
    </div>
  )
}

const cardSize = { width: 360, height: 150 }

/** Where the card goes: under its assignment, or above when there is no room. */
const cardPlace = (scroller: HTMLElement | null, cell: GridCell, names: number, dayWidth: number) => {
  if (!scroller) return { left: 0, top: 0 }
  const x = names + cell.day * dayWidth - scroller.scrollLeft
  const y = headHeight + cell.row * rowHeight - scroller.scrollTop
  const isBelow = y + rowHeight + cardSize.height < scroller.clientHeight
  return {
    left: Math.max(8, Math.min(x + 8, scroller.clientWidth - cardSize.width - 8)),
    top: isBelow ? y + rowHeight + 2 : Math.max(4, y - cardSize.height - 2),
  }
}
