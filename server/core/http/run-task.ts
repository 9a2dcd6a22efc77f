import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { may } from '#contract/core/permissions.ts'
import { findKeyUser } from '#server/core/auth/api-key.ts'
import { tellOfConfirmed } from '#server/core/auth/confirmed-act.ts'
import { findPerson, type User } from '#server/core/auth/session.ts'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { type Db, isConnectionLoss, type Tenant, transaction } from '#server/core/database/pool.ts'
import type { FileAnswer } from '#server/core/files/file-answer.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import type { AuditNote } from '#server/core/runtime/audit.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import { newPassingKey } from '#server/core/runtime/file-store.ts'
import { askToCatchUp } from '#server/core/runtime/jobs.ts'
import { holdPeople } from '#server/core/runtime/people-lock.ts'
import type { Services } from '#server/core/runtime/services.ts'
import {
  beat,
  endTask,
  type KeptAnswer,
  type TakenTask,
  type TaskInput,
  type TaskPayload,
  takeTask,
  tellOfTask,
} from '#server/core/runtime/tasks.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { collectAfterCommit } from './after-commit.ts'
import { actionOf, audit, isAudited } from './call-audit.ts'
import { isChange, type Route } from './handle.ts'
import { parse } from './input.ts'

const beatMs = 500
const patience = '15min'
/** Of what is kept of an import. */
const importType = 'application/json'

/** The calls of the queue's own jobs: they work for the program and in nobody's name. */
const forProgram = (programId: number): Tenant => ({ accountId: null, programIds: [programId] })

const gone = (): Failure => fail(coreFailures.task_not_allowed)

/** The whole stream of a file with the number of its bytes, which is known at its end. */
const counted = (chunks: FileAnswer['chunks']) => {
  const size = { bytes: 0 }
  const all = async function* () {
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk as Uint8Array)
      size.bytes += bytes.length
      yield bytes
    }
  }
  return { size, all: all() }
}

interface Progress {
  done: number
  total: number | null
}

interface Work {
  services: Services
  task: TakenTask
  payload: TaskPayload
  resultKey: string
  progress: Progress
  canceled: AbortSignal
}

/** @throws Failure 403 when the person is gone or may not do this any longer */
const whoseTask = async ({ services, task }: Work, { may: who }: AnyEndpoint): Promise<User> => {
  const user =
    task.key_id === null
      ? await findPerson(services.pool, task.account_id)
      : await findKeyUser(services.pool, task.key_id)
  const isTheirs = user && (user.isSuperAdmin || user.ProgramId === task.program_id)
  if (!isTheirs || (who !== 'signed-in' && who !== 'everyone' && !may(user, who))) throw gone()
  return user
}

const tell = (db: Db, { task }: Work, text: string, link: string): Promise<void> =>
  tellOfTask(
    db,
    // Nobody is told of what a key has asked for.
    {
      programId: task.program_id,
      accountId: task.account_id,
      isAwaited: task.is_awaited || task.key_id !== null,
    },
    { text, link },
  )

/** Keeps what the handler has answered under the key of the task. */
const keep = async (work: Work, result: unknown): Promise<{ type: string; byteCount?: number }> => {
  const { services, task, resultKey, progress } = work
  if (task.kind === 'import') {
    await keepAnswer(work, { answer: result })
    return { type: importType }
  }
  if (task.kind === 'undo') return { type: '' }
  // Every other task is a call for a file.
  const file = result as FileAnswer
  if (file.size) progress.total = file.size.rows
  const { size, all } = counted(file.chunks)
  await services.files.place(resultKey, all)
  return { type: file.type, byteCount: size.bytes }
}

const keepAnswer = ({ services, resultKey }: Work, kept: KeptAnswer): Promise<void> =>
  services.files.place(resultKey, [Buffer.from(JSON.stringify(kept))])

const filesOf = async ({ services, task }: Work): Promise<ReceivedFile[]> =>
  task.upload_key === null
    ? []
    : [{ field: 'file', name: task.name, bytes: await buffer(await services.files.read(task.upload_key)) }]

