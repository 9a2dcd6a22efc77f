import { sql } from 'kysely'
import { z } from 'zod'
import { readOptions } from '#contract/programs/program-options.ts'
import { inProgram } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'

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
          const { numAffectedRows = 0n } = await sql`
            update time_record set latitude = null, longitude = null, accuracy_m = null, distance_m = null,
              is_inside = null, address = null
            where program_id = ${id} and id in (
              select r.id from time_record r where r.program_id = ${id}
                and (r.latitude is not null or r.distance_m is not null or r.address is not null)
                and r.occurred_at < now() - make_interval(days => ${days})
              order by r.occurred_at limit ${batch} for update skip locked)`.execute(db)
          if (numAffectedRows > 0n) {
            await sql`insert into audit (program_id, action, detail)
              values (${id}, 'retention: positions of clock records',
                ${JSON.stringify({ Records: Number(numAffectedRows), Days: days })}::jsonb)`.execute(db)
          }
          return numAffectedRows === BigInt(batch)
        })
      }
    }
  },
})

export const timeJobs = [forgetPositions]
