import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Id, Instant } from './fields.ts'
import { StateUser } from './session.ts'

/** The user name as typed at sign-in: any text, so that nothing is told about which names exist. */
const TypedName = z.string().max(255)
const TypedPassword = z.string().max(1000)

/** A new password: 8 to 50 characters (product 2 #26); the server also refuses common ones and the own user name. */
export const NewPassword = z
  .string()
  .min(8, 'must be at least 8 characters')
  .max(50, 'must be at most 50 characters')

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  may: 'everyone',
  summary: 'Sign in by user name and password',
  body: z.strictObject({ UserName: TypedName, Password: TypedPassword, Code: z.string().max(50).optional() }),
  answer: z.object({ RedirectTo: z.string() }),
  errors: {
    401: 'wrong name, password or code; TotpRequired tells that a code is needed',
    429: 'too many attempts',
  },
})

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  may: 'signed-in',
  summary: 'End this session',
})

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  may: 'signed-in',
  summary: 'Who is signed in, until when, and the token for changes',
  answer: z.object({ User: StateUser, ExpiresAt: Instant, CsrfToken: z.string() }),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  may: 'signed-in',
  summary: 'The own sessions',
  answer: z.array(
    z.object({
      Id,
      CreatedAt: Instant,
      LastSeenAt: Instant,
      Address: z.string().nullable(),
      Agent: z.string(),
      IsCurrent: z.boolean(),
    }),
  ),
})

export const endOwnSession = endpoint({
  method: 'DELETE',
  path: '/auth/sessions/:sessionId',
  may: 'signed-in',
  summary: 'End one of the own sessions',
  params: z.strictObject({ sessionId: Id }),
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/auth/password-reset-requests',
  may: 'everyone',
  summary: 'Ask for a link to set a new password; the answer never tells whether the account exists',
  status: 202,
  body: z
    .strictObject({ UserName: TypedName.optional(), Email: TypedName.optional() })
    .refine(({ UserName, Email: address }) => UserName || address, 'UserName or Email is required'),
  errors: { 429: 'too many requests' },
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/password-resets',
  may: 'everyone',
  summary: 'Set a new password with the token of the mailed link',
  body: z.strictObject({ Token: z.string().max(200), Password: NewPassword }),
  errors: { 422: 'the link has expired or the password is refused' },
})

export const changePassword = endpoint({
  method: 'POST',
  path: '/auth/password',
  may: 'signed-in',
  summary: 'Change the own password; all other sessions end',
  body: z.strictObject({ OldPassword: TypedPassword, Password: NewPassword }),
  errors: { 422: 'the old password is wrong or the new one is refused' },
})

export const listOwnAccounts = endpoint({
  method: 'GET',
  path: '/auth/accounts',
  may: 'signed-in',
  summary: 'The accounts with the same confirmed e-mail, to switch to',
  answer: z.array(z.object({ UserId: Id, UserName: z.string(), ProgramName: z.string().nullable() })),
})

export const switchAccount = endpoint({
  method: 'POST',
  path: '/auth/switch',
  may: 'signed-in',
  summary: 'Go on as another own account with the same confirmed e-mail',
  body: z.strictObject({ UserId: Id }),
  answer: z.object({ RedirectTo: z.string() }),
  errors: { 404: 'not one of your accounts' },
})
