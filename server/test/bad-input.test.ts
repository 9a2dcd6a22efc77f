import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { allEndpoints } from '#contract/index.ts'
import { isChange } from '#server/core/http/handle.ts'
import { parse, parsePart } from '#server/core/http/input.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import { plainError } from '#server/core/runtime/plain-error.ts'
import { makePerson, makeProgram } from './factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from './installation.ts'
import { sendOverWire } from './wire.ts'

/**
 * Every declared field of every call gets what no field can be. All of it is refused in words for people; nothing reaches
 * the database, and the log holds nothing of what was sent.
 */
let installation: Installation
let program: { Id: number }
/** The first that may make a call makes it. */
const callers: { AccessLevel: number; caller: Caller }[] = []

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  for (const AccessLevel of [
    Level.SuperAdmin,
    Level.Student,
    Level.Alumnus,
    Level.Supervisor,
    Level.SiteEmployee,
  ]) {
    const person = await makePerson(installation.owner, AccessLevel, { program })
    callers.push({ AccessLevel, caller: await installation.as(person) })
  }
})
afterAll(() => installation?.stop())

type Json = {
  type?: string
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minLength?: number
  minItems?: number
  minimum?: number
  exclusiveMinimum?: number
  additionalProperties?: Json | boolean
}

const described = new Map<z.ZodType, Json>()
const jsonOf = (schema: z.ZodType): Json => {
  const known = described.get(schema)
  if (known) return known
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  described.set(schema, json)
  return json
}

const texts: Record<string, string> = {
  date: '2026-11-02',
  'date-time': '2026-11-02T07:00:00Z',
  'time-of-day': '07:00',
  email: 'somebody@example.org',
  html: '',
}

/** A small value that fits, as far as the description tells. */
const sample = (json: Json): unknown => {
  if (json.const !== undefined) return json.const
  if (json.enum) return json.enum[0]
  const one = (json.anyOf ?? json.oneOf)?.[0]
  if (one) return sample(one)
  switch (json.type) {
    case 'object':
      return Object.fromEntries(
        (json.required ?? []).map((name) => [name, sample(json.properties?.[name] ?? {})]),
      )
    case 'array':
      return Array.from({ length: json.minItems ?? 0 }, () => sample(json.items ?? {}))
    case 'integer':
    case 'number':
      return Math.max(json.minimum ?? 1, (json.exclusiveMinimum ?? -1) + 1)
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return texts[json.format ?? ''] ?? 'x'.repeat(Math.max(json.minLength ?? 0, 3))
  }
}

/** Every place in the value where a field may be, with its kinds. */
const places = (
  json: Json,
  path: (string | number)[] = [],
): { path: (string | number)[]; kinds: Set<string> }[] => {
  const branches = json.anyOf ?? json.oneOf ?? [json]
  const kinds = new Set(branches.flatMap(({ type, enum: values }) => type ?? (values ? 'string' : 'any')))
  const inner = branches.flatMap((branch) => [
    ...Object.entries(branch.properties ?? {}).flatMap(([name, field]) => places(field, [...path, name])),
    ...(branch.items ? places(branch.items, [...path, 0]) : []),
  ])
  return [...(path.length > 0 ? [{ path, kinds }] : []), ...inner]
}

const withValue = (base: unknown, path: readonly (string | number)[], value: unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (typeof name === 'number') return [withValue(Array.isArray(base) ? base[0] : undefined, rest, value)]
  const object = typeof base === 'object' && base !== null && !Array.isArray(base) ? base : {}
  return { ...object, [name]: withValue((object as Record<string, unknown>)[name], rest, value) }
}

test('no level that comes in is larger than the database keeps', () => {
  const accepted: string[] = []
  const level = /^([aA]ccess)?Levels?$|^(Max|Default)Level$|^AccessLevels$|^usertype_more_than$/
  for (const endpoint of allEndpoints)
    for (const part of ['query', 'body'] as const) {
      const schema = endpoint[part] as z.ZodType | undefined
      if (!schema || endpoint.anyNumbers) continue
      for (const { path, kinds } of places(jsonOf(schema))) {
        if (!level.test(String(path.findLast((name) => typeof name === 'string')))) continue
        if (!kinds.has('integer') && !kinds.has('number')) continue
        for (const number of [32_768, -32_769]) {
          const { error } = schema.safeParse(withValue(sample(jsonOf(schema)), path, number))
          const isTold = error?.issues.some((issue) => issue.path.join('.').startsWith(path.join('.')))
          if (!isTold) accepted.push(`${endpoint.method} ${endpoint.path} ${part}.${path.join('.')}`)
        }
      }
    }
  expect(accepted).toEqual([])
})

