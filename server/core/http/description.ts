import { setImmediate as others } from 'node:timers/promises'
import type { z } from 'zod'
import { getDescription } from '#contract/core/description.ts'
import { type AnyEndpoint, type Basis, ErrorBody, fileTypesOf, keyRightOf } from '#contract/core/endpoint.ts'
import { levels } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { api } from '#contract/index.ts'
import { TaskAnswer } from '#contract/tasks/tasks.ts'
import { inOnePiece, makeComponents, type Writer } from './components.ts'
import { handle, isChange } from './handle.ts'
import { ReadyJson } from './ready-json.ts'

const parametersOf = ({ writeFields }: Writer, schema: z.ZodType | undefined, where: 'path' | 'query') => {
  if (!schema) return []
  const { properties = {}, required = [] } = writeFields(schema) as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    // A list is in an address as Ids=1,2,3.
    ...((shape as { type?: string }).type === 'array' && { style: 'form', explode: false }),
    schema: shape,
  }))
}

/** A path as OpenAPI writes it. */
const described = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

const csrfToken = header(
  'X-CSRF-Token',
  false,
  'With a session: CsrfToken of GET /auth/session. A key needs none',
)
const idempotencyKey = (required: boolean) =>
  header('Idempotency-Key', required, 'The same key gives the same answer and one effect')
const account = header(
  'X-Account',
  false,
  'The account that kept this while it was off line; another one is refused',
)
const proof = header(
  'X-Proof',
  false,
  'With a session: what POST /auth/proofs answered to this page in the last five minutes. A key needs none',
)
const basisHeader = ({ read }: Basis) =>
  header(
    'If-Match',
    false,
    `What the save started from, read by GET ${described(read.path)}: a mark of each field as it was seen, such as "Name=1n5k0x", or the fingerprint of all of it (docs/api.md). Without it nothing is compared, and listed rows that the body leaves out stay`,
  )
/** What an answer says beside its content. */
const answerHeaders = {
  'Retry-After': {
    description: 'Seconds after which the call may be made again',
    schema: { type: 'integer', minimum: 1 },
  },
  'Content-Disposition': { description: 'The name of the file', schema: { type: 'string' } },
}
const headersOf = (...names: (keyof typeof answerHeaders)[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})

/** Why a save is refused whose basis is another one by now. */
const stale =
  'the Code is stale: somebody else has changed the same since; Fields name what, and ChangedBy and ChangedAt who and when'
/** Why a call is refused to a session of which nobody has proved lately whose it is. */
const proofRequired =
  'the Code is proof_required: a session proves by POST /auth/proofs who it is, and for five minutes may go on'

/** The levels that hold the permission of a call, from the highest down. */
const levelsOf = ({ may: who }: AnyEndpoint): string[] => {
  if (who === 'everyone' || who === 'signed-in') return []
  return levels
    .filter(({ Id }) => may({ AccessLevel: Id, SuperAdminAreas: null }, who))
    .map(({ Name }) => Name)
}

