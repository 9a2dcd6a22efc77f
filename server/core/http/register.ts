import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { isObject } from '#contract/core/is-object.ts'
import { TaskAnswer } from '#contract/tasks/tasks.ts'
import { unknownKey } from '#server/core/auth/api-key.ts'
import { tellOfConfirmed } from '#server/core/auth/confirmed-act.ts'
import { cookiesOf, isOverTls, sessionCookie } from '#server/core/auth/cookies.ts'
import { isGivenProof } from '#server/core/auth/given-proof.ts'
import { findSessionAnywhere, type Session, type SignedIn, type User } from '#server/core/auth/session.ts'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { noteGoals } from '#server/core/database/goals.ts'
import {
  type Db,
  isConnectionLoss,
  reading,
  type Tenant,
  type TransactionContext,
  transaction,
} from '#server/core/database/pool.ts'
import { countOwnChange } from '#server/core/database/replica.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import type { AuditNote } from '#server/core/runtime/audit.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import { plainAddress } from '#server/core/runtime/ip-access.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { holdPeople, holdPeopleAlone, refuseEnded } from '#server/core/runtime/people-lock.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { TakesLong, type TaskInput } from '#server/core/runtime/tasks.ts'
import type { Trace } from '#server/core/runtime/tracing.ts'
import { admitByInbox, admitByKey, callerOf, headerOf, keyOf, noteCaller } from './admission.ts'
import { collectAfterCommit } from './after-commit.ts'
import { admitAnonymous, anonymousBytes, enterInTurn } from './anonymous.ts'
import { openStream, sendFile } from './answer.ts'
import { basisCheck, readBasis } from './basis.ts'
import { actionOf, audit, isAudited } from './call-audit.ts'
import { namesOf } from './from-url.ts'
import { guard, guardInbox, guardKey, refuseForgery } from './guard.ts'
import { isChange, type Route, type StreamAnswer } from './handle.ts'
import { checkKey, withIdempotency } from './idempotency.ts'
import { parse } from './input.ts'
import { hasKeptRows } from './kept-rows.ts'
import { browserLanguage, languageOf, noteReader } from './language.ts'
import { beginFile, countsRows, prepareLater } from './later.ts'
import { incompleteBody, leavesOut, leftOutNames } from './left-out.ts'
import { basedBody } from './merged-save.ts'
import { discardUploads, receiveMultipart, receiveOctets, refuseOtherThanJson } from './multipart.ts'
import { reasonOf, refuseSensitive, sensitivityOf, studentsIn, withheld } from './sensitive.ts'
import { answerSerializer } from './serializer.ts'
import { misfitsIn, refuseMisfits, writtenFields } from './writing.ts'

/** Called with the number of statements of every answered call; the tests hold it to a constant. */
export interface Watch {
  statements?: (endpoint: AnyEndpoint, count: number) => void
  /** Checks every answer against its schema in full (tests). */
  isStrict?: boolean
}

/** What of a route is worked out once, by its first call: most processes are asked for few of all routes. */
type Prepared = ReturnType<typeof prepare>

const prepare = (
  { endpoint, handler, lock }: Route,
  services: Services,
  watch: Watch,
  routes: readonly Route[],
) => {
  const cookieName = sessionCookie(services)
  const changes = isChange(endpoint)
  const leftOut = leftOutNames(endpoint)
  return {
    endpoint,
    handler,
    lock,
    services,
    watch,
    changes,
    cookieName,
    isSecure: isOverTls(services),
    serialize: endpoint.answer ? answerSerializer(endpoint.answer, watch.isStrict ?? false) : undefined,
    serializeTask: endpoint.mayBePrepared ? answerSerializer(TaskAnswer, watch.isStrict ?? false) : undefined,
    basis: basisCheck(endpoint, routes),
    leftOut,
    incompleteBody: incompleteBody(endpoint, leftOut),
    written: writtenFields(endpoint),
    action: actionOf(endpoint),
    bodyNames: endpoint.takes === 'multipart' && endpoint.body ? namesOf(endpoint.body) : [],
    isAudited: isAudited(endpoint),
    get sensitivity() {
      return sensitivityOf(endpoint)
    },
  }
}

