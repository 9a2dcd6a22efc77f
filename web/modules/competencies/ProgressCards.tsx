import { getCompetencyGrid } from '#contract/competencies/competency-grid.ts'
import { type GridState, gridStates, stateOfCell } from '#contract/competencies/grid-states.ts'
import { useRead } from '#web/api/use-call.ts'
import { useStudentAddress } from '#web/shared/StudentLink.tsx'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './ProgressCards.module.css'
import { type ProgressHead, type ProgressInput, type ProgressRow, rowsOfProgress } from './progress-rows.ts'

/** In a bar what is done comes first. */
const barOrder = gridStates.toReversed()

const partsOf = (cells: string): { state: GridState; count: number }[] => {
  const counts = new Map<GridState, number>()
  for (const cell of cells) {
    const state = stateOfCell(cell)
    counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return barOrder.flatMap((state) => {
    const count = counts.get(state) ?? 0
    return count === 0 ? [] : [{ state, count }]
  })
}

/** Students with a bar each in place of the grid, for phones; a student's card opens from here. */
export function ProgressCards(props: {
  input: ProgressInput
  head: ProgressHead | undefined
  paging: { page: number; pageSize: number }
  filters: { isFiltered: boolean; reset: () => void }
}) {
  const { input, head, paging } = props
  const words = useWords()
  const addressOf = useStudentAddress()
  const page = useRead(getCompetencyGrid, {
    params: input.params,
    query: { ...input.query, Offset: (paging.page - 1) * paging.pageSize, Limit: paging.pageSize },
  })
  const needed = head?.Needed ?? 0
  return (
    <Grid
      id="competency-progress"
      label={words('competencyProgress.grid')}
      columns={[
        { id: 'name', header: words('competencyProgress.sortName'), identity: true },
        { id: 'done', header: words('competencyProgress.passedHead'), width: 100 },
      ]}
      rows={page.data && rowsOfProgress(page.data)}
      isLoading={page.isFetching}
      error={page.error?.message}
      onRetry={() => void page.refetch()}
      rowKey={({ id }) => id}
      empty={{ text: words('competencyProgress.noStudents'), filters: props.filters }}
      card={(row: ProgressRow) => (
        <RouterLink href={`${addressOf(row.id)}?tab=competencies`} className={classes.open}>
          <div className={classes.line}>
            <b>{row.name}</b>
            <span>{words('competencyProgress.ofNeeded', { done: row.done, needed })}</span>
          </div>
          <div className={classes.bar} aria-hidden>
            {partsOf(row.cells).map(({ state, count }) => (
              <i key={state} data-state={state} style={{ flexGrow: count }} />
            ))}
          </div>
          {row.isBehind && (
            <span className={classes.behind}>
              <StatusTag status="careful">
                {words('competencyProgress.behindPace', { passed: row.passed, expected: row.expected ?? 0 })}
              </StatusTag>
            </span>
          )}
        </RouterLink>
      )}
    />
  )
}
