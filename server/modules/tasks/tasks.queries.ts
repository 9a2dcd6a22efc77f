import { sql } from 'kysely'
import type pg from 'pg'
import type { BackgroundTask } from '#contract/tasks/tasks.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { TaskPayload } from '#server/core/runtime/tasks.ts'

const list = async (everywhere: pg.Pool, which: string): Promise<TaskPayload[]> =>
  (
    await everywhere.query<TaskPayload>(
      `select t.program_id as "programId", t.id as "taskId" from background_task t where ${which}`,
    )
  ).rows

/** Tasks of all programs whose process has died, or that were queued and never taken. */
export const listLost = (everywhere: pg.Pool): Promise<TaskPayload[]> =>
  list(
    everywhere,
    `t.state = 'running' and t.beat_at not between now() - interval '20 seconds' and now() + interval '20 seconds'
      or t.state = 'queued' and t.beat_at not between now() - interval '10 minutes' and now() + interval '10 minutes'
      order by t.program_id, t.id`,
  )

/** Tasks of all programs whose day is over. */
export const listExpired = (everywhere: pg.Pool): Promise<TaskPayload[]> =>
  list(everywhere, 't.expires_at < now() order by t.expires_at limit 1000')

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