/** Runs the call as it was asked for, in one transaction with the row of the audit, the end of the task and the bell. */
const perform = async (work: Work, route: Route | undefined): Promise<void> => {
  const { services, task, payload, progress, canceled } = work
  // A newer version may be without a call that was asked for.
  if (!route) throw gone()
  const { endpoint } = route
  const user = await whoseTask(work, endpoint)
  const changes = isChange(endpoint)
  // Only `addTask` writes it, from this type.
  const input = parse({ endpoint, changes }, task.input as unknown as TaskInput)
  const programId = task.program_id
  const from = { address: task.address, agent: '', origin: undefined, isEmbedded: false }
  // Calls that may be prepared know neither session nor cookies.
  const call = {
    ...input,
    user,
    services,
    files: await filesOf(work),
    from: { ...from, isProxyUnknown: false, key: undefined, language: 'en' },
    // Files come in English.
    language: 'en',
    progress: (done: number, total: number) => Object.assign(progress, { done, total }),
  }
  const runAfterCommit = await transaction(
    services.transactions,
    { accountId: user.Id, programIds: [programId], isSuper: user.isSuperAdmin },
    async (db, context) => {
      progress.done = 0
      // Calls have a minute. This may take its time, also between two statements while a PDF is laid out: it can be canceled.
      for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
        await sql`select set_config(${limit}, ${patience}, true)`.execute(db)
      if (changes) await holdPeople(db, programId)
      const note: AuditNote = {}
      const { afterCommit, runAfterCommit } = collectAfterCommit(services)
      const result = await route.handler({ ...call, db, audit: note, afterCommit })
      const kept = await keep(work, result)
      const described = { endpoint, action: actionOf(endpoint), isAudited: isAudited(endpoint) }
      audit(described, { call, signedIn: { user }, programId }, db, context, note)
      await tellOfConfirmed(db, endpoint, user)
      const until = await endTask(db, payload, {
        state: 'done',
        ...kept,
        ...(progress.total !== null && { done: progress.total }),
      })
      if (until === undefined) throw new AbandonedError()
      if (task.kind !== 'file') await askToCatchUp(db)
      await (task.kind === 'file'
        ? tell(
            db,
            work,
            `${task.name} is ready. Download it until ${momentIn(user.TimeZone, new Date(until))}.`,
            `/new/api/background-tasks/${task.id}/file`,
          )
        : tell(
            db,
            work,
            `${task.name} is ${task.kind === 'undo' ? 'undone: what it added is gone and what it changed is back, except rows that were changed or used since' : 'imported'}.`,
            task.page,
          ))
      return runAfterCommit
    },
    {
      hasLeft: canceled,
      streams: {
        counted: (rows) => {
          progress.total = rows
        },
        read: (rows) => {
          progress.done += rows
        },
      },
    },
  )
  runAfterCommit()
}

const failed =
  'It could not be prepared because of a fault of ours, which was logged. Try again in a few minutes.'

/** Ends a task that was refused or went wrong, and says why. */
const endFailed = async (work: Work, error: unknown): Promise<void> => {
  const { services, payload, task } = work
  const isRefused = error instanceof Failure
  if (!isRefused) services.log.error({ err: error }, `${task.action} failed in the worker`)
  const message = isRefused ? error.message : failed
  const isAnswered = isRefused && task.kind === 'import'
  if (isAnswered) {
    const { status, code, extra } = error
    await keepAnswer(work, { refusal: { status, code, message, extra } })
  }
  await transaction(services.pool, forProgram(task.program_id), async (db) => {
    const until = await endTask(db, payload, {
      state: 'failed',
      error: message,
      ...(isAnswered && { type: importType }),
    })
    if (until) await tell(db, work, `${task.name}: ${message}`, task.page)
  })
}

/** Tells every now and then how far the task is, and hears so when it was canceled. */
const keepBeating = ({ services, payload, progress }: Work, cancel: () => void): (() => void) => {
  let isBeating = false
  const timer = setInterval(async () => {
    if (isBeating) return
    isBeating = true
    try {
      const tenant = forProgram(payload.programId)
      if (!(await transaction(services.pool, tenant, (db) => beat(db, payload, progress)))) cancel()
    } catch (error) {
      services.log.warn(`The progress of a task was not kept: ${(error as Error).message}`)
    }
    isBeating = false
  }, beatMs)
  return () => clearInterval(timer)
}

/**
 * Does a task that is queued: the person's rights are looked up anew, the call runs as it was asked for, and its result is kept
 * for a day. Nothing happens when the task was canceled or is another process's.
 *
 * @param routeOf the call of an action, as the audit names it
 * @throws when the database is lost: the task is then begun again
 */
export const runTask = async (
  services: Services,
  routeOf: (action: string) => Promise<Route | undefined>,
  payload: TaskPayload,
): Promise<void> => {
  const task = await transaction(services.pool, forProgram(payload.programId), (db) =>
    takeTask(db, payload, newPassingKey()),
  )
  if (!task) return
  const canceling = new AbortController()
  const route = await routeOf(task.action)
  const work: Work = {
    services,
    task,
    payload,
    // Taken with it.
    resultKey: task.result_key!,
    progress: { done: 0, total: null },
    canceled: canceling.signal,
  }
  const stopBeating = keepBeating(work, () => canceling.abort())
  try {
    await perform(work, route)
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    if (error instanceof AbandonedError) await services.files.remove(work.resultKey)
    else await endFailed(work, error)
  } finally {
    stopBeating()
  }
  if (task.upload_key) await services.files.remove(task.upload_key)
}
