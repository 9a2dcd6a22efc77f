import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { hasAccounts } from '#server/core/auth/first-account.across.ts'
import { endFirstCode } from '#server/core/auth/first-account.ts'
import type { Db } from '#server/core/database/pool.ts'

export interface FirstAccount {
  userName: string
  passwordHash: string
  email: string
  firstName: string
  lastName: string
}

/** Makes the first super admin, and ends the code; of several at once one is made. Undefined where there is an account. */
export const addFirstAccount = async (db: Db, person: FirstAccount): Promise<number | undefined> => {
  // Lets one be first, also beside whatever else makes accounts.
  await sql`lock table account in share row exclusive mode`.execute(db)
  await endFirstCode(db)
  if (await hasAccounts(db)) return undefined
  const { id } = await db
    .insertInto('account')
    .values({
      user_name: person.userName,
      password_hash: person.passwordHash,
      password_changed_at: sql<string>`now()`,
      access_level: Level.SuperAdmin,
      email: person.email,
      // Whoever reads the log of the server proves more than a mailbox would.
      is_email_confirmed: true,
      first_name: person.firstName,
      last_name: person.lastName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
