import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { userNameStem } from './user-names.ts'

/** A user name made from a person’s name that nobody has at this moment, however many have one of the same letters. */
export const findFreeUserName = async (db: Db, firstName: string, lastName: string): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select free_user_name(${userNameStem(firstName, lastName)}) as name`.execute(db)
  return rows[0]!.name
}
