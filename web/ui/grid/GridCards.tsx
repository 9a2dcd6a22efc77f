import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { useLate } from '../use-late.ts'
import classes from './Grid.module.css'
import { contentOf, type GridParts, nameOf } from './grid-parts.ts'
import { InsideButton } from './inside-button.ts'
import { RowActions } from './RowActions.tsx'
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
  const title = columns.find((column) => column.identity) ?? columns[0]
  const lines = columns.filter((column) => column !== title && !column.offCard)

  const toggle = (row: Row) => {
    if (!selection || selection.reason?.(row)) return
    const next = new Set(selection.selected)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    selection.onChange(next)
  }

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
          const key = rowKey(row)
          const name = nameOf(columns, row)
          const warning = grid.warning?.(row)
          const isTicked = selection?.selected.has(key) ?? false
          const isOpen = grid.openKey !== undefined && grid.openKey === key
          return (
            <li
              key={key}
              data-index={index}
              ref={isVirtual ? virtualizer.measureElement : undefined}
              className={classes.card}
              data-tone={isTicked || isOpen ? 'chosen' : grid.tone?.(row)}
            >
              {selection && (
                <label className={classes.tickLabel}>
                  <input
                    type="checkbox"
                    className="p-tick"
                    aria-label={plainWords('ui.selectRow', { name })}
                    checked={isTicked}
                    aria-disabled={selection.reason?.(row) ? true : undefined}
                    onChange={() => toggle(row)}
                  />
                </label>
              )}
              <div className={classes.cardBody}>
                {grid.card ? (
                  grid.card(row)
                ) : (
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
                      {lines.map((column) => (
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
                )}
              </div>
              {grid.end
                ? grid.end(row)
                : grid.actions && (
                    <RowActions
                      actions={() => grid.actions!(row)}
                      name={name}
                      tabIndex={0}
                      withQuick={false}
                    />
                  )}
            </li>
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
