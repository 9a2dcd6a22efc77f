import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { isSecretAddress, pageAt } from '#contract/core/pages.ts'
import type { Language } from '#contract/language/language.ts'
import { isOverTls, sessionCookie } from '#server/core/auth/cookies.ts'
import { awaitsFirstAccount } from '#server/core/auth/first-account.ts'
import { findSignedOutReason } from '#server/core/auth/session.ts'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { isConflict, isConnectionLoss, isInDoubt, isOutOfRoom } from '#server/core/database/pool.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { countRefused, isLarge } from './anonymous.ts'
import { collegeMeta, openPagesOf } from './built-pages.ts'
import type { Route } from './handle.ts'
import { refuseAddress } from './ip-refusal.ts'
import { keepChosenLanguage, languageOf, noteReader } from './language.ts'
import { offersCollege } from './login.across.ts'
import { wrongContentType } from './multipart.ts'
import { serveOfflineFiles } from './offline-files.ts'
import { type OpenPage, registerOpenPages } from './open-page.ts'
import { withAnswers } from './page-answers.ts'
import { guardPage } from './page-guard.ts'
import { type Protocol, registerProtocols } from './protocol.ts'
import { register, type Watch } from './register.ts'
import { signedOutMeta } from './signed-out.ts'

const distFolder = join(import.meta.dirname, '..', '..', '..', 'dist')

const maxReadyMs = 800

/** Calls are checked and answers written by what `register` makes of them: the compilers that Fastify brings stay out of memory. */
const noSchemas = () => () => {
  throw new Error('Routes have no schemas of Fastify.')
}

/** The description of the interface for developers. */
const isEnglishOnly = (path: string): boolean => pageAt(path)?.path === 'api/docs'

/**
 * Offers the way by a college (SAML) where there is one, and tells a browser that was signed out from elsewhere why: said in the page, it
 * costs the login page neither a call nor a jump.
 */
const loginPage = async (
  services: Services,
  page: string,
  { token, language }: { token: string | undefined; language: Language },
): Promise<string> => {
  // The page says by itself that the server cannot sign anybody in just now.
  const [offers, reason] = await Promise.all([
    offersCollege(services.pool).catch(() => false),
    token ? findSignedOutReason(services.pool, token).catch(() => undefined) : undefined,
  ])
  const offering = offers ? page : page.replace(collegeMeta, '')
  return reason ? offering.replace('</head>', `${signedOutMeta(reason, language)}</head>`) : offering
}

/** While nobody has an account the login page leads to where the first one is made, and that page leads back as soon as there is one. */
const firstAccountRedirect = async (
  { pool }: Services,
  page: string | undefined,
): Promise<'login' | 'first-account' | undefined> => {
  if (page !== 'login' && page !== 'first-account') return undefined
  // The page says by itself that the server cannot make or sign in anybody just now.
  const isAwaited = await awaitsFirstAccount(pool).catch(() => page === 'first-account')
  const right = isAwaited ? 'first-account' : 'login'
  return right === page ? undefined : right
}

/** Values that the database cannot keep, such as a number out of range; the schemas refuse what is known of them. */
const unstorable = /^22(001|003|007|008|021|P02|P05)$/

