import { setImmediate as others } from 'node:timers/promises'
import { z } from 'zod'
import { getDescription } from '#contract/core/description.ts'
import { type AnyEndpoint, ErrorBody, keyRightOf } from '#contract/core/endpoint.ts'
import { levels } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { api } from '#contract/index.ts'
import { handle, isChange } from './handle.ts'
import { ReadyJson } from './ready-json.ts'

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as { properties?: Record<string, object>; required?: string[] }
}

const parametersOf = (schema: z.ZodType | undefined, where: 'path' | 'query') => {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    // A list is in an address as Ids=1,2,3.
    ...((shape as { type?: string }).type === 'array' && { style: 'form', explode: false }),
    schema: shape,
  }))
}

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** The levels that hold the permission of a call, from the highest down. */
const levelsOf = ({ may: who }: AnyEndpoint): string[] => {
  if (who === 'everyone' || who === 'signed-in') return []
  return levels
    .filter(({ Id }) => may({ AccessLevel: Id, SuperAdminAreas: null }, who))
    .map(({ Name }) => Name)
}

/** What any call of the kind may answer, besides what it declares itself. */
const commonErrors = (call: AnyEndpoint): Record<number, string> => ({
  400: 'a part of the input is malformed or has an unknown name',
  ...(call.may !== 'everyone' && { 401: 'nobody is signed in' }),
  ...((call.may !== 'everyone' && call.may !== 'signed-in') || isChange(call)
    ? { 403: 'the role does not allow it, or the X-CSRF-Token is not the session’s' }
    : {}),
  ...(call.params && { 404: 'not there, or not the caller’s' }),
  503: 'the server or its database does not answer right now; nothing was changed',
})

const answerOf = (call: AnyEndpoint) => {
  if (call.answer) return { 'application/json': { schema: jsonSchema(call.answer, 'output') } }
  if (call.answers === 'stream') return { 'text/event-stream': { schema: { type: 'string' } } }
  if (call.answers === 'file')
    return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return undefined
}

/** How a call may be made: by a session, by a key, or by anybody. */
const securityOf = (call: AnyEndpoint): Record<string, string[]>[] => {
  const byKey = keyRightOf(call) === undefined ? [] : [{ key: [] }]
  if (typeof call.byKey === 'object') return byKey
  return call.may === 'everyone' ? [] : [{ session: [] }, ...byKey]
}

const operation = (call: AnyEndpoint, name: string, domain: string) => {
  const content = answerOf(call)
  return {
    operationId: name,
    summary: call.summary,
    description:
      call.may === 'everyone'
        ? 'Open to everyone.'
        : call.may === 'signed-in'
          ? 'For every signed-in person.'
          : `Needs the permission ${call.may}.`,
    tags: [domain],
    'x-permission': call.may,
    'x-levels': levelsOf(call),
    ...(keyRightOf(call) !== undefined && { 'x-key-right': keyRightOf(call) }),
    security: securityOf(call),
    parameters: [
      ...parametersOf(call.params, 'path'),
      ...parametersOf(call.query, 'query'),
      ...(isChange(call) && call.may !== 'everyone'
        ? [
            header('X-CSRF-Token', false, 'With a session: CsrfToken of GET /auth/session. A key needs none'),
            header(
              'Idempotency-Key',
              call.needsKey ?? false,
              'The same key gives the same answer and one effect',
            ),
          ]
        : []),
      ...(call.keptOffline
        ? [
            header(
              'X-Account',
              false,
              'The account that kept this while it was off line; another one is refused',
            ),
          ]
        : []),
    ],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [call.takes === 'multipart' ? 'multipart/form-data' : 'application/json']: {
            schema: jsonSchema(call.body, 'input'),
          },
        },
      },
    }),
    responses: {
      [call.status ?? (call.answer || call.answers ? 200 : 204)]: {
        description: 'Done',
        ...(content && { content }),
      },
      ...Object.fromEntries(
        Object.entries({ ...commonErrors(call), ...call.errors }).map(([status, description]) => [
          status,
          {
            description,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  }
}

type Operations = Record<string, Record<string, ReturnType<typeof operation>>>

/** Adds the calls to the operations of their paths, one at a time. */
function* describing(paths: Operations): Generator<void> {
  for (const [domain, exported] of Object.entries(api))
    for (const [name, value] of Object.entries(exported as Record<string, unknown>)) {
      if ((value as { kind?: string } | null)?.kind !== 'endpoint') continue
      const call = value as AnyEndpoint
      const path = call.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call, name, domain) }
      yield
    }
}

/** All calls by path and method, made from their declarations: one tag a domain of the contract. */
export const describe = (): Operations => {
  const paths: Operations = {}
  for (const _ of describing(paths));
  return paths
}

const headOf = (base: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Practicum',
    version: '1',
    description:
      'With a session, changes need the header X-CSRF-Token of GET auth/session. With a key they do not.',
  },
  servers: [{ url: base }],
  tags: Object.keys(api).map((name) => ({ name })),
  components: {
    schemas: { Error: jsonSchema(ErrorBody, 'output') },
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'practicum_session' },
      key: { type: 'http', scheme: 'bearer', description: 'A key of the page API Keys' },
    },
  },
})

/** Half a second of work, and nearly three megabytes. Others are served meanwhile. */
const writePaths = async (): Promise<string> => {
  const paths: Operations = {}
  for (const _ of describing(paths)) await others()
  const pieces: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    pieces.push(`${JSON.stringify(path)}:${JSON.stringify(methods)}`)
    await others()
  }
  return pieces.join(',')
}

/** Written once in the life of a process, for whoever asks first. */
let writtenPaths: Promise<string> | undefined

export const descriptionRoutes = [
  handle(getDescription, async ({ services }) => {
    writtenPaths ??= writePaths()
    const head = JSON.stringify(headOf(`${services.config.appRoot}/new/api`))
    return new ReadyJson([`${head.slice(0, -1)},"paths":{`, await writtenPaths, '}}'])
  }),
]
