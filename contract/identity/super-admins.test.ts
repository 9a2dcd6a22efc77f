import { expect, test } from 'vitest'
import { AdminArea } from '#contract/core/levels.ts'
import { Areas, areaNames, holdsAll, mayGrant } from './super-admins.ts'

const every = areaNames.reduce((mask, name) => mask | AdminArea[name], 0)
const masks = Array.from({ length: every + 1 }, (_, mask) => mask)

test('D1-249 D1-250 whoever has no restriction grants and removes everything', () => {
  for (const holds of [null, 0])
    for (const before of masks) for (const after of masks) expect(mayGrant(holds, before, after)).toBe(true)
})

test('D1-003 others grant and remove only what they hold, and never freedom from restriction', () => {
  for (const holds of masks.slice(1))
    for (const before of masks)
      for (const after of masks) {
        const isFreedom = before === 0 || after === 0
        const isWithin = isFreedom ? before === after : ((before ^ after) & ~holds) === 0
        expect(mayGrant(holds, before, after)).toBe(isWithin)
      }
})

test('D1-250 only who has everything of a person may change the person', () => {
  for (const holds of masks.slice(1))
    for (const other of masks) expect(holdsAll(holds, other)).toBe(other !== 0 && (other | holds) === holds)
  expect(holdsAll(null, 0)).toBe(true)
  expect(Areas.safeParse(every + 1).success).toBe(false)
})
