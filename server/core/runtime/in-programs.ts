import type pg from 'pg'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { Failure } from './failure.ts'
import { holdPeople, holdPeopleAlone } from './people-lock.ts'
import type { WorkerServices } from './services.ts'

/** All programs that are not deleted. */
export const everyProgram = 'select id as program_id from program where deleted_at is null order by id'

export interface InProgram {
  /** Ends people: nothing else is written in the program meanwhile. */
  endsPeople?: true
  /** Reads what belongs to no program too, such as super admins. */
  isSuper?: boolean
}

/**
 * Works in a program in nobody's name, in a transaction of its own: the one way for jobs and protocols, which holds the program as the
 * calls of people do.
 *
 * @throws Failure 409 `writing` where people are ended while something long is being written
 */
export const inProgram = <T>(
  pool: pg.Pool,
  programId: number,
  work: (db: Db) => Promise<T>,
  { endsPeople, isSuper = false }: InProgram = {},
): Promise<T> =>
  transaction(pool, { accountId: null, programIds: [programId], isSuper }, async (db) => {
    await (endsPeople ? holdPeopleAlone : holdPeople)(db, programId)
    return work(db)
  })

/**
 * Works in each program that a statement names in its column `program_id`, in a transaction of its own. The statement looks through all
 * programs; its conditions must hold again when the work begins, since others may have been faster. A program in which people cannot be
 * ended now is left for the next time.
 */
export const inPrograms = async (
  { pool, everywhere }: Pick<WorkerServices, 'pool' | 'everywhere'>,
  statement: string,
  work: (db: Db, programId: number) => Promise<unknown>,
  { values = [], ...how }: InProgram & { values?: readonly unknown[] } = {},
): Promise<void> => {
  const { rows } = await everywhere.query<{ program_id: number }>(statement, [...values])
  for (const { program_id } of rows)
    await inProgram(pool, program_id, (db) => work(db, program_id), how).catch((error: unknown) => {
      if (!(error instanceof Failure && error.code === 'writing')) throw error
    })
}
