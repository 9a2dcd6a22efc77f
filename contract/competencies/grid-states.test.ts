import { expect, test } from 'vitest'
import { type CellFacts, cellOf, cellsOfState, countCells, gridStates, stateOfCell } from './grid-states.ts'

const facts = (change: Partial<CellFacts>): CellFacts => ({
  LogsNeeded: 5,
  Counted: 0,
  CountedWaiting: 0,
  Logged: 0,
  LacksLabCheck: false,
  Exam: null,
  ...change,
})

test('a cell is one character that says its state', () => {
  expect(cellOf(facts({}))).toBe('n')
  expect(cellOf(facts({ Logged: 3 }))).toBe('5')
  expect(cellOf(facts({ LogsNeeded: 40, Logged: 3, Counted: 3 }))).toBe('9')
  expect(cellOf(facts({ Logged: 5, Counted: 3, CountedWaiting: 2 }))).toBe('w')
  expect(cellOf(facts({ Logged: 5, Counted: 5 }))).toBe('r')
  expect(cellOf(facts({ Logged: 5, Counted: 5, LacksLabCheck: true }))).toBe('l')
  expect(cellOf(facts({ Logged: 5, Counted: 3, LacksLabCheck: true }))).toBe('2')
  expect(cellOf(facts({ Exam: 'failed', LacksLabCheck: true }))).toBe('f')
  expect(cellOf(facts({ Exam: 'simulated' }))).toBe('s')
  expect(cellOf(facts({ Exam: 'passed' }))).toBe('p')
})

test('every cell says one state, and every state has its cells', () => {
  for (const state of gridStates)
    for (const cell of cellsOfState(state)) expect(stateOfCell(cell)).toBe(state)
  expect(gridStates.map(cellsOfState).join('').length).toBe(16)
  expect(stateOfCell('')).toBe('not-begun')
})

test('columns are counted by state, short rows as not begun', () => {
  const counts = countCells(['pn3', 'pr'], 3)
  expect(counts.passed).toEqual([2, 0, 0])
  expect(counts.ready).toEqual([0, 1, 0])
  expect(counts.more).toEqual([0, 0, 1])
  expect(counts['not-begun']).toEqual([0, 1, 1])
})