test('a text that may be empty is empty by null too, unless null says something else there', () => {
  const refused: string[] = []
  let tried = 0
  for (const endpoint of allEndpoints) {
    if (!endpoint.body) continue
    const base = sample(jsonOf(endpoint.body))
    const told = (value: unknown, path: readonly (string | number)[]): string[] => {
      try {
        const body = JSON.parse(JSON.stringify(withValue(base, path, value)))
        parsePart(endpoint.body!, body, 'body', true)
        return []
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return (error.body('en') as { Errors: { Field: string }[] }).Errors.map(({ Field }) => Field)
      }
    }
    for (const { path, kinds } of places(jsonOf(endpoint.body))) {
      const field = path.join('.')
      if (!kinds.has('string') || told('', path).includes(field)) continue
      tried++
      if (told(null, path).includes(field)) refused.push(`${endpoint.method} ${endpoint.path} ${field}`)
    }
  }
  expect(refused).toEqual([])
  expect(tried).toBeGreaterThan(300)
})

const unusable: Record<string, unknown> = {
  NUL: 'a\0b',
  'a lone surrogate': 'a\ud800b',
  'an integer above int4': 2_147_483_648,
  'an integer below int4': -2_147_483_649,
  'an integer above 2^53': 900_719_925_474_099_300,
}
let calledWrongly = 0
/** For one call: what another has made has another name. */
const wrong = (): Record<string, unknown> => ({
  nothing: null,
  text: `zzqx-fragment ${++calledWrongly}`,
  'an empty text': '',
  'a list': [],
  'an object': { NoSuchName: 1 },
  'a fraction': -0.5,
  'long text': 'zzqx'.repeat(600),
})

/** What no person should ever read. */
const machine =
  /invalid input|invalid (option|type|string|key)|expected (string|number|one|object|array|boolean|int)|received (undefined|null|number|string)|too (small|big):|unrecognized key|NaN|\bFST_|\bzod\b|regex|pattern|\b(400|401|403|404|409|413|415|422|429|500|503)\b(?! (characters|entries))|undefined|\bnull\b|syntax|(column|relation|constraint) "|JSON at|zzqx/i

const callerOf = ({ may: who }: AnyEndpoint): Caller =>
  (who === 'everyone' || who === 'signed-in'
    ? callers[0]
    : callers.find(({ AccessLevel }) => may({ AccessLevel, SuperAdminAreas: null }, who)))!.caller

/** The words of a refusal. */
const messagesOf = (body: { Message?: string; Errors?: { Message: unknown }[] } | undefined): string[] =>
  [body?.Message, ...(body?.Errors ?? []).map(({ Message }) => Message)].filter(
    (text): text is string => typeof text === 'string',
  )

const baseParams = (endpoint: AnyEndpoint): Record<string, unknown> =>
  Object.fromEntries(
    [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [
      name,
      name === 'programId' ? program.Id : 999_999_999,
    ]),
  )

interface Case {
  name: string
  path: string
  body: unknown
  /** The name in the address that has the value. */
  part?: string
}
const formOf = (body: unknown): FormData => {
  const form = new FormData()
  form.append('file', new Blob(['x']), 'file.txt')
  for (const [name, value] of Object.entries((body ?? {}) as object))
    form.append(name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))
  return form
}

/** Whether a value of the wrong kind says no more than another one does: numbers are too large only where numbers are taken. */
const saysNoMore = (value: unknown, kinds: ReadonlySet<string>): boolean =>
  typeof value === 'number' &&
  Math.abs(value) > 1 &&
  !['integer', 'number', 'any'].some((kind) => kinds.has(kind))

/** One call for each field and each value; the other fields fit as far as they can. */
function* casesOf(endpoint: AnyEndpoint, values: Record<string, unknown>): Generator<Case> {
  const params = baseParams(endpoint)
  const body = endpoint.body && sample(jsonOf(endpoint.body))
  const query = endpoint.query && (sample(jsonOf(endpoint.query)) as Record<string, unknown>)
  const address = (input: object) => addressOf(endpoint, { params, ...(query && { query }), ...input })
  for (const [what, value] of Object.entries(values)) {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    for (const name of Object.keys(params))
      if (name !== 'programId' && text !== '')
        yield {
          name: `${what} in ${name} of the address`,
          path: address({ params: { ...params, [name]: text.toWellFormed() } }),
          body,
          part: name,
        }
    for (const name of endpoint.query ? Object.keys(jsonOf(endpoint.query).properties ?? {}) : [])
      yield {
        name: `${what} in ${name} of the query`,
        path: address({ query: { ...query, [name]: text.toWellFormed() } }),
        body,
      }
    for (const { path, kinds } of endpoint.body ? places(jsonOf(endpoint.body)) : [])
      if (!saysNoMore(value, kinds))
        yield { name: `${what} in ${path.join('.')}`, path: address({}), body: withValue(body, path, value) }
  }
}

