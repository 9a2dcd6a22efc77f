import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id } from '#contract/core/fields.ts'

/** What an authenticator app is told in the link of the QR code. */
export const totpLink = { algorithm: 'SHA1', digits: 6, periodSeconds: 30 } as const

/** The link that an authenticator app reads from the QR code. */
export const totpAddress = (userName: string, secret: string): string => {
  const issuer = 'Practicum'
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`
  const { algorithm, digits, periodSeconds } = totpLink
  return `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}&algorithm=${algorithm}&digits=${digits}&period=${periodSeconds}`
}

const ofUser = z.strictObject({ userId: Id })

/** The authenticator of a person; the secret is obtained apart. */
export const TotpSettings = z.object({ Enabled: z.boolean(), UserName: z.string() })

export const createTotpSecret = endpoint({
  method: 'POST',
  path: '/totp-secrets',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'signed-in',
  duringStep: true,
  summary: 'A new secret for an authenticator; this session may enable it within 10 minutes',
  answer: z.object({ Secret: z.string() }),
})

export const getTotpSettings = endpoint({
  method: 'GET',
  path: '/user/:userId/totp-settings',
  class: 'security',
  may: 'signed-in',
  duringStep: true,
  summary: 'Whether the own account has an authenticator',
  params: ofUser,
  answer: TotpSettings,
})

export const saveTotpSettings = endpoint({
  method: 'POST',
  path: '/user/:userId/totp-settings',
  proof: true,
  answersSecret: true,
  may: 'signed-in',
  duringStep: true,
  summary: 'Enable the authenticator with a code of it, or disable it with a code or the password',
  params: ofUser,
  body: z.strictObject({
    Enable: z.boolean(),
    Secret: z.string().max(200).optional(),
    Code: z.string().max(50).optional(),
    /** In place of a code, to disable. */
    Password: z.string().max(1000).optional(),
  }),
  answer: z.object({
    Success: z.boolean(),
    ErrorMessage: z.string().nullable(),
    UserTotp: TotpSettings,
  }),
  errors: { 404: 'not the own account', 429: 'too many wrong codes' },
})

/** How many recovery codes are made at a time. */
export const recoveryCodeCount = 10

export const getRecoveryCodes = endpoint({
  method: 'GET',
  path: '/auth/recovery-codes',
  class: 'security',
  may: 'signed-in',
  duringStep: true,
  summary: 'How many of the own recovery codes are left; the codes themselves are shown once only',
  answer: z.object({ Left: z.number().int() }),
})

export const createRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/recovery-codes',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'signed-in',
  duringStep: true,
  summary: 'Make new recovery codes; the older ones no longer work',
  answer: z.object({ Codes: z.array(z.string()) }),
  errors: { 422: 'the account has no authenticator' },
})

export const removeAuthenticator = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/users/:userId/authenticator',
  proof: true,
  lasts: true,
  may: 'people.write',
  byKey: 'never',
  summary: 'Take away the authenticator of a person who has lost it, and tell the person by mail',
  params: z.strictObject({ programId: Id, userId: Id }),
  errors: { 403: 'the person has a higher level', 422: 'the person has none' },
})
