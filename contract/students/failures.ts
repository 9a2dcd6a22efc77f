import { failure, failures, missing } from '#contract/core/failure.ts'

export const studentFailures = failures({
  no_note: missing('This note'),
  not_own_note: failure(403, {
    en: 'Only {By} and coordinators can delete this note. Nothing was changed.',
    code: 'not_allowed',
  }),
})
