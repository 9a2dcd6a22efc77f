import { describe } from '#server/core/http/description.ts'
import type { Schema } from '#web/modules/description/schema.ts'

export type { Schema }

export interface Operation {
  operationId: string
  summary: string
  'x-key-right'?: string
  'x-formerly'?: string
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface Described extends Operation {
  method: string
  path: string
}

/** All calls as they are described to the world, in the order of their paths. */
export const describedCalls = (): Described[] =>
  Object.entries(describe() as unknown as Record<string, Record<string, Operation>>) // What `describe` makes.
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    )
    .toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'))

const isName = /^[A-Za-z_$][\w$]*$/

const unionOf = (types: string[]): string => [...new Set(types)].join(' | ')

/** The TypeScript type of the values that fit a schema. */
const typeOf = (schema: Schema, indent: string): string => {
  const several = schema.anyOf ?? schema.oneOf
  if (several) return unionOf(several.map((each) => typeOf(each, indent)))
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each, indent)})`).join(' & ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
  if (schema.type === 'array') {
    const each = typeOf(schema.items ?? {}, indent)
    return / [|&] /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`
  }
  if (schema.type === 'object') return objectOf(schema, indent)
  return (
    { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' }[
      schema.type ?? ''
    ] ?? 'unknown'
  )
}

const objectOf = ({ properties, required = [], additionalProperties }: Schema, indent: string): string => {
  const inner = `${indent}  `
  const lines = Object.entries(properties ?? {}).map(
    ([name, each]) =>
      `${inner}${isName.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(each, inner)}`,
  )
  if (lines.length > 0) return `{\n${lines.join('\n')}\n${indent}}`
  return typeof additionalProperties === 'object'
    ? `Record<string, ${typeOf(additionalProperties, indent)}>`
    : 'Record<string, unknown>'
}

const partOf = (call: Described, where: 'path' | 'query'): Schema | undefined => {
  const own = call.parameters.filter((each) => each.in === where)
  if (own.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** The content of the answer to a call that went well; what is done later is not the first that is told. */
export const answerOf = ({ responses }: Operation): { status: string; type?: string; schema: Schema } => {
  const [status = '', response] =
    Object.entries(responses)
      .filter(([code]) => code < '400')
      .toSorted(([a], [b]) => Number(a === '202') - Number(b === '202'))[0] ?? []
  const [content] = Object.entries(response?.content ?? {})
  return content ? { status, type: content[0], schema: content[1].schema } : { status, schema: {} }
}

const callType = (call: Described): string => {
  const lines = [`  /** ${call.summary}${call['x-key-right'] ? `. Right: ${call['x-key-right']}` : ''} */`]
  lines.push(`  ${call.operationId}: {`)
  for (const where of ['path', 'query'] as const) {
    const part = partOf(call, where)
    if (part) lines.push(`    ${where}${part.required?.length ? '' : '?'}: ${typeOf(part, '    ')}`)
  }
  const body = call.requestBody?.content['application/json']
  if (body) lines.push(`    body: ${typeOf(body.schema, '    ')}`)
  const { type, schema } = answerOf(call)
  const answer =
    type === undefined ? 'undefined' : type === 'application/json' ? typeOf(schema, '    ') : 'Blob'
  lines.push(`    answer: ${answer}`, '  }')
  return lines.join('\n')
}

const head = `// Written by \`npm run api-client\` from the description of the calls. Do not change it: write it again.

`

const runtime = `
/** A call that was refused, with what the server said. */
export class PracticumError extends Error {
  override name = 'PracticumError'
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown
  constructor(status: number, body: { Message?: string; Code?: string }) {
    super(body.Message ?? \`The server answered \${status}.\`)
    this.status = status
    this.code = body.Code
    this.body = body
  }
}

export interface ClientOptions {
  /** Where Practicum is, such as https://practicum.example.edu. */
  url: string
  /** A key of the page API Keys. */
  key: string
  /** How often a call is sent again that was refused for the moment (429, 503); 5 unless given. */
  tries?: number
  /** Waits; tests give their own. */
  wait?: (seconds: number) => Promise<unknown>
}

type InputOf<Name extends keyof Calls> = Omit<Calls[Name], 'answer'>
type Rest<Name extends keyof Calls> = Record<never, never> extends InputOf<Name>
  ? [input?: InputOf<Name>]
  : [input: InputOf<Name>]

interface Parts {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/**
 * Calls Practicum with a key. A change carries an Idempotency-Key, so that it is done once however often it is sent.
 *
 * @throws PracticumError when the call is refused
 */
export const createClient = ({ url, key, tries = 5, wait = sleep }: ClientOptions) => {
  const base = \`\${url.replace(/\\/$/, '')}/new/api\`
  return {
    call: async <Name extends keyof Calls>(name: Name, ...[input]: Rest<Name>): Promise<Calls[Name]['answer']> => {
      const [method, template] = routes[name]
      const { path = {}, query = {}, body } = (input ?? {}) as Parts
      const address = template.replace(/\\{(\\w+)\\}/g, (_all, part: string) => encodeURIComponent(String(path[part])))
      const search = new URLSearchParams()
      for (const [part, value] of Object.entries(query))
        if (value !== undefined && value !== null) search.set(part, Array.isArray(value) ? value.join(',') : String(value))
      const headers: Record<string, string> = { authorization: \`Bearer \${key}\` }
      if (method !== 'GET') headers['idempotency-key'] = crypto.randomUUID()
      if (body !== undefined) headers['content-type'] = 'application/json'
      for (let attempt = 1; ; attempt++) {
        const answer = await fetch(\`\${base}\${address}\${search.size > 0 ? \`?\${search}\` : ''}\`, {
          method,
          headers,
          redirect: 'error',
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const isJson = answer.headers.get('content-type')?.includes('json') ?? false
        if (answer.ok)
          return (answer.status === 204 ? undefined : isJson ? await answer.json() : await answer.blob()) as Calls[Name]['answer']
        const isForNow = answer.status === 429 || answer.status === 503
        const refusal = isJson ? await answer.json() : {}
        if (!isForNow || attempt >= tries) throw new PracticumError(answer.status, refusal)
        await wait(Number(answer.headers.get('retry-after') ?? 1))
      }
    },
  }
}

export type Client = ReturnType<typeof createClient>
`

/**
 * A client in one file that needs nothing else: the types of the named calls, of all that keys open without names, and the function
 * that makes them.
 *
 * @throws Error for a name that no call has
 */
export const writeClient = (names: readonly string[]): string => {
  const all = describedCalls()
  const unknown = names.find((name) => !all.some(({ operationId }) => operationId === name))
  if (unknown !== undefined) throw new Error(`There is no call ${unknown}.`)
  const calls = all.filter(({ operationId, ...call }) =>
    names.length > 0 ? names.includes(operationId) : call['x-key-right'] !== undefined,
  )
  const routes = calls.map(({ operationId, method, path }) => `  ${operationId}: ['${method}', '${path}'],`)
  return `${head}export interface Calls {\n${calls.map(callType).join('\n')}\n}\n
const routes: Record<keyof Calls, readonly [method: string, path: string]> = {\n${routes.join('\n')}\n}\n${runtime}`
}
