import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { type Named, userNameStem } from './user-names.ts'

/** A user name made for a person that nobody has at this moment, however many have one of the same letters. */
export const findFreeUserName = async (db: Db, named: Named): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select free_user_name(${userNameStem(named)}) as name`.execute(db)
  return rows[0]!.name
}
