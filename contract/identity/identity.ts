import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Email, Id, Instant } from '#contract/core/fields.ts'
import { problem, problems } from '#contract/core/problems.ts'
import { StateUser } from '#contract/session/session.ts'

/** The user name as typed at sign-in: any text, so that nothing reveals which names exist. */
const TypedName = z.string().max(255)
const TypedPassword = z.string().max(1000)

/** A new password: 8 to 50 characters; the server also refuses common ones and the user name. */
export const NewPassword = z
  .string()
  .min(8, problem(problems.tooShort, { Least: 8, Count: 8 }))
  .max(50, problem(problems.tooLong, { Most: 50, Count: 50 }))

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  may: 'everyone',
  summary: 'Sign in by user name, or an email that one account has confirmed, and password',
  body: z.strictObject({
    UserName: TypedName,
    Password: TypedPassword,
    Code: z.string().max(50).optional(),
    /** On a ward computer, which many people use: the session is short. */
    IsShared: z.boolean().default(false),
  }),
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
  duringStep: true,
  whileViewing: true,
  summary: 'End this session',
})

export const getSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  may: 'signed-in',
  duringStep: true,
  summary: 'Who is signed in, until when, and the token for changes',
  /** `Step` is what has to be done before anything else, such as 'eula' or 'authenticator'. */
  answer: z.object({
    User: StateUser,
    ExpiresAt: Instant,
    CsrfToken: z.string(),
    Step: z.string().nullable(),
    /** Where the browser goes after signing out here, to be signed out at its college too; '' where nobody has to be told. */
    SignOutAddress: z.string(),
  }),
})

export const listSessions = endpoint({
  method: 'GET',
  path: '/auth/sessions',
  class: 'security',
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
  class: 'security',
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
  class: 'security',
  may: 'signed-in',
  summary: 'The accounts with the same confirmed email, to switch to',
  answer: z.array(z.object({ UserId: Id, UserName: z.string(), ProgramName: z.string().nullable() })),
})

export const switchAccount = endpoint({
  method: 'POST',
  path: '/auth/switch',
  may: 'signed-in',
  summary: 'Go on as another own account with the same confirmed email',
  /** `Code` where the other account has an authenticator: switching never skips it. */
  body: z.strictObject({ UserId: Id, Code: z.string().max(50).optional() }),
  answer: z.object({ RedirectTo: z.string() }),
  errors: { 401: 'a code is needed, or it is wrong', 404: 'not one of your accounts' },
})

export const getOwnEmail = endpoint({
  method: 'GET',
  path: '/auth/email',
  class: 'security',
  may: 'signed-in',
  summary: 'The own email address, and one that waits to be confirmed',
  answer: z.object({
    EmailAddress: z.string(),
    IsConfirmed: z.boolean(),
    /** A link to it was mailed and still works. */
    PendingEmailAddress: z.string().nullable(),
    /** Changing it asks for the password. */
    HasPassword: z.boolean(),
  }),
})

export const changeEmail = endpoint({
  method: 'POST',
  path: '/auth/email',
  proof: true,
  lasts: true,
  may: 'signed-in',
  summary: 'Mail a link that makes an address the own one, or confirms the present one',
  body: z.strictObject({ EmailAddress: Email, Password: TypedPassword.default('') }),
  status: 202,
  errors: {
    409: 'the address is the one of the college’s directory',
    422: 'the password is wrong, or it is an account of the demo',
    429: 'too many requests',
  },
})

export const getEmailConfirmation = endpoint({
  method: 'GET',
  path: '/auth/email-confirmations/:token',
  may: 'everyone',
  summary: 'What a mailed link confirms; uses nothing up, so that a scanner of mail may open it',
  params: z.strictObject({ token: z.string().max(200) }),
  answer: z.object({
    EmailAddress: z.string(),
    UserName: z.string(),
    ProgramName: z.string(),
    /** A new registrant sets the password here, where only the owner of the mailbox comes. */
    NeedsPassword: z.boolean(),
  }),
  errors: { 404: 'the link has expired or was used' },
})

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/email-confirmations',
  may: 'everyone',
  summary: 'Confirm the address with the token of the mailed link',
  body: z.strictObject({ Token: z.string().max(200), Password: NewPassword.optional() }),
  errors: { 422: 'the link has expired, or the password is missing or refused' },
})

export const getNotMe = endpoint({
  method: 'GET',
  path: '/auth/not-me/:token',
  may: 'everyone',
  summary:
    'Whose account a link “this was not me” freezes; uses nothing up, so that a scanner of mail may open it',
  params: z.strictObject({ token: z.string().max(200) }),
  answer: z.object({ UserName: z.string(), ProgramName: z.string() }),
  errors: { 404: 'the link has expired or was used' },
})

export const sayNotMe = endpoint({
  method: 'POST',
  path: '/auth/not-me',
  may: 'everyone',
  summary:
    'Freeze the account by the link of a notice: its address is the one before the change, its sessions end, nobody gets in until a new password is set or staff open it, and administrators are told',
  body: z.strictObject({ Token: z.string().max(200) }),
  errors: { 422: 'the link has expired or was used' },
})

export const viewAs = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/views',
  proof: 'view',
  may: 'people.view-as',
  byKey: 'never',
  summary: 'Look at the product as this person sees it; nothing can be changed until stop',
  params: z.strictObject({ programId: Id, userId: Id }),
  answer: z.object({ RedirectTo: z.string() }),
  errors: { 403: 'the person has a higher level', 422: 'it is oneself, or somebody without access' },
})

export const stopViewing = endpoint({
  method: 'DELETE',
  path: '/auth/view',
  may: 'signed-in',
  whileViewing: true,
  summary: 'Stop looking at the product as someone else',
  answer: z.object({ RedirectTo: z.string() }),
})
