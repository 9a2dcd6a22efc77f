import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { useLate } from '../use-late.ts'
import { ColumnChoice } from './ColumnChoice.tsx'
import classes from './Grid.module.css'
import { contentOf, type GridParts, lookOf, nameOf, type RowLook, textOf, titleOf } from './grid-parts.ts'
import type { GridColumn, GridEdit, RowKey } from './grid-types.ts'
import { isIcon } from './RowActions.tsx'
import { RowEnd } from './RowEnd.tsx'
import { RowWarning } from './RowWarning.tsx'
import { useRowVirtualizer } from './use-row-virtualizer.ts'

const tickWidth = 48
const interactive = 'a, button, input, select, textarea, label, [role="menuitem"]'

/** More than 1 while a reader has text spacing of their own: every column gets as much more room. */
const wideBy = 'var(--p-wide, 1)'
const wide = (px: number): string => `calc(${px} * var(--p-unit))`

/** How much of the width they would like columns give up before the table scrolls sideways. */
const mostShrunk = 0.35
const leastOf = (column: { minWidth?: number }): number => column.minWidth ?? 140

/** Rows above this number are only in the document while they are near the visible part. */
const virtualFrom = 60

const headHeight = 34
const iconWidth = 30
/** So many rows tell how many icons a row has; all of them are alike, or nearly. */
const toldOf = 50

/** Room for the icons of a row and ⋯, none of which may lie under another column. */
const widthOfEnd = <Row,>({ actions, end }: GridParts<Row>['grid'], rows: readonly Row[]): number => {
  if (!actions) return end ? 116 : 52
  const icons = Math.max(0, ...rows.slice(0, toldOf).map((row) => actions(row).filter(isIcon).length))
  return Math.max(116, (icons + 1) * iconWidth + 32)
}

