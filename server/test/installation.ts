import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import pino from 'pino'
import { expect, vi } from 'vitest'
import { basedSave } from '#contract/core/basis.ts'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { openPages, protocols, routes } from '#server/app.ts'
import { newGivenProof } from '#server/core/auth/given-proof.ts'
import { hashToken, openSession } from '#server/core/auth/session.ts'
import { type Environment, readConfig } from '#server/core/config/config.ts'
import { createPool, isDatabaseReady } from '#server/core/database/pool.ts'
import { createWatch } from '#server/core/database/watch.ts'
import { openFileStore } from '#server/core/files/files.ts'
import type { Watch } from '#server/core/http/register.ts'
import { createWeb } from '#server/core/http/web.ts'
import { addTemplates } from '#server/core/mail/mail-templates.ts'
import { addSubscribers, hearEvents } from '#server/core/runtime/events.ts'
import { createFailureCounts } from '#server/core/runtime/failure-counts.ts'
import { tellingFailures } from '#server/core/runtime/file-store.ts'
import { createHeavyLanes } from '#server/core/runtime/heavy-calls.ts'
import { createIpAccess } from '#server/core/runtime/ip-access.ts'
import { createLive } from '#server/core/runtime/live.ts'
import type { WorkerServices } from '#server/core/runtime/services.ts'
import { subscribers } from '#server/subscribers.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type Sent, sendOverWire } from './wire.ts'

/** What came back over HTTP. `body` is the parsed JSON, whatever the status. */
export interface Reply<A> {
  status: number
  body: A
  headers: Headers
}

/** A person at the other end of the wire, signed in or not. */
export interface Caller {
  /** What its calls carry. */
  headers: Record<string, string>
  call<E extends AnyEndpoint>(
    endpoint: E,
    input?: Partial<InputOf<E>> | InputOf<E>,
    more?: CallOptions,
  ): Promise<Reply<AnswerOf<E>>>
  /** Like `call`, but fails the test unless the answer is a success; answers the body. */
  ok<E extends AnyEndpoint>(endpoint: E, input?: InputOf<E>, more?: CallOptions): Promise<AnswerOf<E>>
  /** A raw request below `/new/api`, for input that the types forbid. */
  send(
    method: string,
    path: string,
    init?: { body?: unknown; headers?: Record<string, string>; bytes?: Uint8Array },
  ): Promise<Reply<any>>
}
export interface CallOptions {
  headers?: Record<string, string>
  /** What a save starts from, as it was read; it says so as the browser does. */
  basedOn?: unknown
  /** Parts of a multipart body; the input's body becomes its JSON parts. */
  files?: { field: string; name: string; content: string | Uint8Array }[]
}

export interface Installation {
  url: string
  services: WorkerServices
  app: FastifyInstance
  /** Connects as the owner, past row-level security: for factories and for looking at what was kept. */
  owner: pg.Pool
  anonymous: Caller
  /** Signs the account in without a password and answers its caller; `at` is another server on the same database. */
  as(account: { Id: number }, at?: string): Promise<Caller>
  /** Lets all subscribers hear what was changed until now, as the worker does twice a second. */
  hear(): Promise<void>
  stop(): Promise<void>
}

const toText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value))

/** The address below `/new/api` that a call with this input goes to. */
export const addressOf = (endpoint: AnyEndpoint, input: { params?: object; query?: object } = {}): string => {
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replace(/:(\w+)/g, (_all: string, name: string) =>
    encodeURIComponent(toText(params[name])),
  )
  const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(query.map(([name, value]) => [name, toText(value)])).toString()
  return search ? `${path}?${search}` : path
}

const createCaller = (url: string, credentials: { cookie: string; csrf: string } | undefined): Caller => {
  const own: Record<string, string> = credentials
    ? { cookie: credentials.cookie, 'x-csrf-token': credentials.csrf }
    : {}
  const request = async (
    method: string,
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: Sent['body'] },
  ): Promise<Reply<any>> => {
    const answer = await sendOverWire(`${url}/new/api${path}`, {
      method,
      headers: { ...own, ...headers },
      body,
    })
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      status: answer.status,
      body: isJson ? JSON.parse(answer.text) : answer.text,
      headers: answer.headers,
    }
  }
  const call: Caller['call'] = (endpoint, input, more = {}) => {
    const { body: given, ...rest } = (input ?? {}) as { body?: unknown; params?: object; query?: object }
    const based = more.basedOn === undefined ? undefined : basedSave(endpoint, given, more.basedOn)
    const body = based ? based.body : given
    const headers = { ...(based && { 'if-match': based.match }), ...more.headers }
    if (more.files) {
      const form = new FormData()
      for (const [name, value] of Object.entries(body ?? {}))
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      for (const { field, name, content } of more.files)
        form.append(field, new Blob([content as BlobPart]), name)
      return request(endpoint.method, addressOf(endpoint, rest), { body: form, headers })
    }
    return request(endpoint.method, addressOf(endpoint, rest), {
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    })
  }
  return {
    headers: own,
    call,
    ok: async (endpoint, input, more) => {
      const reply = await call(endpoint, input, more)
      if (reply.status >= 300)
        throw new Error(
          `${endpoint.method} ${endpoint.path} answered ${reply.status}: ${JSON.stringify(reply.body)}`,
        )
      return reply.body
    },
    send: (method, path, { body, headers, bytes } = {}) =>
      request(method, path, {
        ...(bytes && { body: bytes }),
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      }),
  }
}

