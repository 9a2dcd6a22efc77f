import { failure, failures, missing } from '#contract/core/failure.ts'

export const keyFailures = failures({
  no_key: missing('This key'),
  right_not_yours: failure(403, {
    en: 'A key has no more rights than you: {Rights} cannot be given. Nothing was changed.',
    code: 'not_yours',
  }),
  super_admins_only: failure(403, {
    en: 'Keys for all programs are for super admins. Nothing was made.',
    code: 'not_allowed',
  }),
  too_many: failure(422, 'There are {Count} keys. Nothing was made; revoke one that is no longer used.'),
  name_taken: failure(409, '{Name} already exists.'),
})
