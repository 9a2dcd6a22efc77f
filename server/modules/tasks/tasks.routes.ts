import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { may } from '#contract/core/permissions.ts'
import type { ImportResult } from '#contract/imports/imports.ts'
import { allEndpoints } from '#contract/index.ts'
import { taskFailures } from '#contract/tasks/failures.ts'
import * as contract from '#contract/tasks/tasks.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { type Call, handle } from '#server/core/http/handle.ts'
import { Failure, fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import {
  findResult,
  type KeptAnswer,
  keptDays,
  markCanceled,
  type TaskOwner,
  tasksOf,
} from '#server/core/runtime/tasks.ts'

const maxListed = 50

type TaskCall = Pick<Call<{ taskId: number }, unknown, unknown>, 'db' | 'user' | 'session' | 'params'>

/** Whose tasks the call is about: in the own program, or the one that a super admin has chosen; a key's own. */
const ownerOf = ({ user, session }: Pick<TaskCall, 'user' | 'session'>): TaskOwner => ({
  programId: user.ProgramId ?? session.programId ?? 0,
  accountId: user.Id,
  keyId: user.key?.Id ?? null,
})

/** Whether the person may still do what the task was asked for by. */
const mayStill = (user: TaskCall['user'], asked: AnyEndpoint | undefined): boolean =>
  asked !== undefined && (asked.may === 'signed-in' || asked.may === 'everyone' || may(user, asked.may))

const expired = (name: string): Failure => fail(taskFailures.expired, { Name: name, Hours: keptDays * 24 })

/** Opens a result; after a restore its row may be there without it. */
const readResult = (services: Services, { name, key }: { name: string; key: string }): Promise<Readable> =>
  services.files.read(key).catch((error: { code?: string }) => {
    throw error.code === 'file_missing' ? expired(name) : error
  })

/**
 * What a task of the kind has brought.
 *
 * @throws Failure 404 when it is not the person's, or its day is over; 403 when their role does not allow it any longer, or
 * somebody only looks; 409 while it is not finished
 */
const resultOf = async (call: TaskCall, kind: contract.BackgroundTask['Kind']) => {
  const { db, user, session, params } = call
  const task = await findResult(db, ownerOf(call), params.taskId)
  if (!task || task.kind !== kind) throw fail(taskFailures.no_file)
  if (session.viewer) throw fail(taskFailures.viewing, { Name: user.Name })
  const asked = allEndpoints.find(({ method, path }) => `${method} ${path}` === task.action)
  if (!mayStill(user, asked)) throw fail(taskFailures.not_allowed)
  if (asked?.proof && !user.key) requireProof(session, { changes: false })
  if (task.state === 'failed' && task.result_type === '')
    throw fail(taskFailures.failed, { Reason: task.error })
  const isKept = task.state === 'done' || task.state === 'failed'
  if (!isKept || task.result_key === null) throw fail(taskFailures.not_done, { Name: task.name })
  if (task.isExpired) throw expired(task.name)
  return { name: task.name, type: task.result_type, action: task.action, key: task.result_key }
}

export const taskRoutes = [
  handle(contract.listTasks, ({ db, user, session }) =>
    tasksOf(db, ownerOf({ user, session })).limit(maxListed).execute(),
  ),

  handle(contract.getTask, async ({ db, user, session, params: { taskId } }) => {
    const task = await tasksOf(db, ownerOf({ user, session })).where('t.id', '=', taskId).executeTakeFirst()
    if (!task) throw fail(taskFailures.no_file)
    return task
  }),

  handle(contract.cancelTask, async ({ db, user, session, params: { taskId }, audit }) => {
    const owner = ownerOf({ user, session })
    const task = await findResult(db, owner, taskId)
    if (!task) throw fail(taskFailures.no_file)
    if (!(await markCanceled(db, owner, taskId))) throw fail(taskFailures.finished, { Name: task.name })
    audit.detail = { Name: task.name }
  }),

  handle(contract.getTaskFile, async (call) => {
    const { name, type, action, key } = await resultOf(call, 'file')
    call.audit.detail = { Name: name, Action: action }
    return { name, type, chunks: await readResult(call.services, { name, key }) }
  }),

  handle(contract.getTaskImport, async (call) => {
    const result = await resultOf(call, 'import')
    // JSON that only the worker writes, from this type.
    const kept = (await json(await readResult(call.services, result))) as KeptAnswer
    if ('answer' in kept) return kept.answer as ImportResult
    const { status, code, message, extra } = kept.refusal
    throw new Failure(
      { text: { status, code, en: '{Message}' }, values: { Message: message } },
      extra ? { extra } : {},
    )
  }),
]
