import { expect, test } from 'vitest'
import { takenFirst } from './merging.ts'

test('what the account that stays lacks is taken from the other one, and nothing else', () => {
  const kept = { FirstName: 'Ada', PhoneNumber: '', StudentNumber: null, Cohort: '2027' }
  const merged = { FirstName: 'Adah', PhoneNumber: '5550100', StudentNumber: 'S-77', Cohort: null }
  expect(takenFirst(kept, merged)).toEqual(['PhoneNumber', 'StudentNumber'])
})