/**
 * A save that says what it started from, or leaves something as it is: see `mergedSave` and `completed`. A change that commits between
 * their read and the save's own statements makes the database refuse these, and the next attempt reads again.
 */
const comparing: typeof transaction = (pool, tenant, work, options = {}) =>
  transaction(pool, tenant, work, { ...options, isRepeatable: true })

/** Tells when the connection is closed before the answer is out. */
const abortOnDisconnect = (reply: FastifyReply): AbortSignal => {
  const left = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort()
  })
  return left.signal
}

/** What a page asks for by itself, while nobody does anything, does not keep the session alive. */
const isBackground = (request: FastifyRequest): boolean => request.headers['x-background'] === '1'

interface Received {
  body: unknown
  files: ReceivedFile[]
}

/** Files, and the parts that came with them. */
const receiveFiles = async (
  { endpoint, bodyNames, services }: Prepared,
  request: FastifyRequest,
): Promise<Received> =>
  endpoint.takes === 'multipart'
    ? await receiveMultipart(request, bodyNames, endpoint.bodyLimit, endpoint.mayBePrepared && services.files)
    : { body: undefined, files: [await receiveOctets(request, endpoint.bodyLimit)] }

type Input = ReturnType<typeof parse>

/** Where the call comes from, as handlers see it. */
const fromOf = (request: FastifyRequest) => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
  origin: request.headers.origin,
  isEmbedded: request.headers['sec-fetch-dest'] === 'iframe',
  isProxyUnknown:
    request.headers['x-forwarded-for'] !== undefined &&
    plainAddress(request.ip) === plainAddress(request.socket.remoteAddress ?? ''),
  key: request.headers['idempotency-key'] as string | undefined,
  language: browserLanguage(request),
})

/** What every handler gets, whatever its transaction is. */
const callOf = (
  { services, isSecure }: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn | undefined,
  { params, query, body }: Input,
  files: ReceivedFile[],
) => ({
  params,
  query,
  body,
  files,
  services,
  // Only calls that are open to everyone are without, and their handlers look for nobody.
  user: signedIn?.user as User,
  session: signedIn?.session as Session,
  from: fromOf(request),
  cookies: cookiesOf(request, reply, isSecure),
  language: languageOf(request),
})

/** A call that was let through and read: who makes it, for which program, under which key, from which basis. */
interface Admitted {
  call: ReturnType<typeof callOf>
  /** Its input as it came. */
  raw: TaskInput
  signedIn: SignedIn | undefined
  programId: number | null
  /** The Idempotency-Key of a change. */
  key: string | undefined
  /** What a save started from. */
  seen: string | undefined
  /** Why somebody opens what is private. */
  reason: string | undefined
  /** Absent where the work is done to its end, whoever waits for it. */
  hasLeft: AbortSignal | undefined
  trace: Trace | undefined
}

/** Who acts: whoever views as somebody else is still the own person. */
const personOf = ({ session, user }: SignedIn): number => session.viewer?.Id ?? user.Id

/**
 * Answers a report from the replica, when there is one and it has what this person has changed last. What is written to the audit
 * is written on the primary, before anything is sent. Undefined when the primary has to answer.
 */