/** The grid as a table, on wide screens. */
export function GridTable<Row>({ grid, rows, columns, choice, sort, onSort }: GridParts<Row>) {
  const { rowKey, selection, onOpen, edit } = grid
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const focusWanted = useRef(false)
  const lastTicked = useRef<number | undefined>(undefined)
  const isWaiting = grid.rows === undefined
  const isLate = useLate(isWaiting || Boolean(grid.isLoading))
  const rowHeight = grid.density === 'comfortable' ? 52 : 42
  const isVirtual = grid.height !== 'auto' && rows.length > virtualFrom
  const { visible, before, after, virtualizer } = useRowVirtualizer(scroller, {
    count: rows.length,
    rowHeight,
    overscan: 12,
    scrollPaddingStart: headHeight,
    enabled: isVirtual,
    findOpen: () => rows.findIndex((row) => rowKey(row) === grid.openKey),
  })

  const { onMore } = grid
  const lastVisible = visible.at(-1) ?? -1
  useEffect(() => {
    if (onMore && isVirtual && lastVisible >= rows.length - 15) onMore()
  }, [onMore, isVirtual, lastVisible, rows.length])

  useEffect(() => {
    if (!focusWanted.current) return
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)
    if (row) {
      focusWanted.current = false
      row.focus({ preventScroll: isVirtual })
    }
  })

  const { beginsAt } = grid
  const begin = useEffectEvent(() => {
    const index = rows.findIndex((row) => rowKey(row) === beginsAt)
    const around = scroller.current
    const row = around?.querySelector(`tr[data-index="${index}"]`)
    const head = around?.querySelector('thead th')
    if (around && row && head)
      around.scrollTop += row.getBoundingClientRect().top - head.getBoundingClientRect().bottom
  })
  // Rows that are read again begin nothing anew: whoever has scrolled stays where they are.
  useEffect(() => {
    if (beginsAt !== undefined) begin()
  }, [beginsAt])

  const withEnd = Boolean(grid.actions || grid.end || edit || !grid.noColumnChoice)
  const endWidth = grid.actionsWidth ?? widthOfEnd(grid, rows)
  const firstWidth = selection ? tickWidth : 0
  const fixed = columns.reduce(
    (sum, column) => sum + (column.width ?? 0),
    firstWidth + (withEnd ? endWidth : 0),
  )
  const flexible = columns.reduce((sum, column) => sum + (column.width ? 0 : leastOf(column)), 0)
  /** What the window has beyond the wish of all columns, or lacks. */
  const room = `max(${wide(-flexible * mostShrunk)}, 100cqi * ${wideBy} - ${wide(fixed + flexible)})`
  const growth = columns.reduce((sum, column) => sum + (column.width ? 0 : (column.grow ?? 1)), 0)

  const tickable = selection ? rows.filter((row) => !selection.reason?.(row)) : []
  const tickedCount = selection ? tickable.filter((row) => selection.selected.has(rowKey(row))).length : 0

  const tick = (index: number, isRange: boolean) => {
    if (!selection) return
    const row = rows[index]
    if (!row || selection.reason?.(row)) return
    const next = new Set(selection.selected)
    const willTick = !next.has(rowKey(row))
    const from = isRange ? (lastTicked.current ?? index) : index
    for (let i = Math.min(from, index); i <= Math.max(from, index); i++) {
      const each = rows[i]
      if (!each || selection.reason?.(each)) continue
      if (willTick) next.add(rowKey(each))
      else next.delete(rowKey(each))
    }
    lastTicked.current = index
    selection.onChange(next)
  }

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    focusWanted.current = true
    if (isVirtual) virtualizer.scrollToIndex(next)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const row = target.closest('tr')
    if (!row?.dataset.index || event.defaultPrevented) return
    const isOnRow = target === row
    if (!isOnRow && target.matches('input:not([type="checkbox"]), select, textarea, [aria-haspopup="menu"]'))
      return
    const index = Number(row.dataset.index)
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2)
    const steps: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: rows.length - 1,
    }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      moveTo(step)
    } else if (event.key === ' ' && isOnRow && selection) {
      event.preventDefault()
      tick(index, event.shiftKey)
    } else if (event.key === 'Enter' && isOnRow && onOpen) {
      event.preventDefault()
      onOpen(rows[index]!)
    } else if (event.key === 'Escape' && selection && selection.selected.size > 0) {
      selection.onChange(new Set<RowKey>())
    }
  }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const row = target.closest('tr')
    if (!row?.dataset.index) return
    const index = Number(row.dataset.index)
    setActive(index)
    if (target.matches('input[data-tick]')) tick(index, event.shiftKey)
    else if (onOpen && !target.closest(interactive) && !window.getSelection()?.toString())
      onOpen(rows[index]!)
  }

  const rowProps = { columns, withEnd, height: rowHeight }
  return (
    <div className={classes.scroller} ref={scroller}>
      {isLate && !isWaiting && <div className={classes.refetching} aria-hidden />}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with keyboard movement
        role="grid"
        aria-label={grid.label}
        aria-busy={isWaiting || grid.isLoading || undefined}
        aria-rowcount={(grid.total ?? rows.length) + 1}
        aria-multiselectable={selection ? true : undefined}
        className={classes.table}
        style={{
          minWidth: wide(fixed + flexible * (1 - mostShrunk)),
          width: `calc(100% * ${wideBy})`,
        }}
      >
        <colgroup>
          {selection && <col style={{ width: wide(tickWidth) }} />}
          {columns.map((column) => (
            <col
              key={column.id}
              style={{
                width: column.width
                  ? wide(column.width)
                  : `calc(max(0px, ${room}) * ${(column.grow ?? 1) / growth} + min(0px, ${room}) * ${leastOf(column) / flexible} + ${wide(leastOf(column))})`,
              }}
            />
          ))}
          {withEnd && <col style={{ width: wide(endWidth) }} />}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selection && (
              <th scope="col" className={classes.tickCell}>
                <label className={classes.tickLabel}>
                  <input
                    type="checkbox"
                    className="p-tick"
                    aria-label={plainWords('ui.selectAll')}
                    checked={tickedCount > 0 && tickedCount === tickable.length}
                    ref={(input) => {
                      if (input) input.indeterminate = tickedCount > 0 && tickedCount < tickable.length
                    }}
                    onChange={() =>
                      selection.onChange(
                        tickedCount === tickable.length ? new Set<RowKey>() : new Set(tickable.map(rowKey)),
                      )
                    }
                  />
                </label>
              </th>
            )}
            {columns.map((column) => (
              <HeadCell
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort}
                hasOwnOrder={grid.hasOwnOrder}
              />
            ))}
            {withEnd && (
              <th scope="col" className={classes.endHead}>
                <div className={classes.actions}>
                  {(grid.actions || grid.end || edit) && <span>{words('ui.actions')}</span>}
                  {!grid.noColumnChoice && <ColumnChoice columns={grid.columns} choice={choice} />}
                </div>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown} onClick={onClick}>
          {isWaiting && isLate && <Bars columns={columns} withTick={Boolean(selection)} withEnd={withEnd} />}
          {edit?.added && (
            <EditRow {...rowProps} edit={edit} row={edit.added} index={-1} withTick={Boolean(selection)} />
          )}
          {before > 0 && <tr aria-hidden className={classes.spacer} style={{ height: before }} />}
          {visible.map((index) => {
            const row = rows[index]!
            const key = rowKey(row)
            if (edit && !edit.added && edit.key === key)
              return (
                <EditRow
                  key={key}
                  {...rowProps}
                  edit={edit}
                  row={row}
                  index={index}
                  withTick={Boolean(selection)}
                />
              )
            return (
              <BodyRow
                key={key}
                {...rowProps}
                {...lookOf(grid, row)}
                row={row}
                index={index}
                isActive={index === Math.min(active, rows.length - 1)}
              />
            )
          })}
          {after > 0 && <tr aria-hidden className={classes.spacer} style={{ height: after }} />}
        </tbody>
      </table>
      {onMore && !isVirtual && rows.length > 0 && (
        <button type="button" className={classes.more} onClick={onMore}>
          {plainWords('ui.showMore')}
        </button>
      )}
    </div>
  )
}

