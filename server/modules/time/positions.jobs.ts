import { z } from 'zod'
import { readOptions } from '#contract/programs/program-options.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import { forgetPositionsOf } from './positions.commands.ts'

const batch = 10_000

/**
 * Forgets where punches were made once a program's PositionRetentionDays have passed, and leaves a row in the audit.
 * Whether a record was inside the circle was decided long before.
 */
export const forgetPositions = job({
  name: 'time:forget-positions',
  payload: z.object({}).loose(),
  cron: '20 7 * * *',
  work: async (_payload, { pool }) => {
    const { rows: programs } = await pool.query<{ id: number; options: unknown }>(
      'select id, options from program',
    )
    for (const { id, options } of programs) {
      const days = readOptions(options).PositionRetentionDays
      for (let isMore = true; isMore; ) {
        isMore = await inProgram(pool, id, async (db) => {
          const forgotten = await forgetPositionsOf(db, id, { days, atMost: batch })
          if (forgotten > 0)
            await writeAudit(db, {
              programId: id,
              accountId: null,
              address: null,
              action: 'retention: positions of clock records',
              detail: { Records: forgotten, Days: days },
            })
          return forgotten === batch
        })
      }
    }
  },
})

export const timeJobs = [forgetPositions]
