import type { ReactNode } from 'react'
import { type GridState, stateOfCell } from '#contract/competencies/grid-states.ts'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import classes from './CompetencyGrid.module.css'

/** How it is drawn is in the style sheet: each attribute here would be set hundreds of times with every screen of cells. */
const icon = (path: string): ReactNode => (
  <svg viewBox="0 0 24 24" aria-hidden>
    <path d={path} />
  </svg>
)

/** One element for all cells of a state: hundreds of them are drawn at a time. */
const signs: Readonly<Record<GridState, ReactNode>> = {
  'not-begun': null,
  more: null,
  waiting: icon('M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0 -18M12 7v5l3 3'),
  lab: icon('M9 3h6M10 3v6l-5 10a1.5 1.5 0 0 0 1.4 2h11.2a1.5 1.5 0 0 0 1.4 -2l-5 -10v-6'),
  ready: icon('M7 4v16l13 -8z'),
  failed: icon('M18 6l-12 12M6 6l12 12'),
  simulated: 'S',
  passed: icon('M5 12l5 5l10 -10'),
}

const stateWords: Readonly<Record<GridState, WordKey>> = {
  'not-begun': 'competencyProgress.state_notBegun',
  more: 'competencyProgress.state_more',
  waiting: 'competencyProgress.state_waiting',
  lab: 'competencyProgress.state_lab',
  ready: 'competencyProgress.state_ready',
  failed: 'competencyProgress.state_failed',
  simulated: 'competencyProgress.state_simulated',
  passed: 'competencyProgress.state_passed',
}

export const stateName = (words: Words, state: GridState): string => words(stateWords[state])

/** What a cell says: its state, or how many logs are missing. */
export const cellName = (words: Words, cell: string): string => {
  const state = stateOfCell(cell)
  if (state !== 'more') return stateName(words, state)
  return cell === '9'
    ? words('competencyProgress.missingMany')
    : words('competencyProgress.missing', { count: Number(cell) })
}

const known = new WeakMap<Words, Map<string, string>>()
/** `cellName` for many cells: each text is made once, however many cells say it. */
export const cellNames = (words: Words): ((cell: string) => string) => {
  const names = known.get(words) ?? new Map<string, string>()
  known.set(words, names)
  return (cell) => {
    const name = names.get(cell) ?? cellName(words, cell)
    names.set(cell, name)
    return name
  }
}

/** A cell's color and sign, for a legend and for lists. */
export function CellMark({ cell }: { cell: string }) {
  const state = stateOfCell(cell)
  return (
    <span className={classes.mark} data-state={state} aria-hidden>
      {state === 'more' ? cell : signs[state]}
    </span>
  )
}

/** The sign of a cell that is drawn elsewhere. */
export const signOf = (cell: string): ReactNode => {
  const state = stateOfCell(cell)
  return state === 'more' ? cell : signs[state]
}
