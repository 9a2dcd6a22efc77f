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

test('A6 a fingerprint tells any change of what was read, but for counts and what is named', () => {
  const seen = { Id: 4, Name: 'Imaging', UserCount: 2, Shifts: [1] }
  expect(fingerprint({ ...seen, UserCount: 3 })).toBe(fingerprint(seen))
  expect(fingerprint({ ...seen, Shifts: [] }, ['Shifts'])).toBe(fingerprint(seen, ['Shifts']))
  expect(fingerprint({ ...seen, Shifts: [] })).not.toBe(fingerprint(seen))
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const isEqual = JSON.stringify({ a }) === JSON.stringify({ a: b })
      expect(fingerprint({ a }) === fingerprint({ a: b })).toBe(isEqual)
    }),
  )
})