const runOnReplica = async (
  prepared: Prepared,
  admitted: Admitted,
  tenant: Tenant,
  reply: FastifyReply,
): Promise<Outcome | undefined> => {
  const { endpoint, handler, services } = prepared
  const { call, signedIn, hasLeft, trace } = admitted
  const { replica } = services
  if (!replica || !endpoint.mayBeBehind || !signedIn) return undefined
  if (!(await replica.isCurrentFor(personOf(signedIn)))) return undefined
  try {
    return await reading(
      replica.pool,
      tenant,
      async (db) => {
        const note: AuditNote = {}
        const { afterCommit, runAfterCommit } = collectAfterCommit(services)
        const result = await handler({ ...call, audit: note, afterCommit, db })
        const file = endpoint.answers === 'file' ? await beginFile(endpoint, result as FileAnswer) : undefined
        if (prepared.isAudited || endpoint.views)
          await transaction(services.transactions, tenant, async (primary, context) => {
            audit(prepared, admitted, primary, context, note)
            await tellOfConfirmed(primary, endpoint, signedIn.user)
          })
        if (file) await sendFile(reply, file, false)
        return { result, runAfterCommit }
      },
      { hasLeft, trace, streams: countsRows(endpoint, call.query) },
    )
  } catch (error) {
    // Refusals are the same there and here. Anything else the primary may do better, unless part of the answer is out.
    if (
      error instanceof Failure ||
      error instanceof AbandonedError ||
      error instanceof TakesLong ||
      reply.raw.headersSent
    )
      throw error
    services.log.warn(`The replica could not answer ${prepared.action}: ${(error as Error).message}`)
    return undefined
  }
}

/** What tells the browser that the answer comes from the replica: how old it may be, in seconds. */
const ageHeader = 'x-data-age'

/**
 * Answers a call that only reads from the replica while the primary is away.
 *
 * @throws the error that the primary's loss was noticed by, where the replica may not answer
 */
const readWhileAway = async (
  { handler, services }: Prepared,
  { call, signedIn, hasLeft, trace }: Admitted,
  tenant: Tenant,
  reply: FastifyReply,
  error: unknown,
): Promise<Outcome> => {
  const { replica } = services
  if (!replica || !signedIn || !isConnectionLoss(error)) throw error
  if (!replica.mayAnswerAlone(personOf(signedIn))) throw error
  const { afterCommit, runAfterCommit } = collectAfterCommit(services)
  const read = (db: Db): Promise<unknown> => handler({ ...call, audit: {}, afterCommit, db })
  const result = await reading(replica.pool, tenant, read, { hasLeft, trace }).catch((its: unknown) => {
    // What the replica itself lacks is nothing that anybody asked for.
    throw its instanceof Failure || its instanceof AbandonedError ? its : error
  })
  reply.header(ageHeader, Math.ceil(replica.lagMs() / 1_000))
  metrics.readWithoutPrimary()
  return { result, runAfterCommit }
}

/** Whose private records the answer holds. */
const seenIn = ({ sensitivity }: Prepared, result: unknown): number[] =>
  sensitivity.class && sensitivity.class !== 'security' ? studentsIn(result) : []

/** The outcome of a call: its answer, and what is done once it is kept. */
interface Outcome {
  result: unknown
  runAfterCommit?: () => void
  /** An upload that a task has taken over. */
  takenKey?: string | undefined
}

/** Work that is done once for its Idempotency-Key, where the call has one. */
const underKey = (
  { endpoint, services }: Prepared,
  { call, signedIn, key }: Admitted,
  db: Db,
  context: TransactionContext,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  if (!signedIn || !key || endpoint.needsKey) return work()
  const input = { params: call.params, query: call.query, body: call.body }
  // What a key has sent is no other key's, nor the person's.
  const own = signedIn.user.key ? `${signedIn.user.key.Id}/${key}` : key
  return withIdempotency(db, context, services.config.secretKey, own, endpoint, signedIn.user.Id, input, work)
}

/** Lets nobody of the program be ended while a change runs, or nobody write while somebody is; whoever calls must still be there. */
const holdProgram = async (
  { endpoint }: Prepared,
  { signedIn, programId }: Admitted,
  db: Db,
): Promise<void> => {
  if (programId === null || !signedIn) return
  const { user } = signedIn
  const isOwn = user.ProgramId === programId && !user.key && !user.link
  if (endpoint.endsPeople) await holdPeopleAlone(db, programId)
  // Sent together: the second reads what is there once the first is held.
  await Promise.all([
    endpoint.endsPeople ? undefined : holdPeople(db, programId),
    isOwn ? refuseEnded(db, user.Id) : undefined,
  ])
}

