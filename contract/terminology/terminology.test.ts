import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePlural, pluralName, printPlural, termKeys, termPlaceholders, termsOf } from './terminology.ts'

test('D3-213 D3-214 D3-215 singular/plural is split by its slash, and empty means s', () => {
  expect(parsePlural('y/ies')).toEqual({ Singular: 'y', Plural: 'ies' })
  expect(parsePlural('')).toEqual({ Singular: '', Plural: 's' })
  expect(parsePlural('/')).toEqual({ Singular: '', Plural: '' })
  expect(parsePlural('es')).toEqual({ Singular: '', Plural: 'es' })
})

test('what is printed is read back the same', () => {
  const suffix = fc.stringMatching(/^[a-z]{0,8}$/)
  fc.assert(
    fc.property(suffix, suffix, (Singular, Plural) => {
      expect(parsePlural(printPlural({ Singular, Plural }))).toEqual({ Singular, Plural })
    }),
  )
})

test('D2-050 every word has its placeholders in small and capital letters, singular, plural and group', () => {
  const placeholders = termPlaceholders(
    termsOf([{ KeyId: 1, Value: 'facilit', Singular: 'y', Plural: 'ies' }]),
  )
  expect(placeholders).toMatchObject({
    site: 'facility',
    Site: 'Facility',
    sites: 'facilities',
    Sites: 'Facilities',
  })
  expect(placeholders.SiteGroup).toBe('Facilities')
  for (const key of termKeys) expect(placeholders).toHaveProperty(pluralName(key))
})
