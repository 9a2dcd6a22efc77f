// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { cellsOfState, gridStates } from '#contract/competencies/grid-states.ts'
import { useRowPages } from '#web/api/use-row-pages.ts'
import people from '#web/shared/PeopleSheet.module.css'
import {
  cellAfterKey,
  cellUnder,
  keepColumnInView,
  keepRowInView,
  type PlaneCell,
} from '#web/ui/grid/plane-keys.ts'
import { columnsDrawn, eachOf, isIn, rowsDrawn } from '#web/ui/grid/plane-part.ts'
import type { Ticks } from '#web/ui/grid/TickGrid.tsx'
import { usePlanePart } from '#web/ui/grid/use-plane-part.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CellMark, cellName, stateName } from './CellSign.tsx'
import classes from './CompetencyGrid.module.css'
import { CompetencyHead } from './CompetencyHead.tsx'
import { CompetencyRow, toggleTick } from './CompetencyRow.tsx'
import {
  type ProgressHead,
  type ProgressInput,
  type ProgressProcedure,
  progressRows,
} from './progress-rows.ts'

const rowHeight = 34
const headHeight = 164
const nameWidth = 300
const columnWidth = 34
const places = { names: nameWidth, column: columnWidth }
const sizes = { height: rowHeight, width: columnWidth, head: headHeight, sticky: nameWidth }
/** Rows drawn before it is known how many there are. */
const rowsMeanwhile = 20

export type CompetencyGridProps = {
  input: ProgressInput
  head: ProgressHead | undefined
  /** The procedures that are shown. */
  columns: readonly ProgressProcedure[]
  /** Undefined while it is not known. */
  count: number | undefined
  /** Without it rows cannot be ticked. */
  ticks: Ticks | undefined
  /** What scrolls, and has the focus for the keys. */
  scroller: RefObject<HTMLDivElement | null>
  onTickAll: () => void
  onOpen: (studentId: number, procedureId: number) => void
  /** The columns of the pages are not those of the head: the list has changed in between. */
  onOldHead: () => void
}

/**
 * Students down, procedures across. Only the cells in view exist, so that three thousand students by eighty procedures scroll like an
 * empty page. One cursor moves by the arrow keys; Enter or a click opens what is behind a cell, Space ticks its student.
 */
