import { globSync, readFileSync } from 'node:fs'
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

/**
 * Words of a translation, or two words for one thing, each with what a US colleague would say.
 */
const strange: [RegExp, string][] = [
  [/\be-mails?\b/i, 'email'],
  [/(?<!fewer |1 |\d or more )\bletters?\b(?! and digits)/i, 'email, or character'],
  [
    /\b(it|that|which|this|there) stands?\b|\bstands? (in|on|at|above|below|beside|behind|alone)\b/i,
    'shows, is',
  ],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [
    /\bnot (there )?any ?more\b|\bnobody\b|\bsomebody\b|\beverybody\b/i,
    'no longer; no one, someone, everyone',
  ],
  [/\bhand(s|ed|ing)? in\b/i, 'submit'],
  [/\b(nothing|nobody|no one|that|which) waits\b|\bwaits? for you\b/i, 'to complete, to approve'],
  [/\bthe other half\b|\bhas no partner\b|\bhave no partner\b/i, 'clock-in, clock-out'],
  [/\bneeds? a look\b|\blook at closely\b/i, 'review'],
  [/\bis (back|among)\b|\bis on its way\b/i, 'restored; sent'],
  [/\bowed?s? (by|a|the) student\b/i, 'required'],
  [/\b(nobody|no one|nothing|no (?!longer)\{?\w+\}?) fits?\b/i, 'No … match'],
  [/\blicen[c]e\b/i, 'license'],
  [/\bleft away\b|\bwrite (a|the) (name|label|number)\b/i, 'removed; enter'],
  [/\bmost (hours|students)\b/i, 'maximum'],
  [/\bSee (them|the)\b/, 'View'],
]

test('no text of the screens reads like a translation', () => {
  const textOf = (name: string): string =>
    name.split('.').reduce<unknown>((found, part) => (found as Nested)[part], en) as string
  const found = namesOf(en).flatMap((name) =>
    strange
      .filter(([pattern]) => pattern.test(textOf(name)))
      .map(([, better]) => `${name}: ${textOf(name)} (${better})`),
  )
  expect(found).toEqual([])
})

test('texts of the screens are in the catalogue, not in the components', () => {
  const written = globSync('web/**/*.tsx').flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    return [
      ...code.matchAll(/\b(?:aria-label|title|label|placeholder|alt)="[^"]*[A-Za-z]{2}[^"]*"/g),
      ...code.matchAll(/^\s+[A-Z][a-z]+ [a-z]+[^<>{}();=]*$/gm),
    ].map(([text]) => `${file}: ${text.trim()}`)
  })
  expect(written).toEqual([])
})
