import { z } from 'zod'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { countProgress } from './progress.commands.ts'
import { listDuePrograms } from './progress.queries.ts'

/** Keeps what was counted close to what is: forecasts change with the day, and whoever looks counts what has changed since. */
export const countDuePrograms = job({
  name: 'progress:due',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    const due = await listDuePrograms(services.everywhere)
    for (const { program_id, time_zone } of due)
      await inProgram(services.pool, program_id, (db) => countProgress(db, program_id, todayIn(time_zone)))
  },
})
