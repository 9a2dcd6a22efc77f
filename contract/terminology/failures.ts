import { failure, failures, missing } from '#contract/core/failure.ts'

export const terminologyFailures = failures({
  no_language_profile: missing('This language profile'),
  name_taken: failure(409, '{Name} already exists.'),
  in_use: failure(409, {
    en: '{Name} is used by {Programs}{More}, so it was not deleted. Give {Count|this program|these programs} another language profile first.',
  }),
  unknown_word: failure(400, { en: 'KeyId: {KeyId} names no word. Nothing was changed.', code: 'invalid' }),
  endings_too_long: failure(422, {
    en: 'Singular and plural endings can have at most {Most} characters together. Nothing was saved.',
    code: 'endings',
  }),
})
