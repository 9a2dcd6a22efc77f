import { failure, failures, missing } from '#contract/core/failure.ts'

export const settingsFailures = failures({
  license_changed: failure(409, {
    en: 'The license agreement has just changed, so nothing was accepted. Read the new text.',
    es: 'El acuerdo de licencia acaba de cambiar; no se aceptó nada. Lea el texto nuevo.',
    code: 'changed',
  }),
  no_version: missing('This version'),
  locks_out: failure(422, {
    en: 'Your own address, {Address}, would be refused, and you with it. Put it on the whitelist first; nothing was changed.',
  }),
  wrong_type: failure(415, {
    en: 'The file is no GeoIP database in MaxMind’s format (.mmdb, or .mmdb.gz). The one before stays in use.',
  }),
  no_address: missing('This address'),
})
