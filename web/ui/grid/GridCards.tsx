import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { useLate } from '../use-late.ts'
import classes from './Grid.module.css'
import { contentOf, type GridParts, lookOf, nameOf, type RowLook, titleOf } from './grid-parts.ts'
import type { GridColumn } from './grid-types.ts'
import { InsideButton } from './inside-button.ts'
import { RowEnd } from './RowEnd.tsx'
import { RowWarning } from './RowWarning.tsx'
import { useRowVirtualizer } from './use-row-virtualizer.ts'

/** The grid on a phone: one card a row, title first, the other columns as name and value. */
export function GridCards<Row>({ grid, rows, columns }: GridParts<Row>) {
  const { rowKey, selection, onOpen, onMore } = grid
  const scroller = useRef<HTMLDivElement>(null)
  const isVirtual = grid.height !== 'auto' && rows.length > 40
  const isLate = useLate(grid.rows === undefined)
  const { visible, before, after, virtualizer } = useRowVirtualizer(scroller, {
    count: rows.length,
    rowHeight: 120,
    overscan: 6,
    enabled: isVirtual,
    findOpen: () => rows.findIndex((row) => rowKey(row) === (grid.openKey ?? grid.beginsAt)),
  })
  const lastVisible = visible.at(-1) ?? -1
  useEffect(() => {
    if (onMore && isVirtual && lastVisible >= rows.length - 8) onMore()
  }, [onMore, isVirtual, lastVisible, rows.length])

  const toggle = (row: Row) => {
    if (!selection || selection.reason?.(row)) return
    const next = new Set(selection.selected)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    selection.onChange(next)
  }
  // Memoized cards call the latest handlers.
  const latest = useRef({ onOpen, toggle })
  latest.current = { onOpen, toggle }
  const press = useMemo<Press<Row>>(
    () => ({
      open: (row) => latest.current.onOpen?.(row),
      toggle: (row) => latest.current.toggle(row),
    }),
    [],
  )

  const hasControls = Boolean(grid.onOpen || grid.actions || grid.end || grid.card || selection)
  return (
    // Without a control in any card the arrow keys could not reach what scrolls.
    <div className={classes.scroller} ref={scroller} tabIndex={hasControls ? undefined : 0}>
      <ul className={classes.cards} aria-label={grid.label} aria-busy={grid.rows === undefined || undefined}>
        {isLate &&
          [0, 1, 2, 3].map((line) => (
            <li key={line} className={classes.card} aria-hidden>
              <i className={classes.bar} style={{ width: '60%' }} />
            </li>
          ))}
        {before > 0 && <li aria-hidden style={{ height: before }} />}
        {visible.map((index) => {
          const row = rows[index]!
          return (
            <Card
              key={rowKey(row)}
              {...lookOf(grid, row)}
              row={row}
              index={index}
              columns={columns}
              card={grid.card}
              press={press}
              measure={isVirtual ? virtualizer.measureElement : undefined}
            />
          )
        })}
        {after > 0 && <li aria-hidden style={{ height: after }} />}
      </ul>
      {onMore && !isVirtual && rows.length > 0 && (
        <button type="button" className={classes.more} onClick={onMore}>
          {plainWords('ui.showMore')}
        </button>
      )}
    </div>
  )
}

interface Press<Row> {
  open: (row: Row) => void
  toggle: (row: Row) => void
}

type CardProps<Row> = RowLook & {
  row: Row
  index: number
  columns: readonly GridColumn<Row>[]
  card: ((row: Row) => ReactNode) | undefined
  press: Press<Row>
  /** Tells the list how high it is. */
  measure: ((element: Element | null) => void) | undefined
}

function PlainCard<Row>(props: CardProps<Row>) {
  const { row, columns, press, warning } = props
  const name = nameOf(columns, row)
  return (
    <li data-index={props.index} ref={props.measure} className={classes.card} data-tone={props.tone}>
      {props.isTickable && (
        <label className={classes.tickLabel}>
          <input
            type="checkbox"
            className="p-tick"
            aria-label={plainWords('ui.selectRow', { name })}
            checked={props.isTicked}
            aria-disabled={props.refusal ? true : undefined}
            onChange={() => press.toggle(row)}
          />
        </label>
      )}
      <div className={classes.cardBody}>
        {props.card ? (
          props.card(row)
        ) : (
          <CardLines
            row={row}
            columns={columns}
            warning={warning}
            onOpen={props.opens ? press.open : undefined}
          />
        )}
      </div>
      <RowEnd row={row} name={name} tabIndex={0} withQuick={false} />
    </li>
  )
}

/** A tick redraws only the cards it changes; a re-render of the page redraws none. */
const Card = memo(PlainCard) as typeof PlainCard

type LinesProps<Row> = Pick<CardProps<Row>, 'row' | 'columns' | 'warning'> & {
  onOpen: ((row: Row) => void) | undefined
}

function CardLines<Row>({ row, columns, warning, onOpen }: LinesProps<Row>) {
  const title = titleOf(columns)
  return (
    <>
      {title && (
        <div className={classes.cardTitle}>
          {onOpen ? (
            <button type="button" className={classes.cardOpen} onClick={() => onOpen(row)}>
              <InsideButton value={true}>{contentOf(title, row)}</InsideButton>
            </button>
          ) : (
            contentOf(title, row)
          )}
          {warning && <RowWarning text={warning} />}
        </div>
      )}
      {title?.detail && <div className={classes.detail}>{title.detail(row)}</div>}
      <dl className={classes.cardLines}>
        {columns
          .filter((column) => column !== title && !column.offCard)
          .map((column) => (
            <div key={column.id}>
              <dt>{column.header}</dt>
              <dd>
                {contentOf(column, row)}
                {column.detail && <div className={classes.detail}>{column.detail(row)}</div>}
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}
