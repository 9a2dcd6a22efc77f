import { sql } from 'kysely'
import { userNameStem } from '#server/core/auth/user-names.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Which user names are taken anywhere in the installation: of those wanted, and of those made of a stem and digits. */
export const listTakenUserNames = async (
  db: Db,
  { wanted, stems }: { wanted: string[]; stems: string[] },
): Promise<string[]> =>
  (
    await sql<{ name: string }>`select taken_user_names(${wanted}::text[], ${stems}::text[]) as name`.execute(
      db,
    )
  ).rows.map(({ name }) => name)

/** A user name made from a person’s name that nobody has at this moment, however many have one of the same letters. */
export const findFreeUserName = async (db: Db, firstName: string, lastName: string): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select free_user_name(${userNameStem(firstName, lastName)}) as name`.execute(db)
  return rows[0]!.name
}
