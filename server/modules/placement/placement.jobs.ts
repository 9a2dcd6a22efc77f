import { sql } from 'kysely'
import { z } from 'zod'
import { transaction } from '#server/core/database/pool.ts'
import { type Job, job } from '#server/core/runtime/jobs.ts'
import { remindUnanswered } from './ranking-emails.ts'

/** Reminds students a day before a ranking closes, once for each closing time. */
export const remindBeforeClosing = job({
  name: 'placement:remind',
  payload: z.object({}).loose(),
  cron: '*/5 * * * *',
  work: async (_payload, { pool }) => {
    const { rows } = await pool.query<{ program_id: number; plan_id: number }>(
      'select program_id, plan_id from placement_plans_closing()',
    )
    for (const { program_id: programId, plan_id: planId } of rows)
      await transaction(pool, { accountId: null, programIds: [programId] }, async (db) => {
        const { rows: taken } = await sql`update placement_plan set reminded_for = closes_at
          where program_id = ${programId} and id = ${planId} and reminded_for is distinct from closes_at and closes_at > now()
          returning id`.execute(db)
        if (taken.length > 0) await remindUnanswered(db, programId, planId)
      })
  },
})

export const placementJobs: readonly Job[] = [remindBeforeClosing]
