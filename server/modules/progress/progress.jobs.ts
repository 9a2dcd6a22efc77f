import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { type Job, job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { countingJob, countProgress, listDuePrograms } from './progress.queries.ts'

const count = (services: Services, programId: number, timeZone: string): Promise<void> =>
  transaction(services.pool, { accountId: null, programIds: [programId] }, (db) =>
    countProgress(db, programId, todayIn(timeZone)),
  )

/** Counts a program's students anew once its rules have changed. */
export const countProgram = job({
  ...countingJob,
  work: async ({ programId }, services) => {
    const program = await transaction(services.pool, { accountId: null, programIds: [programId] }, (db) =>
      findProgramContext(db, programId),
    )
    if (program) await count(services, programId, program.TimeZone)
  },
})

/** Counts the students of every program once on each of its days: forecasts change with the day. */
export const countDuePrograms = job({
  name: 'progress:due',
  payload: z.object({}).loose(),
  cron: '*/10 * * * *',
  work: async (_payload, services) => {
    const due = await transaction(services.pool, { accountId: null, programIds: [] }, listDuePrograms)
    for (const { program_id, time_zone } of due) await count(services, program_id, time_zone)
  },
})

export const progressJobs: readonly Job[] = [countProgram, countDuePrograms]
