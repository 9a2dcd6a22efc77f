import { sql } from 'kysely'
import { type TestMode, testLevel } from '#contract/identity/test-access.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'

export const revokeAccess = async (db: Db, programId: number, accountId: number): Promise<void> => {
  await db
    .updateTable('account')
    .set({ deactivated_at: sql`now()` })
    .where('program_id', '=', programId)
    .where('id', '=', accountId)
    .execute()
}

/** Gives the test user to the super admin who admits them: with their address, and without the sign-in of whoever had them before. */
export const handOver = async (
  db: Db,
  programId: number,
  accountId: number,
  mode: TestMode,
  to: User,
): Promise<void> => {
  await db
    .updateTable('account')
    .set({
      access_level: testLevel[mode],
      email: to.EmailAddress,
      is_email_confirmed: true,
      password_hash: null,
      deactivated_at: null,
    })
    .where('program_id', '=', programId)
    .where('id', '=', accountId)
    .execute()
}

/** The first name of these that nobody has: testcoord12, testcoord12n2 and on. */
const freeUserName = async (db: Db, wanted: string): Promise<string> => {
  const { rows: found } = await sql<{ name: string }>`
    select name from (select n, ${wanted} || case when n = 1 then '' else 'n' || n end as name
      from generate_series(1, 100) n) c
    where not is_user_name_taken(name) order by n limit 1`.execute(db)
  return found[0]!.name
}

export const addTestUser = async (
  db: Db,
  programId: number,
  mode: TestMode,
  owner: User,
): Promise<number> => {
  const { id } = await db
    .insertInto('account')
    .values({
      program_id: programId,
      user_name: await freeUserName(db, `test${mode}${programId}`),
      access_level: testLevel[mode],
      first_name: 'Test',
      last_name: mode === 'coord' ? 'Coordinator' : 'Administrator',
      email: owner.EmailAddress,
      is_email_confirmed: true,
      test_mode: mode,
      created_by: owner.Id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
