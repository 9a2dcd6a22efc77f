import { type Insertable, type RawBuilder, sql } from 'kysely'
import { peopleFailures } from '#contract/people/failures.ts'
import { findFreeUserName } from '#server/core/auth/user-names.across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type NewRow, type RowChange, type RowKey } from '#server/core/database/rows.ts'
import type { DB } from '#server/core/database/types.ts'
import { fail } from '#server/core/runtime/failure.ts'

/** Adds an account under a name of its own; answers its id. */
export const addAccount = (db: Db, values: NewRow<'account'>): Promise<number> =>
  addRow(db, 'account', values)

export const changeAccount = (db: Db, key: RowKey, values: RowChange<'account'>): Promise<boolean> =>
  changeRow(db, 'account', key, values)

/** Gives people their levels: `wanted` selects `id` and `level`. Answers who has another one now. */
export const giveLevels = async (
  db: Db,
  programId: number,
  wanted: RawBuilder<unknown>,
): Promise<{ id: number; level: number }[]> => {
  const { rows } = await sql<{ id: number; level: number }>`
    update account a set access_level = w.level from (${wanted}) w
    where a.program_id = ${programId} and a.id = w.id and a.access_level <> w.level
    returning a.id, a.access_level as level`.execute(db)
  return rows
}

const maxNameTries = 5

/** Adds an account without a password, under a user name made from the person's name. */
export const insertNamed = async (
  db: Db,
  account: Omit<Insertable<DB['account']>, 'user_name'> & { first_name: string; last_name: string },
): Promise<{ id: number; userName: string }> => {
  for (let attempt = 1; attempt <= maxNameTries; attempt++) {
    const userName = await findFreeUserName(db, {
      firstName: account.first_name,
      lastName: account.last_name,
      email: account.email,
      studentNumber: account.student_number,
    })
    // Somebody else may take the name in this moment: the next one is tried.
    const made = await db
      .insertInto('account')
      .values({ ...account, user_name: userName })
      .onConflict((clash) => clash.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) return { id: made.id, userName }
  }
  throw fail(peopleFailures.no_user_name)
}
