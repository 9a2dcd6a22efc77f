// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table cannot be placed freely
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its current cell

import { memo, type ReactNode } from 'react'
import { useWords } from '#web/words/use-words.ts'
import classes from './CompetencyGrid.module.css'
import type { ProgressHead, ProgressProcedure } from './progress-rows.ts'

/** Neighboring columns of one major study. */
const bandsOf = (head: ProgressHead, columns: readonly ProgressProcedure[]) => {
  const nameOf = new Map(head.Studies.map(({ Id, Name }) => [Id, Name]))
  const bands: { id: number; name: string; length: number }[] = []
  for (const { MajorStudyId } of columns) {
    const last = bands.at(-1)
    if (last?.id === MajorStudyId) last.length++
    else bands.push({ id: MajorStudyId, name: nameOf.get(MajorStudyId) ?? '', length: 1 })
  }
  return bands
}

type CompetencyHeadProps = {
  head: ProgressHead | undefined
  columns: readonly ProgressProcedure[]
  cursor: number
  /** The tick of all rows. */
  tick: ReactNode
}

/** Major studies, procedures, and the share of students who have passed each; all stay at the top. */
export const CompetencyHead = memo(function CompetencyHead({
  head,
  columns,
  cursor,
  tick,
}: CompetencyHeadProps) {
  const words = useWords()
  const count = head?.StudentCount ?? 0
  const of = (state: 'passed' | 'simulated' | 'ready', at: number) => head?.Counts[state]?.[at] ?? 0
  return (
    <div className={classes.head} role="rowgroup">
      <div className={classes.bands} aria-hidden>
        <span className={classes.corner} />
        {head &&
          bandsOf(head, columns).map(({ id, name, length }) => (
            <span
              key={id}
              className={classes.band}
              title={name}
              style={{ width: `calc(${length} * var(--column))` }}
            >
              <span>{name}</span>
            </span>
          ))}
      </div>
      <div className={classes.names} role="row" aria-rowindex={1}>
        <span className={classes.corner} role="columnheader" aria-colindex={1}>
          {tick}
          <b>{head && words('competencyProgress.studentCount', { count })}</b>
          <span>{words('competencyProgress.passedHead')}</span>
        </span>
        {columns.map(({ Id, Name, At, IsMandatory }, column) => (
          <span
            key={Id}
            role="columnheader"
            aria-colindex={column + 2}
            className={classes.name}
            data-elective={!IsMandatory || undefined}
            data-current={column === cursor || undefined}
            title={words('competencyProgress.columnTitle', {
              name: Name,
              passed: of('passed', At) + of('simulated', At),
              count,
              ready: of('ready', At),
            })}
          >
            <span>{Name}</span>
          </span>
        ))}
      </div>
      <div className={classes.shares} role="row" aria-rowindex={2}>
        <span className={classes.corner} role="rowheader" aria-colindex={1}>
          <span>{words('competencyProgress.passedShare')}</span>
        </span>
        {columns.map(({ Id, At }, column) => {
          const share = count === 0 ? 0 : (100 * (of('passed', At) + of('simulated', At))) / count
          return (
            <span key={Id} role="gridcell" aria-colindex={column + 2} className={classes.share}>
              <span>{Math.round(share)}</span>
              <i aria-hidden>
                <u style={{ width: `${share}%` }} />
              </i>
            </span>
          )
        })}
      </div>
    </div>
  )
})
