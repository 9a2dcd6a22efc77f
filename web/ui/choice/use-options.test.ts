import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  filterOptions,
  fullMessage,
  lettersMessage,
  maxOptions,
  type OptionSource,
  useOptions,
} from './use-options.ts'

const options = Array.from({ length: 250 }, (_, index) => ({
  value: String(index),
  label: `Place ${index}`,
  detail: index === 7 ? 'Peñasco' : undefined,
}))

test('D3-345 a list shows at most 100 options until something is typed', () => {
  expect(filterOptions(options, '')).toHaveLength(maxOptions)
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

/** What the open list says and shows for a typed text. */
const listOf = (source: OptionSource, text: string) => {
  let found: ReturnType<typeof useOptions> | undefined
  const List = () => {
    found = useOptions(source, text, true)
    return null
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, createElement(List)))
  return found!
}

test('A55 a list that stops at 100 says so, and one that ends there does not', () => {
  expect(listOf({ options }, '')).toMatchObject({
    message: 'Showing the first 100. Type to narrow the list.',
    shown: { length: maxOptions },
  })
  expect(listOf({ options: options.slice(0, 100) }, '').message).toBeUndefined()
  expect(listOf({ options }, 'place 24').message).toBeUndefined()
})

test('A83 D2-211 a search longer than the server takes asks for fewer letters, in every list', () => {
  const search = async () => ({ options: [] })
  expect(listOf({ search }, 'x'.repeat(101)).message).toBe('Please delete 1 character')
  expect(listOf({ search }, 'x'.repeat(103)).message).toBe('Please delete 3 characters')
  expect(listOf({ search }, 'x'.repeat(100)).message).not.toMatch(/delete/)
})
