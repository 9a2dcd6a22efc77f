import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, drawingOf, isIn } from './outlines.ts'
import { numbersOf, shortText } from './short-numbers.ts'

const wholes = fc.array(fc.integer({ min: -200_000, max: 200_000 }))

test('whole numbers come back from their short text, and small ones take one character', () => {
  fc.assert(
    fc.property(wholes, (numbers) => {
      expect(numbersOf(shortText(numbers))).toEqual(numbers)
    }),
  )
  expect(shortText([0, 15, -15])).toHaveLength(3)
})

const boxAt = (west: number, south: number, size = 0.5): Box => ({
  west,
  south,
  east: west + size,
  north: south + size,
})

test('a file is wanted where the map shows one of its degrees, and nowhere else', () => {
  // One degree at 90° west and 40° north, and two that end a row and begin the next.
  const first = (40 + 90) * 360 + 90
  const cells = shortText([first, 1, 360 - 90 - 2, 2])
  expect(isIn(cells, boxAt(-89.9, 40.1))).toBe(true)
  expect(isIn(cells, boxAt(-91, 40.2, 3))).toBe(true)
  expect(isIn(cells, boxAt(-88.9, 40.1))).toBe(false)
  expect(isIn(cells, boxAt(-89.9, 41.1))).toBe(false)
  expect(isIn(cells, boxAt(179.2, 40.1))).toBe(true)
  expect(isIn(cells, boxAt(-179.9, 41.1))).toBe(true)
  expect(isIn(cells, boxAt(0, 40.1))).toBe(false)
})

test('rings are put together from lines, also backwards, and county lines are apart from the others', () => {
  const lines = [
    [0, 0, 2, 0],
    [0, 0, 0, 2, 2, 0, 0, -2],
  ]
  const drawn = drawingOf({
    origin: [-100, 40],
    step: [0.5, 0.25],
    lines: lines.map(shortText).join(' '),
    inner: 1,
    outer: 1,
    areas: [[[1, ~0]]],
  })
  const edge = [
    [40, -100],
    [40.5, -100],
    [40.5, -99],
    [40, -99],
  ]
  expect(drawn.outer).toEqual([edge])
  expect(drawn.inner).toEqual([
    [
      [40, -100],
      [40, -99],
    ],
  ])
  expect(drawn.areas).toEqual([[[...edge, [40, -99], [40, -100]]]])
})

test('an area across the date line is drawn on both sides of the map and not around the globe', () => {
  const drawn = drawingOf({
    origin: [0, 0],
    step: [1, 1],
    lines: shortText([170, 60, 5, 0, -350, 0, 0, 5, 345, 0, 0, -5]),
    inner: 0,
    outer: 1,
    areas: [[[0]]],
  })
  expect(drawn.areas.map(([ring = []]) => ring.map(([, lng]) => lng))).toEqual([
    [170, 175, 185, 185, 170, 170],
    [-190, -185, -175, -175, -190, -190],
  ])
  for (const [at, line] of drawn.outer.entries())
    for (const [, lng] of line) expect(Math.sign(lng), `piece ${at}`).toBe(Math.sign(line[0]![1]))
})
