import { sql } from 'kysely'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'

/** Adds a document to a site; answers its id and when it was added. */
export const addSiteDocument = (
  db: Db,
  { programId, siteId }: { programId: number; siteId: number },
  accountId: number,
  { fileId, name }: { fileId: number; name: string },
) =>
  db
    .insertInto('site_file')
    .values({ program_id: programId, site_id: siteId, file_id: fileId, name, created_by: accountId })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()

/** Deletes a document softly, or brings it back; answers its name. */
export const setSiteDocumentDeleted = async (
  db: Db,
  { programId, siteId, documentId }: { programId: number; siteId: number; documentId: number },
  isDeleted: boolean,
): Promise<string> => {
  const row = await db
    .updateTable('site_file')
    .set({ deleted_at: isDeleted ? sql`now()` : null })
    .where('program_id', '=', programId)
    .where('site_id', '=', siteId)
    .where('id', '=', documentId)
    .where('deleted_at', isDeleted ? 'is' : 'is not', null)
    .returning('name')
    .executeTakeFirst()
  if (!row) throw fail(siteFailures.no_document)
  return row.name
}
