import { type CompetencyState, logsMissing, type ProcedureCounts, stateOf } from './standing-rules.ts'

/** How a procedure is in the grid: what its logs come to, and past them its exams. */
export const gridStates = [
  'not-begun',
  'more',
  'waiting',
  'ready',
  'passed',
] as const satisfies readonly (CompetencyState | 'passed')[]
export type GridState = (typeof gridStates)[number]

/** The most logs that one character can say are missing. */
const mostMissing = 9

const letterOf: Readonly<Record<Exclude<GridState, 'more'>, string>> = {
  'not-begun': 'n',
  waiting: 'w',
  ready: 'r',
  passed: 'p',
}
const stateOfLetter = new Map<string, GridState>(
  Object.entries(letterOf).map(([state, letter]) => [letter, state as GridState]),
)

/** A cell in one character: a letter, or how many logs are missing, at most 9. The database keeps the same. */
export const cellOf = (counts: ProcedureCounts): string => {
  const state = stateOf(counts)
  return state === 'more' ? String(Math.min(mostMissing, logsMissing(counts))) : letterOf[state]
}

/** The state that a cell says; what is no cell is not begun. */
export const stateOfCell = (cell: string): GridState =>
  cell >= '1' && cell <= '9' ? 'more' : (stateOfLetter.get(cell) ?? 'not-begun')

/** The cells that say a state. */
export const cellsOfState = (state: GridState): string =>
  state === 'more' ? '123456789' : letterOf[state]

/** How many cells of each column say each state, in the order of the columns of the rows. */
export const countCells = (rows: readonly string[], columns: number): Record<GridState, number[]> => {
  const counts = Object.fromEntries(
    gridStates.map((state) => [state, Array.from({ length: columns }, () => 0)]),
  ) as Record<GridState, number[]>
  for (const cells of rows)
    for (let at = 0; at < columns; at++) {
      // Every state has a count for every column.
      counts[stateOfCell(cells.charAt(at))]![at]!++
    }
  return counts
}
