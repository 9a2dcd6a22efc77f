import { expect, test } from 'vitest'
import { filterOptions, fullMessage, lettersMessage, mostOptions } from './use-options.ts'

const options = Array.from({ length: 250 }, (_, index) => ({
  value: String(index),
  label: `Place ${index}`,
  detail: index === 7 ? 'Peñasco' : undefined,
}))

test('D3-345 a list shows at most 100 options until something is typed', () => {
  expect(filterOptions(options, '')).toHaveLength(mostOptions)
  expect(filterOptions(options, 'place 24')).toHaveLength(13)
})
test('accents, case and the order of words do not matter', () => {
  expect(filterOptions(options, 'penasco PLACE').map((option) => option.value)).toEqual(['7'])
})
test('D2-210 D2-211 D2-212 the list asks for letters, for fewer letters, and says when it is full', () => {
  expect(lettersMessage('', 3)).toBe('Please enter 3 or more characters')
  expect(lettersMessage('ab', 3)).toBe('Please enter 1 or more characters')
  expect(lettersMessage('abc', 3)).toBeUndefined()
  expect(lettersMessage('abcdef', 0, 4)).toBe('Please delete 2 characters')
  expect(lettersMessage('abcde', 0, 4)).toBe('Please delete 1 character')
  expect(fullMessage(3)).toBe('You can only select 3 items')
})
