import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey } from '#server/core/database/rows.ts'

export const addCategory = (db: Db, programId: number, accountId: number, name: string): Promise<number> =>
  addRow(db, 'document_category', {
    program_id: programId,
    name,
    created_by: accountId,
    updated_by: accountId,
  })

export const renameCategory = (db: Db, key: RowKey, name: string): Promise<boolean> =>
  changeRow(db, 'document_category', key, { name })

/** Deletes a category with its documents, all at one moment; answers how many documents went. */
export const deleteCategory = async (db: Db, programId: number, categoryId: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with gone as (update document set deleted_at = now()
      where program_id = ${programId} and category_id = ${categoryId} and deleted_at is null returning id),
    category as (update document_category set deleted_at = now()
      where program_id = ${programId} and id = ${categoryId} and deleted_at is null)
    select count(*) as count from gone`.execute(db)
  return rows[0]!.count
}

/** Brings a category back with the documents that went with it; those deleted before stay deleted. */
export const restoreCategory = async (db: Db, programId: number, categoryId: number): Promise<void> => {
  await sql`
    with category as (select deleted_at from document_category where program_id = ${programId} and id = ${categoryId}),
    back as (update document d set deleted_at = null from category c
      where d.program_id = ${programId} and d.category_id = ${categoryId} and d.deleted_at = c.deleted_at)
    update document_category set deleted_at = null where program_id = ${programId} and id = ${categoryId}`.execute(
    db,
  )
}
