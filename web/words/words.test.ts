import { describe, expect, test } from 'vitest'
import { en } from './en.ts'
import { wordsFrom } from './words.ts'

type Nested = { readonly [name: string]: string | Nested }

const namesOf = (catalogue: Nested, path = ''): string[] =>
  Object.entries(catalogue).flatMap(([name, text]) =>
    typeof text === 'string' ? [`${path}${name}`] : namesOf(text, `${path}${name}.`),
  )

describe('words', () => {
  const words = wordsFrom(
    {
      list: { rows_one: '{count} {site}', rows_other: '{count} {sites}', rows: 'Rows', done: 'Done {count}' },
    },
    { site: 'clinic', sites: 'clinics' },
  )

  test('a count takes the form that belongs to it, and the terms of the program are filled in', () => {
    expect(words('list.rows', { count: 1 })).toBe('1 clinic')
    expect(words('list.rows', { count: 2 })).toBe('2 clinics')
    expect(words('list.rows', { count: 0 })).toBe('0 clinics')
    expect(words('list.rows', { count: 12_345 })).toBe('12,345 clinics')
    expect(words('list.done', { count: 1 })).toBe('Done 1')
    expect(words('list.rows')).toBe('Rows')
  })

  test('every plural pair of the catalogue is whole, and no other text has its name', () => {
    const names = new Set(namesOf(en))
    const pairs = [...names].filter((name) => /_(one|other)$/.test(name))
    expect(pairs.length).toBeGreaterThan(100)
    for (const name of pairs) {
      const base = name.replace(/_(one|other)$/, '')
      expect(names, base).toContain(`${base}_one`)
      expect(names, base).toContain(`${base}_other`)
      expect(names, base).not.toContain(base)
    }
  })
})
