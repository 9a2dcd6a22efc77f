import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Base64Html, DateOnly, Id, toBase64 } from '#contract/core/fields.ts'

/** An item of the admin news. `Modality` is null for news to all. `Text` is HTML. */
export const NewsItem = z.object({
  Id,
  Modality: z.string().nullable(),
  ModalityId: Id.nullable(),
  Text: z.string(),
  Date: DateOnly,
  IsActive: z.boolean(),
})
export type NewsItem = z.infer<typeof NewsItem>

/** News as home pages show it: from its date on, the newest first. */
export const ShownNews = z.object({ Id, Html: z.string(), Date: DateOnly, Modality: z.string().nullable() })
export type ShownNews = z.infer<typeof ShownNews>

/** `Text` is HTML in base64. Without `ModalityId` the news goes to all. */
export const NewsInput = z.strictObject({
  Date: DateOnly,
  Text: Base64Html,
  IsActive: z.boolean(),
  ModalityId: Id.nullish(),
})
export type NewsInput = z.infer<typeof NewsInput>

const oneItem = z.strictObject({ newsId: Id })
const refused = { 422: 'the text is empty, or the modality does not exist' } as const

export const listNews = endpoint({
  method: 'GET',
  path: '/admin-news',
  may: 'news.manage',
  summary: 'All news, the newest date first',
  answer: z.array(NewsItem),
})

export const listNewsModalities = endpoint({
  method: 'GET',
  path: '/admin-news/modalities',
  may: 'news.manage',
  summary: 'The modalities that news can go to',
  answer: z.array(z.object({ Id, Name: z.string() })),
})

export const getNews = endpoint({
  method: 'GET',
  path: '/admin-news/:newsId',
  may: 'news.manage',
  summary: 'One item of the news',
  params: oneItem,
  answer: NewsItem,
})

export const createNews = endpoint({
  method: 'POST',
  path: '/admin-news',
  may: 'news.manage',
  summary: 'Add an item to the news',
  body: NewsInput,
  answer: NewsItem,
  errors: refused,
})

export const updateNews = endpoint({
  method: 'POST',
  path: '/admin-news/:newsId',
  may: 'news.manage',
  summary: 'Change an item of the news',
  params: oneItem,
  body: NewsInput,
  answer: NewsItem,
  errors: refused,
  basis: { read: getNews, elsewhere: { Text: ({ Text }: NewsItem) => toBase64(Text) } },
})

export const setNewsActive = endpoint({
  method: 'POST',
  path: '/admin-news/:newsId/is-active',
  may: 'news.manage',
  summary: 'Show an item of the news, or take it from the home pages',
  params: oneItem,
  query: z.strictObject({ value: z.number().int().min(0).max(1) }),
  answer: NewsItem,
})

export const deleteNews = endpoint({
  method: 'DELETE',
  path: '/admin-news/:newsId',
  may: 'news.manage',
  summary: 'Delete an item of the news',
  params: oneItem,
})
