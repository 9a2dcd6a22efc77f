import { type Db, transaction } from '#server/core/database/pool.ts'
import { holdPeople } from './people-lock.ts'
import type { WorkerServices } from './services.ts'

/** All programs that are not deleted. */
export const everyProgram = 'select id as program_id from program where deleted_at is null order by id'

/**
 * Works in each program that a statement names in its column `program_id`, in a transaction of its own. The statement looks through all
 * programs; its conditions must hold again when the work begins, since others may have been faster.
 */
export const inPrograms = async (
  { pool, everywhere }: Pick<WorkerServices, 'pool' | 'everywhere'>,
  statement: string,
  work: (db: Db, programId: number) => Promise<unknown>,
  values: readonly unknown[] = [],
): Promise<void> => {
  const { rows } = await everywhere.query<{ program_id: number }>(statement, [...values])
  for (const { program_id } of rows)
    await transaction(pool, { accountId: null, programIds: [program_id] }, async (db) => {
      await holdPeople(db, program_id)
      await work(db, program_id)
    })
}
