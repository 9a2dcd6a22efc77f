import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromUrl } from './from-url.ts'

const query = z.strictObject({
  search: z.string().optional(),
  StudentLevelIds: z.array(z.number()).optional(),
})

test('a query name counts in any letter case', () => {
  for (const name of ['search', 'Search', 'SEARCH'])
    expect(fromUrl(query, { [name]: 'Okafor' })).toEqual({ search: 'Okafor' })
  expect(fromUrl(query, { studentLevelIds: '1,2' })).toEqual({ StudentLevelIds: [1, 2] })
})

test('a name that is sent twice in different case, or that nobody declares, stays as it is and is refused', () => {
  const twice = fromUrl(query, { search: 'a', Search: 'b' })
  expect(twice).toEqual({ search: 'a', Search: 'b' })
  expect(query.safeParse(twice).success).toBe(false)
  expect(query.safeParse(fromUrl(query, { Serch: 'a' })).success).toBe(false)
  expect(Object.getPrototypeOf(fromUrl(query, JSON.parse('{"__PROTO__":"x"}')))).toBe(Object.prototype)
})
