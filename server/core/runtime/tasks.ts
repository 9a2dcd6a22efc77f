import { sql } from 'kysely'
import { z } from 'zod'
import { coreFailures } from '#contract/core/failures.ts'
import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Failure, fail } from './failure.ts'
import { enqueue } from './jobs.ts'

/** What is told of work that somebody cannot wait for. */
export interface LaterWork {
  kind: BackgroundTask['Kind']
  /** Of the file that is made or imported. */
  name: string
  /** The file that came with the call, where it is kept. */
  uploadKey?: string
  /** Where an import goes on. */
  page?: string
  /** Somebody waits for it on the page: the bell does not tell them too. */
  isAwaited?: boolean
}

/** Thrown by work that would take longer than anybody should wait: what was begun is undone, and the worker does all of it. */
export class TakesLong extends Error {
  override name = 'TakesLong'
  readonly work: LaterWork
  constructor(work: LaterWork) {
    super(`${work.name} takes too long to wait for.`)
    this.work = work
  }
}

export const TaskPayload = z.object({ programId: z.number().int(), taskId: z.number().int() })
export type TaskPayload = z.infer<typeof TaskPayload>

/** Each job has a lane of its own in the worker: a file never waits for an import. An import and its undo never run at once. */
export const taskJobNames = { file: 'tasks:file', import: 'tasks:import', undo: 'tasks:import' } as const

/** What the worker kept of an import: what the call would have answered, or how it was refused. */
export type KeptAnswer =
  | { answer: unknown }
  | { refusal: Pick<Failure, 'status' | 'code' | 'message' | 'extra'> }

const maxOpen = 5
/** A task whose process died is begun again this often. */
export const maxAttempts = 3
export const keptDays = 1

/** Columns of a task that has ended, however. */
const ending = {
  // Not the beginning of a long transaction.
  finished_at: sql<string>`clock_timestamp()`,
  expires_at: sql<string>`clock_timestamp() + make_interval(days => ${keptDays})`,
}

/** Whose tasks: a person's own, or those that a key of the person has asked for. */
export interface TaskOwner {
  programId: number
  accountId: number
  keyId: number | null
}

const own = (db: Db, { programId, accountId, keyId }: TaskOwner) =>
  db
    .selectFrom('background_task as t')
    .where('t.program_id', '=', programId)
    .where('t.account_id', '=', accountId)
    .where('t.key_id', 'is not distinct from', keyId)

/** The tasks of a person as the contract has them, the newest first. */
export const tasksOf = (db: Db, owner: TaskOwner) =>
  own(db, owner)
    .select([
      't.id as Id',
      sql<BackgroundTask['Kind']>`t.kind`.as('Kind'),
      't.name as Name',
      sql<BackgroundTask['State']>`t.state`.as('State'),
      't.done as Done',
      't.total as Total',
      't.byte_count as ByteCount',
      't.error as Error',
      't.page as Page',
      't.created_at as CreateDate',
      't.expires_at as ExpireDate',
    ])
    .orderBy('t.id', 'desc')

/** Has the worker begin, in the caller's transaction. */
export const enqueueTask = (db: Db, kind: BackgroundTask['Kind'], payload: TaskPayload): Promise<void> =>
  enqueue(db, { name: taskJobNames[kind], payload: TaskPayload }, payload, {
    jobKey: `task:${payload.taskId}`,
  })

/** A call as it is run again: what was in its address, its query and its body, as it came. */
export interface TaskInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body?: unknown
}

/**
 * Keeps a task and has the worker begin. The same file that is being prepared for the person already is not made twice.
 *
 * @throws Failure 429 when the person has too many that are not finished
 */