/** Whoever has got this token by signing in. */
export const callerOf = async ({ owner, url }: Installation, token: string): Promise<Caller> => {
  const { rows } = await owner.query('select csrf_token from session where token_hash = $1', [
    hashToken(token),
  ])
  return createCaller(url, { cookie: `practicum_session=${token}`, csrf: rows[0].csrf_token })
}

/** Waits until no transaction runs that began before this moment: those of other tests on the same server hold events back too. */
export const settle = async (owner: pg.Pool): Promise<void> => {
  const { rows } = await owner.query('select pg_current_xact_id()::text as id')
  await vi.waitFor(
    async () => {
      const { rows: found } = await owner.query(
        'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as is_over',
        [rows[0].id],
      )
      expect(found).toEqual([{ is_over: true }])
    },
    { timeout: 30_000, interval: 10 },
  )
}

/** A whole installation on its own database, listening on a free port. One a test file; stop it at the end. */
export const startInstallation = async (
  env: Environment = {},
  watch: Watch = {},
  /** Where the product finds its database, when that is not the database itself. */
  through: (appUrl: string) => string = (appUrl) => appUrl,
  given?: TestDatabase,
): Promise<Installation> => {
  const database = given ?? (await createTestDatabase())
  const appUrl = through(database.appUrl)
  const folder = mkdtempSync(join(tmpdir(), 'practicum-files-'))
  const config = {
    ...readConfig({
      DATA_DIR: folder,
      DEMO: '0',
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      ...env,
    }),
    secretKey: 'a key for tests only, long enough to be one',
  }
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const databaseWatch = createWatch(appUrl, log)
  const transactions = createPool(appUrl, log, 16, databaseWatch)
  const pool = createPool(appUrl, log, 4, databaseWatch)
  // Tests wait for it as long as they have to.
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 6 })
  owner.on('error', () => {})
  let url = ''
  const files = tellingFailures(await openFileStore(config.filesUrl), () => {})
  const everywhere = createPool(database.ownerUrl, log, 1, databaseWatch)
  const services: WorkerServices = {
    config,
    transactions,
    pool,
    ownerUrl: database.ownerUrl,
    everywhere,
    log,
    live: createLive(appUrl, pool, log),
    files,
    heavyCalls: createHeavyLanes(),
    ipAccess: createIpAccess(pool, files, log),
    failures: createFailureCounts(pool, log),
    publicUrl: () => config.appUrl ?? url,
  }
  const app = await createWeb(services, routes, {
    openPages,
    protocols,
    watch: { isStrict: true, ...watch },
    isReady: () => isDatabaseReady(pool),
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  await addSubscribers(pool, subscribers)
  await addTemplates(pool)
  return {
    url,
    services,
    app,
    owner,
    anonymous: createCaller(url, undefined),
    as: async ({ Id }, at = url) => {
      const token = await openSession(pool, Id, { address: '127.0.0.1', agent: 'test' })
      const { rows } = await owner.query(
        // Proven for the whole test, however slow the machine is.
        `update session set proven_at = now() + interval '1 day'
         where id = (select max(id) from session where account_id = $1) returning id, csrf_token`,
        [Id],
      )
      const caller = createCaller(at, { cookie: `practicum_session=${token}`, csrf: rows[0].csrf_token })
      caller.headers['x-proof'] = newGivenProof(config.secretKey, rows[0].id, Date.now() + 86_400_000)
      return caller
    },
    hear: async () => {
      await settle(owner)
      await hearEvents(services, subscribers)
    },
    stop: async () => {
      await app.close()
      await services.failures.close()
      await transactions.end()
      await pool.end()
      await everywhere.end()
      await owner.end()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
