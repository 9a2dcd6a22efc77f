import { failure, failures, missing } from '#contract/core/failure.ts'

export const inboxFailures = failures({
  inbox_off: failure(409, {
    en: 'This program does not use the inbox by link, so nothing was sent.',
    es: 'Este programa no usa la bandeja por enlace; no se envió nada.',
    code: 'off',
  }),
  no_request: missing('This request'),
  no_address: failure(409, {
    en: 'Your account has no email address, so nothing was sent.',
    es: 'Su cuenta no tiene correo electrónico; no se envió nada.',
  }),
})
