import { sql } from 'kysely'
import type { DocumentValues } from '#contract/documents/documents.ts'
import { nobody } from '#contract/documents/documents-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowKey, setRowDeleted } from '#server/core/database/rows.ts'

/** A document as it was sent, with the levels that read it and the name of its file. */
interface Values {
  document: DocumentValues
  roles: number[]
  fileName: string
}

const values = ({ document, roles, fileName }: Values) => ({
  category_id: document.CategoryId,
  name: document.Name,
  description: document.Description,
  access: document.Access === null ? null : document.Access === nobody ? [] : roles,
  file_name: fileName,
})

export const addDocument = (
  db: Db,
  programId: number,
  accountId: number,
  input: Values & { fileId: number },
): Promise<number> =>
  addRow(db, 'document', {
    ...values(input),
    program_id: programId,
    file_id: input.fileId,
    created_by: accountId,
    updated_by: accountId,
  })

/** Changes a document; without a file it keeps the one that it has. */
export const changeDocument = (
  db: Db,
  key: RowKey,
  input: Values & { fileId: number | undefined },
): Promise<boolean> =>
  changeRow(db, 'document', key, {
    ...values(input),
    ...(input.fileId !== undefined && { file_id: input.fileId }),
  })

export const setDocumentDeleted = (db: Db, key: RowKey, isDeleted: boolean): Promise<boolean> =>
  setRowDeleted(db, 'document', key, isDeleted)

/** Makes these the sites and student levels of a document. */
export const saveReaders = async (
  db: Db,
  programId: number,
  documentId: number,
  { SiteIds, StudentLevelIds }: { SiteIds: readonly number[]; StudentLevelIds: readonly number[] },
): Promise<void> => {
  await sql`with gone as (delete from document_site where program_id = ${programId} and document_id = ${documentId}
      and site_id <> all (${[...SiteIds]}::bigint[]))
    insert into document_site (program_id, document_id, site_id)
    select ${programId}, ${documentId}, unnest(${[...SiteIds]}::bigint[]) on conflict do nothing`.execute(db)
  await sql`with gone as (delete from document_student_level where program_id = ${programId}
      and document_id = ${documentId} and student_level_id <> all (${[...StudentLevelIds]}::smallint[]))
    insert into document_student_level (program_id, document_id, student_level_id)
    select ${programId}, ${documentId}, unnest(${[...StudentLevelIds]}::smallint[]) on conflict do nothing`.execute(
    db,
  )
}
