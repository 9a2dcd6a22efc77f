import { expect, test } from 'vitest'
import { allCountries } from './countries.ts'

test('the list has the countries of the world once each, by name, and neither unions nor names of the past', () => {
  const countries = allCountries()
  expect(countries.length).toBeGreaterThan(230)
  expect(countries.length).toBeLessThan(262)
  const codes = countries.map(({ value }) => value)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of ['US', 'CA', 'MX', 'GB', 'DE', 'PR']) expect(codes).toContain(code)
  for (const code of ['EU', 'UN', 'ZZ', 'UK', 'DD', 'SU', 'YU']) expect(codes).not.toContain(code)
  expect(countries[0]!.label).toBe('Afghanistan')
})
