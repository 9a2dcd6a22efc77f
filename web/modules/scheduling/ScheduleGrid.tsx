// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import {
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { daysBetween, weekOf } from '#contract/core/calendar.ts'
import { useRowPages } from '#web/api/use-row-pages.ts'
import people from '#web/shared/PeopleSheet.module.css'
import { cellAfterKey, cellUnder, keepColumnInView, keepRowInView } from '#web/ui/grid/plane-keys.ts'
import { columnsDrawn, eachOf, isIn, rowsDrawn } from '#web/ui/grid/plane-part.ts'
import { usePlanePart } from '#web/ui/grid/use-plane-part.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AssignmentCard } from './AssignmentCard.tsx'
import { daysOf, daysOffIn, type GridCell, type GridHead, shiftLetter } from './grid-layout.ts'
import { DayStripes, ScheduleHead } from './ScheduleDays.tsx'
import classes from './ScheduleGrid.module.css'
import { ScheduleRow } from './ScheduleRow.tsx'
import { type GridInput, gridRows } from './use-grid-pages.ts'
import { useIsPrinting } from './use-is-printing.ts'

export type GridHandle = {
  /** Scrolls to an assignment and puts the cursor on it; its page need not be here yet. */
  show: (assignment: { id: number; row: number; date: string }) => void
}

/** A student and a date. */
export type GridPlace = { studentId: number; name: string; date: string }

export type ScheduleGridProps = {
  ref?: Ref<GridHandle>
  input: GridInput
  /** Undefined while it is on the way. */
  head: GridHead | undefined
  /** Undefined while it is not known. */
  count: number | undefined
  today: string
  maxMinutesPerWeek: number
  /** Days share the width that is there; otherwise each has its own and the picture scrolls sideways. */
  isFitted: boolean
  mayEdit: boolean
  onMove: (assignmentId: number, from: GridPlace, to: GridPlace) => void
  onChange: (assignmentId: number) => void
  onRemove: (assignmentId: number) => void
}

const rowHeight = 36
const headHeight = 82
const nameWidth = 248
const phoneNameWidth = 148
const minDayWidth = 66
const cardPause = 300
/** Rows drawn before it is known how many there are. */
const rowsMeanwhile = 20
const noDaysOff: GridHead['DaysOff'] = []

type Place = { row: number; day: number }
/** An assignment on its way to another place, by pointer or by keyboard. */
type Carried = { cell: GridCell; to: Place }

/**
 * Students down, days across. Only the rows and days in view exist, and in them only assignments: the lines of the days are drawn
 * once behind all rows, so that a quarter of a year of three thousand students scrolls like an empty page. What is in view is
 * drawn at once, what is around it in steps between which keys and presses are answered. Pages of students
 * are read as they come into view. One cursor moves by the arrow keys; Enter picks an assignment up and drops it, as dragging does.
 */
