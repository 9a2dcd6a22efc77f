import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { allEndpoints } from '#contract/index.ts'
import { routes } from '#server/app.ts'
import { isChange } from '#server/core/http/handle.ts'
import { matrixLevels, readMatrix } from './access-matrix.ts'
import { makePerson, makeProgram } from './factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from './installation.ts'

let installation: Installation
let program: { Id: number }
let foreign: { Id: number }
const callers = new Map<string, Caller>()
const statements = new Map<string, number>()

beforeAll(async () => {
  installation = await startInstallation(
    {},
    { statements: (endpoint, count) => statements.set(nameOf(endpoint), count) },
  )
  program = await makeProgram(installation.owner)
  foreign = await makeProgram(installation.owner)
  for (const name of matrixLevels) {
    const person = await makePerson(installation.owner, Level[name], name === 'SuperAdmin' ? {} : { program })
    callers.set(name, await installation.as(person))
  }
})
afterAll(() => installation?.stop())

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`

/** Path parameters that fit the schema but name nothing, except the program. */
const paramsOf = (endpoint: AnyEndpoint, programId: number): Record<string, unknown> =>
  Object.fromEntries(
    [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [
      name,
      name === 'programId' ? programId : 999_999_999,
    ]),
  )

/**
 * A call with nothing useful in it: whoever may not call is told so before its input is looked at. A stream gets something
 * unknown in its address, for nobody would wait for its end.
 */
const knock = (caller: Caller, endpoint: AnyEndpoint, programId: number) =>
  caller.send(
    endpoint.method,
    addressOf(endpoint, {
      params: paramsOf(endpoint, programId),
      query: endpoint.answers === 'stream' ? { NoSuchName: 1 } : {},
    }),
    {
      ...(endpoint.method !== 'GET' && { body: { NoSuchField: 1 } }),
    },
  )

const matrix = readMatrix()
/**
 * Whoever may not make a call in the own program either is refused there, which the table shows: one of them asks for a foreign
 * program too, beside all who may.
 */
const asksAbroad = (level: string, endpoint: AnyEndpoint): boolean => {
  const who = matrix.get(nameOf(endpoint)) ?? []
  const mayNot = matrixLevels.filter((each) => !who.includes(each))
  return who.includes('everyone') || who.includes(level) || level === mayNot[0]
}

/** Calls that end the caller's own session or throttle it are knocked on too, but only refused there. */
const isOpen = (endpoint: AnyEndpoint): boolean => endpoint.may === 'everyone'

describe('every call of the contract', () => {
  test('has exactly one handler, and every handler a declaration', () => {
    const handled = routes.map(({ endpoint }) => nameOf(endpoint))
    expect(handled.toSorted()).toEqual([...new Set(handled)].toSorted())
    const described = allEndpoints.map(nameOf)
    expect(handled.toSorted()).toEqual(described.toSorted())
  })

  test('refuses unknown names: objects in address, query and body are strict', () => {
    const loose: string[] = []
    for (const endpoint of allEndpoints) {
      for (const part of ['params', 'query', 'body'] as const) {
        const schema = endpoint[part] as z.ZodType | undefined
        if (!schema) continue
        const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
        if (json.type === 'object' && json.additionalProperties !== false)
          loose.push(`${nameOf(endpoint)} ${part}`)
      }
    }
    expect(loose).toEqual([])
  })

  test.each(allEndpoints.filter((endpoint) => !isOpen(endpoint)))(
    '$method $path refuses anonymous callers',
    async (endpoint) => {
      const { status, body } = await knock(installation.anonymous, endpoint, program.Id)
      expect(status).toBe(401)
      expect(body.Message).toMatch(/signed out/)
    },
  )

  test.each(allEndpoints.filter(({ path }) => path.includes(':programId')))(
    'D3-007 $method $path answers 404 for a foreign program, and for super admins for one that never was',
    async (endpoint) => {
      const asking = [...callers].filter(([level]) => asksAbroad(level, endpoint))
      const answers = await Promise.all(
        asking.map(async ([level, caller]) => {
          const programId = level === 'SuperAdmin' ? 999_999_999 : foreign.Id
          return { level, status: (await knock(caller, endpoint, programId)).status }
        }),
      )
      for (const { level, status } of answers)
        expect(level === 'SuperAdmin' ? [400, 403, 404, 415] : [403, 404], level).toContain(status)
    },
  )

  test.each(allEndpoints.filter(isChange).filter((endpoint) => !isOpen(endpoint)))(
    'D1-301 $method $path is refused without the token against forgery',
    async (endpoint) => {
      const path = addressOf(endpoint, { params: paramsOf(endpoint, program.Id) })
      const { status, body } = await callers.get('SuperAdmin')!.send(endpoint.method, path, {
        headers: { 'x-csrf-token': 'wrong' },
      })
      expect(status).toBe(403)
      expect(body.Code).toBe('csrf')
    },
  )

  test.each(allEndpoints.filter(isChange))(
    '$method $path is refused from a foreign origin',
    async (endpoint) => {
      const path = addressOf(endpoint, { params: paramsOf(endpoint, program.Id) })
      const { status, body } = await callers.get('SuperAdmin')!.send(endpoint.method, path, {
        headers: { origin: 'https://elsewhere.example' },
      })
      expect(status).toBe(403)
      expect(body.Code).toBe('foreign_origin')
    },
  )

  test('D1-248 D1-258 D3-247 D3-248 is open to exactly the levels of access-matrix.tsv', {
    timeout: 600_000,
  }, async () => {
    const actual = new Map<string, string[]>()
    for (const endpoint of allEndpoints) {
      if (isOpen(endpoint)) {
        actual.set(nameOf(endpoint), ['everyone'])
        continue
      }
      const isOpenTo = async (caller: Caller): Promise<boolean> => {
        if (endpoint.path === '/auth/logout') return true
        const { status, body } = await knock(caller, endpoint, program.Id)
        // A call that was not answered says nothing about who may make it.
        expect(status, `${nameOf(endpoint)}: ${JSON.stringify(body)}`).toBeLessThan(500)
        return ![401, 403].includes(status)
      }
      const answers = await Promise.all(
        [...callers].map(async ([level, caller]) => ((await isOpenTo(caller)) ? [level] : [])),
      )
      actual.set(nameOf(endpoint), answers.flat())
    }
    const asTable = (table: Map<string, string[]>) =>
      [...table]
        .map(([call, who]) => `${call}\t${who.join(' ')}`)
        .toSorted()
        .join('\n')
    if (process.env.WRITE_MATRIX) {
      const { writeFileSync } = await import('node:fs')
      const head =
        '# Who may make each call in the own program: method, path, levels (a foreign program answers 404).\n'
      writeFileSync(new URL('./access-matrix.tsv', import.meta.url), `${head}${asTable(actual)}\n`)
    }
    expect(asTable(actual)).toBe(asTable(matrix))
  })

  test('needs a small constant number of statements', () => {
    const greedy = [...statements].filter(([, count]) => count > 25)
    expect(greedy).toEqual([])
  })
})
