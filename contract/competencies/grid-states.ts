import { logsMissing, type ProcedureCounts, stateOf } from './standing-rules.ts'

/**
 * How a procedure is in the grid. `lab`: enough is logged, and faculty has not checked it in the lab. `simulated`: passed in
 * simulation alone. `failed`: not passed at the last attempt.
 */
export const gridStates = [
  'not-begun',
  'more',
  'waiting',
  'lab',
  'ready',
  'failed',
  'simulated',
  'passed',
] as const
export type GridState = (typeof gridStates)[number]

/** What decides a cell. */
export interface CellFacts extends ProcedureCounts {
  /** Faculty has to check it in the lab first and has not. */
  LacksLabCheck: boolean
  Exam: 'passed' | 'simulated' | 'failed' | null
}

/** Maximum missing-log count that fits in one character. */
const mostMissing = 9

const letterOf: Readonly<Record<Exclude<GridState, 'more'>, string>> = {
  'not-begun': 'n',
  waiting: 'w',
  lab: 'l',
  ready: 'r',
  failed: 'f',
  simulated: 's',
  passed: 'p',
}
const stateOfLetter = new Map<string, GridState>(
  Object.entries(letterOf).map(([state, letter]) => [letter, state as GridState]),
)

/** What an exam says comes before what logs say. */
export const gridStateOf = (facts: CellFacts): GridState => {
  if (facts.Exam) return facts.Exam
  const state = stateOf(facts)
  return state === 'ready' && facts.LacksLabCheck ? 'lab' : state
}

/** A cell in one character: a letter, or how many logs are missing, at most 9. `judge_competencies` of the database says the same. */
export const cellOf = (facts: CellFacts): string => {
  const state = gridStateOf(facts)
  return state === 'more' ? String(Math.min(mostMissing, logsMissing(facts))) : letterOf[state]
}

/** The state that a cell says; what is no cell is not begun. */
export const stateOfCell = (cell: string): GridState =>
  cell >= '1' && cell <= '9' ? 'more' : (stateOfLetter.get(cell) ?? 'not-begun')

/** The cells that say a state. */
export const cellsOfState = (state: GridState): string => (state === 'more' ? '123456789' : letterOf[state])

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
