import { z } from 'zod'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { saveAttendance } from './attendance.commands.ts'
import { listDuePrograms } from './attendance.queries.ts'

/**
 * Keeps the figures of past days, which the director's home and missed records read. Every minute: each approval of a past day's time has
 * its day counted anew.
 */
export const saveAttendanceDays = job({
  name: 'time:attendance',
  payload: z.object({}).loose(),
  cron: '* * * * *',
  work: async (_payload, services) => {
    const due = await listDuePrograms(services.everywhere)
    for (const { program_id, time_zone } of due) {
      const keep = () =>
        inProgram(services.pool, program_id, (db) => saveAttendance(db, program_id, todayIn(time_zone)))
      while (await keep());
    }
  },
})
