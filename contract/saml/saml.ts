import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Instant, Line, PageOf, paging, RequiredLine, Sort, Text } from '#contract/core/fields.ts'
import { levelLabel, levels } from '#contract/core/levels.ts'
import { LoginAccount } from '#contract/identity/passwordless.ts'

/** What linking a program says when the provider grants no level. */
export const noLevelGranted = 1

/** The level of a linked program as people read it. */
export const grantedLevelLabel = (level: number): string => {
  if (level === noLevelGranted) return 'No level granted'
  return levels.some(({ Id }) => Id === level) ? levelLabel(level) : `Level ${level}`
}

/** A program that a provider signs people in to. */
export const SamlProgram = z.object({
  ProgramId: Id,
  ProgramName: z.string(),
  CollegeId: Id,
  CollegeName: z.string(),
  /** Kept as given; it gives nobody a right here. */
  AccessLevel: z.number().int(),
  AccessLevelVerbose: z.string(),
})
export type SamlProgram = z.infer<typeof SamlProgram>

/** The identity provider of a college. */
export const SamlProvider = z.object({
  Id,
  Name: z.string(),
  EntityId: z.string(),
  SsoUrl: z.string(),
  /** Where people are signed out at the provider; '' where it knows no single logout. */
  SloUrl: z.string(),
  /** One or more certificates in PEM. */
  Certificate: z.string(),
  /** When the last of them ends. */
  CertificateExpires: Instant,
  CreateDate: Instant,
  ModDate: Instant,
  /** It is linked to more than one program, and cannot be deleted. */
  HasMultiple: z.boolean(),
  Programs: z.array(SamlProgram),
})
export type SamlProvider = z.infer<typeof SamlProvider>

/** How a provider is doing beside it. A part of its own: what happens there changes nothing that somebody is editing. */
export const ListedSamlProvider = SamlProvider.extend({
  LastSuccessDate: Instant.nullable(),
  LastErrorDate: Instant.nullable(),
  /** A sentence; '' while nothing has failed. */
  LastError: z.string(),
})
export type ListedSamlProvider = z.infer<typeof ListedSamlProvider>

/** A person of a linked program; `Id` and the dates are those of their SAML Name ID, null while they have none. */
export const SamlUser = z.object({
  Id: Id.nullable(),
  UserId: Id,
  Email: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  UserName: z.string(),
  SamlEntityId: z.string().nullable(),
  SamlNameId: z.string().nullable(),
  CreateDate: Instant.nullable(),
  ModDate: Instant.nullable(),
  ProgramId: Id,
  CollegeName: z.string(),
  ProgramName: z.string(),
})
export type SamlUser = z.infer<typeof SamlUser>

/** https, and http for this machine only: whoever can change the page of a sign-in has the passwords typed there. */
const isSignInAddress = (text: string): boolean => {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash) return false
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (isHere && url.protocol === 'http:')
}

/** Most characters of a certificate, or of several, in PEM. */
export const maxCertificate = 20_000

const fields = {
  Name: RequiredLine(255),
  EntityId: RequiredLine(1024),
  SsoUrl: RequiredLine(2000).refine(
    isSignInAddress,
    'must be a web address that begins with https:// and has no # in it',
  ),
  SloUrl: Line(2000)
    .refine(
      (text) => text === '' || isSignInAddress(text),
      'must be a web address that begins with https:// and has no # in it',
    )
    .default(''),
  Certificate: Text(maxCertificate).refine((text) => text.trim() !== '', 'is required'),
}
const one = z.strictObject({ samlId: Id })

export const listSamlProviders = endpoint({
  method: 'GET',
  path: '/saml',
  may: 'saml.manage',
  byKey: 'never',
  summary: 'The identity providers by name, with their programs and how they are doing; the first 10,000',
  answer: z.array(ListedSamlProvider),
})

export const getSamlProvider = endpoint({
  method: 'GET',
  path: '/saml/:samlId',
  may: 'saml.manage',
  byKey: 'never',
  summary: 'One identity provider',
  params: one,
  answer: SamlProvider,
})

export const createSamlProvider = endpoint({
  method: 'POST',
  path: '/saml',
  proof: 'provider',
  lasts: true,
  may: 'saml.manage',
  byKey: 'never',
  summary: 'Add an identity provider for a program',
  body: z.strictObject({ ...fields, ProgramId: Id }),
  answer: SamlProvider,
  errors: {
    409: 'the name or the entity ID is taken',
    422: 'the certificate cannot be used, or the program does not exist',
  },
})

export const updateSamlProvider = endpoint({
  method: 'POST',
  path: '/saml/:samlId',
  proof: 'provider',
  lasts: true,
  may: 'saml.manage',
  byKey: 'never',
  summary: 'Change an identity provider',
  params: one,
  body: z.strictObject(fields),
  answer: SamlProvider,
  errors: { 409: 'the name or the entity ID is taken', 422: 'the certificate cannot be used' },
  basis: { read: getSamlProvider },
})

