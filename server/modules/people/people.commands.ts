import { type Insertable, sql } from 'kysely'
import { findFreeUserName } from '#server/core/auth/user-names.across.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { DB } from '#server/core/database/types.ts'
import { conflict } from '#server/core/runtime/failure.ts'

/** Assigns a person to exactly these sites. */
export const setSupervisorSites = async (
  db: Db,
  programId: number,
  userId: number,
  siteIds: readonly number[],
): Promise<void> => {
  await db
    .deleteFrom('supervisor_site')
    .where('program_id', '=', programId)
    .where('account_id', '=', userId)
    .$if(siteIds.length > 0, (query) => query.where('site_id', 'not in', [...siteIds]))
    .execute()
  if (siteIds.length === 0) return
  await db
    .insertInto('supervisor_site')
    .columns(['program_id', 'account_id', 'site_id'])
    .expression(
      db
        .selectFrom('site')
        .select([
          sql<number>`${programId}::bigint`.as('program_id'),
          sql<number>`${userId}::bigint`.as('account_id'),
          'id',
        ])
        .where('program_id', '=', programId)
        .where('deleted_at', 'is', null)
        .where('id', 'in', [...siteIds]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
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
  throw conflict('name_taken', 'No user name could be made just now. Nothing was saved; try again.')
}
