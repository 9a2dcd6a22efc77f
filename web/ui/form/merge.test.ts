import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { differences, mergeValues } from './merge.ts'

const base = { Name: 'Imaging', IsActive: true, Notes: '' }

test('A6 what I did not touch becomes theirs, what I typed stays mine', () => {
  const mine = { ...base, Notes: 'Ask for a second room' }
  const theirs = { ...base, Name: 'Imaging North', Notes: 'Closed on Fridays' }
  expect(mergeValues(base, mine, theirs)).toEqual({
    values: { Name: 'Imaging North', IsActive: true, Notes: 'Ask for a second room' },
    theirChanges: ['Name', 'Notes'],
  })
})

test("A6 a change that both made alike is nobody's news", () => {
  const both = { ...base, IsActive: false }
  expect(mergeValues(base, both, both)).toEqual({ values: both, theirChanges: [] })
})

const values = fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) })

test('A6 no field of a merge is lost: each is mine if I touched it, theirs if not', () => {
  fc.assert(
    fc.property(values, values, values, (start, mine, theirs) => {
      const touched = new Set<string>(differences(mine, start))
      const merged = mergeValues(start, mine, theirs).values
      for (const name of ['a', 'b', 'c'] as const)
        expect(merged[name]).toBe(touched.has(name) ? mine[name] : theirs[name])
    }),
  )
})

test('A6 lists are put together item by item: what either added, removed or changed stays so', () => {
  const row = (Id: number, Phone = '1', Role = '') => ({ Id, Phone, Role })
  const merge = (before: unknown[], mine: unknown[], theirs: unknown[]) =>
    mergeValues({ List: before }, { List: mine }, { List: theirs }).values.List
  const before = [row(1), row(2), row(3), row(4)]
  const mine = [row(1, '2'), row(3), row(4, '5'), row(0, 'new')]
  const theirs = [row(1, '1', 'Manager'), row(2), row(9)]
  expect(merge(before, mine, theirs)).toEqual([row(1, '2', 'Manager'), row(4, '5'), row(0, 'new'), row(9)])
  const ids = fc.uniqueArray(fc.nat(9))
  fc.assert(
    fc.property(ids, ids, ids, (start, own, other) => {
      const merged = merge(start, own, other) as number[]
      for (const id of Array.from({ length: 10 }, (_, index) => index)) {
        const isMineToSay = own.includes(id) !== start.includes(id)
        expect(merged.includes(id)).toBe((isMineToSay ? own : other).includes(id))
      }
    }),
  )
})

test('A6 a fingerprint tells any change of what was read, but for counts', () => {
  const seen = { Id: 4, Name: 'Imaging', UserCount: 2, Shifts: [1] }
  expect(fingerprint({ ...seen, UserCount: 3 })).toBe(fingerprint(seen))
  expect(fingerprint({ ...seen, Shifts: [] })).not.toBe(fingerprint(seen))
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const isEqual = JSON.stringify({ a }) === JSON.stringify({ a: b })
      expect(fingerprint({ a }) === fingerprint({ a: b })).toBe(isEqual)
    }),
  )
})
