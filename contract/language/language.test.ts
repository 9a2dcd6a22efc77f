import { describe, expect, test } from 'vitest'
import { languageOfHeader, said, sayerOf } from './language.ts'

describe('the language of a browser', () => {
  test('the most wanted of the languages that the product has, and English where it has none of them', () => {
    const wanted: Record<string, string> = {
      'es-US,es;q=0.9,en;q=0.8': 'es',
      'en-US,en;q=0.9,es;q=0.8': 'en',
      'fr-CA,es;q=0.5,en;q=0.4': 'es',
      'en;q=0.3, ES-mx ;q=0.7': 'es',
      'fr,de;q=0.5': 'en',
      'es;q=0': 'en',
      '*': 'en',
      '': 'en',
      ';;q=,,;': 'en',
    }
    for (const [header, language] of Object.entries(wanted))
      expect(languageOfHeader(header), header).toBe(language)
    expect(languageOfHeader(undefined)).toBe('en')
    expect(languageOfHeader('x,'.repeat(10_000))).toBe('en')
  })
})

describe('texts said in another language', () => {
  const say = sayerOf([
    ['Nothing was saved.', 'No se guardó nada.'],
    ['{name} is late.', '{name} llega tarde.'],
    ['{name} is late by {count} days.', 'A {name} le faltan {count} días.'],
    ['{date} has not come yet.', '{date} aún no llega.'],
  ])

  test('a whole text, or each of its sentences; what is between stays as it is', () => {
    expect(said('Nothing was saved.', say)).toBe('No se guardó nada.')
    expect(said('A. B is late.', say)).toBe('A. B llega tarde.')
    expect(said('01/02/2030 has not come yet. Nothing was saved.', say)).toBe(
      '01/02/2030 aún no llega. No se guardó nada.',
    )
    expect(said('(.*) is late.', say)).toBe('(.*) llega tarde.')
  })

  test('the longer pattern wins, and an unknown text stays, beside sentences that are known', () => {
    expect(said('Ada is late by 3 days.', say)).toBe('A Ada le faltan 3 días.')
    expect(said('Who knows?', say)).toBe('Who knows?')
  })
})
