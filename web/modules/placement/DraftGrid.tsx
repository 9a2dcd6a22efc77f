import { IconCheck, IconLock } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentProps, memo, useRef } from 'react'
import type { Cell, DraftRow, DraftShift } from '#contract/placement/drafts.ts'
import { formatDate } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './draft.module.css'
import { rankText } from './placement-words.ts'

const rowPx = 39
const overscan = 10

/** A cell of the grid by its student and block. */
export interface Place {
  StudentId: number
  Block: number
}

export type DraftGridProps = {
  label: string
  rows: readonly DraftRow[]
  shifts: ReadonlyMap<number, DraftShift>
  blocks: readonly { StartDate: string; EndDate: string }[]
  /** The names of the plan's rotations where there are several; empty where there is one. */
  rotations: ReadonlyMap<number, string>
  placed: readonly number[]
  /** The cell that is asked about. */
  chosen: Place | undefined
  onChoose: (place: Place) => void
  /** Puts a student where another one is in the block; absent when nothing can be changed. */
  onMove?: (from: Place, to: Place) => void
}

/** Students and blocks: only the rows that are seen are there; names stay at the left, blocks on top. */
export function DraftGrid(props: DraftGridProps) {
  const words = useWords()
  const { rows, blocks, placed, chosen, onChoose, onMove, shifts, rotations } = props
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan,
  })
  const seen = virtual.getVirtualItems()
  const above = seen[0]?.start ?? 0
  const below = virtual.getTotalSize() - (seen.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={props.label}>
      <table className={classes.grid} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {words('placement.studentCount', { count: rows.length })}
              <small>{words('placement.pointsInList')}</small>
            </th>
            {blocks.map(({ StartDate, EndDate }, block) => (
              <th key={StartDate} scope="col">
                {words('placement.block', { number: block + 1 })} · {placed[block] ?? 0}
                <small>
                  {formatDate(StartDate).slice(0, 5)}–{formatDate(EndDate).slice(0, 5)}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden>
              <td style={{ height: above }} colSpan={blocks.length + 1} />
            </tr>
          )}
          {seen.map(({ index }) => {
            const row = rows[index]
            return (
              row && (
                <Row
                  key={row.StudentId}
                  index={index}
                  row={row}
                  shifts={shifts}
                  rotations={rotations}
                  blockCount={blocks.length}
                  chosen={chosen?.StudentId === row.StudentId ? chosen.Block : undefined}
                  onChoose={onChoose}
                  {...(onMove && { onMove })}
                />
              )
            )
          })}
          {below > 0 && (
            <tr aria-hidden>
              <td style={{ height: below }} colSpan={blocks.length + 1} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

const Row = memo(function Row(props: {
  index: number
  row: DraftRow
  shifts: ReadonlyMap<number, DraftShift>
  rotations: ReadonlyMap<number, string>
  blockCount: number
  chosen: number | undefined
  onChoose: (place: Place) => void
  onMove?: (from: Place, to: Place) => void
}) {
  const { row, shifts, blockCount, chosen, onChoose, onMove } = props
  const byBlock = new Map(row.Cells.map((cell) => [cell.Block, cell]))
  return (
    <tr aria-rowindex={props.index + 2}>
      <th scope="row" className={classes.name}>
        <span>
          <span className="p-ellipsis" title={row.Student}>
            {row.Student}
          </span>
          <small>{row.Points > 0 ? row.Points : ''}</small>
        </span>
      </th>
      {Array.from({ length: blockCount }, (_, block) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place
        <td key={block}>
          <Chip
            cell={byBlock.get(block)}
            shift={shifts.get(byBlock.get(block)?.SiteShiftId ?? 0)}
            rotations={props.rotations}
            isChosen={chosen === block}
            label={row.Student}
            onClick={() => onChoose({ StudentId: row.StudentId, Block: block })}
            drag={
              onMove && !byBlock.get(block)?.IsAccepted
                ? dragOf({ StudentId: row.StudentId, Block: block }, onMove)
                : undefined
            }
          />
        </td>
      ))}
    </tr>
  )
})

/** What is being dragged: browsers tell only when it is dropped. */
let dragged: Place | undefined

type Drag = Pick<
  ComponentProps<'button'>,
  'draggable' | 'onDragStart' | 'onDragOver' | 'onDragLeave' | 'onDragEnd' | 'onDrop'
>

/** A cell that can be dragged onto another one of its block, and takes one. */
const dragOf = (place: Place, onMove: (from: Place, to: Place) => void): Drag => ({
  draggable: true,
  onDragStart: (event) => {
    dragged = place
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', '')
  },
  onDragOver: (event) => {
    if (dragged?.Block !== place.Block || dragged.StudentId === place.StudentId) return
    event.preventDefault()
    event.currentTarget.dataset.over = 'true'
  },
  onDragLeave: (event) => {
    delete event.currentTarget.dataset.over
  },
  onDragEnd: () => {
    dragged = undefined
  },
  onDrop: (event) => {
    delete event.currentTarget.dataset.over
    event.preventDefault()
    if (dragged?.Block === place.Block && dragged.StudentId !== place.StudentId) onMove(dragged, place)
    dragged = undefined
  },
})

function Chip(props: {
  cell: Cell | undefined
  shift: DraftShift | undefined
  rotations: ReadonlyMap<number, string>
  isChosen: boolean
  label: string
  onClick: () => void
  drag: Drag | undefined
}) {
  const words = useWords()
  const { cell, shift, isChosen } = props
  const rank = cell?.Rank ?? null
  const rotation = cell && props.rotations.get(cell.RotationId)
  return (
    <button
      type="button"
      className={classes.cell}
      aria-pressed={isChosen}
      data-rank={rank === null ? (cell?.HasRanked ? 5 : undefined) : Math.min(rank, 4)}
      data-empty={cell ? undefined : true}
      title={
        cell && shift
          ? [`${props.label}: ${shift.Site}, ${shift.Shift}`, rotation].filter(Boolean).join(' · ')
          : undefined
      }
      onClick={props.onClick}
      {...props.drag}
    >
      <span className="p-ellipsis">{shift?.SiteCode ?? (cell ? '…' : words('placement.noPlace'))}</span>
      {rank !== null && <small>{rankText(words, rank)}</small>}
      {cell?.IsLocked && <IconLock size={14} role="img" aria-label={words('placement.isLocked')} />}
      {cell?.IsAccepted && <IconCheck size={14} role="img" aria-label={words('placement.isAccepted')} />}
    </button>
  )
}
