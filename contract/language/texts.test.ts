import { expect, test } from 'vitest'
import { inLanguage, sentence, text } from './texts.ts'

const left = text(
  '{Count} {Count|day is|days are} left{IsLate|, late|}.',
  '{Count|Queda|Quedan} {Count} {Count|día|días}{IsLate|, tarde|}.',
)

test('a sentence is said in each language, with the words that its numbers ask for', () => {
  const one = sentence(left, { Count: 1, IsLate: false })
  const several = sentence(left, { Count: 3, IsLate: true })
  expect([inLanguage(one, 'en'), inLanguage(several, 'en')]).toEqual([
    '1 day is left.',
    '3 days are left, late.',
  ])
  expect([inLanguage(one, 'es'), inLanguage(several, 'es')]).toEqual([
    'Queda 1 día.',
    'Quedan 3 días, tarde.',
  ])
})

test('what has no Spanish is said in English, and sentences within one are in its language', () => {
  const why = text('{Name}: {Why} {More}', '{Name}: {Why} {More}')
  const told = sentence(why, {
    Name: '{Name}',
    Why: sentence(text('It is late.', 'Es tarde.')),
    More: [sentence(text('Wait.', 'Espere.')), sentence(text('Staff know.'))],
  })
  expect(inLanguage(told, 'en')).toBe('{Name}: It is late. Wait. Staff know.')
  expect(inLanguage(told, 'es')).toBe('{Name}: Es tarde. Espere. Staff know.')
})

test('a sentence that was kept as JSON says the same', () => {
  const told = sentence(left, { Count: 2, IsLate: false })
  expect(inLanguage(JSON.parse(JSON.stringify(told)), 'es')).toBe('Quedan 2 días.')
})

test('values and Spanish have to fit the English text', () => {
  // @ts-expect-error a value is missing
  sentence(left, { Count: 1 })
  // @ts-expect-error the words depend on a number
  sentence(left, { Count: '1', IsLate: true })
  // @ts-expect-error Spanish leaves a value out
  text('{Name} is late.', 'Es tarde.')
})
