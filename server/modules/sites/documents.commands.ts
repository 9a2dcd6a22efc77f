import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { notFound } from '#server/core/runtime/failure.ts'

export const setDeleted = async (
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
  if (!row) throw notFound('This document')
  return row.name
}
