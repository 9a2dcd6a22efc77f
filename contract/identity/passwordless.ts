import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Email, Id } from '#contract/core/fields.ts'

/** Minutes that a mailed link and its code live. */
export const magicLinkMinutes = 10

const Guid = z.string().max(100)

export const requestMagicLink = endpoint({
  method: 'POST',
  path: '/magic-links',
  may: 'everyone',
  summary: 'Ask for a sign-in link and code by email; the answer never tells whether an account exists',
  body: z.strictObject({ Email }),
  /** `Code` is always null: a code goes by email only. */
  answer: z.object({
    Sent: z.boolean(),
    Email: z.string(),
    PublicGuid: z.string(),
    Code: z.string().nullable(),
  }),
  errors: { 429: 'too many requests' },
})

export const exchangeMagicCode = endpoint({
  method: 'GET',
  path: '/magic-links',
  may: 'everyone',
  summary: 'The id of the link for a code typed from the mail',
  query: z.strictObject({ 'public-key': Guid, code: z.string().max(50) }),
  answer: z.object({ Guid: z.string() }),
  errors: { 422: 'the code is wrong or expired', 429: 'too many wrong codes' },
})

/** An account to sign in to by a link. */
export const LoginAccount = z.object({ UserId: Id, UserName: z.string(), ProgramName: z.string() })
export type LoginAccount = z.infer<typeof LoginAccount>

export const listMagicLinkUsers = endpoint({
  method: 'GET',
  path: '/magic-links/:guid/users',
  may: 'everyone',
  summary: 'The accounts of a link; uses nothing up, so that a scanner of mail may open it',
  params: z.strictObject({ guid: Guid }),
  answer: z.array(LoginAccount),
  errors: { 404: 'the link has expired or was used' },
})

export const loginByMagicLink = endpoint({
  method: 'POST',
  path: '/magic-links/login',
  may: 'everyone',
  summary: 'Sign in by a link, once; answers the address to go to',
  query: z.strictObject({ redirectTo: z.string().max(2_000).optional() }),
  /** `Code` where the account has an authenticator: a link never skips it. */
  body: z.strictObject({ UserId: Id, Guid, Code: z.string().max(50).optional() }),
  answer: z.string(),
  errors: {
    401: 'a code of the authenticator is needed, or it is wrong',
    422: 'the link has expired, was used, or is not for this account',
    429: 'too many attempts',
  },
})
