import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AnyEndpoint, Endpoint, Out, Shape } from '#contract/core/endpoint.ts'
import { may } from '#contract/core/permissions.ts'
import { hashCode, seal, unseal } from '#server/core/auth/seal.ts'
import { findSession, type Session, type SignedIn, type User } from '#server/core/auth/session.ts'
import { type Db, reading, type TransactionContext, transaction } from '#server/core/database/pool.ts'
import { type AuditNote, auditable, auditEntry } from '#server/core/runtime/audit.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { basisCheck, refuseStale } from './basis.ts'
import { Failure, notFound } from './failure.ts'
import { fromUrl, namesOf } from './from-url.ts'
import { parsePart, refuseBody, refuseQuery } from './input.ts'
import { plainAddress } from './ip-access.ts'
import { type ReceivedFile, receiveMultipart, receiveOctets } from './multipart.ts'
import type { ReadyJson } from './ready-json.ts'
import { answerSerializer } from './serializer.ts'

/** A streamed download. `chunks` is read inside the call's transaction, so a cursor may feed it. */
export interface FileAnswer {
  name: string
  type: string
  chunks: AsyncIterable<Uint8Array | string>
}

/**
 * A stream of server-sent events. It is started with how to send and how to end, and answers what to do when it is over,
 * whoever ended it.
 */
export type StreamAnswer = (send: (text: string) => void, end: () => void) => () => void

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
    /** Somebody passed the call on whom TRUST_PROXY does not name: `address` is that one's. */
    isProxyUnknown: boolean
    /** The call's Idempotency-Key. */
    key: string | undefined
    /** What is behind `Bearer` in the call's Authorization. */
    bearer: string | undefined
  }
  /** Adds to the audit row of this call. */
  audit: AuditNote
  /** Runs once everything of the call is kept; not at all when it is refused or fails. */
  afterCommit: (work: () => void) => void
  cookies: Cookies
}

/** The caller's cookies. They come back with pages of this product only, and scripts read none that is not `isReadable`. */
export interface Cookies {
  get(name: string): string | undefined
  set(name: string, value: string, options?: { maxAgeSeconds?: number; isReadable?: boolean }): void
  clear(name: string): void
}

/** Decides on the way a call comes, before its body is read. */
type Admit = (services: Services, from: { address: string; bearer: string | undefined }) => Promise<void>

export interface Route {
  endpoint: AnyEndpoint
  /** For calls that bring a key in place of a session: whoever has none is refused whatever else was sent. */
  admit?: Admit
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
  ) => Promise<
    A extends z.ZodType
      ? z.input<A> | ReadyJson<z.input<A>>
      : E['answers'] extends 'file'
        ? FileAnswer
        : unknown
  >,
  { admit }: { admit?: Admit } = {},
): Route => ({ endpoint, handler, ...(admit && { admit }) })

export const sessionCookie = (services: Services): string =>
  services.config.appUrl?.startsWith('https:') ? '__Host-practicum_session' : 'practicum_session'

/** `isSecure`: only over https. */
export const cookiesOf = (request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Cookies => ({
  get: (name) => request.cookies[name],
  set: (name, value, { maxAgeSeconds, isReadable } = {}) => {
    reply.setCookie(name, value, {
      path: '/',
      httpOnly: !isReadable,
      sameSite: 'lax',
      secure: isSecure,
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
    })
  },
  clear: (name) => {
    reply.clearCookie(name, { path: '/', secure: isSecure })
  },
})

export const isChange = (endpoint: AnyEndpoint): boolean => endpoint.changes ?? endpoint.method !== 'GET'

const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]

/** What a page asks for by itself, while nobody does anything, does not keep the session alive. */
const isBackground = (request: FastifyRequest): boolean => request.headers['x-background'] === '1'

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

/** Whoever views as somebody else changes nothing, and a step that waits comes before anything else. */
const refuseViewer = ({ user, session }: SignedIn): void => {
  if (!session.viewer) return
  throw new Failure(
    403,
    'viewing',
    `You are viewing as ${user.Name}, so nothing was changed. Stop viewing first.`,
  )
}
const refuseDuringStep = ({ session: { step } }: SignedIn, services: Services, changes: boolean): void => {
  if (!step) return
  throw new Failure(403, 'step', changes ? `${step.message} Nothing was changed.` : step.message, {
    extra: { RedirectTo: `${services.config.appRoot}/new${step.page}` },
  })
}

/** Under the installation's key: inputs hold passwords, which nobody can guess from a hash that only the server makes. */
const hashOf = (secretKey: string, value: unknown): Buffer =>
  hashCode(secretKey, 'request', JSON.stringify(value ?? null))