/** Every error of a call in words for people. `Changes`: the call would have changed something. */
const asFailure = (error: FastifyError | Failure, Changes: boolean): Failure => {
  if (error instanceof Failure) return error
  if (isInDoubt(error)) {
    return fail(coreFailures.unconfirmed, { retryAfterSeconds: 2 })
  }
  if (isConnectionLoss(error)) {
    return fail(coreFailures.database_silent, { Changes }, { retryAfterSeconds: 2 })
  }
  if (isOutOfRoom(error)) {
    const failure = fail(coreFailures.no_room, { Changes }, { retryAfterSeconds: 60 })
    failure.cause = error
    return failure
  }
  if (isConflict(error)) return fail(coreFailures.others_changing, { retryAfterSeconds: 1 })
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return fail(coreFailures.too_large, { Changes })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return wrongContentType(Changes)
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return fail(coreFailures.too_many_parts, { Changes })
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return fail(coreFailures.bad_address, { Changes })
    // The database's own rules are the last word where two writers met; handlers name the usual cases better.
    case '23503':
      return fail(coreFailures.refers)
    case '23505':
      return fail(coreFailures.duplicate)
  }
  if (unstorable.test(error.code ?? '')) return fail(coreFailures.unusable, { Changes })
  if (error.statusCode === 400 || error instanceof SyntaxError) {
    return fail(coreFailures.malformed_json, { Changes })
  }
  // What a file's address may not have in it leads nowhere, and so does a file in another version than it has (412).
  if (error.statusCode === 404 || error.statusCode === 412 || error.code === 'FST_STATIC_FORBIDDEN_PATH')
    return fail(coreFailures.nothing_there)
  const Reference = randomBytes(4).toString('hex')
  return fail(coreFailures.fault, { Changes, Reference }, { extra: { Reference } })
}

/** Whether the caller left while its call was still being read: a socket that is closed has no address, and a body no end. */
const hasLeft = (error: FastifyError | Failure, request: FastifyRequest): boolean =>
  'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' && request.raw.destroyed

/** Answers an error in the one form that errors have, and records what is a fault of ours. */
const answerError = (
  services: Services,
  error: FastifyError | Failure,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  // Nobody reads the answer; its status is for the metrics.
  if (error instanceof AbandonedError || hasLeft(error, request)) return reply.code(499).send()
  const failure = asFailure(error, !['GET', 'HEAD'].includes(request.method))
  countRefused(services, request, failure)
  const isFault = failure.code === 'fault' || unstorable.test(error.code ?? '')
  if (isFault)
    request.log.error({ err: error, route: request.routeOptions?.url, ...failure.extra }, 'A request failed')
  if (failure.status >= 500)
    services.failures.add('server', `${request.method} ${request.routeOptions?.url ?? 'unknown address'}`)
  if (failure.retryAfterSeconds) reply.header('retry-after', failure.retryAfterSeconds)
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy()
    return
  }
  // Nobody reads the rest of a body that is refused.
  if (!request.raw.complete && isLarge(request)) reply.header('connection', 'close')
  reply.removeHeader('content-disposition')
  return reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .send(failure.body(languageOf(request)))
}

/**
 * What the help chat's script needs beside its own origin: Zendesk's is split over two domains and speaks by web sockets.
 * Nothing without a configured script.
 */
const chatOrigins = (
  widgetUrl: string | undefined,
): { script: string[]; rest: string[]; sockets: string[] } => {
  if (!widgetUrl) return { script: [], rest: [], sockets: [] }
  const { origin, hostname } = new URL(widgetUrl)
  const isZendesk = hostname.endsWith('.zdassets.com')
  return {
    script: [origin],
    rest: isZendesk ? ['https://*.zdassets.com', 'https://*.zendesk.com'] : [origin],
    sockets: isZendesk ? ['wss://*.zendesk.com'] : [],
  }
}

const securityHeaders = (services: Services) => {
  const chat = chatOrigins(services.config.zendesk?.widgetUrl)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", ...chat.script],
        // Mantine and Leaflet place elements by style attributes.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': [
          "'self'",
          'data:',
          'blob:',
          ...(services.config.mapTilesUrl ? [new URL(services.config.mapTilesUrl).origin] : []),
          ...chat.rest,
        ],
        'font-src': ["'self'", 'data:', ...chat.rest],
        'connect-src': ["'self'", ...chat.rest, ...chat.sockets],
        // Proofs are fetched, which puts them in the audit, and shown by the browser's own reader of PDF.
        'frame-src': ["'self'", 'blob:', ...chat.rest],
        ...(chat.rest.length > 0 && { 'media-src': ["'self'", ...chat.rest] }),
        'frame-ancestors': ["'self'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'"],
        'object-src': ["'none'"],
      },
    },
    strictTransportSecurity: isOverTls(services) ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'sameorigin' as const },
  }
}

