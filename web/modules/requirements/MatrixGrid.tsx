import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { type MatrixRow, stateOfSign } from '#contract/requirements/matrix.ts'
import { isMet } from '#contract/requirements/requirement-rules.ts'
import { requirementLooks } from '#web/shared/RequirementState.tsx'
import { Checkbox } from '#web/ui/inputs.ts'
import { StatusIcon } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './matrix.module.css'

const rowPx = 40
const overscan = 12

interface Column {
  Id: number
  Name: string
  BlocksPlacement: boolean
}

/** The cells: only the rows that are seen are there; the names stay at the left, the requirements on top. */
export function MatrixGrid(props: {
  label: string
  columns: readonly Column[]
  rows: readonly MatrixRow[]
  /** A cell in words. */
  tell: (row: MatrixRow, index: number) => string
  isMetOnly: boolean
  ticked?: ReadonlySet<number>
  onTick?: (ids: ReadonlySet<number>) => void
  onOpen?: (row: MatrixRow) => void
  /** The last of the rows is near. */
  onEnd: () => void
}) {
  const words = useWords()
  const { columns, rows, ticked, onTick, onOpen } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
  })
  const seen = virtual.getVirtualItems()
  const lastSeen = seen.at(-1)?.index ?? 0
  const { onEnd } = props
  useEffect(() => {
    if (rows.length > 0 && lastSeen >= rows.length - overscan) onEnd()
  }, [lastSeen, rows.length, onEnd])
  const hasSites = rows.some(({ AtSites: open }) => open.length > 0)
  const above = seen[0]?.start ?? 0
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)
  const tick = (id: number, isTicked: boolean) => {
    const next = new Set(ticked)
    if (isTicked) next.add(id)
    else next.delete(id)
    onTick?.(next)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={props.label}>
      <table className={classes.matrix} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {onTick && rows.length > 0 && (
                <Checkbox
                  aria-label={words('ui.selectAll')}
                  checked={ticked !== undefined && ticked.size >= rows.length}
                  onChange={(event) =>
                    onTick(new Set(event.currentTarget.checked ? rows.map(({ Id }) => Id) : []))
                  }
                />
              )}
              {words('requirements.student')}
            </th>
            {columns.map(({ Id, Name }) => (
              <th key={Id} scope="col">
                <span title={Name}>{Name}</span>
              </th>
            ))}
            {hasSites && (
              <th scope="col">
                <span title={words('requirements.atTheirSites')}>{words('requirements.atTheirSites')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden>
              <td style={{ height: above }} colSpan={columns.length + 1 + Number(hasSites)} />
            </tr>
          )}
          {seen.map(({ index }) => {
            const row = rows[index]!
            return (
              <tr key={row.Id} aria-rowindex={index + 2} data-ticked={ticked?.has(row.Id) || undefined}>
                <th scope="row" className={classes.name}>
                  {onTick && (
                    <Checkbox
                      aria-label={row.Student}
                      checked={ticked?.has(row.Id) ?? false}
                      onChange={(event) => tick(row.Id, event.currentTarget.checked)}
                    />
                  )}
                  {onOpen ? (
                    <button
                      type="button"
                      onClick={() => onOpen(row)}
                      title={row.Student}
                      className="p-ellipsis"
                    >
                      {row.Student}
                    </button>
                  ) : (
                    <span className="p-ellipsis" title={row.Student}>
                      {row.Student}
                    </span>
                  )}
                  <small>{row.StudentLevel}</small>
                </th>
                {columns.map(({ Id, Name }, at) => {
                  const state = stateOfSign(row.States[at] ?? '-')
                  const text = props.tell(row, at)
                  const look =
                    state &&
                    (props.isMetOnly ? (isMet(state) ? 'approved' : 'rejected') : requirementLooks[state][0])
                  return (
                    <td key={Id} data-look={look} title={state && `${row.Student}, ${Name}: ${text}`}>
                      {look && <StatusIcon status={look} size={16} />}
                      <span className="p-sr-only">{text}</span>
                    </td>
                  )
                })}
                {hasSites && <AtSites row={row} />}
              </tr>
            )
          })}
          {below > 0 && (
            <tr aria-hidden>
              <td style={{ height: below }} colSpan={columns.length + 1 + Number(hasSites)} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

/** What is not met of what their sites ask besides. */
function AtSites({ row }: { row: MatrixRow }) {
  const words = useWords()
  const text = row.AtSites.map(({ Name, Site }) =>
    words('requirements.missingAtSite', { name: Name, site: Site }),
  ).join(', ')
  return text === '' ? (
    <td />
  ) : (
    <td data-look="rejected" title={`${row.Student}: ${text}`}>
      <StatusIcon status="rejected" size={16} />
      <span className="p-sr-only">{text}</span>
    </td>
  )
}
