import type { login as declared } from '#contract/identity/identity.ts'

/** The declaration of `login` without its schemas: they would bring their library to the first page that a phone loads. */
export const login = {
  kind: 'endpoint',
  method: 'POST',
  path: '/auth/login',
  may: 'everyone',
} as unknown as typeof declared
