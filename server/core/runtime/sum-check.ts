import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { ownCommand } from '#server/core/config/own-command.ts'
import { type Db, reading } from '#server/core/database/pool.ts'
import { job } from './jobs.ts'

/** A table that is wrong, with how many of its keys. */
export interface WrongSum {
  name: string
  keys: number
}

/** Sums of a program's records that are kept. */
export interface StoredSums {
  of: string
  /** Compares them with a recount, a row for each table. */
  wrong(programId: number): RawBuilder<WrongSum>
  /** Counts them anew, in the caller's transaction. */
  recount(db: Db, programId: number): Promise<void>
}

/** What is wrong about the sums of a program. */
export const findWrongSums = async (
  db: Db,
  { wrong }: Pick<StoredSums, 'wrong'>,
  programId: number,
): Promise<WrongSum[]> => (await wrong(programId).execute(db)).rows.filter(({ keys }) => keys > 0)

/** Proves stored sums: recounts every program, one at a time, and fails by name where they are wrong. */
export const sumCheck = (sums: StoredSums, { name, cron }: { name: string; cron: string }) =>
  job({
    name,
    cron,
    payload: z.object({}).loose(),
    work: async (_payload, { pool }) => {
      const programs = await pool.query<{ id: number }>('select id from program order by id')
      const wrong: string[] = []
      for (const { id } of programs.rows) {
        const found = await reading(pool, { accountId: null, programIds: [id] }, (db) =>
          findWrongSums(db, sums, id),
        )
        wrong.push(...found.map((row) => `program ${id}: ${row.keys} of ${row.name}`))
      }
      if (wrong.length > 0)
        throw new Error(
          `Stored sums of ${sums.of} differ from a recount (${wrong.slice(0, 20).join('; ')}). Run: ${ownCommand('admin', 'recount')}`,
        )
    },
  })
