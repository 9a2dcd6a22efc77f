import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AnswerOf, AnyEndpoint, Endpoint, Out, Shape } from '#contract/endpoint.ts'
import { Level } from '#contract/levels.ts'
import { may } from '#contract/permissions.ts'
import { type AuditNote, auditable, writeAudit } from './audit.ts'
import { type Db, transaction } from './database/pool.ts'
import { Failure, notFound } from './failure.ts'
import { fromUrl } from './from-url.ts'
import { type ReceivedFile, receiveMultipart } from './multipart.ts'
import { answerSerializer } from './serializer.ts'
import type { Services } from './services.ts'
import { findSession, type Session, type User } from './session.ts'

/** A streamed download. `chunks` is read inside the call's transaction, so a cursor may feed it. */
export interface FileAnswer {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array | string>
}

/** What a handler receives: its input, checked, and a database bound to the caller. */
export interface Call<P, Q, B> {
  db: Db
  params: P
  query: Q
  body: B
  user: User
  session: Session
  files: ReceivedFile[]
  services: Services
  /** Where the call comes from. */
  from: {
    address: string
    agent: string
    origin: string | undefined
    isEmbedded: boolean
    /** The call's Idempotency-Key. */
    key: string | undefined
  }
  /** Adds to the audit row of this call. */
  audit: AuditNote
  cookies: {
    get(name: string): string | undefined
    set(name: string, value: string, options?: { maxAgeSeconds?: number; isReadable?: boolean }): void
    clear(name: string): void
  }
}

type Handler<E extends AnyEndpoint> =
  E extends Endpoint<infer P, infer Q, infer B, Shape>
    ? (
        call: Call<Out<P>, Out<Q>, Out<B>>,
      ) => Promise<E['answers'] extends 'file' ? FileAnswer : AnswerInput<E>>
    : never
type AnswerInput<E extends AnyEndpoint> = [AnswerOf<E>] extends [undefined] ? unknown : AnswerOf<E>

export interface Route {
  endpoint: AnyEndpoint
  // biome-ignore lint/suspicious/noExplicitAny: the pairing is checked where handle() is called
  handler: (call: any) => Promise<any>
}

/** Pairs a declaration with the code that answers it. Everything around the handler happens in `register`. */
export const handle = <
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  A extends Shape,
  const E extends Endpoint<P, Q, B, A>,
>(
  endpoint: E & Endpoint<P, Q, B, A>,
  handler: (
    call: Call<Out<P>, Out<Q>, Out<B>>,
  ) => Promise<A extends z.ZodType ? z.input<A> : E['answers'] extends 'file' ? FileAnswer : unknown>,
): Route => ({ endpoint, handler })
export type { Handler }

export const sessionCookie = (services: Services): string =>
  services.config.appUrl?.startsWith('https:') ? '__Host-practicum_session' : 'practicum_session'

const deepest = 20
const tooDeep = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  for (const inner of Object.values(value)) if (tooDeep(inner, depth + 1)) return true
  return false
}

const parsePart = (schema: z.ZodType, raw: unknown, part: string): unknown => {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const fields = result.error.issues.slice(0, 50).flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        Field: path ? `${path}.${key}` : key,
        Message: `${key} is not a known name here`,
      }))
    }
    const isMissing = issue.code === 'invalid_type' && /received undefined/.test(issue.message)
    return [{ Field: path || part, Message: isMissing ? 'is required' : issue.message }]
  })
  const first = fields[0]!
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  throw new Failure(400, 'invalid', `${first.Field}: ${first.Message}${more}. Nothing was changed.`, {
    fields,
  })
}

export const isChange = (endpoint: AnyEndpoint): boolean => endpoint.changes ?? endpoint.method !== 'GET'

/** The origins that this installation answers to: its public address; on loopback also under the other local name. */
const isOwnOrigin = (origin: string, services: Services, request: FastifyRequest): boolean => {
  if (services.config.appUrl) return origin === services.config.appUrl
  const port = request.socket.localPort
  const own = ['localhost', '127.0.0.1', services.config.host].map((host) => `http://${host}:${port}`)
  return own.includes(origin)
}

const refuseForgery = (request: FastifyRequest, services: Services, session: Session | undefined): void => {
  const { origin } = request.headers
  if (origin && !isOwnOrigin(origin, services, request)) {
    throw new Failure(
      403,
      'foreign_origin',
      'This request came from another site and was refused. Nothing was changed.',
    )
  }
  if (session?.isAntiForgeryEnabled && request.headers['x-csrf-token'] !== session.csrfToken) {
    throw new Failure(
      403,
      'csrf',
      'The page is out of date, so nothing was changed. Load it again and repeat what you did.',
    )
  }
}