export function ScheduleGrid(props: ScheduleGridProps) {
  const { input, head, today, mayEdit, onMove } = props
  const { FromDate, ThroughDate } = input.query
  const days = useMemo(() => daysOf(FromDate, ThroughDate), [FromDate, ThroughDate])
  const daysOff = useMemo(() => daysOffIn(days, head?.DaysOff ?? noDaysOff), [days, head])
  const dayCount = days.dates.length
  const rowCount = props.count ?? rowsMeanwhile
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(1000)
  const [cursor, setCursor] = useState<Place>({ row: 0, day: 0 })
  const [carried, setCarried] = useState<Carried>()
  const [open, setOpen] = useState<{ id: number; row: number }>()
  const [said, setSaid] = useState('')
  const isPrinting = useIsPrinting()
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)

  const names = width < 600 ? phoneNameWidth : nameWidth
  const dayWidth = props.isFitted ? Math.max(minDayWidth, (width - names) / dayCount) : minDayWidth
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const sizes = { height: rowHeight, width: dayWidth, head: headHeight, sticky: names }
  const { view, around, look } = usePlanePart(scroller, sizes)
  const whole = { rows: { from: 0, through: rowCount - 1 }, columns: { from: 0, through: dayCount - 1 } }
  const atOnce = isPrinting ? whole : view
  const drawn = isPrinting ? whole : around
  const todayAt = daysBetween(FromDate, today)
  const isTodayIn = todayAt >= 0 && todayAt < dayCount
  const weekFrom = isTodayIn ? daysBetween(FromDate, weekOf(today)) : 0
  const { rowAt, error, retry } = useRowPages(
    gridRows(input),
    rowCount,
    atOnce.rows.from,
    atOnce.rows.through,
  )
  const lateRowAt = useDeferredValue(rowAt)
  const at = (place: Place): GridCell | undefined =>
    rowAt(place.row)?.cells.find(({ day }) => day === place.day)
  const openAt = (cell: GridCell | undefined) => setOpen(cell && { id: cell.id, row: cell.row })
  // Cards open after a pause, when what was there may have been read again.
  const latestAt = useRef(at)
  latestAt.current = at

  const keepInView = useCallback(
    ({ row, day }: Place) => {
      const element = scroller.current
      if (!element) return
      keepRowInView(element, row, { height: rowHeight, head: headHeight })
      keepColumnInView(element, day, { width: dayWidth, sticky: names })
      // With the picture that this key or press makes, not with the one after it.
      look()
    },
    [look, dayWidth, names],
  )

  useImperativeHandle(
    props.ref,
    () => ({
      show: ({ id, row, date }) => {
        const place = { row, day: daysBetween(FromDate, date) }
        setCursor(place)
        setOpen({ id, row })
        keepInView(place)
        scroller.current?.focus({ preventScroll: true })
      },
    }),
    [FromDate, keepInView],
  )

  const nameOf = (place: Place): string =>
    words('scheduling.moveTo', {
      name: rowAt(place.row)?.name ?? '',
      day: days.labels[place.day] ?? '',
    })
  const placeAt = ({ row, day }: Place): GridPlace | undefined => {
    const of = rowAt(row)
    const date = days.dates[day]
    return of && date !== undefined ? { studentId: of.studentId, name: of.name, date } : undefined
  }
  const drop = ({ cell, to }: Carried) => {
    setCarried(undefined)
    const [before, after] = [placeAt(cell), placeAt(to)]
    if (!before || !after || (to.row === cell.row && to.day === cell.day)) return
    setCursor(to)
    onMove(cell.id, before, after)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const from = carried?.to ?? cursor
    const cell = at(cursor)
    const move = (to: Place) => {
      if (carried) {
        setCarried({ ...carried, to })
        setSaid(nameOf(to))
      } else {
        setCursor(to)
        setOpen(undefined)
        // The card waits until the cursor rests: walking through cells must not load one after the other.
        clearTimeout(pause.current)
        pause.current = setTimeout(() => openAt(latestAt.current(to)), cardPause)
      }
      keepInView(to)
    }
    const page = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 400) - headHeight) / rowHeight) - 1,
    )
    const to = cellAfterKey(
      event,
      { row: from.row, column: from.day },
      { rows: rowCount, columns: dayCount, page },
    )
    if (to) {
      move({ row: to.row, day: to.column })
      event.preventDefault()
      return
    }
    switch (event.key) {
      case 'Enter':
      case ' ':
        if (carried) drop(carried)
        else if (cell && mayEdit) {
          clearTimeout(pause.current)
          setOpen(undefined)
          setCarried({ cell, to: cell })
          setSaid(
            words('scheduling.moveStart', {
              name: rowAt(cell.row)?.name ?? '',
              day: days.labels[cell.day] ?? '',
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
        } else setOpen(undefined)
        break
      default:
        return
    }
    event.preventDefault()
  }

  const placeOf = (event: { clientX: number; clientY: number }): Place => {
    const { row, column } = cellUnder(
      // Pointers move only over what is drawn.
      scroller.current!,
      event,
      { width: dayWidth, sticky: names, head: headHeight, height: rowHeight },
      { rows: rowCount, columns: dayCount },
    )
    return { row, day: column }
  }

  /** The assignment under the pointer. */
  const cellOf = (target: EventTarget): GridCell | undefined => {
    // Events of the pointer come from elements.
    const element = (target as HTMLElement).closest<HTMLElement>('[data-cell]')
    const row = element?.closest<HTMLElement>('[data-row]')
    return row
      ? rowAt(Number(row.dataset.row))?.cells.find(({ id }) => id === Number(element?.dataset.cell))
      : undefined
  }

  /** Follows the pointer from an assignment; a drag begins after four pixels, less is a click. */
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const cell = cellOf(event.target)
    if (!cell) {
      if ((event.target as HTMLElement).closest('[data-body]')) {
        setCursor(placeOf(event))
        setOpen(undefined)
      }
      return
    }
    setCursor(cell)
    clearTimeout(pause.current)
    openAt(cell)
    if (!mayEdit || event.button !== 0 || event.pointerType === 'touch') return
    const begin = { x: event.clientX, y: event.clientY }
    let current: Carried | undefined
    const follow = (moved: globalThis.PointerEvent) => {
      if (!current && Math.hypot(moved.clientX - begin.x, moved.clientY - begin.y) < 4) return
      const to = placeOf(moved)
      if (current && current.to.row === to.row && current.to.day === to.day) return
      current = { cell, to }
      setOpen(undefined)
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
    if ((event.target as HTMLElement).closest('[data-card]')) {
      clearTimeout(pause.current)
      return
    }
    clearTimeout(pause.current)
    const cell = cellOf(event.target)
    pause.current = setTimeout(() => openAt(cell), cardPause)
  }
  useEffect(() => () => clearTimeout(pause.current), [])

  const cursorCell = at(cursor)
  const openCell = open && rowAt(open.row)?.cells.find(({ id }) => id === open.id)
  const fullWidth = names + dayCount * dayWidth
  return (
    <div className={classes.outer}>
      <div
        ref={scroller}
        className={classes.scroller}
        role="grid"
        tabIndex={0}
        aria-label={words('scheduling.grid')}
        aria-rowcount={rowCount + 2}
        aria-colcount={dayCount + 1}
        aria-busy={props.count === undefined}
        aria-activedescendant={cursorCell ? `cell-${cursorCell.id}` : 'cell-cursor'}
        style={{ '--names': `${names}px`, '--day': `${dayWidth}px` }}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerOver={onPointerOver}
        onScroll={look}
      >
        <div
          className={people.sheet}
          style={{ width: fullWidth, height: headHeight + rowCount * rowHeight }}
          role="presentation"
        >
          <DayStripes days={days} daysOff={daysOff} dayWidth={dayWidth} todayAt={todayAt} names={names} />
          <ScheduleHead
            days={days}
            daysOff={daysOff}
            count={props.count}
            capacity={head?.Capacity}
            todayAt={todayAt}
          />
          <div data-body role="presentation">
            {eachOf(rowsDrawn(atOnce, drawn), rowCount).map((index) => {
              const columns = columnsDrawn(index, atOnce, drawn)
              return (
                <ScheduleRow
                  key={index}
                  index={index}
                  top={headHeight + index * rowHeight}
                  row={isIn(index, atOnce.rows) ? rowAt(index) : lateRowAt(index)}
                  days={days}
                  weekFrom={weekFrom}
                  maxMinutesPerWeek={props.maxMinutesPerWeek}
                  isCurrent={(carried?.to ?? cursor).row === index}
                  cursorDay={cursor.row === index ? cursor.day : undefined}
                  firstDay={columns.from}
                  lastDay={columns.through}
                  carriedId={carried?.cell.row === index ? carried.cell.id : undefined}
                />
              )
            })}
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
                {shiftLetter[carried.cell.shift.type]} {carried.cell.shift.siteCode}
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
          conflict={openCell.conflict?.Message}
          mayEdit={mayEdit}
          {...cardPlace(scroller.current, openCell, names, dayWidth)}
          onChange={() => props.onChange(openCell.id)}
          onRemove={() => {
            setOpen(undefined)
            props.onRemove(openCell.id)
          }}
          onLeave={() => setOpen(undefined)}
          onEnter={() => clearTimeout(pause.current)}
        />
      )}
      {error && (
        <div className={classes.problem}>
          <PageMessage kind="error" text={error.message} onRetry={retry} />
        </div>
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
