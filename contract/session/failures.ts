import { failure, failures, missing } from '#contract/core/failure.ts'

export const sessionFailures = failures({
  no_help_chat: failure(404, { en: 'This installation has no help chat.', code: 'not_found' }),
  viewing: failure(403, 'You are viewing as {Name}. Stop viewing to open the help chat.'),
  no_session: missing('This session'),
})
