import { IconAlertTriangle } from '@tabler/icons-react'
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { useLate } from '../use-late.ts'
import classes from './Grid.module.css'
import { contentOf, type GridParts, nameOf } from './grid-parts.ts'
import type { GridColumn } from './grid-types.ts'
import { InsideButton } from './inside-button.ts'
import { EndsContext, RowEnd } from './RowEnd.tsx'
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
    findOpen: () => rows.findIndex((row) => rowKey(row) === grid.openKey),
  })
  const lastVisible = visible.at(-1) ?? -1
  useEffect(() => {
    if (onMore && isVirtual && lastVisible >= rows.length - 8) onMore()
  }, [onMore, isVirtual, lastVisible, rows.length])
  const ends = useMemo(() => ({ actions: grid.actions, end: grid.end }), [grid.actions, grid.end])

  const toggle = (row: Row) => {
    if (!selection || selection.reason?.(row)) return
    const next = new Set(selection.selected)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    selection.onChange(next)
  }
  // Cards that stay as they are call what the grid was given last.
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
        <EndsContext value={ends}>
          {visible.map((index) => {
            const row = rows[index]!
            const key = rowKey(row)
            const isTicked = selection?.selected.has(key) ?? false
            const isOpen = grid.openKey !== undefined && grid.openKey === key
            return (
              <Card
                key={key}
                row={row}
                index={index}
                columns={columns}
                card={grid.card}
                press={press}
                measure={isVirtual ? virtualizer.measureElement : undefined}
                isTickable={Boolean(selection)}
                isTicked={isTicked}
                isRefused={Boolean(selection?.reason?.(row))}
                opens={Boolean(onOpen)}
                tone={isTicked || isOpen ? 'chosen' : grid.tone?.(row)}
                warning={grid.warning?.(row) || undefined}
              />
            )
          })}
        </EndsContext>
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

type CardProps<Row> = {
  row: Row
  index: number
  columns: readonly GridColumn<Row>[]
  card: ((row: Row) => ReactNode) | undefined
  press: Press<Row>
  /** Tells the list how high it is. */
  measure: ((element: Element | null) => void) | undefined
  isTickable: boolean
  isTicked: boolean
  isRefused: boolean
  /** Whether its title opens it. */
  opens: boolean
  tone: 'chosen' | 'now' | 'quiet' | undefined
  warning: string | undefined
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
            aria-disabled={props.isRefused || undefined}
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

/** A tick redraws the cards it changes and no others, and so does a caller that has only drawn itself anew. */
const Card = memo(PlainCard) as typeof PlainCard

type LinesProps<Row> = Pick<CardProps<Row>, 'row' | 'columns' | 'warning'> & {
  onOpen: ((row: Row) => void) | undefined
}

function CardLines<Row>({ row, columns, warning, onOpen }: LinesProps<Row>) {
  const title = columns.find((column) => column.identity) ?? columns[0]
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
          {warning && (
            <span className={classes.warning} role="img" aria-label={warning} title={warning}>
              <IconAlertTriangle size={15} aria-hidden />
            </span>
          )}
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
