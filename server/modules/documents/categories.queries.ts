import { sql } from 'kysely'
import type { DocumentCategory } from '#contract/documents/documents.ts'
import { isNameTaken } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'

const categories = (db: Db, programId: number) =>
  db
    .selectFrom('document_category as c')
    .select(['c.id as Id', 'c.name as Name'])
    .select(
      sql<number>`(select count(*) from document d where d.program_id = c.program_id and d.category_id = c.id
        and d.deleted_at is null)`.as('DocumentCount'),
    )
    .where('c.program_id', '=', programId)
    .where('c.deleted_at', 'is', null)

export const listCategories = (db: Db, programId: number): Promise<DocumentCategory[]> =>
  categories(db, programId).orderBy(sql`lower(c.name)`).orderBy('c.id').execute()

export const findCategory = (
  db: Db,
  programId: number,
  categoryId: number,
): Promise<DocumentCategory | undefined> =>
  categories(db, programId).where('c.id', '=', categoryId).executeTakeFirst()

/** Whether another category has the name, in any case of letters; no name is nobody's. */
export const isCategoryNameTaken = async (
  db: Db,
  programId: number,
  name: string,
  exceptId: number,
): Promise<boolean> =>
  name !== '' &&
  (await isNameTaken(
    db,
    { table: 'document_category', within: sql`program_id = ${programId}` },
    name,
    exceptId,
  ))

/** A deleted category by its name, with the first file name of its documents that another document has now. */
export const findDeletedCategory = async (
  db: Db,
  programId: number,
  categoryId: number,
): Promise<{ name: string; takenFile: string | null } | undefined> => {
  const { rows } = await sql<{ name: string; takenFile: string | null }>`
    select c.name, (select min(d.file_name) from document d
        join document other on other.program_id = d.program_id and lower(other.file_name) = lower(d.file_name)
          and other.deleted_at is null
        where d.program_id = c.program_id and d.category_id = c.id and d.deleted_at = c.deleted_at) as "takenFile"
    from document_category c
    where c.program_id = ${programId} and c.id = ${categoryId} and c.deleted_at is not null`.execute(db)
  return rows[0]
}
