import { z } from 'zod'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { WorkerServices } from '#server/core/runtime/services.ts'
import { enqueueTask, forgetTask, putBack, touchQueued } from '#server/core/runtime/tasks.ts'
import { listExpired, listLost } from './tasks.queries.ts'

/** Has tasks begun again whose process gave no sign for twenty seconds, and those that nobody took. */
const findLost = async ({ pool, everywhere }: WorkerServices): Promise<void> => {
  for (const lost of await listLost(everywhere))
    await inProgram(pool, lost.programId, async (db) => {
      // Whoever waits long for its turn has not failed.
      const kind = await touchQueued(db, lost)
      if (kind) await enqueueTask(db, kind, lost)
      else await putBack(db, lost)
    })
}

/** Deletes what was kept for a day. */
const forgetExpired = async ({ pool, everywhere, files }: WorkerServices): Promise<void> => {
  for (const expired of await listExpired(everywhere)) {
    const keys = await inProgram(pool, expired.programId, (db) => forgetTask(db, expired))
    for (const key of keys) await files.remove(key)
  }
}

export const taskUpkeep = job({
  name: 'tasks:upkeep',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    await findLost(services)
    await forgetExpired(services)
  },
})