/**
 * Runs the handler in one transaction with the caller's settings, under its key and against its basis, with the audit; a file
 * is sent in it. A conflict with another transaction runs all of it again: only the last attempt counts.
 */
const run = async (prepared: Prepared, admitted: Admitted, reply: FastifyReply): Promise<Outcome> => {
  const { endpoint, handler, lock, services, basis, changes, watch, leftOut, written } = prepared
  const { call, raw, signedIn, programId, seen, hasLeft, trace } = admitted
  const accountId = signedIn?.user.Id ?? null
  const tenant: Tenant = {
    accountId,
    programIds: programId === null ? [] : [programId],
    isSuper: signedIn?.user.isSuperAdmin ?? false,
  }
  const answered = await runOnReplica(prepared, admitted, tenant, reply)
  if (endpoint.mayBeBehind && services.replica) metrics.report(answered ? 'replica' : 'primary')
  if (answered) return answered
  const misfits = misfitsIn(written, call.body)
  const isBased =
    seen !== undefined ||
    (basis?.date !== undefined && isObject(raw.body) && basis.date in raw.body) ||
    misfits.length > 0 ||
    leavesOut(raw.body, leftOut) ||
    hasKeptRows(endpoint, raw.body)
  const check = isBased ? basis : undefined
  const isFile = endpoint.answers === 'file'
  const isNoted = endpoint.views || endpoint.isAudited || endpoint.class || endpoint.mayRepeatPrivate
  const isTransaction = changes || isNoted || isFile
  const within = check && !lock ? comparing : isTransaction ? transaction : reading
  let lastNote: AuditNote = {}
  let audited = admitted
  const outcome = within(
    services.transactions,
    tenant,
    async (db, context) => {
      // Of this attempt alone: an earlier one was rolled back, and what it noted and promised with it.
      const note: AuditNote = {}
      lastNote = note
      const { afterCommit, runAfterCommit } = collectAfterCommit(services)
      if (changes) await holdProgram(prepared, admitted, db)
      const work = async () => {
        if (check && lock && programId !== null) await lock(db, programId)
        const current = check ? await readBasis({ ...call, db }, check) : undefined
        const body = check
          ? await basedBody({ endpoint, check, leftOut }, { ...admitted, db }, current)
          : call.body
        audited = { ...admitted, call: { ...call, body } }
        refuseMisfits(misfitsIn(written, body), endpoint, current)
        const answered = await handler({
          ...audited.call,
          audit: note,
          afterCommit,
          db,
        })
        if (endpoint.changesGoals && programId !== null) await noteGoals(db, programId)
        return answered
      }
      const result = await underKey(prepared, admitted, db, context, work)
      const file = isFile ? await beginFile(endpoint, result as FileAnswer) : undefined
      audit(prepared, audited, db, context, note, seenIn(prepared, result))
      if (signedIn) await tellOfConfirmed(db, endpoint, signedIn.user)
      if (changes && services.replica && signedIn)
        context.closing.push(countOwnChange(db, personOf(signedIn)))
      if (file) await sendFile(reply, file, endpoint.isPicture ?? false)
      watch.statements?.(endpoint, context.statements)
      return { result, runAfterCommit }
    },
    { hasLeft, trace, streams: countsRows(endpoint, call.query) },
  )
  if (within === reading)
    return outcome.catch((error: unknown) => readWhileAway(prepared, admitted, tenant, reply, error))
  if (changes && services.replica && signedIn) {
    const { changed } = services.replica
    const note = (): void => changed(personOf(signedIn))
    outcome.then(note, note)
  }
  if (!isFile) return outcome
  return outcome.catch(async (error: unknown) => {
    // Part of the file may be out: whoever breaks a download off has seen it all the same.
    if (error instanceof AbandonedError)
      await transaction(services.transactions, tenant, async (db, context) =>
        audit(prepared, admitted, db, context, {
          ...lastNote,
          detail: { ...lastNote.detail, IsBrokenOff: true },
        }),
      )
    throw error
  })
}