function HeadCell<Row>(props: {
  column: GridColumn<Row>
  sort: string | undefined
  onSort: (sort: string) => void
  hasOwnOrder: boolean | undefined
}) {
  const { column, sort, onSort } = props
  const direction = sort === column.id ? 'ascending' : sort === `-${column.id}` ? 'descending' : undefined
  const label = column.head ?? column.header
  const next =
    direction === 'ascending'
      ? `-${column.id}`
      : direction === 'descending' && props.hasOwnOrder
        ? ''
        : column.id
  return (
    <th scope="col" data-align={column.align} aria-sort={column.sortable ? (direction ?? 'none') : undefined}>
      {column.sortable ? (
        <button type="button" className={classes.sort} onClick={() => onSort(next)}>
          <span className="p-ellipsis">{label}</span>
          {direction === 'ascending' && <IconChevronUp size={14} aria-hidden />}
          {direction === 'descending' && <IconChevronDown size={14} aria-hidden />}
        </button>
      ) : (
        <div className="p-ellipsis" title={column.header}>
          {label || <span className="p-sr-only">{column.id}</span>}
        </div>
      )}
    </th>
  )
}

type RowProps<Row> = {
  columns: GridColumn<Row>[]
  withEnd: boolean
  row: Row
  index: number
  height: number
}