export const deleteSamlProvider = endpoint({
  method: 'DELETE',
  path: '/saml/:samlId',
  proof: 'provider',
  lasts: true,
  may: 'saml.manage',
  byKey: 'never',
  summary: 'Delete an identity provider that is linked to a single program',
  params: one,
  errors: { 409: 'it is linked to several programs' },
})

export const linkSamlProgram = endpoint({
  method: 'POST',
  path: '/saml/:samlId/programs',
  proof: 'provider',
  lasts: true,
  may: 'saml.manage',
  byKey: 'never',
  summary: 'Let a provider sign in the people of a program',
  params: one,
  body: z.strictObject({
    ProgramId: Id,
    AccessLevel: z.number().int().min(0).max(100).default(noLevelGranted),
  }),
  answer: SamlProvider,
  errors: { 409: 'the program is linked already', 422: 'the program does not exist' },
})

export const unlinkSamlProgram = endpoint({
  method: 'DELETE',
  path: '/saml/:samlId/programs/:programId',
  proof: 'provider',
  lasts: true,
  may: 'saml.manage',
  byKey: 'never',
  summary: 'Let a provider no longer sign in the people of a program',
  params: z.strictObject({ samlId: Id, programId: Id }),
  errors: { 409: 'it is the last program of the provider' },
})

export const listSamlUsers = endpoint({
  method: 'GET',
  path: '/saml/:samlId/users',
  may: 'saml.manage',
  byKey: 'never',
  summary: 'A page of the active people of the linked programs, with the names they have at the provider',
  params: one,
  query: z.strictObject({
    ...paging,
    ProgramId: Id.optional(),
    search: z.string().max(255).default(''),
    sort: Sort(['ProgramName', 'UserId', 'Email', 'Name', 'UserName', 'SamlNameId', 'ModDate']).default(
      'UserName',
    ),
  }),
  answer: PageOf(SamlUser),
})

export const saveSamlUser = endpoint({
  method: 'POST',
  path: '/saml/:samlId/users/:userId',
  proof: 'provider',
  lasts: true,
  may: 'saml.manage',
  byKey: 'never',
  summary: 'Say which name a person has at the provider, or delete it',
  params: z.strictObject({ samlId: Id, userId: Id }),
  /** Without a name, and with `Delete`, the person has none afterwards. */
  body: z.strictObject({ SamlNameId: Line(1024).default(''), Delete: z.boolean().default(false) }),
  answer: SamlUser,
  errors: { 409: 'another person has the name' },
})

/** What somebody who signs in chooses from. */
export const SignInCollege = z.object({ Id, Name: z.string() })
export type SignInCollege = z.infer<typeof SignInCollege>

/** Most colleges in the list before signing in; more are found by typing. */
export const maxSignInColleges = 100

export const listSignInColleges = endpoint({
  method: 'GET',
  path: '/auth/colleges',
  may: 'everyone',
  summary: 'Colleges whose people sign in through their identity provider, by name; the first 100 that fit',
  query: z.strictObject({ search: z.string().max(100).default('') }),
  answer: z.array(SignInCollege),
  errors: { 429: 'too many requests' },
})

const Guid = z.string().max(100)

export const listCollegeAccounts = endpoint({
  method: 'GET',
  path: '/auth/college-sign-ins/:guid/users',
  may: 'everyone',
  summary: 'The accounts that the answer of a college opens, for the browser that asked for it',
  params: z.strictObject({ guid: Guid }),
  answer: z.array(LoginAccount),
  errors: { 404: 'the answer has expired, was used, or another browser asked for it' },
})

export const loginByCollege = endpoint({
  method: 'POST',
  path: '/auth/college-sign-ins',
  may: 'everyone',
  summary: 'Sign in by the answer of a college, once; answers the address to go to',
  /** `Code` where the account has an authenticator: a college never skips it. */
  body: z.strictObject({ UserId: Id, Guid, Code: z.string().max(50).optional() }),
  answer: z.string(),
  errors: {
    401: 'a code of the authenticator is needed, or it is wrong',
    422: 'the answer has expired, was used, or does not open this account',
    429: 'too many attempts',
  },
})

export const linkCollege = endpoint({
  method: 'POST',
  path: '/auth/college-links',
  may: 'everyone',
  summary:
    'Link the sign-in that a college has just told to an account, proved by its password, and sign in; answers the address to go to',
  body: z.strictObject({
    Guid,
    UserName: z.string().max(255),
    Password: z.string().max(1000),
    Code: z.string().max(50).optional(),
  }),
  answer: z.string(),
  errors: {
    401: 'wrong name, password or code; TotpRequired tells that a code is needed',
    422: 'the answer has expired or was used, or the college may not open this account',
    429: 'too many attempts',
  },
})
