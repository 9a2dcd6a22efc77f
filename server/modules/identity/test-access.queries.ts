import { sql } from 'kysely'
import type { TestMode } from '#contract/identity/test-access.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Holds the program until the end of the call, so that two who switch at once do it one after the other. */
export const lockProgram = async (db: Db, programId: number): Promise<void> => {
  await sql`select from program where id = ${programId} for update`.execute(db)
}

/** The program's test user of this kind, whether admitted or not. */
export const findTestUser = (
  db: Db,
  programId: number,
  mode: TestMode,
): Promise<{ Id: number; IsAdmitted: boolean } | undefined> =>
  db
    .selectFrom('account')
    .select(['id as Id', sql<boolean>`deactivated_at is null`.as('IsAdmitted')])
    .where('program_id', '=', programId)
    .where('test_mode', '=', mode)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
