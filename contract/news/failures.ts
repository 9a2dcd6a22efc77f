import { failure, failures, missing } from '#contract/core/failure.ts'

export const newsFailures = failures({
  no_announcement: missing('This announcement'),
  announcement_empty: failure(422, {
    en: 'Write the announcement first. Nothing was saved.',
    code: 'empty',
  }),
  no_news: missing('This news'),
  news_empty: failure(422, { en: 'Write the news first. Nothing was saved.', code: 'empty' }),
  modality_gone: failure(422, {
    en: 'This modality does not exist. Choose another; nothing was saved.',
    code: 'modality',
  }),
  wrong_type: failure(415, '{Name} is no PNG, JPEG, GIF or WebP picture by its content. Nothing was kept.'),
  no_picture: missing('This picture'),
})
