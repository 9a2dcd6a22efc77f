import { failure, failures, missing } from '#contract/core/failure.ts'

export const samlFailures = failures({
  program_gone: failure(422, {
    en: 'This program no longer exists. Choose another; nothing was saved.',
    code: 'gone',
  }),
  no_saml_provider: missing('This SAML provider'),
  name_taken: failure(409, '{Name} already exists.'),
  certificate: failure(422, '{Reason} Nothing was saved.'),
  linked_programs: failure(409, {
    en: '{Name} is linked to {Count} programs, so it was not deleted. Unlink all but one first.',
    code: 'linked',
  }),
  linked: failure(409, 'This program is linked to {Name} already.'),
  no_link: missing('This link'),
  last_program: failure(409, {
    en: 'This is the last program of {Name}, so it stays linked. Link another first, or delete the provider.',
  }),
  name_id_taken: failure(409, {
    en: '{Person}, who has another email address, has this SAML Name ID. Delete it there first; nothing was saved.',
    code: 'name_taken',
  }),
})
