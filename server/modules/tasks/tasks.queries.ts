import { sql } from 'kysely'
import type pg from 'pg'
import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { TaskPayload } from '#server/core/runtime/tasks.ts'

const list = async (pool: pg.Pool, which: 'find_lost_tasks' | 'find_expired_tasks'): Promise<TaskPayload[]> =>
  (
    await pool.query<TaskPayload>(
      `select program_id as "programId", id as "taskId" from ${which}() order by program_id, id`,
    )
  ).rows

/** Tasks of all programs whose process has died, or that were queued and never taken. */
export const listLost = (pool: pg.Pool): Promise<TaskPayload[]> => list(pool, 'find_lost_tasks')

/** Tasks of all programs whose day is over. */
export const listExpired = (pool: pg.Pool): Promise<TaskPayload[]> => list(pool, 'find_expired_tasks')

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
