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
