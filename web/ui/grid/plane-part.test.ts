import { expect, test } from 'vitest'
import { columnsDrawn, covers, eachOf, partInView, rowsDrawn, withAhead } from './plane-part.ts'

const sizes = { height: 36, width: 66, head: 82, sticky: 248 }
const top = { scrollTop: 0, scrollLeft: 0, clientWidth: 1280, clientHeight: 600 }

test('the part in view holds every row and column of which a pixel is seen, and at most a step more on each side', () => {
  for (let at = 0; at < 3_000; at += 7) {
    const { rows, columns } = partInView({ ...top, scrollTop: at, scrollLeft: at }, sizes)
    const firstRow = Math.floor(at / 36)
    const lastRow = Math.floor((at + 600 - 82 - 1) / 36)
    const firstColumn = Math.floor(at / 66)
    const lastColumn = Math.floor((at + 1280 - 248 - 1) / 66)
    expect(covers(rows, { from: firstRow, through: lastRow })).toBe(true)
    expect(covers(columns, { from: firstColumn, through: lastColumn })).toBe(true)
    expect(covers({ from: firstRow - 2, through: lastRow + 3 }, rows)).toBe(true)
    expect(covers({ from: firstColumn - 1, through: lastColumn + 2 }, columns)).toBe(true)
  }
})

test('scrolling within a step changes nothing', () => {
  const before = partInView({ ...top, scrollTop: 3 * 36 }, sizes)
  expect(partInView({ ...top, scrollTop: 3 * 36 + 10 }, sizes)).toEqual(before)
})

test('a view lower than its head still has a row', () => {
  const { rows } = partInView({ ...top, scrollTop: 360, clientHeight: 40 }, sizes)
  expect(covers(rows, { from: 10, through: 10 })).toBe(true)
})

test('what is drawn ahead is around the part', () => {
  const part = partInView({ ...top, scrollTop: 1_000, scrollLeft: 1_000 }, sizes)
  expect(covers(withAhead(part).rows, part.rows) && covers(withAhead(part).columns, part.columns)).toBe(true)
})

test('those of a stretch come in order and within the whole', () => {
  expect(eachOf({ from: -3, through: 2 }, 10)).toEqual([0, 1, 2])
  expect(eachOf({ from: 7, through: 12 }, 10)).toEqual([7, 8, 9])
  expect(eachOf({ from: 2, through: 4 }, 0)).toEqual([])
})

test('of a row in view no column of the view is missing, whatever is drawn around it, and of others only what is around', () => {
  const view = partInView({ ...top, scrollTop: 1_000, scrollLeft: 1_000 }, sizes)
  const near = withAhead(partInView({ ...top, scrollTop: 1_200, scrollLeft: 1_200 }, sizes))
  const far = withAhead(partInView(top, sizes))
  for (const around of [withAhead(view), near, far]) {
    expect(covers(rowsDrawn(view, around), view.rows)).toBe(true)
    for (const row of [view.rows.from, view.rows.through])
      expect(covers(columnsDrawn(row, view, around), view.columns)).toBe(true)
  }
  expect(covers(rowsDrawn(view, near), near.rows)).toBe(true)
  expect(columnsDrawn(near.rows.through, view, near)).toEqual(near.columns)
  // What was around another view is gone at once.
  expect([rowsDrawn(view, far).from, columnsDrawn(view.rows.from, view, far)]).toEqual([
    view.rows.from,
    view.columns,
  ])
})
