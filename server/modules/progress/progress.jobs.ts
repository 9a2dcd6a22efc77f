import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { countProgress, listDuePrograms } from './progress.queries.ts'

/** Keeps what was counted close to what is: forecasts change with the day, and whoever looks counts what has changed since. */
export const countDuePrograms = job({
  name: 'progress:due',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    const due = await listDuePrograms(services.everywhere)
    for (const { program_id, time_zone } of due)
      await transaction(services.pool, { accountId: null, programIds: [program_id] }, (db) =>
        countProgress(db, program_id, todayIn(time_zone)),
      )
  },
})
