import { z } from 'zod'
import { job } from './jobs.ts'

/** Stored sums, each with functions of the database that find what is wrong in a program and that recount it. */
export const storedSums = ['time', 'evaluation', 'verification', 'procedure', 'competency'] as const
export type StoredSums = (typeof storedSums)[number]

/** Names the tables of a program whose sums are wrong, with how many keys of each: `name`, `keys`. `$1` is the program. */
export const wrongSums = (of: StoredSums): string =>
  `select name, keys from wrong_${of}_sums($1) where keys > 0`
/** Corrects the sums of the program `$1`. */
export const recountSums = (of: StoredSums): string => `select recount_${of}_sums($1)`

/** Proves stored sums: recounts every program, one at a time, and fails by name where they are wrong. */
export const sumCheck = (of: StoredSums, { name, cron }: { name: string; cron: string }) =>
  job({
    name,
    cron,
    payload: z.object({}).loose(),
    work: async (_payload, { pool }) => {
      const programs = await pool.query<{ id: number }>('select id from program order by id')
      const wrong: string[] = []
      for (const { id } of programs.rows) {
        const { rows } = await pool.query<{ name: string; keys: number }>(wrongSums(of), [id])
        for (const row of rows) wrong.push(`program ${id}: ${row.keys} of ${row.name}`)
      }
      if (wrong.length > 0)
        throw new Error(
          `Stored sums of ${of} differ from a recount (${wrong.slice(0, 20).join('; ')}). Run: npm run admin -- recount`,
        )
    },
  })
