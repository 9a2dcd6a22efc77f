import { type Insertable, type Kysely, sql, type UpdateObject } from 'kysely'
import type { Db } from './pool.ts'
import type { DB } from './types.ts'

/** Tables whose rows a program has under ids. */
type RowTable = {
  [T in keyof DB]: DB[T] extends { program_id: unknown; id: unknown } ? T : never
}[keyof DB]

/** Tables whose rows are deleted softly. */
type DeletedTable = { [T in RowTable]: DB[T] extends { deleted_at: unknown } ? T : never }[RowTable]

/** One row of a program. */
export interface RowKey {
  programId: number
  id: number
}

interface AnyRow {
  program_id: number
  id: number
  deleted_at: unknown
}
/** The checks are those of the callers: Kysely knows no table that is any of many. */
const anyTable = (db: Db) => db as unknown as Kysely<Record<string, AnyRow>>

/** Adds a row; answers its id. */
export const addRow = async <T extends RowTable>(
  db: Db,
  table: T,
  values: Insertable<DB[T]>,
): Promise<number> => {
  const { id } = await anyTable(db)
    .insertInto(table as string)
    .values(values as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes columns of a row; whether there was one. */
export const changeRow = async <T extends RowTable>(
  db: Db,
  table: T,
  { programId, id }: RowKey,
  values: UpdateObject<DB, T>,
): Promise<boolean> => {
  const { numUpdatedRows } = await anyTable(db)
    .updateTable(table as string)
    .set(values as never)
    .where('program_id', '=', programId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes rows softly, or brings them back; answers how many were there to be deleted, or deleted. */
export const setRowsDeleted = async (
  db: Db,
  table: DeletedTable,
  programId: number,
  ids: readonly number[],
  isDeleted: boolean,
): Promise<number> => {
  const { numUpdatedRows } = await anyTable(db)
    .updateTable(table as string)
    .set({ deleted_at: isDeleted ? sql`now()` : null } as never)
    .where('program_id', '=', programId)
    .where(sql<boolean>`id = any (${[...ids]}::bigint[])`)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes a row softly, or brings it back; whether it was there to be deleted, or deleted. */
export const setRowDeleted = async (
  db: Db,
  table: DeletedTable,
  { programId, id }: RowKey,
  isDeleted: boolean,
): Promise<boolean> => (await setRowsDeleted(db, table, programId, [id], isDeleted)) > 0
