// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { memo, useSyncExternalStore } from 'react'
import { stateOfCell } from '#contract/competencies/grid-states.ts'
import people from '#web/shared/PeopleSheet.module.css'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { eachOf } from '#web/ui/grid/plane-part.ts'
import type { Ticks } from '#web/ui/grid/TickGrid.tsx'
import { useWords } from '#web/words/use-words.ts'
import { cellNames, signOf } from './CellSign.tsx'
import classes from './CompetencyGrid.module.css'
import type { ProgressProcedure, ProgressRow } from './progress-rows.ts'

type CompetencyRowProps = {
  index: number
  top: number
  /** Undefined while its page is on the way. */
  row: ProgressRow | undefined
  columns: readonly ProgressProcedure[]
  /** Only cells from the first to the last of these columns are drawn. */
  first: number
  last: number
  needed: number
  cursor: number | undefined
  /** Widths of the names and of a column in pixels: reckoned here, not by the style of each of a thousand cells. */
  places: { names: number; column: number }
  ticks: Ticks | undefined
}

/** One student; drawn again only when something about them changes. */
export const CompetencyRow = memo(function CompetencyRow(props: CompetencyRowProps) {
  const { index, row, columns, first, last, cursor, places } = props
  const words = useWords()
  const nameOf = cellNames(words)
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={index + 3}
      data-row={index}
      data-current={cursor !== undefined || undefined}
      style={{ transform: `translateY(${props.top}px)` }}
    >
      {row ? (
        <StudentHead row={row} needed={props.needed} ticks={props.ticks} />
      ) : (
        <span className={classes.student} role="rowheader" aria-colindex={1} data-waiting>
          <i aria-hidden />
          <span className="p-sr-only">{words('competencyProgress.loading')}</span>
        </span>
      )}
      {row &&
        eachOf({ from: first, through: last }, columns.length).map((column) => {
          // Within the columns.
          const { Id, Name, At } = columns[column]!
          const cell = row.cells.charAt(At)
          const isCursor = column === cursor
          return (
            <span
              key={Id}
              {...(isCursor && { id: 'competency-cursor' })}
              role="gridcell"
              aria-colindex={column + 2}
              aria-selected={isCursor}
              aria-label={`${Name}: ${nameOf(cell)}`}
              className={classes.cell}
              data-state={stateOfCell(cell)}
              data-cursor={isCursor || undefined}
              style={{ left: places.names + column * places.column + 3 }}
            >
              {signOf(cell)}
            </span>
          )
        })}
    </div>
  )
})

type StudentHeadProps = { row: ProgressRow; needed: number; ticks: Ticks | undefined }

const StudentHead = memo(function StudentHead({ row, needed, ticks }: StudentHeadProps) {
  const { id, name, level, done, passed, expected, isBehind } = row
  const words = useWords()
  return (
    <span className={classes.student} role="rowheader" aria-colindex={1}>
      {ticks && <Tick id={id} name={name} ticks={ticks} />}
      <span className={`${people.studentName} ${classes.studentName}`} title={name}>
        <StudentLink id={id}>{name}</StudentLink>
      </span>
      {isBehind && (
        <span
          className={classes.behind}
          role="img"
          aria-label={words('competencyProgress.behindPace', { passed, expected: expected ?? 0 })}
          title={words('competencyProgress.behindPace', { passed, expected: expected ?? 0 })}
        >
          <IconAlertTriangleFilled size={14} aria-hidden />
        </span>
      )}
      {level !== null && <span className={people.level}>{level}</span>}
      <span className={classes.done} title={words('competencyProgress.passedOf', { done, needed })}>
        {words('competencyProgress.ofNeeded', { done, needed })}
      </span>
    </span>
  )
})

function Tick({ id, name, ticks }: { id: number; name: string; ticks: Ticks }) {
  const words = useWords()
  const isTicked = useSyncExternalStore(ticks.watch, () => ticks.now().has(id))
  return (
    <input
      type="checkbox"
      className={classes.tick}
      tabIndex={-1}
      aria-label={words('competencyProgress.tick', { name })}
      checked={isTicked}
      onChange={() => toggleTick(ticks, id)}
    />
  )
}

export const toggleTick = (ticks: Ticks, id: number): void => {
  const next = new Set(ticks.now())
  if (!next.delete(id)) next.add(id)
  ticks.set(next)
}
