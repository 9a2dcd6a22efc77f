import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDescription } from '#contract/core/description.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { allEndpoints } from '#contract/index.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { withComponents } from '#web/modules/description/schema.ts'
import { describe } from './description.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

test('the description names every call of the contract once, with who may make it and what it answers', async () => {
  const program = await makeProgram(installation.owner)
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  const { paths, tags, openapi, components } = await student.ok(getDescription)
  expect(openapi).toBe('3.1.0')
  const described = Object.entries<Record<string, { operationId: string; tags: string[] }>>(paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    allEndpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).toSorted(),
  )
  const all = Object.values<Record<string, { operationId: string; tags: string[] }>>(paths).flatMap(
    Object.values,
  )
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  const names = new Set(tags.map(({ name }: { name: string }) => name))
  for (const { tags: own } of all) expect(own.every((name: string) => names.has(name))).toBe(true)

  const save = paths['/programs/{programId}/areas/{areaId}'].post
  expect(save).toMatchObject({ operationId: 'updateArea', tags: ['areas'], 'x-permission': 'areas.write' })
  expect(save['x-levels']).toEqual(['SuperAdmin', 'Admin', 'Director', 'Coord'])
  expect(save.parameters).toContainEqual(
    expect.objectContaining({ name: 'X-CSRF-Token', in: 'header', required: false }),
  )
  expect(Object.keys(save.responses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '409']),
  )
  const named = (call: AnyEndpoint) => {
    const { parameters, responses } = paths[call.path.replace(/:(\w+)/g, '{$1}')][call.method.toLowerCase()]
    const answered = (status: number): string =>
      (responses[status]?.$ref
        ? components.responses[responses[status].$ref.split('/').at(-1)]
        : responses[status]
      )?.description ?? ''
    return {
      headers: parameters.flatMap(({ name, in: where }: { name: string; in: string }) =>
        where === 'header' && ['X-Proof', 'If-Match'].includes(name) ? name : [],
      ),
      answers: [/proof_required/.test(answered(403)), /stale/.test(answered(409))],
    }
  }
  for (const call of allEndpoints)
    expect(named(call), call.path).toEqual({
      headers: [...(call.lasts ? ['X-Proof'] : []), ...(call.basis ? ['If-Match'] : [])],
      answers: [call.proof !== undefined, call.basis !== undefined],
    })
  // What a change keeps where it is left out has no default that a client could fill in.
  const { schema } =
    paths['/programs/{programId}/graduates/{graduateId}'].post.requestBody.content['application/json']
  const graduate = components.schemas[schema.$ref.split('/').at(-1)].properties
  expect(graduate.Notes).not.toHaveProperty('default')
  const punch = paths['/clock/punches'].post
  expect(punch.parameters).toContainEqual(
    expect.objectContaining({ name: 'Idempotency-Key', required: true }),
  )
  expect(paths['/live'].get.responses['200'].content).toHaveProperty(['text/event-stream'])
})

/** Every object inside, with the way to it. */
function* objectsIn(value: unknown, at = ''): Generator<[string, Record<string, any>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value]
  for (const [name, each] of Object.entries(value)) yield* objectsIn(each, `${at}/${name}`)
}

test('the description is what OpenAPI says: its parts are there and named, its paths lead to one call, its files tell their kind', async () => {
  const program = await makeProgram(installation.owner)
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  const description: any = await student.ok(getDescription)
  const { paths, components } = description
  expect(await new Validator().validate(structuredClone(description))).toEqual({ valid: true })

  for (const [at, each] of objectsIn(description)) {
    expect(each, at).not.toHaveProperty('$defs')
    if (typeof each.$ref === 'string') expect(description, at).toHaveProperty(each.$ref.split('/').slice(1))
    if (each.type === 'object' && Array.isArray(each.required))
      expect(Object.keys(each.properties ?? {}), at).toEqual(expect.arrayContaining(each.required))
  }
  const parts = Object.keys(paths).map((path) => path.split('/'))
  const isOpen = (part = '') => part.startsWith('{')
  const mayBeBoth = (a: string[], b: string[]) =>
    a.length === b.length &&
    a.every((part, at) => part === b[at] || isOpen(part) || isOpen(b[at])) &&
    a.some((part, at) => isOpen(part) && !isOpen(b[at])) ===
      b.some((part, at) => isOpen(part) && !isOpen(a[at]))
  for (const [at, one] of parts.entries())
    for (const other of parts.slice(at + 1))
      expect(mayBeBoth(one, other), `${one.join('/')} and ${other.join('/')}`).toBe(false)

  expect(components.schemas.MenuItem.properties.SubMenuItems.items.$ref).toBe('#/components/schemas/MenuItem')
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining([
      'Error',
      'TimeRecord',
      'ShiftAssignmentCursorPage',
      'ShiftAssignment',
      'Student',
      'Site',
    ]),
  )
  const files = paths['/programs/{programId}/time-records/export'].get.responses
  expect(Object.keys(files[200].content)).toEqual([
    'text/csv',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ])
  expect(files[200].headers).toHaveProperty('Content-Disposition')
  expect(files[202].content['application/json'].schema.$ref).toBe('#/components/schemas/TaskAnswer')
  expect(components.responses.Unavailable.headers).toHaveProperty('Retry-After')
  expect(Object.keys(paths['/calendar/{file}'].get.responses[200].content)).toEqual(['text/calendar'])

  // The page of the description shows each part where it is referred to.
  const menu: any = withComponents(paths['/left-menu'].get, description)
  const item = menu.responses[200].content['application/json'].schema.properties.Items.items
  expect(item.properties.SubMenuItems.items).toEqual({ type: 'object' })
})

test('a call that has moved is answered where it was', async () => {
  const program = await makeProgram(installation.owner)
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  for (const path of ['/own-requirement-proofs/1', '/requirements/mine/proofs/1'])
    expect((await student.send('DELETE', path)).body.Message, path).toMatch(/proof/i)
})

test('the description is for those who are signed in, and the page is at its address only', async () => {
  expect((await installation.anonymous.call(getDescription)).status).toBe(401)
  for (const path of ['/new/api/docs.json', '/new/api/docs/x', '/new/api/nothing'])
    expect((await fetch(`${installation.url}${path}`)).status, path).toBe(404)
})

test('the description is written once, and then only sent', async () => {
  const { url, as, owner, stop } = await startInstallation({}, { isStrict: false })
  try {
    const { headers } = await as(
      await makePerson(owner, Level.Student, { program: await makeProgram(owner) }),
    )
    const load = async () => {
      const answer = await fetch(`${url}/new/api${getDescription.path}`, { headers })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
    }
    const processorMs = async (work: () => unknown): Promise<number> => {
      const begun = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(begun)
      return (user + system) / 1_000
    }
    await load()
    const sent = [await processorMs(load), await processorMs(load), await processorMs(load)]
    expect(Math.min(...sent)).toBeLessThan((await processorMs(describe)) / 2)
  } finally {
    await stop()
  }
})