function Cell<Row>({ column, row, sign }: { column: GridColumn<Row>; row: Row; sign?: ReactNode }) {
  const content = contentOf(column, row)
  const detail = column.detail?.(row)
  return (
    <td data-align={column.align} data-identity={column.identity || undefined}>
      <div className={classes.line} title={textOf(column, row, content)}>
        {sign}
        {content}
      </div>
      {detail !== undefined && detail !== null && detail !== '' && (
        <div className={classes.detail} title={typeof detail === 'string' ? detail : undefined}>
          {detail}
        </div>
      )}
    </td>
  )
}

type CellsProps<Row> = {
  columns: readonly GridColumn<Row>[]
  row: Row
  warning: string | undefined
  tabIndex: number
}

function PlainCells<Row>({ columns, row, warning, tabIndex }: CellsProps<Row>): ReactNode {
  const named = titleOf(columns)
  return columns.map((column) => (
    <Cell
      key={column.id}
      column={column}
      row={row}
      sign={warning && column === named && <RowWarning text={warning} tabIndex={tabIndex} />}
    />
  ))
}

/** Not redrawn by a tick or a press. */
const RowCells = memo(PlainCells) as typeof PlainCells

type BodyRowProps<Row> = RowProps<Row> & RowLook & { isActive: boolean }

function PlainRow<Row>(props: BodyRowProps<Row>) {
  const { columns, row, index, isTicked, isActive, refusal } = props
  const tabIndex = isActive ? 0 : -1
  const name = nameOf(columns, row)
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={props.isTickable ? isTicked : undefined}
      tabIndex={tabIndex}
      data-tone={props.tone}
      data-opens={props.opens || undefined}
      style={{ height: `${props.height / 16}rem` }}
      className={classes.row}
    >
      {props.isTickable && (
        <td className={classes.tickCell}>
          <label className={classes.tickLabel} title={refusal}>
            <input
              type="checkbox"
              data-tick
              className="p-tick"
              aria-label={
                refusal
                  ? `${plainWords('ui.selectRow', { name })}: ${refusal}`
                  : plainWords('ui.selectRow', { name })
              }
              checked={isTicked}
              aria-disabled={refusal ? true : undefined}
              tabIndex={tabIndex}
              onChange={() => {}}
            />
          </label>
        </td>
      )}
      <RowCells
        columns={columns}
        row={row}
        warning={props.warning}
        tabIndex={props.warning ? tabIndex : -1}
      />
      {props.withEnd && (
        <td className={classes.end}>
          <div className={classes.actions}>
            <RowEnd row={row} name={name} tabIndex={tabIndex} />
          </div>
        </td>
      )}
    </tr>
  )
}

/** A tick or an arrow key redraws only the rows it changes; a re-render of the page redraws none. */
const BodyRow = memo(PlainRow) as typeof PlainRow

function EditRow<Row>(props: RowProps<Row> & { edit: GridEdit<Row>; withTick: boolean }) {
  const { edit, columns, row, index } = props
  return (
    <tr
      data-tone="chosen"
      data-edited
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ height: `${props.height / 16}rem` }}
      onKeyDown={edit.onKeyDown}
    >
      {props.withTick && <td />}
      {columns.map((column) =>
        edit.cells[column.id] === undefined ? (
          <Cell key={column.id} column={column} row={row} />
        ) : (
          <td key={column.id} className={classes.editCell}>
            {edit.cells[column.id]}
          </td>
        ),
      )}
      <td className={classes.end}>
        <div className={classes.actions}>{edit.end}</div>
      </td>
    </tr>
  )
}

const barWidths = ['62%', '48%', '70%', '55%']

function Bars<Row>(props: { columns: GridColumn<Row>[]; withTick: boolean; withEnd: boolean }) {
  return Array.from({ length: 8 }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
    <tr key={line} aria-hidden className={classes.row}>
      {props.withTick && <td />}
      {props.columns.map((column, index) => (
        <td key={column.id}>
          <i className={classes.bar} style={{ width: barWidths[(line + index) % barWidths.length] }} />
        </td>
      ))}
      {props.withEnd && <td />}
    </tr>
  ))
}
