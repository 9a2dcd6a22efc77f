import { failure, failures, missing } from '#contract/core/failure.ts'

export const sharedSiteFailures = failures({
  no_shared_site: missing('This shared site'),
  shared_already: failure(409, { en: '{Site} is shared already. Nothing was changed.', code: 'shared' }),
  code_over: failure(404, {
    en: 'This code opens nothing: it is mistyped, was used, or is older than two weeks. Ask for a new one.',
    code: 'code',
  }),
  too_many_days: failure(422, { en: 'Choose at most {Most} days.', code: 'days' }),
  shared: failure(409, '{Name} is shared already.'),
  joined_already: failure(409, {
    en: 'Your program shares {Site} already. Nothing was changed.',
    code: 'joined',
  }),
  code_used: failure(409, { en: 'Somebody has used this code just now. Ask for a new one.', code: 'used' }),
})
