import { type RawBuilder, sql } from 'kysely'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type Named, userNameStem } from './user-names.ts'

/** Which user names, in lower case, are taken anywhere in the installation: of those wanted, and of those made of a stem and digits. */
export const listTakenUserNames = async (
  db: Db,
  { wanted, stems }: { wanted: string[]; stems: string[] },
): Promise<string[]> => {
  const rows = await acrossPrograms(
    db,
    sql<{ name: string }>`
      select lower(user_name) as name from account where lower(user_name) = any (${wanted}::text[])
      union
      select lower(user_name) from account where rtrim(lower(user_name), '0123456789') = any (${stems}::text[])`,
  )
  return rows.map(({ name }) => name)
}

export const isUserNameTaken = async (db: Db, userName: string): Promise<boolean> =>
  (await listTakenUserNames(db, { wanted: [userName.toLowerCase()], stems: [] })).length > 0

/**
 * A name of a stem and a number that nobody has, found by halves: reading all names of a stem took longer with each of the thousands that a
 * directory sends at once. Without gaps it is the lowest number; else the one after some that are taken.
 */
export const freeName = (stem: string) => {
  const isTaken = (name: RawBuilder<unknown>) =>
    sql`exists (select from account where lower(user_name) = ${name})`
  const numbered = (number: string) => isTaken(sql`${stem} || ${sql.ref(number)}`)
  return sql<{ name: string }>`
    with recursive halves (taken, free) as (
      (select free / 2, free from (select (2 ^ k)::bigint as free from generate_series(1, 40) k) d
        where not ${numbered('free')} order by free limit 1)
      union all
      select case when is_taken then middle else taken end, case when is_taken then free else middle end
      from (select *, ${numbered('middle')} as is_taken from (
        select *, (taken + free) / 2 as middle from halves where free - taken > 1) h) m)
    select ${stem}::text || case when ${isTaken(sql`${stem}`)} then (select min(free)::text from halves) else '' end as name`
}

/** A user name made for a person that nobody has at this moment, however many have one of the same letters. */
export const findFreeUserName = async (db: Db, named: Named): Promise<string> => {
  const found = await oneAcrossPrograms(db, freeName(userNameStem(named)))
  return found.name
}
