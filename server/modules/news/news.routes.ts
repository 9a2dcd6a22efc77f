import { sql } from 'kysely'
import * as contract from '#contract/news/news.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html, isEmptyHtml } from '#server/core/http/html.ts'
import { notFound, ruleBroken } from '#server/core/runtime/failure.ts'
import { listModalities } from '#server/modules/programs/programs.queries.ts'
import { findNews, listNews } from './news.queries.ts'

const getNews = async (db: Db, id: number): Promise<contract.NewsItem> => {
  const item = await findNews(db, id)
  if (!item) throw notFound('This news')
  return item
}

const valuesOf = async (db: Db, { Date: date, Text, IsActive, ModalityId }: contract.NewsInput) => {
  const html = cleanBase64Html(Text)
  if (isEmptyHtml(html)) throw ruleBroken('empty', 'Write the news first. Nothing was saved.', 'Text')
  const isThere =
    !ModalityId ||
    (await db
      .selectFrom('modality')
      .select('id')
      .where('id', '=', ModalityId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!isThere)
    throw ruleBroken(
      'modality',
      'This modality does not exist. Choose another; nothing was saved.',
      'ModalityId',
    )
  return { date, html, is_active: IsActive, modality_id: ModalityId ?? null }
}

export const newsRoutes = [
  handle(contract.listNews, ({ db }) => listNews(db)),

  handle(contract.listNewsModalities, async ({ db }) =>
    (await listModalities(db)).map(({ Id, Name }) => ({ Id, Name })),
  ),

  handle(contract.getNews, ({ db, params }) => getNews(db, params.newsId)),

  handle(contract.createNews, async ({ db, body, user, audit }) => {
    const values = await valuesOf(db, body)
    const { id } = await db
      .insertInto('admin_news')
      .values({ ...values, created_by: user.Id, updated_by: user.Id })
      .returning('id')
      .executeTakeFirstOrThrow()
    audit.detail = { Id: id, Date: body.Date, ModalityId: values.modality_id, IsActive: body.IsActive }
    return getNews(db, id)
  }),

  handle(contract.updateNews, async ({ db, params: { newsId }, body, user, audit }) => {
    const { Text: _text, ...before } = await getNews(db, newsId)
    const values = await valuesOf(db, body)
    await db
      .updateTable('admin_news')
      .set({ ...values, updated_at: sql`now()`, updated_by: user.Id })
      .where('id', '=', newsId)
      .execute()
    const { Text: _changed, ...after } = await getNews(db, newsId)
    audit.detail = { Before: before, After: after }
    return getNews(db, newsId)
  }),

  handle(contract.setNewsActive, async ({ db, params: { newsId }, query, user, audit }) => {
    await getNews(db, newsId)
    audit.detail = { Id: newsId, IsActive: query.value === 1 }
    await db
      .updateTable('admin_news')
      .set({ is_active: query.value === 1, updated_at: sql`now()`, updated_by: user.Id })
      .where('id', '=', newsId)
      .execute()
    return getNews(db, newsId)
  }),

  handle(contract.deleteNews, async ({ db, params: { newsId }, user, audit }) => {
    const { Date: date, Modality } = await getNews(db, newsId)
    audit.detail = { Id: newsId, Date: date, Modality }
    await db
      .updateTable('admin_news')
      .set({ deleted_at: sql`now()`, updated_by: user.Id })
      .where('id', '=', newsId)
      .execute()
  }),
]
