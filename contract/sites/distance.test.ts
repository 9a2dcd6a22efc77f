import { expect, test } from 'vitest'
import { formatDistance } from './distance.ts'

test('A33 distances are feet, and miles from half a mile on', () => {
  expect([0, 14, 30, 269, 584, 804, 805, 3218, 16_093].map(formatDistance)).toEqual([
    '0 ft',
    '46 ft',
    '98 ft',
    '880 ft',
    '1,900 ft',
    '2,600 ft',
    '0.5 mi',
    '2.0 mi',
    '10.0 mi',
  ])
})