const refused = (status: string, description: string) => ({
  description,
  ...(['429', '503'].includes(status) && headersOf('Retry-After')),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

const commonRefusals = {
  BadInput: refused('400', 'a part of the input is malformed or has an unknown name'),
  NotSignedIn: refused('401', 'nobody is signed in'),
  NotAllowed: refused('403', 'the role does not allow it, or the X-CSRF-Token is not the session’s'),
  ProofRequired: refused(
    '403',
    `the role does not allow it, or the X-CSRF-Token is not the session’s; or ${proofRequired}`,
  ),
  Stale: refused('409', stale),
  NotFound: refused('404', 'not there, or not the caller’s'),
  TooMany: refused('429', 'the key has made as many calls as it may in a minute'),
  Fault: refused(
    '500',
    'a fault of the server, recorded under the Reference of the answer; nothing was changed',
  ),
  Unavailable: refused('503', 'the server or its database does not answer right now; nothing was changed'),
}
const common = (name: keyof typeof commonRefusals) => ({ $ref: `#/components/responses/${name}` })

/** The refusal of a status that the call declares itself, with what else is answered by it. */
const declared = ({ basis, proof: asksProof }: AnyEndpoint, status: string, description: string) => {
  const besides =
    status === '409' && basis ? stale : status === '403' && asksProof ? proofRequired : undefined
  return refused(status, [description, besides].filter(Boolean).join('; or '))
}

/** What any call of the kind may answer, besides what it declares itself. */
const refusalsOf = (call: AnyEndpoint) => ({
  400: common('BadInput'),
  ...(call.may !== 'everyone' && { 401: common('NotSignedIn') }),
  ...((call.may !== 'everyone' && call.may !== 'signed-in') || isChange(call)
    ? { 403: common(call.proof ? 'ProofRequired' : 'NotAllowed') }
    : {}),
  ...(call.params && { 404: common('NotFound') }),
  ...(keyRightOf(call) !== undefined && { 429: common('TooMany') }),
  ...(call.basis && { 409: common('Stale') }),
  500: common('Fault'),
  503: common('Unavailable'),
  ...Object.fromEntries(
    Object.entries(call.errors ?? {}).map(([status, description]) => [
      status,
      declared(call, status, description),
    ]),
  ),
})

const answerOf = ({ write }: Writer, call: AnyEndpoint) => {
  if (call.answer) return { content: { 'application/json': { schema: write(call.answer, 'output') } } }
  if (call.answers === 'stream') return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  if (call.answers === 'file')
    return {
      ...headersOf('Content-Disposition'),
      content: Object.fromEntries(
        fileTypesOf(call).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
      ),
    }
  return undefined
}

/** How a call may be made: by a session, by a key, or by anybody. */
const securityOf = (call: AnyEndpoint): Record<string, string[]>[] => {
  const byKey = keyRightOf(call) === undefined ? [] : [{ key: [] }]
  if (typeof call.byKey === 'object') return byKey
  return call.may === 'everyone' ? [] : [{ session: [] }, ...byKey]
}

const operation = (writer: Writer, call: AnyEndpoint, name: string, domain: string) => {
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
    ...(call.formerly && { 'x-formerly': described(call.formerly) }),
    security: securityOf(call),
    parameters: [
      ...parametersOf(writer, call.params, 'path'),
      ...parametersOf(writer, call.query, 'query'),
      ...(isChange(call) && call.may !== 'everyone'
        ? [csrfToken, idempotencyKey(call.needsKey ?? false)]
        : []),
      ...(call.keptOffline ? [account] : []),
      ...(call.lasts ? [proof] : []),
      ...(call.basis ? [basisHeader(call.basis)] : []),
    ],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [call.takes === 'multipart' ? 'multipart/form-data' : 'application/json']: {
            schema: writer.write(call.body, 'input'),
          },
        },
      },
    }),
    responses: {
      [call.status ?? (call.answer || call.answers ? 200 : 204)]: {
        description: 'Done',
        ...answerOf(writer, call),
      },
      ...(call.mayBePrepared && {
        202: {
          description: 'It takes long: the task that does it',
          content: { 'application/json': { schema: writer.write(TaskAnswer, 'output') } },
        },
      }),
      ...refusalsOf(call),
    },
  }
}

type Operations = Record<string, Record<string, ReturnType<typeof operation>>>

/** Adds the calls to the operations of their paths, one at a time. */
function* describing(writer: Writer, paths: Operations): Generator<void> {
  for (const [domain, exported] of Object.entries(api))
    for (const [name, value] of Object.entries(exported as Record<string, unknown>)) {
      if ((value as { kind?: string } | null)?.kind !== 'endpoint') continue
      const call = value as AnyEndpoint
      const path = described(call.path)
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(writer, call, name, domain) }
      yield
    }
}

/** All calls by path and method, made from their declarations: one tag a domain of the contract. Every schema is in one piece. */
export const describe = (): Operations => {
  const paths: Operations = {}
  for (const _ of describing(inOnePiece, paths));
  return paths
}

const headOf = (base: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Practicum',
    version: '1',
    description:
      'With a session, changes need the header X-CSRF-Token of GET auth/session. With a key they do not.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: base }],
  tags: Object.keys(api).map((name) => ({ name })),
})

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'practicum_session' },
  key: { type: 'http', scheme: 'bearer', description: 'A key of the page API Keys' },
}

/** Half a second of work. Others are served meanwhile. */
const writePaths = async (): Promise<string> => {
  const paths: Operations = {}
  const { schemas, ...writer } = makeComponents()
  writer.write(ErrorBody, 'output')
  for (const _ of describing(writer, paths)) await others()
  const pieces: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    pieces.push(`${JSON.stringify(path)}:${JSON.stringify(methods)}`)
    await others()
  }
  const components = JSON.stringify({
    schemas,
    headers: answerHeaders,
    responses: commonRefusals,
    securitySchemes,
  })
  return `"components":${components},"paths":{${pieces.join(',')}}`
}

/** Written once in the life of a process, for whoever asks first. */
let writtenPaths: Promise<string> | undefined

/** The description of all calls of an installation, in pieces that follow each other; `base` is where its calls begin. */
export const writtenDescription = async (base: string): Promise<string[]> => {
  writtenPaths ??= writePaths()
  return [`${JSON.stringify(headOf(base)).slice(0, -1)},`, await writtenPaths, '}']
}

export const descriptionRoutes = [
  handle(
    getDescription,
    async ({ services }) => new ReadyJson(await writtenDescription(`${services.config.appRoot}/new/api`)),
  ),
]
