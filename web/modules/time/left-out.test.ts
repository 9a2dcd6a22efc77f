import { expect, test } from 'vitest'
import { plainWords } from '#web/words/plain-words.ts'
import { leftOutText } from './left-out.ts'

test('what was left out is told by reason and number, and nothing where nothing is', () => {
  expect(
    leftOutText(plainWords, [
      { Reason: 'careful', Count: 11 },
      { Reason: 'review', Count: 0 },
      { Reason: 'change_asked', Count: 2 },
    ]),
  ).toBe('Left out: 11 in Careful Review, 2 with time change requests')
  expect(leftOutText(plainWords, [{ Reason: 'change_asked', Count: 1 }])).toBe(
    'Left out: 1 with a time change request',
  )
  expect(leftOutText(plainWords, [{ Reason: 'careful', Count: 0 }])).toBe('')
})
