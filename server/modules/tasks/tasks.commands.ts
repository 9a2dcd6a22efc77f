import { sql } from 'kysely'
import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { TaskPayload } from '#server/core/runtime/tasks.ts'

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
