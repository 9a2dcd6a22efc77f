import { expect, test } from 'vitest'
import { DateOnly } from './fields.ts'

test('A38 a date that is wrong gets one error, whatever is wrong with it', () => {
  const errorsOf = (text: string) => DateOnly.safeParse(text).error?.issues.map(({ message }) => message)
  expect(errorsOf('nope')).toEqual(['Enter a date as mm/dd/yyyy.'])
  expect(errorsOf('2026-02-31')).toEqual(['is not a day of the calendar'])
  expect(errorsOf('2199-01-01')).toEqual(['must be between 01/01/1900 and 12/31/2099'])
  expect(errorsOf('2026-02-28')).toBeUndefined()
})
