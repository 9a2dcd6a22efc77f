import { sql } from 'kysely'
import { type TestMode, testLevel } from '#contract/identity/test-access.ts'
import type { User } from '#server/core/auth/session.ts'
import { listTakenUserNames } from '#server/core/auth/user-names.across.ts'
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
const freeUserName = async (db: Db, stem: string): Promise<string> => {
  const wanted = Array.from({ length: 100 }, (_, index) => (index === 0 ? stem : `${stem}n${index + 1}`))
  const taken = new Set(await listTakenUserNames(db, { wanted, stems: [] }))
  // A program has one test user of a kind; a hundred names are more than enough.
  return wanted.find((name) => !taken.has(name))!
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
