import type pg from 'pg'
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
