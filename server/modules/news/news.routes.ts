import { newsFailures } from '#contract/news/failures.ts'
import * as contract from '#contract/news/news.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html, isEmptyHtml } from '#server/core/http/html.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { listModalities } from '#server/modules/programs/programs.queries.ts'
import { addNews, changeNews, deleteNews, setNewsActive } from './news.commands.ts'
import { findNews, listNews } from './news.queries.ts'

const getNews = async (db: Db, id: number): Promise<contract.NewsItem> => {
  const item = await findNews(db, id)
  if (!item) throw fail(newsFailures.no_news)
  return item
}

/** The input with its text as clean HTML. */
const clean = async (db: Db, body: contract.NewsInput): Promise<contract.NewsInput> => {
  const { ModalityId } = body
  const html = cleanBase64Html(body.Text)
  if (isEmptyHtml(html)) throw fail(newsFailures.news_empty, 'Text')
  const isThere =
    !ModalityId ||
    (await db
      .selectFrom('modality')
      .select('id')
      .where('id', '=', ModalityId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!isThere) throw fail(newsFailures.modality_gone, 'ModalityId')
  return { ...body, Text: html }
}

export const newsRoutes = [
  handle(contract.listNews, ({ db }) => listNews(db)),

  handle(contract.listNewsModalities, async ({ db }) =>
    (await listModalities(db)).map(({ Id, Name }) => ({ Id, Name })),
  ),

  handle(contract.getNews, ({ db, params }) => getNews(db, params.newsId)),

  handle(contract.createNews, async ({ db, body, user, audit }) => {
    const id = await addNews(db, user.Id, await clean(db, body))
    audit.detail = { Id: id, Date: body.Date, ModalityId: body.ModalityId ?? null, IsActive: body.IsActive }
    return getNews(db, id)
  }),

  handle(contract.updateNews, async ({ db, params: { newsId }, body, user, audit }) => {
    const { Text: _text, ...before } = await getNews(db, newsId)
    await changeNews(db, newsId, user.Id, await clean(db, body))
    const { Text: _changed, ...after } = await getNews(db, newsId)
    audit.detail = { Before: before, After: after }
    return getNews(db, newsId)
  }),

  handle(contract.setNewsActive, async ({ db, params: { newsId }, query, user, audit }) => {
    await getNews(db, newsId)
    audit.detail = { Id: newsId, IsActive: query.value === 1 }
    await setNewsActive(db, newsId, user.Id, query.value === 1)
    return getNews(db, newsId)
  }),

  handle(contract.deleteNews, async ({ db, params: { newsId }, user, audit }) => {
    const { Date: date, Modality } = await getNews(db, newsId)
    audit.detail = { Id: newsId, Date: date, Modality }
    await deleteNews(db, newsId, user.Id)
  }),
]
