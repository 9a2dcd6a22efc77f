import { sql } from 'kysely'
import type { NewsInput } from '#contract/news/news.ts'
import type { Db } from '#server/core/database/pool.ts'
import { addRow, changeRow, type RowChange } from '#server/core/database/rows.ts'

/** News whose text is HTML that has been cleaned. */
const values = (input: NewsInput) => ({
  date: input.Date,
  html: input.Text,
  is_active: input.IsActive,
  modality_id: input.ModalityId ?? null,
})

const change = (db: Db, id: number, accountId: number, changes: RowChange<'admin_news'>): Promise<boolean> =>
  changeRow(db, 'admin_news', { id }, { ...changes, updated_by: accountId })

export const addNews = (db: Db, accountId: number, input: NewsInput): Promise<number> =>
  addRow(db, 'admin_news', { ...values(input), created_by: accountId, updated_by: accountId })

export const changeNews = (db: Db, id: number, accountId: number, input: NewsInput): Promise<boolean> =>
  change(db, id, accountId, { ...values(input), updated_at: sql<string>`now()` })

export const setNewsActive = (db: Db, id: number, accountId: number, isActive: boolean): Promise<boolean> =>
  change(db, id, accountId, { is_active: isActive, updated_at: sql<string>`now()` })

export const deleteNews = (db: Db, id: number, accountId: number): Promise<boolean> =>
  change(db, id, accountId, { deleted_at: sql<string>`now()` })