const send = async (endpoint: AnyEndpoint, { path, body }: Case) => {
  const isForm = endpoint.takes === 'multipart'
  const octets = endpoint.takes === 'octets'
  const hasBody = endpoint.method !== 'GET'
  const answer = await sendOverWire(`${installation.url}/new/api${path}`, {
    method: endpoint.method,
    headers: {
      ...callerOf(endpoint).headers,
      'idempotency-key': crypto.randomUUID(),
      'x-reason': 'A test of bad input',
      ...(hasBody && !isForm && { 'content-type': octets ? 'application/octet-stream' : 'application/json' }),
    },
    ...(hasBody && { body: isForm ? formOf(body) : octets ? 'x' : JSON.stringify(body ?? {}) }),
  })
  const { status, text } = answer
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status, body: isJson && text ? JSON.parse(text) : undefined }
}

type Answered = Awaited<ReturnType<typeof send>>

/** In the path of a longer one the wire finds no call. */
const longestAddress = 1_000

/** What the one place that checks input says of a case, without the wire; undefined where it takes it, or where the wire decides. */
const refusalOf = (endpoint: AnyEndpoint, { part, path, body }: Case): Answered | undefined => {
  const isTooLong = part !== undefined && path.length > longestAddress
  if (endpoint.takes || isTooLong) return undefined
  const { pathname, searchParams } = new URL(path, 'http://x')
  const [names, values] = [endpoint.path.split('/'), pathname.split('/').map(decodeURIComponent)]
  const raw = {
    params: Object.fromEntries(
      names.flatMap((part, at) => (part[0] === ':' ? [[part.slice(1), values[at]]] : [])),
    ),
    query: Object.fromEntries(searchParams),
    body: endpoint.method === 'GET' ? undefined : JSON.parse(JSON.stringify(body ?? {})),
  }
  try {
    parse({ endpoint, changes: isChange(endpoint) }, raw)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { status: error.status, body: error.body('en') }
  }
}

/** So many are sent at once: while one waits for the database, the others are read and answered. */
const atOnce = 8
let addressesSent = 0
/**
 * Which of the refused cases are sent nevertheless: the first, and of each name in the address one, every time with another value. The
 * way of a value through an address is the same for all calls.
 */
const sentAnyway = (cases: readonly Case[], refusals: readonly unknown[]): Set<number> => {
  const refused = cases.flatMap(({ part }, index) => (refusals[index] ? [{ part, index }] : []))
  const byPart = Object.values(Object.groupBy(refused, ({ part }) => part ?? ''))
  const turns = byPart.flatMap((all = []) => (all[0]?.part ? [all[addressesSent++ % all.length]!] : []))
  return new Set([...refused.slice(0, 1), ...turns].map(({ index }) => index))
}
/**
 * Answers every case, in their order. What the check of input refuses is asked of it alone, but for some, which show over HTTP that
 * it is asked before anything else; all others are sent.
 */
const sendAll = async (endpoint: AnyEndpoint, cases: readonly Case[]) => {
  const refusals = cases.map((attempt) => refusalOf(endpoint, attempt))
  const sent = sentAnyway(cases, refusals)
  const replies: ({ attempt: Case } & Answered)[] = []
  for (let begin = 0; begin < cases.length; begin += atOnce)
    replies.push(
      ...(await Promise.all(
        cases.slice(begin, begin + atOnce).map(async (attempt, index) => {
          const refusal = sent.has(begin + index) ? undefined : refusals[begin + index]
          return { attempt, ...(refusal ?? (await send(endpoint, attempt))) }
        }),
      )),
    )
  for (const index of sent) {
    const { status, body } = replies[index]!
    expect({ status, body }, `${endpoint.path}: ${cases[index]!.name}`).toEqual(refusals[index])
  }
  return replies
}

/** Calls that end the session that the others need, look at no session, or answer without an end. */
const isLeftOut = ({ path, answers }: AnyEndpoint): boolean =>
  ['/auth/logout', '/v1/sync/:module'].includes(path) || answers === 'stream'