/** What a connection is told whose request could not be read as one. */
const broken: Readonly<Record<string, DeclaredFailure>> = {
  HPE_HEADER_OVERFLOW: coreFailures.headers_too_large,
  EXPECTATION: coreFailures.expectation,
  ERR_HTTP_REQUEST_TIMEOUT: coreFailures.too_slow,
}

const answerBroken = ({ code = '' }: { code?: string | undefined }, socket: Socket): void => {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const failure = fail(broken[code] ?? coreFailures.malformed_http)
  const body = JSON.stringify(failure.body('en'))
  socket.end(
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** The whole web side: calls, pages, health. `routes` comes from `app.ts`, the only place that knows all modules. */
export const createWeb = async (
  services: Services,
  routes: readonly Route[],
  {
    watch = {},
    isReady,
    leaving,
    openPages = [],
    protocols = [],
  }: {
    watch?: Watch
    isReady: () => Promise<boolean>
    /** The process is about to stop: it answers still, and is not ready for more. */
    leaving?: AbortSignal
    openPages?: readonly OpenPage[]
    protocols?: readonly Protocol[]
  },
): Promise<FastifyInstance> => {
  const { config, log } = services
  const app = Fastify({
    // What comes while the process stops is answered as ever; only new connections are refused.
    return503OnClosing: false,
    // Fastify says at which address it listens; the start says that in words.
    loggerInstance: log.child({}, { level: log.level === 'info' ? 'warn' : log.level }),
    // Routes and times are in the metrics; the log is for what goes wrong.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // Node.js sends no body to HEAD, whatever is written. A route of its own for each GET would be half of all routes.
    exposeHeadRoutes: false,
    rewriteUrl: (request) => {
      if (request.method === 'HEAD') request.method = 'GET'
      // Of a server's request there is one.
      return request.url!
    },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    // Addresses that no route can be looked up by, such as one that is no UTF-8, come here before any hook.
    // Slow headers and what is no HTTP at all are answered in our words too, by the connection itself.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    clientErrorHandler: (error, socket) => answerBroken(error, socket),
    frameworkErrors: (error, request, reply) => {
      answerError(services, error, request, reply)
    },
    // Our logger narrows the type of the app, which nothing here depends on.
  }) as unknown as FastifyInstance
  await app.register(cookie)
  await app.register(helmet, securityHeaders(services))
  await app.register(compress, {
    threshold: 1_024,
    // No client compresses what it sends; a small body could otherwise unfold into gigabytes.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 4 } },
  })
  await app.register(multipart)

  // Clients name a JSON body also where a call has none; an empty one is no body, not a broken one.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (text === '') done(null, undefined)
    else parseJson(request, text, done)
  })

  // Read by the call itself, after it is known who sends it.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))

  app.setErrorHandler((error: FastifyError | Failure, request, reply) =>
    answerError(services, error, request, reply),
  )

  // HTTP 1.1 asks for the header, and Node.js would refuse it without a word.
  app.addHook('onRequest', async ({ headers, raw }) => {
    if (headers.host === undefined && raw.httpVersion !== '1.0') throw fail(coreFailures.malformed_http)
  })
  app.addHook('onRequest', (request, reply) => refuseAddress(services, request, reply))
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith(`${config.appRoot}/new/api/`)) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    // A stream's length says nothing about how fast calls are.
    if (String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')) return
    metrics.observe(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime)
    if (reply.statusCode >= 500)
      request.log.warn({ url: request.routeOptions.url, status: reply.statusCode }, 'answered')
  })

  // Browsers connect ahead of need. The server would wait a minute for the first word of such a connection, also at its stop.
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.server.on('checkExpectation', ({ socket }) => answerBroken({ code: 'EXPECTATION' }, socket))
  if (leaving)
    app.addHook('onSend', async (_request, reply) => {
      if (leaving.aborted) reply.header('connection', 'close')
    })
  app.addHook('preClose', async () => {
    await services.live.close()
    await services.ipAccess.close()
    for (const socket of silent) socket.destroy()
  })

  for (const route of routes) register(app, route, services, watch, routes)
  await registerOpenPages(app, openPages, services)
  await registerProtocols(app, protocols, services)

  // Whoever watches over the process waits a second for the answer; questions that come meanwhile share one.
  let asking: Promise<boolean> | undefined
  // A busy process is late itself: what the database has answered meanwhile is read first.
  const inTime = (): Promise<boolean> =>
    new Promise((resolve) => setTimeout(() => setImmediate(resolve, false), maxReadyMs).unref())
  // A proxy may reach the product below APP_ROOT alone.
  const roots = new Set(['', config.appRoot])
  for (const root of roots) app.get(`${root}/healthz`, async () => ({ Status: 'alive' }))
  for (const root of roots)
    app.get(`${root}/readyz`, async (_request, reply) => {
      asking ??= isReady()
        .catch(() => false)
        .finally(() => {
          asking = undefined
        })
      const ready = !leaving?.aborted && (await Promise.race([asking, inTime()]))
      return reply
        .code(ready ? 200 : 503)
        .send({ Status: ready ? 'ready' : leaving?.aborted ? 'stopping' : 'starting' })
    })
  app.get('/metrics', async (request, reply) => {
    const { remoteAddress = '' } = request.socket
    const isLocal = remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress)
    if (!isLocal || request.headers['x-forwarded-for']) throw fail(coreFailures.nothing_there)
    return reply.type('text/plain; version=0.0.4').send(await metrics.text(services))
  })

  const root = config.appRoot
  app.get(`${root}/`, (_request, reply) => reply.redirect(`${root}/new/`))
  app.get(`${root}/login`, (_request, reply) => reply.redirect(`${root}/new/login`))
  app.get(`${root}/admin`, (_request, reply) => reply.redirect(`${root}/new/admin/home`))
  const pages = openPagesOf(root, distFolder)
  if (pages) {
    serveOfflineFiles(app, `${root}/new`, pages)
    await app.register(fastifyStatic, {
      root: join(distFolder, 'assets'),
      prefix: `${root}/new/assets/`,
      immutable: true,
      preCompressed: true,
      acceptRanges: false,
      maxAge: '365d',
      decorateReply: true,
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.slice(root.length).split('?')[0]!
    const isPage =
      request.method === 'GET' &&
      path.startsWith('/new') &&
      // A file of another release is gone: a page in its place would be taken for it, and kept.
      !path.startsWith('/new/assets/') &&
      (!path.startsWith('/new/api') || pageAt(path) !== undefined)
    if (!isPage || !pages) throw fail(coreFailures.nothing_there)
    if (keepChosenLanguage(request, reply)) return reply
    const elsewhere = await firstAccountRedirect(services, pageAt(path)?.path)
    if (elsewhere) return reply.redirect(`${root}/new/${elsewhere}`)
    const shown = await guardPage(services, request, reply)
    if (!shown) return reply
    const language = isEnglishOnly(path) ? 'en' : noteReader(request, shown.signedIn?.user)
    const html = pages().htmlOf(path.slice('/new'.length), language)
    const page = shown.signedIn
      ? await withAnswers(app, request, `${root}/new`, shown.signedIn, { html, path, language })
      : pageAt(path)?.path === 'login'
        ? await loginPage(services, html, { token: request.cookies[sessionCookie(services)], language })
        : html
    if (isSecretAddress(path)) reply.headers({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })
    return reply
      .header('cache-control', shown.signedIn ? 'no-store' : 'no-cache')
      .header('content-language', language)
      .header('vary', 'cookie, accept-language')
      .type('text/html; charset=utf-8')
      .send(page)
  })
  return app
}
