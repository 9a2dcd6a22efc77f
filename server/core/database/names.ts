import { type RawBuilder, sql } from 'kysely'
import type { Db } from './pool.ts'
import type { DB } from './types.ts'

interface NamedTable {
  /** Has the columns id, name and deleted_at. */
  table: keyof DB
  /** Within what names are told apart; the installation unless given. */
  within?: RawBuilder<boolean>
}

/** Whether another row that is not deleted bears the name, in any case of letters. A new row is excepted by 0. */
export const isNameTaken = async (
  db: Db,
  { table, within = sql<boolean>`true` }: NamedTable,
  name: string,
  exceptId: number,
): Promise<boolean> => {
  const { rows } = await sql<{ isTaken: boolean }>`select exists (select from ${sql.table(table)}
    where ${within} and lower(name) = ${name.toLowerCase()} and deleted_at is null and id <> ${exceptId}) as "isTaken"`.execute(
    db,
  )
  return rows[0]!.isTaken
}

/** The first and last name of an account; null of nobody, and of whoever has none. */
export const fullName = (account: string): RawBuilder<string | null> =>
  sql<
    string | null
  >`nullif(trim(${sql.ref(`${account}.first_name`)} || ' ' || ${sql.ref(`${account}.last_name`)}), '')`

/** Who an account is, for a column that says who did something: the person's name, the user name only of whoever has none, '' of nobody. */
export const personName = (account: string): RawBuilder<string> =>
  sql<string>`coalesce(${fullName(account)}, ${sql.ref(`${account}.user_name`)}, '')`