/** The calls above may have ended the sessions that they were made in. */
const signInAnew = async (): Promise<void> => {
  const person = await makePerson(installation.owner, Level.SuperAdmin, { program })
  callers[0]!.caller = await installation.as(person)
}
/** Whoever is signed out would be told that, and nothing of what was sent. */
const staySignedIn = async (): Promise<void> => {
  if ((await callers[0]!.caller.send('GET', '/auth/session')).status === 401) await signInAnew()
}
/** An agreement that a call has written would be all that the next is answered about. */
const withdrawAgreement = async (): Promise<void> => {
  await installation.owner.query('delete from eula_acceptance')
  await installation.owner.query('delete from eula')
}
/** Tries a call, and undoes what it has done to the calls after it. */
const trying =
  (attempt: (endpoint: AnyEndpoint) => Promise<void>) =>
  async (endpoint: AnyEndpoint): Promise<void> => {
    try {
      await attempt(endpoint)
    } finally {
      if (isChange(endpoint)) {
        await withdrawAgreement()
        await staySignedIn()
      }
    }
  }
/** What changes what everybody else may do comes last. */
const isLast = ({ method, path }: AnyEndpoint): number =>
  Number(method === 'POST' && /eula|geo-ip/.test(path))
const calls = allEndpoints
  .filter((endpoint) => !isLeftOut(endpoint))
  .toSorted((one, other) => isLast(one) - isLast(other))

describe('C2 what no field can be is refused with 400 before it reaches the database', () => {
  test.each(calls)(
    '$method $path',
    { timeout: 60_000 },
    trying(async (endpoint) => {
      const accepted: string[] = []
      // An address cannot carry a lone surrogate: it arrives as the sign for "not readable".
      const cases = [...casesOf(endpoint, unusable)].filter(
        ({ name }) => !(/surrogate/.test(name) && (endpoint.takes === 'multipart' || / of the /.test(name))),
      )
      for (const { attempt, status, body } of await sendAll(endpoint, cases)) {
        // A number is text where text is asked for.
        const isText = / of the /.test(attempt.name) || endpoint.takes === 'multipart'
        const isRight = /integer/.test(attempt.name) && isText ? status < 500 : status === 400
        if (!isRight || messagesOf(body).some((text) => machine.test(text)))
          accepted.push(`${attempt.name}: ${status} ${JSON.stringify(body)}`)
      }
      expect(accepted).toEqual([])
    }),
  )
})