/** A task in place of the answer itself: kept with an Idempotency-Key like any other. */
const isTask = (result: unknown): result is TaskAnswer =>
  typeof result === 'object' && result !== null && 'Task' in result

/** Answers with what the schema declares of the result, or without a body; a file has been sent already. */
const answer = (
  { endpoint, serialize, serializeTask }: Prepared,
  reply: FastifyReply,
  result: unknown,
): FastifyReply => {
  if (serializeTask && isTask(result))
    return reply
      .code(202)
      .header('content-type', 'application/json; charset=utf-8')
      .send(serializeTask(result))
  if (endpoint.answers === 'file') return reply
  if (!serialize) return reply.code(endpoint.status ?? 204).send()
  return reply
    .code(endpoint.status ?? 200)
    .header('content-type', 'application/json; charset=utf-8')
    .send(serialize(result))
}

/** A call in the traces of the installation, where there are any. */
const traced = async (prepared: Prepared, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
  const { endpoint, action, services } = prepared
  const trace = services.tracing?.begin(
    'call',
    action,
    { 'http.request.method': endpoint.method, 'http.route': endpoint.path },
    request.headers.traceparent as string | undefined,
  )
  if (!trace) return serve(prepared, request, reply, undefined)
  try {
    const answered = await serve(prepared, request, reply, trace)
    trace.end({ 'http.response.status_code': reply.statusCode })
    return answered
  } catch (error) {
    trace.end(error instanceof Failure ? { 'http.response.status_code': error.status } : {}, error)
    throw error
  }
}

/** Work on a call that was let through: in its turn, at once or, where it would take long, by the worker. */
const perform = async (prepared: Prepared, admitted: Admitted, reply: FastifyReply): Promise<Outcome> => {
  const { endpoint, services, action } = prepared
  const { call, signedIn, programId, hasLeft, raw } = admitted
  const lane = services.heavyCalls[endpoint.answers === 'file' ? 'files' : 'pages']
  const leave = endpoint.isHeavy ? await lane.enter(signedIn?.user.Id ?? 0, hasLeft) : undefined
  try {
    return await run(prepared, admitted, reply)
  } catch (error) {
    if (!(error instanceof TakesLong) || !signedIn || programId === null) throw error
    const by = { user: signedIn.user, isViewing: signedIn.session.viewer !== null }
    return await prepareLater(
      services,
      { ...by, programId, action, address: call.from.address },
      { raw, work: error.work },
      (db, context, work) => underKey(prepared, admitted, db, context, work),
    )
  } finally {
    leave?.()
  }
}

/** Decides whether the caller may make the call; answers the program that it works on. */
const guarded = (
  { endpoint, services, sensitivity }: Prepared,
  request: FastifyRequest,
  caller: SignedIn | undefined,
): number | null => {
  const programId = caller?.user.link
    ? guardInbox(endpoint, request, services, caller)
    : caller?.user.key
      ? guardKey(endpoint, caller, request.params)
      : guard(endpoint, request, services, caller)
  if (caller && sensitivity.classes.size > 0) refuseSensitive(sensitivity, request, caller)
  return programId
}

/**
 * Lets a call in that brings neither a key nor an inbox link, before its body is read: by its session, or as one that nobody has
 * signed in for.
 *
 * @throws Failure as `guard`; 429 for an address whose refused calls have cost enough
 */
