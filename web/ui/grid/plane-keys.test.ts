import { expect, test } from 'vitest'
import { cellAfterKey } from './plane-keys.ts'

const size = { rows: 100, columns: 80, page: 20 }
const press = (key: string, row: number, column: number, ctrlKey = false) =>
  cellAfterKey({ key, ctrlKey }, { row, column }, size)

test('keys move a cell at a time, a page, and to the ends', () => {
  expect(press('ArrowDown', 4, 7)).toEqual({ row: 5, column: 7 })
  expect(press('ArrowUp', 4, 7)).toEqual({ row: 3, column: 7 })
  expect(press('ArrowLeft', 4, 7)).toEqual({ row: 4, column: 6 })
  expect(press('ArrowRight', 4, 7)).toEqual({ row: 4, column: 8 })
  expect(press('PageDown', 4, 7)).toEqual({ row: 24, column: 7 })
  expect(press('Home', 4, 7)).toEqual({ row: 4, column: 0 })
  expect(press('End', 4, 7)).toEqual({ row: 4, column: 79 })
  expect(press('Home', 4, 7, true)).toEqual({ row: 0, column: 0 })
  expect(press('End', 4, 7, true)).toEqual({ row: 99, column: 79 })
})

test('the edges hold, and other keys do not move', () => {
  expect(press('ArrowUp', 0, 0)).toEqual({ row: 0, column: 0 })
  expect(press('PageUp', 4, 7)).toEqual({ row: 0, column: 7 })
  expect(press('PageDown', 95, 7)).toEqual({ row: 99, column: 7 })
  expect(press('ArrowRight', 4, 79)).toEqual({ row: 4, column: 79 })
  expect(press('Enter', 4, 7)).toBeUndefined()
  expect(
    cellAfterKey(
      { key: 'ArrowDown', ctrlKey: false },
      { row: 0, column: 0 },
      { rows: 0, columns: 0, page: 1 },
    ),
  ).toEqual({
    row: 0,
    column: 0,
  })
})