/** @throws Failure 400 when the call's Idempotency-Key is missing where it must be there, or no key */
const checkKey = (endpoint: AnyEndpoint, key: string | undefined): void => {
  if (endpoint.needsKey && !key) {
    throw new Failure(400, 'invalid', 'The header Idempotency-Key is required. Nothing was changed.', {
      fields: [{ Field: 'Idempotency-Key', Message: 'The header Idempotency-Key is required.' }],
    })
  }
  if (key && !/^[\x21-\x7e]{8,200}$/.test(key)) {
    throw new Failure(
      400,
      'invalid',
      'The header Idempotency-Key must be 8 to 200 printable characters. Nothing was changed.',
    )
  }
}

/**
 * Answers a repeated call with its first answer. The row is written in the call's own transaction: a second call with the
 * same key waits for the first one's commit and then finds its answer.
 */
const withIdempotency = async (
  db: Db,
  { closing }: TransactionContext,
  secretKey: string,
  key: string,
  endpoint: AnyEndpoint,
  accountId: number,
  input: unknown,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  const hash = hashOf(secretKey, input)
  const context = `answer ${accountId} ${key}`
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
    return endpoint.answersSecret && first.answer !== null
      ? JSON.parse(unseal(secretKey, context, String(first.answer)))
      : first.answer
  }
  const answer = await work()
  const text = answer === undefined ? null : JSON.stringify(answer)
  const kept = text !== null && endpoint.answersSecret ? JSON.stringify(seal(secretKey, context, text)) : text
  closing.push(
    db
      .updateTable('idempotency_key')
      .set({ answer: kept })
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .compile(),
  )
  return answer
}

const asBytes = async function* (chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
}

