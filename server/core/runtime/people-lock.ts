import { sql } from 'kysely'
import { coreFailures } from '#contract/core/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from './failure.ts'

/**
 * Who writes anything of a program holds this lock together with all others who do; who ends people of it, or makes one of two, holds
 * it alone. So an end sees every row that was written before it, and whatever is written after it begins by finding nobody.
 */
const peopleOf = (programId: number) => sql`hashtextextended('people:' || ${programId}::bigint, 0)`

/** How long an end of people waits for others, while those who come after it wait for it. */
const patience = '3s'
const lockNotAvailable = '55P03'

/** Makes whatever ends people of the program wait until this transaction ends. Before anything is read. */
export const holdPeople = async (db: Db, programId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${peopleOf(programId)})`.execute(db)
}

/**
 * Makes everything else that writes in the program wait until this transaction ends, once what is being written is done. Before it is
 * read what somebody has.
 *
 * @throws Failure 409 `writing` while something long is being written, such as an import
 */
export const holdPeopleAlone = async (db: Db, programId: number): Promise<void> => {
  await sql`select set_config('lock_timeout', ${patience}, true)`.execute(db)
  try {
    await sql`select pg_advisory_xact_lock(${peopleOf(programId)})`.execute(db)
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error
    throw fail(coreFailures.writing, { retryAfterSeconds: 5 })
  }
  await sql`select set_config('lock_timeout', '0', true)`.execute(db)
}

/**
 * Refuses whoever was let through and has been ended before the program was held.
 *
 * @throws Failure 401 `signed_out`
 */
export const refuseEnded = async (db: Db, accountId: number): Promise<void> => {
  const { rows } = await sql`select from account
    where id = ${accountId} and deleted_at is null and deactivated_at is null`.execute(db)
  if (rows.length === 0) throw fail(coreFailures.signed_out_meanwhile)
}
