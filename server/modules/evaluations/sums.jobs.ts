import { z } from 'zod'
import { job } from '#server/core/runtime/jobs.ts'

/**
 * Proves the kept sums every night: counts the answers anew, a program at a time, and fails by name where the sums say
 * something else. `npm run admin -- recount` repairs them.
 */
export const checkEvaluationSums = job({
  name: 'evaluations:check-sums',
  payload: z.object({}).loose(),
  cron: '40 7 * * *',
  work: async (_payload, { pool }) => {
    const programs = await pool.query<{ id: number }>('select id from program order by id')
    const wrong: string[] = []
    for (const { id } of programs.rows) {
      const { rows } = await pool.query<{ name: string; differing: number }>(
        'select name, differing from differing_evaluation_sums($1) where differing > 0',
        [id],
      )
      for (const row of rows) wrong.push(`program ${id}: ${row.differing} of ${row.name}`)
    }
    if (wrong.length > 0)
      throw new Error(
        `Sums differ from what evaluations come to (${wrong.slice(0, 20).join('; ')}). Run: npm run admin -- recount`,
      )
  },
})