const disposition = (name: string): string => {
  const plain = name.replace(/[^\w. -]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`
}

/** A reader that takes nothing for so long that this many bytes wait is gone, whatever its connection says. */
const maxWaitingBytes = 64 * 1024

const openStream = (reply: FastifyReply, start: StreamAnswer): FastifyReply => {
  const { raw } = reply
  let stop = () => {}
  raw.once('close', () => stop())
  // What goes over the wire from here on is nobody's but the stream's: no compression, which would hold lines back.
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // Kept open for further calls, it would hold up the stop of the server.
    connection: 'close',
  })
  stop = start(
    (text) => {
      if (raw.writableLength > maxWaitingBytes) raw.destroy()
      else if (!raw.writableEnded) raw.write(text)
    },
    () => raw.end(),
  )
  if (raw.destroyed) stop()
  return reply
}

/** A save that says what it started from: see `refuseStale`. */
const comparing: typeof reading = (pool, tenant, work) =>
  transaction(pool, tenant, work, { isRepeatable: true })

/** Called with the number of statements of every answered call; the tests hold it to a constant. */
export interface Watch {
  statements?: (endpoint: AnyEndpoint, count: number) => void
  /** Checks every answer against its schema in full (tests). */
  isStrict?: boolean
}

/**
 * Puts a route on the server. In this order and nowhere else: session → forgery check → viewer and step → permission →
 * program → parse → one transaction with the tenant's settings → handler → audit → answer through the schema.
 */
export const register = (
  app: FastifyInstance,
  { endpoint, handler, admit }: Route,
  services: Services,
  watch: Watch,
  routes: readonly Route[],
): void => {
  const serialize = endpoint.answer ? answerSerializer(endpoint.answer, watch.isStrict ?? false) : undefined
  const basis = basisCheck(endpoint, routes)
  const changes = isChange(endpoint)
  const action = `${endpoint.method} ${endpoint.path}`
  const cookieName = sessionCookie(services)
  const isSecure = cookieName.startsWith('__Host-')
  const bodyNames = endpoint.takes === 'multipart' && endpoint.body ? namesOf(endpoint.body) : []

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const token = request.cookies[cookieName]
    const signedIn = token
      ? await findSession(services.pool, token, { isActivity: !isBackground(request) })
      : undefined
    if (!signedIn && endpoint.may !== 'everyone') {
      throw new Failure(
        401,
        'signed_out',
        `You are signed out. Sign in again${changes ? '; nothing was changed' : ''}.`,
      )
    }
    if (changes) refuseForgery(request, services, endpoint.may === 'everyone' ? undefined : signedIn?.session)
    if (signedIn && changes && !endpoint.whileViewing) refuseViewer(signedIn)
    if (signedIn && endpoint.may !== 'everyone' && !endpoint.duringStep)
      refuseDuringStep(signedIn, services, changes)
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
        ? await receiveMultipart(request, bodyNames, endpoint.bodyLimit)
        : endpoint.takes === 'octets'
          ? { body: undefined, files: [await receiveOctets(request, endpoint.bodyLimit)] }
          : { body: request.body ?? undefined, files: [] }
    const params = endpoint.params
      ? parsePart(endpoint.params, fromUrl(endpoint.params, rawParams), 'address', changes)
      : undefined
    const rawQuery = request.query as Record<string, unknown>
    const query = endpoint.query
      ? parsePart(endpoint.query, fromUrl(endpoint.query, rawQuery), 'query', changes)
      : refuseQuery(rawQuery, changes)
    const body = endpoint.body
      ? parsePart(endpoint.body, rawBody, 'body', changes, endpoint.anyNumbers)
      : refuseBody(rawBody, changes)

    let afterwards: (() => void)[] = []
    const call = {
      params,
      query,
      body,
      files,
      services,
      user: signedIn?.user as User,
      session: signedIn?.session as Session,
      from: {
        address: request.ip,
        agent: request.headers['user-agent'] ?? '',
        origin: request.headers.origin,
        isEmbedded: request.headers['sec-fetch-dest'] === 'iframe',
        isProxyUnknown:
          request.headers['x-forwarded-for'] !== undefined &&
          plainAddress(request.ip) === plainAddress(request.socket.remoteAddress ?? ''),
        key: request.headers['idempotency-key'] as string | undefined,
        bearer: bearerOf(request),
      },
      cookies: cookiesOf(request, reply, isSecure),
    }

    const accountId = signedIn?.user.Id ?? null
    const tenant = {
      accountId,
      programIds: programId === null ? [] : [programId],
      isSuper: signedIn?.user.isSuperAdmin ?? false,
    }
    const key =
      changes && accountId !== null ? (request.headers['idempotency-key'] as string | undefined) : undefined
    checkKey(endpoint, key)
    if (endpoint.answers === 'stream') {
      const alone = { ...call, audit: {}, afterCommit: (work: () => void) => work() }
      return openStream(reply, (await handler(alone)) as StreamAnswer)
    }
    let result: unknown
    const seen = request.headers['if-match']
    const isCompared = basis !== undefined && seen !== undefined
    const isTransaction = changes || endpoint.views || endpoint.answers === 'file'
    const run = isCompared ? comparing : isTransaction ? transaction : reading
    await run(services.transactions, tenant, async (db, context) => {
      // Of this attempt alone: an earlier one was rolled back, and what it noted and promised with it.
      const note: AuditNote = {}
      const promised: (() => void)[] = []
      afterwards = promised
      const afterCommit = (later: () => void) => void promised.push(later)
      const work = async () => {
        if (isCompared) await refuseStale({ ...call, db }, basis, { seen, programId })
        return handler({ ...call, audit: note, afterCommit, db })
      }
      result =
        accountId === null || !key || endpoint.needsKey
          ? await work()
          : await withIdempotency(
              db,
              context,
              services.config.secretKey,
              key,
              endpoint,
              accountId,
              { params, query, body },
              work,
            )
      const viewed = endpoint.views && params ? (params as Record<string, number>)[endpoint.views] : undefined
      // Calls open to everyone write their own audit rows: only they learn whose account it was.
      const isAudited =
        endpoint.may !== 'everyone' && (changes || (endpoint.answers === 'file' && !endpoint.isPicture))
      if (isAudited || viewed !== undefined) {
        const detail = note.detail
          ? { ...(params as object), ...note.detail }
          : auditable({ ...(params as object), ...(query as object), ...(body as object) })
        context.closing.push(
          auditEntry(db, {
            programId: note.programId ?? programId ?? signedIn?.user.ProgramId ?? null,
            accountId: signedIn?.session.viewer?.Id ?? accountId,
            action,
            address: request.ip,
            subjectId: note.subjectId ?? viewed,
            detail: signedIn?.session.viewer ? { ...detail, ViewingAs: signedIn.user.UserName } : detail,
          }),
        )
      }
      if (endpoint.answers === 'file') {
        const { name, type, chunks } = result as FileAnswer
        reply.raw.setHeader('x-content-type-options', 'nosniff')
        reply
          .header('content-type', type)
          .header('content-disposition', disposition(name))
          .header('cache-control', endpoint.isPicture ? 'private, max-age=31536000, immutable' : 'no-store')
        const stream = Readable.from(asBytes(chunks))
        const ended = new Promise<void>((resolve, reject) => {
          stream.once('close', resolve)
          stream.once('error', reject)
        })
        reply.send(stream)
        await ended
      }
      watch.statements?.(endpoint, context.statements)
    })
    for (const work of afterwards) work()
    if (endpoint.answers === 'file') return reply
    if (!serialize) return reply.code(endpoint.status ?? 204).send()
    return reply
      .code(endpoint.status ?? 200)
      .header('content-type', 'application/json; charset=utf-8')
      .send(serialize(result))
  }

  app.route({
    ...(admit && {
      onRequest: async (request: FastifyRequest) => {
        if (changes) refuseForgery(request, services, undefined)
        await admit(services, { address: request.ip, bearer: bearerOf(request) })
      },
    }),
    method: endpoint.method,
    url: `${services.config.appRoot}/new/api${endpoint.path}`,
    bodyLimit: endpoint.bodyLimit ?? 1024 * 1024,
    handler: answer,
  })
}
