import { exampleOf, type Schema } from './schema.ts'

export type Content = Record<string, { schema: Schema }>

/** A call as OpenAPI describes it. */
export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  'x-permission': string
  'x-levels': string[]
  /** The right of a key that opens it; `any` for all keys, absent where none does. */
  'x-key-right'?: string
  parameters: {
    name: string
    in: 'path' | 'query' | 'header'
    required: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
export interface Call extends Operation {
  method: string
  path: string
}

/** What is filled in: the values of path and query by name, and the body. */
export interface Filled {
  values: Record<string, string>
  body: string
}

/** Values that fit, for what a call requires. */
export const filledExample = (call: Call, body: Schema | undefined): Filled => ({
  values: Object.fromEntries(
    call.parameters
      .filter((each) => each.in === 'path' || (each.in === 'query' && each.required))
      .map(({ name, schema }) => [name, [exampleOf(schema)].flat().join(',')]),
  ),
  body: body ? JSON.stringify(exampleOf(body), null, 2) : '',
})

/** The address below the base that the filled values lead to. */
export const addressOf = (call: Call, { values }: Filled): string => {
  const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = new URLSearchParams(
    call.parameters
      .filter((each) => each.in === 'query' && (values[each.name] ?? '') !== '')
      .map(({ name }) => [name, values[name] ?? '']),
  ).toString()
  return search ? `${path}?${search}` : path
}

const isJson = (bodyType: string | undefined): boolean => bodyType === 'application/json'
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The call on a command line. */
export const curlOf = (call: Call, base: string, filled: Filled, bodyType: string | undefined): string => {
  const lines = [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} -H "Authorization: Bearer $PRACTICUM_KEY"`,
  ]
  for (const { name, required, in: where } of call.parameters)
    if (where === 'header' && required) lines.push(`-H '${name}: …'`)
  if (isJson(bodyType)) {
    lines.push("-H 'Content-Type: application/json'")
    lines.push(`-d ${quoted(filled.body)}`)
  } else if (bodyType) lines.push('-F file=@file')
  lines.push(quoted(`${base}${addressOf(call, filled)}`))
  return lines.join(' \\\n  ')
}

const literal = (text: string, schema: Schema): string => {
  const isNumber = ['integer', 'number', 'boolean'].includes(String(schema.type))
  if (schema.type === 'array') return JSON.stringify(text.split(','))
  return isNumber && text !== '' ? text : JSON.stringify(text)
}

/** The call in TypeScript, with the client that `npm run api-client` writes. */
export const typescriptOf = (call: Call, filled: Filled, bodyType: string | undefined): string => {
  const part = (where: 'path' | 'query'): string[] => {
    const given = call.parameters.filter(
      (each) => each.in === where && (filled.values[each.name] ?? '') !== '',
    )
    if (given.length === 0) return []
    const fields = given.map(({ name, schema }) => `${name}: ${literal(filled.values[name] ?? '', schema)}`)
    return [`  ${where}: { ${fields.join(', ')} },`]
  }
  const body = isJson(bodyType) ? [`  body: ${filled.body.replaceAll('\n', '\n  ')},`] : []
  const parts = [...part('path'), ...part('query'), ...body]
  const input = parts.length === 0 ? '' : `, {\n${parts.join('\n')}\n}`
  return `const { call } = createClient({ url, key })\nconst answer = await call('${call.operationId}'${input})`
}
