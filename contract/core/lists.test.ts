import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from '#contract/index.ts'

/** What fills a picker as one scrolls has no numbered pages. */
const pickers = ['/programs/:programId/scheduling-options']
const paged = allEndpoints.filter(
  ({ path, query }) =>
    !pickers.includes(path) &&
    query &&
    'page' in (query as z.ZodObject).shape &&
    'pageSize' in (query as z.ZodObject).shape,
)

test('D3-318 every list with pages answers Items, Total, Page and PageSize', () => {
  expect(paged.length).toBeGreaterThan(10)
  for (const { path, answer } of paged) {
    const { properties } = z.toJSONSchema(answer as z.ZodType, { io: 'output', unrepresentable: 'any' })
    expect(Object.keys(properties ?? {}), path).toEqual(
      expect.arrayContaining(['Items', 'Total', 'Page', 'PageSize']),
    )
    expect((properties!.Items as { type?: string }).type, path).toBe('array')
  }
})

test('D2-219 D3-349 a page has 25 rows unless asked for another number, from 1 to 500', () => {
  for (const { path, query } of paged) {
    const { page, pageSize } = (query as z.ZodObject).shape as Record<string, z.ZodType>
    expect([page!.parse(undefined), pageSize!.parse(undefined)], path).toEqual([1, 25])
    expect(pageSize!.safeParse(500).success, path).toBe(true)
    for (const wrong of [0, 501, 2.5, '25']) expect(pageSize!.safeParse(wrong).success, path).toBe(false)
  }
})

test('D1-323 the lists of the menu and of the news come whole', () => {
  for (const path of ['/admin-menu-items', '/programs/:programId/menu-items', '/admin-news']) {
    const list = allEndpoints.find((endpoint) => endpoint.method === 'GET' && endpoint.path === path)!
    expect(list.answer, path).toBeInstanceOf(z.ZodArray)
    expect(list.query, path).toBeUndefined()
  }
})
