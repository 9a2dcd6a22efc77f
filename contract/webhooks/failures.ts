import { failure, failures, missing } from '#contract/core/failure.ts'

export const webhookFailures = failures({
  no_webhook: missing('This webhook'),
  address_refused: failure(422, { en: '{Reason} Nothing was saved.', code: 'url' }),
  switched_off: failure(422, {
    en: 'The webhook is switched off. Switch it on first; nothing was sent.',
    code: 'disabled',
  }),
  too_many: failure(422, 'There are {Count} webhooks. Delete one that is no longer used.'),
  no_event: missing('This event'),
})