export function CompetencyGrid(props: CompetencyGridProps) {
  const { input, head, columns, ticks, scroller, onOpen } = props
  const words = useWords()
  const [cursor, setCursor] = useState<PlaneCell>({ row: 0, column: 0 })
  const [hovered, setHovered] = useState<PlaneCell>()
  const rowCount = props.count ?? rowsMeanwhile
  const plane = { rows: rowCount, columns: columns.length }

  const { view, around, look } = usePlanePart(scroller, sizes)
  const { rowAt, pages, error, retry } = useRowPages(
    progressRows(input),
    rowCount,
    view.rows.from,
    view.rows.through,
  )
  const lateRowAt = useDeferredValue(rowAt)
  const isHeadOld = head !== undefined && pages.some(({ Columns }) => Columns !== head.Columns)
  const { onOldHead } = props
  useEffect(() => {
    if (isHeadOld) onOldHead()
  }, [isHeadOld, onOldHead])

  const keepInView = useCallback(
    ({ row, column }: PlaneCell) => {
      if (!scroller.current) return
      keepRowInView(scroller.current, row, sizes)
      keepColumnInView(scroller.current, column, sizes)
      // With the picture that this key makes, not with the one after it.
      look()
    },
    [scroller, look],
  )
  const open = ({ row, column }: PlaneCell) => {
    const student = rowAt(row)
    const procedure = columns[column]
    if (student && procedure) onOpen(student.id, procedure.Id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const page = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 400) - headHeight) / rowHeight) - 1,
    )
    const to = cellAfterKey(event, cursor, { ...plane, page })
    const student = rowAt(cursor.row)
    if (to) {
      setCursor(to)
      setHovered(undefined)
      keepInView(to)
    } else if (event.key === 'Enter') open(cursor)
    else if (event.key === ' ' && ticks && student) toggleTick(ticks, student.id)
    else return
    event.preventDefault()
  }
  /** The cell under the pointer, if it is over one. */
  const pointed = (event: MouseEvent): PlaneCell | undefined => {
    const target = event.target as HTMLElement
    const element = scroller.current
    if (!element || !target.closest('[data-body]') || target.closest('[role="rowheader"]')) return undefined
    return cellUnder(
      element,
      event,
      { width: columnWidth, sticky: nameWidth, head: headHeight, height: rowHeight },
      plane,
    )
  }
  const onClick = (event: MouseEvent) => {
    const cell = pointed(event)
    if (!cell) return
    setCursor(cell)
    open(cell)
  }
  const onPointerOver = (event: MouseEvent) => {
    const cell = pointed(event)
    if (cell?.row !== hovered?.row || cell?.column !== hovered?.column) setHovered(cell)
  }
  const noted = hovered ?? cursor
  // Readers are led to the cursor's cell while it is drawn: not before its student is read, nor while it is scrolled away.
  const isCursorDrawn =
    isIn(cursor.row, view.rows) &&
    isIn(cursor.column, view.columns) &&
    cursor.column < columns.length &&
    rowAt(cursor.row) !== undefined
  return (
    <div className={classes.outer}>
      <CellNote
        name={rowAt(noted.row)?.name}
        procedure={columns[noted.column]}
        cells={rowAt(noted.row)?.cells ?? ''}
      />
      <div
        ref={scroller}
        className={classes.scroller}
        role="grid"
        tabIndex={0}
        aria-label={words('competencyProgress.grid')}
        aria-rowcount={rowCount + 2}
        aria-colcount={columns.length + 1}
        aria-busy={props.count === undefined}
        aria-activedescendant={isCursorDrawn ? 'competency-cursor' : undefined}
        aria-describedby="competency-keys"
        style={{ '--names': `${nameWidth}px`, '--column': `${columnWidth}px` }}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onPointerOver={onPointerOver}
        onPointerLeave={() => setHovered(undefined)}
        onScroll={look}
      >
        <div
          className={people.sheet}
          style={{
            width: nameWidth + columns.length * columnWidth,
            height: headHeight + rowCount * rowHeight,
          }}
          role="presentation"
        >
          <CompetencyHead
            head={head}
            columns={columns}
            cursor={cursor.column}
            tick={ticks && <TickAll ticks={ticks} count={props.count} onTickAll={props.onTickAll} />}
          />
          <div data-body role="presentation">
            {eachOf(rowsDrawn(view, around), rowCount).map((index) => {
              const drawn = columnsDrawn(index, view, around)
              return (
                <CompetencyRow
                  key={index}
                  index={index}
                  top={headHeight + index * rowHeight}
                  row={isIn(index, view.rows) ? rowAt(index) : lateRowAt(index)}
                  columns={columns}
                  first={drawn.from}
                  last={drawn.through}
                  needed={head?.Needed ?? 0}
                  cursor={cursor.row === index ? cursor.column : undefined}
                  places={places}
                  ticks={ticks}
                />
              )
            })}
          </div>
        </div>
      </div>
      {error && (
        <div className={classes.problem}>
          <PageMessage kind="error" text={error.message} onRetry={retry} />
        </div>
      )}
      <p id="competency-keys" className="p-sr-only">
        {words('competencyProgress.hint')}
      </p>
      <Legend />
    </div>
  )
}

/** What the cell under the pointer or else under the cursor says, in the free corner: names of columns are cut. */
function CellNote(props: {
  name: string | undefined
  procedure: ProgressProcedure | undefined
  cells: string
}) {
  const { name, procedure, cells } = props
  const words = useWords()
  if (name === undefined || !procedure) return null
  const cell = cells.charAt(procedure.At)
  return (
    <div className={classes.note} aria-hidden>
      <b>{procedure.Name}</b>
      <span>{name}</span>
      <span className={classes.noteState}>
        <CellMark cell={cell} />
        {cellName(words, cell)}
      </span>
    </div>
  )
}

const legendCells = gridStates
  .toReversed()
  .map((state) => ({ state, cell: state === 'more' ? '3' : cellsOfState(state) }))

function Legend() {
  const words = useWords()
  return (
    <ul className={classes.legend}>
      {legendCells.map(({ state, cell }) => (
        <li key={state}>
          <CellMark cell={cell} />
          {stateName(words, state)}
        </li>
      ))}
    </ul>
  )
}

/** Ticks all students of the filter, or none. */
function TickAll(props: { ticks: Ticks; count: number | undefined; onTickAll: () => void }) {
  const words = useWords()
  const { ticks, count } = props
  const ticked = useSyncExternalStore(ticks.watch, () => ticks.now().size)
  const isAll = count !== undefined && count > 0 && ticked >= count
  const box = useMemo(
    () => (element: HTMLInputElement | null) => {
      if (element) element.indeterminate = ticked > 0 && !isAll
    },
    [ticked, isAll],
  )
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.tick}
      aria-label={words('competencyProgress.tickAll')}
      checked={isAll}
      onChange={() => (ticked > 0 ? ticks.clear() : props.onTickAll())}
    />
  )
}