const admitBySession = async (prepared: Prepared, request: FastifyRequest): Promise<void> => {
  const { services, cookieName } = prepared
  const token = request.cookies[cookieName]
  const signedIn = token
    ? await findSessionAnywhere(services, token, { isActivity: !isBackground(request) })
    : undefined
  noteReader(request, signedIn?.user)
  if (signedIn) {
    const { session } = signedIn
    session.carriesProof = isGivenProof(services.config.secretKey, session.id, request.headers['x-proof'])
    noteCaller(request, signedIn)
  } else admitAnonymous(services, request)
  if (request.method !== 'GET') guarded(prepared, request, signedIn)
}

/** The life of a call, from its cookie to its answer. */
const serve = async (
  prepared: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
  trace: Trace | undefined,
): Promise<unknown> => {
  const { endpoint, handler, services, changes } = prepared
  const signedIn = callerOf(request)
  noteReader(request, signedIn?.user)
  const programId = guarded(prepared, request, signedIn)
  if (changes && !endpoint.takes) refuseOtherThanJson(request)
  const received = endpoint.takes ? await receiveFiles(prepared, request) : undefined
  const files = received?.files ?? []
  let takenKey: string | undefined
  try {
    const raw: TaskInput = {
      params: request.params as Record<string, unknown>,
      query: request.query as Record<string, unknown>,
      body: received ? received.body : (request.body ?? undefined),
    }
    const body = leavesOut(raw.body, prepared.leftOut) ? prepared.incompleteBody : undefined
    const call = callOf(prepared, request, reply, signedIn, parse(prepared, raw, body), files)
    const key = changes && signedIn ? call.from.key : undefined
    checkKey(endpoint, key)
    if (endpoint.answers === 'stream') {
      const alone = { ...call, audit: {}, afterCommit: (work: () => void) => work() }
      return openStream(reply, (await handler(alone)) as StreamAnswer)
    }
    const seen = request.headers['if-match']
    const hasLeft = changes ? undefined : abortOnDisconnect(reply)
    const reason = prepared.sensitivity.classes.size > 0 ? reasonOf(request) : undefined
    const admitted = {
      call: { ...call, hasLeft },
      raw,
      signedIn,
      programId,
      key,
      seen,
      reason,
      hasLeft,
      trace,
    }
    const outcome = await perform(prepared, admitted, reply)
    takenKey = outcome.takenKey
    outcome.runAfterCommit?.()
    return answer(prepared, reply, withheld(prepared.sensitivity, signedIn, outcome.result))
  } finally {
    await discardUploads(services.files, files, takenKey)
  }
}

/**
 * Puts a route on the server. In this order and nowhere else: key, or session → guard (forgery, viewer and step, permission,
 * program) → parse → one transaction with the tenant's settings (handler, audit) → answer through the schema.
 */
export const register = (
  app: FastifyInstance,
  route: Route,
  services: Services,
  watch: Watch,
  routes: readonly Route[],
): void => {
  const { endpoint } = route
  let known: Prepared | undefined
  const prepared = (): Prepared => {
    known ??= prepare(route, services, watch, routes)
    return known
  }
  const needsKey = typeof endpoint.byKey === 'object'
  const register = (path: string) =>
    app.route({
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        const key = keyOf(request)
        if (key !== undefined) return admitByKey(prepared(), request, reply, key)
        const inbox = headerOf(request, 'x-inbox')
        if (inbox !== undefined) return admitByInbox(prepared(), request, inbox)
        if (!needsKey) return admitBySession(prepared(), request)
        if (isChange(endpoint)) refuseForgery(request, services, undefined)
        throw unknownKey()
      },
      method: endpoint.method,
      url: `${services.config.appRoot}/new/api${path}`,
      bodyLimit: endpoint.bodyLimit ?? (endpoint.may === 'everyone' ? anonymousBytes : 1024 * 1024),
      handler: async (request, reply) => {
        const leave = endpoint.answers ? undefined : await enterInTurn(services, request)
        try {
          return await traced(prepared(), request, reply)
        } finally {
          leave?.()
        }
      },
    })
  for (const path of [endpoint.path, endpoint.formerly]) if (path !== undefined) register(path)
}
