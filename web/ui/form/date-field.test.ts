import { expect, test } from 'vitest'
import { plainWords } from '#web/words/plain-words.ts'
import { dateProblem } from './DateField.tsx'

const problem = (text: string, min?: string, max?: string) => dateProblem(plainWords, text, min, max)

test('A38 D1-146 a date that is out of range is told the first or last day, and only what is no date is told so', () => {
  expect(problem('01/01/2199')).toBe('Choose 12/31/2099 or earlier.')
  expect(problem('12/31/1899')).toBe('Choose 01/01/1900 or later.')
  expect(problem('11/01/2026', '2026-11-02')).toBe('Choose 11/02/2026 or later.')
  expect(problem('11/03/2026', undefined, '2026-11-02')).toBe('Choose 11/02/2026 or earlier.')
  expect(problem('02/31/2026')).toMatch(/02\/31\/2026 is not a date/)
  expect(problem('11/02/2026', '2026-11-02', '2026-11-02')).toBeNull()
  expect(problem('')).toBeNull()
})
