import { sql, type UpdateObject } from 'kysely'
import type { NewsInput } from '#contract/news/news.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { DB } from '#server/core/database/types.ts'

/** News whose text is HTML that has been cleaned. */
const values = (input: NewsInput) => ({
  date: input.Date,
  html: input.Text,
  is_active: input.IsActive,
  modality_id: input.ModalityId ?? null,
})

const update = async (
  db: Db,
  id: number,
  accountId: number,
  changes: UpdateObject<DB, 'admin_news'>,
): Promise<void> => {
  await db
    .updateTable('admin_news')
    .set({ ...changes, updated_by: accountId })
    .where('id', '=', id)
    .execute()
}

/** Adds news; answers its id. */
export const addNews = async (db: Db, accountId: number, input: NewsInput): Promise<number> => {
  const { id } = await db
    .insertInto('admin_news')
    .values({ ...values(input), created_by: accountId, updated_by: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const changeNews = (db: Db, id: number, accountId: number, input: NewsInput): Promise<void> =>
  update(db, id, accountId, { ...values(input), updated_at: sql<string>`now()` })

export const setNewsActive = (db: Db, id: number, accountId: number, isActive: boolean): Promise<void> =>
  update(db, id, accountId, { is_active: isActive, updated_at: sql<string>`now()` })

export const deleteNews = (db: Db, id: number, accountId: number): Promise<void> =>
  update(db, id, accountId, { deleted_at: sql<string>`now()` })
