import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestPlace, type Control, freePlace } from './toast-place.ts'

const room = { left: 0, top: 4, right: 40, bottom: 40 }
const size = { width: 9, height: 5 }
const gap = 8
const control = fc
  .tuple(fc.nat(38), fc.nat(38), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 6 }))
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height, weight: 1 }))

const covers = (left: number, top: number, all: readonly Control[], around = 0): boolean =>
  all.some(
    (each) =>
      left < each.right &&
      left + size.width > each.left - around &&
      top < each.bottom + around &&
      top + size.height > each.top,
  )

test('a toast covers no button wherever one place of the room is free, and stays in its corner while that is', () =>
  fc.assert(
    fc.property(fc.array(control, { maxLength: 6 }), (all) => {
      const { left, top } = freePlace(size, all, room)
      let isAnyFree = false
      for (let x = room.left; x <= room.right - size.width; x++)
        for (let y = room.top; y <= room.bottom - size.height; y++) isAnyFree ||= !covers(x, y, all, gap)
      if (isAnyFree) expect(covers(left, top, all)).toBe(false)
      if (!covers(room.right - size.width, room.top, all))
        expect([left, top]).toEqual([room.right - size.width, room.top])
    }),
  ))

test('D1-317 a toast that finds no free place covers what matters least, and not the button with the focus', () => {
  const row = (top: number, weight: number): Control => ({ left: 0, right: 40, top, bottom: top + 6, weight })
  const all = [row(0, 10), row(8, 1), row(16, 1_000), row(24, 10), row(32, 10)]
  const { top, bottom } = freePlace(size, all, room)
  expect(top < 22 && bottom > 16).toBe(false)
})

test('D1-317 a toast leaves the upper right part for a main button only, and for a free place', () => {
  const part = { left: 20, top: 0, right: 40, bottom: 20 }
  const screen = { left: 0, top: 0, right: 40, bottom: 40 }
  const filling = (weight: number): Control => ({ ...part, weight })
  const place = (...all: Control[]) => bestPlace(size, all, part, screen)
  expect(place()).toMatchObject({ top: 0, right: 40 })
  expect(place(filling(1))).toMatchObject({ top: 0, right: 40 })
  expect(place(filling(100))).toMatchObject({ top: 0, right: 12 })
  // Nothing is free: the less that matters is covered.
  const rest: Control[] = [
    { left: 0, top: 0, right: 20, bottom: 40, weight: 1_000 },
    { left: 0, top: 20, right: 40, bottom: 40, weight: 1_000 },
  ]
  expect(place(filling(100), ...rest)).toMatchObject({ top: 0, right: 40 })
})
