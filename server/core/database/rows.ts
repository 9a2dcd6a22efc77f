import { type InsertObject, type Kysely, sql, type UpdateObject } from 'kysely'
import type { Db } from './pool.ts'
import type { DB } from './types.ts'

/** The column of what the contract calls `MealMinutes`: `meal_minutes`. */
export const columnName = (name: string): string => name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()

/** Tables whose rows have ids, in their program or in the whole installation. */
type RowTable = {
  [T in keyof DB]: DB[T] extends { id: unknown } ? T : never
}[keyof DB]

/** Tables whose rows are deleted softly. */
type DeletedTable = { [T in RowTable]: DB[T] extends { deleted_at: unknown } ? T : never }[RowTable]

/** One row of a program. */
export interface RowKey {
  programId: number
  id: number
}

/** One row: of a program unless the table belongs to none. */
type KeyOf<T extends RowTable> = DB[T] extends { program_id: unknown } ? RowKey : { id: number }

/** What a new row is given: values, or expressions of the database. */
export type NewRow<T extends keyof DB> = InsertObject<DB, T>

/** What of a row is changed. */
export type RowChange<T extends keyof DB> = UpdateObject<DB, T>

interface AnyRow {
  program_id: number
  id: number
  deleted_at: unknown
}
/** The checks are those of the callers: Kysely knows no table that is any of many. */
const anyTable = (db: Db) => db as unknown as Kysely<Record<string, AnyRow>>

// The functions below have checked it against the table.
const checked = (values: object) => values as never

/** The statement that changes one row; a table of a program has its key. */
const oneRow = (db: Db, table: string, key: RowKey | { id: number }) =>
  anyTable(db)
    .updateTable(table)
    .$if('programId' in key, (query) => query.where('program_id', '=', (key as RowKey).programId))
    .where('id', '=', key.id)

/** Adds a row; answers its id. */
export const addRow = async <T extends RowTable>(db: Db, table: T, values: NewRow<T>): Promise<number> => {
  const { id } = await anyTable(db)
    .insertInto(table as string)
    .values(checked(values))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes columns of a row; whether there was one. */
export const changeRow = async <T extends RowTable>(
  db: Db,
  table: T,
  key: KeyOf<T>,
  values: RowChange<T>,
): Promise<boolean> => {
  const { numUpdatedRows } = await oneRow(db, table, key).set(checked(values)).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes a row softly, or brings it back; whether it was there to be deleted, or deleted. */
export const setRowDeleted = async <T extends DeletedTable>(
  db: Db,
  table: T,
  key: KeyOf<T>,
  isDeleted: boolean,
): Promise<boolean> => {
  const { numUpdatedRows } = await oneRow(db, table, key)
    .set(checked({ deleted_at: isDeleted ? sql`now()` : null }))
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes rows of a program softly, or brings them back; answers how many were there to be deleted, or deleted. */
export const setRowsDeleted = async <T extends DeletedTable>(
  db: Db,
  table: T,
  programId: number,
  ids: readonly number[],
  isDeleted: boolean,
): Promise<number> => {
  const { numUpdatedRows } = await anyTable(db)
    .updateTable(table as string)
    .set(checked({ deleted_at: isDeleted ? sql`now()` : null }))
    .where('program_id', '=', programId)
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