describe('A21 A74 A84 what does not fit is refused in sentences', () => {
  test.each(calls)(
    '$method $path',
    { timeout: 60_000 },
    trying(async (endpoint) => {
      const raw: string[] = []
      for (const { attempt, status, body } of await sendAll(endpoint, [...casesOf(endpoint, wrong())])) {
        if (status >= 500 && status !== 503) raw.push(`${attempt.name}: ${status}`)
        if (body?.Code === 'fault') raw.push(`${attempt.name}: ${status} ${JSON.stringify(body)}`)
        if (status < 400) continue
        for (const message of messagesOf(body)) {
          const isSentence = /^["“(]?[^a-z\s].*[.?!)…]$/s.test(message)
          if (
            machine.test(message) ||
            (message === body.Message && status === 400 && body.Code === 'invalid' && !isSentence)
          )
            raw.push(`${attempt.name} says ${message}`)
          if (!isChange(endpoint) && /nothing was (changed|saved)/i.test(message))
            raw.push(`${attempt.name} says of a read: ${message}`)
        }
      }
      expect([...new Set(raw)]).toEqual([])
    }),
  )
})

describe('C2 what is no form, no address and no sign-in', () => {
  beforeAll(signInAnew)

  const post = (path: string, init: { headers?: Record<string, string>; body?: BodyInit }) =>
    fetch(`${installation.url}/new${path}`, {
      method: 'POST',
      redirect: 'manual',
      ...init,
      headers: { ...callers[0]!.caller.headers, ...init.headers },
    })

  test.each([
    ['an empty form', 'multipart/form-data; boundary=x', ''],
    ['a form without its boundary', 'multipart/form-data', '--x\r\n\r\n--x--'],
    ['a form that breaks off', 'multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-da'],
    [
      'a file whose name holds a NUL',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a\0b.txt"\r\n\r\nx\r\n--x--\r\n',
    ],
    [
      'a field that is broken JSON',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="document"\r\n\r\n{"zzqx": \r\n--x--\r\n',
    ],
  ])('%s is refused with 400', async (_what, type, body) => {
    const reply = await post(`/api/programs/${program.Id}/documents`, {
      headers: { 'content-type': type },
      body,
    })
    const answer = (await reply.json()) as { Message: string }
    expect([reply.status, answer]).toEqual([400, expect.objectContaining({ Code: 'invalid' })])
    expect(answer.Message).not.toMatch(machine)
  })

  test.each([
    ['a NUL in a sign-in', '/api/auth/login', { UserName: 'a\0b', Password: 'whatever-it-is' }],
    ['a NUL in a reset', '/api/auth/password-resets', { UserNameOrEmail: 'a\0b' }],
  ])('%s of somebody unknown is refused with 400', async (_what, path, body) => {
    const reply = await fetch(`${installation.url}/new${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([400, 404]).toContain(reply.status)
  })

  test.each([['/api/areas%ff'], ['/api/%ff/areas'], [`/api/auth/email-confirmations/${'x'.repeat(400)}`]])(
    'C6 %s answers in the form of all errors',
    async (path) => {
      const reply = await fetch(`${installation.url}/new${path}`)
      expect(reply.headers.get('content-type')).toMatch(/application\/json/)
      expect([400, 404]).toContain(reply.status)
      expect(Object.keys((await reply.json()) as object)).toEqual(expect.arrayContaining(['Message', 'Code']))
    },
  )

  test.each([
    ['a NUL', 'a%00b'],
    ['300 kB', 'a'.repeat(300_000)],
    ['half a letter', '%ff%fe'],
    ['nothing', ''],
  ])('an answer of a college that is %s leads to the page that explains it', async (_what, text) => {
    const reply = await post('/saml/acs', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `SAMLResponse=${text}`,
    })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toMatch(/college-answer\?problem=(?!fault)\w+/)
  })
})

test('A74 a field of a form that is sent as a JSON file is taken for the field', async () => {
  await signInAnew()
  const form = new FormData()
  form.append('document', new Blob([JSON.stringify({ NoSuchName: 1 })], { type: 'application/json' }))
  form.append('file', new Blob(['x']), 'file.txt')
  const reply = await fetch(`${installation.url}/new/api/programs/${program.Id}/documents`, {
    method: 'POST',
    headers: callers[0]!.caller.headers,
    body: form,
  })
  const fields = ((await reply.json()) as { Errors: { Field: string }[] }).Errors.map(({ Field }) => Field)
  expect(fields).toContain('document.NoSuchName')
})

test('C2 what is logged of an error holds nothing of what was sent', async () => {
  const { owner } = installation
  await owner.query('create table once (name text primary key, number integer)')
  await owner.query("insert into once values ('zzqx', 1)")
  const errors = await Promise.all(
    [
      ["insert into once values ('zzqx', 1)", []],
      ['select $1::integer', ['zzqx']],
      ['insert into once (number) values ($1)', ['zzqx']],
    ].map(([text, values]) => owner.query(text as string, values as string[]).catch((error: Error) => error)),
  )
  try {
    JSON.parse('{"Password": zzqx')
  } catch (error) {
    errors.push(error as Error)
  }
  const logged = errors.map((error) => plainError(error as never))
  expect(JSON.stringify(logged)).not.toMatch(/zzqx/)
  expect(logged.map(({ code, constraint }) => constraint ?? code)).toEqual([
    'once_pkey',
    '22P02',
    '22P02',
    undefined,
  ])
  expect(logged.every(({ stack }) => /at /.test(String(stack)))).toBe(true)
})

test('a number that fits its field and no small column is looked for and not found', {
  timeout: 120_000,
}, async () => {
  const failed: string[] = []
  const isWhole = (json: Json | undefined): boolean =>
    json?.type === 'integer' || [json?.items, ...(json?.anyOf ?? [])].some((part) => part && isWhole(part))
  for (const endpoint of calls.filter(({ method, query }) => method === 'GET' && query)) {
    const { properties = {} } = jsonOf(endpoint.query!)
    const cases = [...casesOf(endpoint, { 'a large number': 70_000 })].filter(({ name }) =>
      Object.keys(properties).some(
        (field) => isWhole(properties[field]) && name === `a large number in ${field} of the query`,
      ),
    )
    for (const { attempt, status, body } of await sendAll(endpoint, cases))
      if (status >= 500 || (status === 400 && !body?.Errors))
        failed.push(`${endpoint.path}: ${attempt.name}: ${status}`)
  }
  expect(failed).toEqual([])
})