/**
 * The program the call works on: named in the path, or the one the session has chosen. A foreign program is not there.
 */
const programOf = (params: Record<string, unknown>, user: User, session: Session): number | null => {
  const named = params.programId
  if (named === undefined) return session.programId
  const id = Number(named)
  if (!Number.isSafeInteger(id) || id < 1) throw notFound('This program')
  if (!user.isSuperAdmin && user.ProgramId !== id) throw notFound('This program')
  return id
}

const hashOf = (value: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest()

/**
 * Answers a repeated call with its first answer. The row is written in the call's own transaction: a second call with the
 * same key waits for the first one's commit and then finds its answer.
 */
const withIdempotency = async (
  db: Db,
  key: string | undefined,
  endpoint: AnyEndpoint,
  accountId: number,
  input: unknown,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  if (!key) return work()
  if (!/^[\x21-\x7e]{8,200}$/.test(key)) {
    throw new Failure(
      400,
      'invalid',
      'Idempotency-Key: must be 8 to 200 printable characters. Nothing was changed.',
    )
  }
  const hash = hashOf(input)
  const name = `${endpoint.method} ${endpoint.path}`
  const taken = await db
    .insertInto('idempotency_key')
    .values({ account_id: accountId, key, endpoint: name, request_hash: hash })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (taken.numInsertedOrUpdatedRows === 0n) {
    const first = await db
      .selectFrom('idempotency_key')
      .select(['endpoint', 'request_hash', 'answer'])
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (first.endpoint !== name || !first.request_hash.equals(hash)) {
      throw new Failure(
        409,
        'key_reused',
        'This Idempotency-Key belongs to another request. Nothing was changed.',
      )
    }
    return first.answer
  }
  const answer = await work()
  await db
    .updateTable('idempotency_key')
    .set({ answer: answer === undefined ? null : JSON.stringify(answer) })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute()
  return answer
}

const asBytes = async function* (chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
}

const disposition = (name: string): string => {
  const plain = name.replace(/[^\w. -]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

/** Called with the number of statements of every answered call; the tests hold it to a constant. */
export interface Watch {
  statements?: (endpoint: AnyEndpoint, count: number) => void
  /** Checks every answer against its schema in full (tests). */
  isStrict?: boolean
}

/**
 * Puts a route on the server. In this order and nowhere else: session → forgery check → permission → program → parse →
 * one transaction with the tenant's settings → handler → audit → answer through the schema.
 */
export const register = (
  app: FastifyInstance,
  { endpoint, handler }: Route,
  services: Services,
  watch: Watch,
): void => {
  const serialize = endpoint.answer ? answerSerializer(endpoint.answer, watch.isStrict ?? false) : undefined
  const changes = isChange(endpoint)
  const action = `${endpoint.method} ${endpoint.path}`
  const cookieName = sessionCookie(services)
  const isSecure = cookieName.startsWith('__Host-')

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const token = request.cookies[cookieName]
    const signedIn = token ? await findSession(services.pool, token) : undefined
    if (!signedIn && endpoint.may !== 'everyone') {
      throw new Failure(401, 'signed_out', 'You are signed out. Sign in again; nothing was changed.')
    }
    if (changes) refuseForgery(request, services, endpoint.may === 'everyone' ? undefined : signedIn?.session)
    const rawParams = request.params as Record<string, unknown>
    let programId: number | null = null
    if (signedIn && endpoint.may !== 'everyone') {
      if (endpoint.may !== 'signed-in' && !may(signedIn.user, endpoint.may)) {
        throw new Failure(
          403,
          'not_allowed',
          'Your role does not allow this. Ask your program’s coordinator if you need it.',
        )
      }
      programId = programOf(rawParams, signedIn.user, signedIn.session)
    }
    const { body: rawBody, files } =
      endpoint.takes === 'multipart'
        ? await receiveMultipart(request, endpoint.bodyLimit)
        : { body: request.body ?? undefined, files: [] }
    if (tooDeep(rawBody))
      throw new Failure(
        400,
        'too_deep',
        `The data is nested deeper than ${deepest} levels. Nothing was changed.`,
      )
    const params = endpoint.params
      ? parsePart(endpoint.params, fromUrl(endpoint.params, rawParams), 'address')
      : undefined
    const rawQuery = request.query as Record<string, unknown>
    const query = endpoint.query
      ? parsePart(endpoint.query, fromUrl(endpoint.query, rawQuery), 'query')
      : refuseQuery(rawQuery)
    const body = endpoint.body ? parsePart(endpoint.body, rawBody, 'body') : refuseBody(rawBody)

    const note: AuditNote = {}
    const call = {
      params,
      query,
      body,
      files,
      services,
      user: signedIn?.user as User,
      session: signedIn?.session as Session,
      audit: note,
      from: {
        address: request.ip,
        agent: request.headers['user-agent'] ?? '',
        origin: request.headers.origin,
        isEmbedded: request.headers['sec-fetch-dest'] === 'iframe',
        key: request.headers['idempotency-key'] as string | undefined,
      },
      cookies: {
        get: (name: string) => request.cookies[name],
        set: (
          name: string,
          value: string,
          { maxAgeSeconds, isReadable }: { maxAgeSeconds?: number; isReadable?: boolean } = {},
        ) => {
          reply.setCookie(name, value, {
            path: '/',
            httpOnly: !isReadable,
            sameSite: 'lax',
            secure: isSecure,
            ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
          })
        },
        clear: (name: string) => {
          reply.clearCookie(name, { path: '/', secure: isSecure })
        },
      },
    }

    const accountId = signedIn?.user.Id ?? null
    const tenant = {
      accountId,
      programIds: programId === null ? [] : [programId],
      isSuper: signedIn?.user.isSuperAdmin ?? false,
    }
    const key = changes && accountId !== null ? request.headers['idempotency-key'] : undefined
    if (endpoint.needsKey && !key) {
      throw new Failure(400, 'invalid', 'Idempotency-Key: this header is required. Nothing was changed.', {
        fields: [{ Field: 'Idempotency-Key', Message: 'is required' }],
      })
    }
    let result: unknown
    await transaction(services.transactions, tenant, async (db, count) => {
      const work = () => handler({ ...call, db })
      result =
        accountId === null
          ? await work()
          : await withIdempotency(
              db,
              key as string | undefined,
              endpoint,
              accountId,
              endpoint.needsKey ? params : { params, query, body },
              work,
            )
      const viewed = endpoint.views && params ? (params as Record<string, number>)[endpoint.views] : undefined
      // Calls open to everyone write their own audit rows: only they learn whose account it was.
      const isAudited = endpoint.may !== 'everyone' && (changes || endpoint.answers === 'file')
      if (isAudited || viewed !== undefined) {
        await writeAudit(db, {
          programId: programId ?? signedIn?.user.ProgramId ?? null,
          accountId,
          action,
          address: request.ip,
          subjectId: note.subjectId ?? viewed,
          detail:
            note.detail ?? auditable({ ...(params as object), ...(query as object), ...(body as object) }),
        })
      }
      if (endpoint.answers === 'file') {
        const { name, type, chunks } = result as FileAnswer
        reply.raw.setHeader('x-content-type-options', 'nosniff')
        reply
          .header('content-type', type)
          .header('content-disposition', disposition(name))
          .header('cache-control', 'no-store')
        const stream = Readable.from(asBytes(chunks))
        const ended = new Promise<void>((resolve, reject) => {
          stream.once('close', resolve)
          stream.once('error', reject)
        })
        reply.send(stream)
        await ended
      }
      watch.statements?.(endpoint, count.statements)
    })
    if (endpoint.answers === 'file') return reply
    if (!serialize) return reply.code(endpoint.status ?? 204).send()
    return reply
      .code(endpoint.status ?? 200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(serialize(result))
  }

  app.route({
    method: endpoint.method,
    url: `${services.config.appRoot}/new/api${endpoint.path}`,
    bodyLimit: endpoint.bodyLimit ?? 1024 * 1024,
    handler: answer,
  })
}

const refuseQuery = (raw: Record<string, unknown>): undefined => {
  const names = Object.keys(raw)
  if (names.length === 0) return undefined
  throw new Failure(400, 'invalid', `${names[0]} is not a known name here. Nothing was changed.`, {
    fields: names.map((name) => ({ Field: name, Message: `${name} is not a known name here` })),
  })
}

const refuseBody = (raw: unknown): undefined => {
  if (raw === undefined || raw === null || (typeof raw === 'object' && Object.keys(raw).length === 0))
    return undefined
  throw new Failure(400, 'invalid', 'This call takes no body. Nothing was changed.')
}

/** The level below which a person uses the member shell (specification 1 §6: staff is Faculty and above). */
export const isStaff = (user: User): boolean => user.AccessLevel >= Level.Faculty
