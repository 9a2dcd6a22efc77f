import { expect, test } from 'vitest'
import { routes } from './app.ts'
import { actionOf } from './core/http/call-audit.ts'
import { preparedActions, routeOf } from './prepared.ts'

test('the process of a task finds every call that may be prepared, and no other', async () => {
  const prepared = routes.filter(({ endpoint }) => endpoint.mayBePrepared)
  expect(preparedActions.toSorted()).toEqual(prepared.map(({ endpoint }) => actionOf(endpoint)).toSorted())
  for (const route of prepared)
    expect(await routeOf(actionOf(route.endpoint)), actionOf(route.endpoint)).toBe(route)
  expect(await routeOf('GET /state')).toBeUndefined()
})