export const addTask = async (
  db: Db,
  at: TaskOwner & { action: string; address: string },
  input: TaskInput,
  { kind, name, uploadKey, page = '', isAwaited = false }: LaterWork,
): Promise<BackgroundTask> => {
  const { programId, accountId, keyId, action, address } = at
  const asked = JSON.stringify(input)
  const open = await own(db, at)
    .where('t.state', 'in', ['queued', 'running'])
    .select(['t.id', sql<boolean>`t.action = ${action} and t.input = ${asked}::jsonb`.as('isSame')])
    .execute()
  let id = kind === 'file' ? open.find(({ isSame }) => isSame)?.id : undefined
  if (id === undefined) {
    if (open.length >= maxOpen)
      throw fail(coreFailures.too_many_tasks, { Count: maxOpen }, { retryAfterSeconds: 30 })
    const made = await db
      .insertInto('background_task')
      .values({
        program_id: programId,
        account_id: accountId,
        key_id: keyId,
        kind,
        action,
        input: asked,
        address,
        name,
        page,
        is_awaited: isAwaited,
        upload_key: uploadKey ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    id = made.id
    await enqueueTask(db, kind, { programId, taskId: id })
  }
  return tasksOf(db, at).where('t.id', '=', id).executeTakeFirstOrThrow()
}

/** A finished task of a person whose result is kept still, with what is needed to hand it out. */
export const findResult = (db: Db, owner: TaskOwner, taskId: number) =>
  own(db, owner)
    .where('t.id', '=', taskId)
    .select(['t.name', 't.kind', 't.state', 't.action', 't.error', 't.result_key', 't.result_type'])
    .select(sql<boolean>`coalesce(t.expires_at <= now(), false)`.as('isExpired'))
    .executeTakeFirst()

/** Cancels a task that is not finished; false when there is none such. */
export const markCanceled = async (
  db: Db,
  { programId, accountId, keyId }: TaskOwner,
  taskId: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('background_task')
    .set({
      state: 'canceled',
      ...ending,
    })
    .where('program_id', '=', programId)
    .where('account_id', '=', accountId)
    .where('key_id', 'is not distinct from', keyId)
    .where('id', '=', taskId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A task as the worker takes it. */
export type TakenTask = NonNullable<Awaited<ReturnType<typeof takeTask>>>

/** Takes a queued task; undefined when it is not there, canceled, or another process has it. */
export const takeTask = (db: Db, { programId, taskId }: TaskPayload, newKey: string) =>
  db
    .updateTable('background_task')
    .set({
      state: 'running',
      attempts: sql`attempts + 1`,
      done: 0,
      total: null,
      beat_at: sql`now()`,
      result_key: sql<string>`coalesce(result_key, ${newKey})`,
    })
    .where('program_id', '=', programId)
    .where('id', '=', taskId)
    .where('state', '=', 'queued')
    .returning(['id', 'program_id', 'account_id', 'kind', 'action', 'input', 'address', 'name', 'page'])
    .returning(['is_awaited', 'upload_key', 'result_key', 'key_id'])
    .executeTakeFirst()

const running = (db: Db, { programId, taskId }: TaskPayload) =>
  db
    .updateTable('background_task')
    .where('program_id', '=', programId)
    .where('id', '=', taskId)
    .where('state', '=', 'running')

/** Keeps how far a task is; false when it is not running any longer. */
export const beat = async (
  db: Db,
  task: TaskPayload,
  { done, total }: { done: number; total: number | null },
): Promise<boolean> => {
  const { numUpdatedRows } = await running(db, task)
    .set({ done, total, beat_at: sql`now()` })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a running task; answers until when its result is kept, undefined when it was canceled before. */
export const endTask = async (
  db: Db,
  task: TaskPayload,
  result: { state: 'done' | 'failed'; error?: string; type?: string; byteCount?: number; done?: number },
): Promise<string | undefined> => {
  const ended = await running(db, task)
    .set({
      state: result.state,
      error: result.error ?? '',
      result_type: result.type ?? '',
      byte_count: result.byteCount ?? null,
      ...(result.done !== undefined && { done: result.done, total: result.done }),
      ...ending,
    })
    .returning('expires_at')
    .executeTakeFirst()
  return ended?.expires_at ?? undefined
}

/** Tells the person by the bell, unless they wait on the page; super admins of no program have no bell, and find it in the list. */
export const tellOfTask = async (
  db: Db,
  { programId, accountId, isAwaited }: { programId: number; accountId: number; isAwaited: boolean },
  { text, link }: { text: string; link: string },
): Promise<void> => {
  if (isAwaited) return
  await sql`insert into notification (program_id, account_id, kind, text, link)
    select program_id, id, 'task', ${text}, ${link} from account
    where program_id = ${programId} and id = ${accountId} and deleted_at is null`.execute(db)
}

const interrupted = 'It was interrupted several times. Nothing was kept. Start it again.'

/**
 * Puts back a task whose process has ended, to be begun again, also one that it died before it took; one that was begun too
 * often has failed. One that was stopped with the installation is not counted.
 */
export const putBack = async (db: Db, task: TaskPayload, { isStopped = false } = {}): Promise<void> => {
  const row = await db
    .updateTable('background_task')
    .set({
      state: 'queued',
      beat_at: sql`now()`,
      attempts: isStopped
        ? sql`attempts - (state = 'running')::integer`
        : sql`attempts + (state = 'queued')::integer`,
    })
    .where('program_id', '=', task.programId)
    .where('id', '=', task.taskId)
    .where('state', 'in', ['queued', 'running'])
    .returning(['name', 'page', 'attempts', 'key_id'])
    .returning([
      sql<BackgroundTask['Kind']>`kind`.as('kind'),
      'account_id as accountId',
      'is_awaited as isAwaited',
    ])
    .executeTakeFirst()
  if (!row) return
  if (row.attempts < maxAttempts) return enqueueTask(db, row.kind, task)
  await db
    .updateTable('background_task')
    .set({ state: 'failed', error: interrupted, ...ending })
    .where('program_id', '=', task.programId)
    .where('id', '=', task.taskId)
    .execute()
  await tellOfTask(
    db,
    { ...row, isAwaited: row.isAwaited || row.key_id !== null, programId: task.programId },
    { text: `${row.name}: ${interrupted}`, link: row.page },
  )
}

/** A sign of life for a task that waits to be taken; its kind, undefined when it does not wait. */
export const touchQueued = async (
  db: Db,
  { programId, taskId }: TaskPayload,
): Promise<BackgroundTask['Kind'] | undefined> => {
  const row = await db
    .updateTable('background_task')
    .set({ beat_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('id', '=', taskId)
    .where('state', '=', 'queued')
    .returning(sql<BackgroundTask['Kind']>`kind`.as('kind'))
    .executeTakeFirst()
  return row?.kind
}

/** Deletes a task; answers the keys of its files. */
export const forgetTask = async (db: Db, { programId, taskId }: TaskPayload): Promise<string[]> => {
  const row = await db
    .deleteFrom('background_task')
    .where('program_id', '=', programId)
    .where('id', '=', taskId)
    .returning(['upload_key', 'result_key'])
    .executeTakeFirst()
  return [row?.upload_key, row?.result_key].filter((key) => typeof key === 'string')
}
