import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Instant, Line, RequiredLine } from '#contract/core/fields.ts'
import { Connection, ConnectionLevel, getConnection, Issuer } from './connections.ts'
import { ltiPages, ltiRoles } from './lti-rules.ts'

/** Most people of a course whose roster is read. */
export const mostRosterMembers = 2_000

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
}
const wrongAddress = 'must be a web address that begins with https:// and has no # in it'
const WebAddress = RequiredLine(2000).refine(isWebAddress, wrongAddress)

const fields = {
  Name: RequiredLine(255),
  ClientId: RequiredLine(255),
  AuthUrl: WebAddress,
  KeysUrl: WebAddress,
  TokenUrl: Line(2000)
    .refine((text) => text === '' || isWebAddress(text), wrongAddress)
    .default(''),
  TokenAudience: Line(2000).default(''),
  /** Launches of deployments that are not listed are refused, and say which it was. */
  Deployments: z.array(RequiredLine(255)).max(500),
  RoleLevels: z
    .array(z.strictObject({ Role: z.enum(ltiRoles), Level: ConnectionLevel }))
    .max(ltiRoles.length)
    .refine((all) => new Set(all.map(({ Role }) => Role)).size === all.length, 'may have each role once'),
}
const one = z.strictObject({ connectionId: Id })
const inProgram = z.strictObject({ connectionId: Id, programId: Id })
const may = { may: 'saml.manage', byKey: 'never' } as const

export const createLtiConnection = endpoint({
  method: 'POST',
  path: '/lti-connections',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Connect the learning management system of a college for a program',
  body: z.strictObject({ ...fields, Issuer, ProgramId: Id, AccessLevel: ConnectionLevel }),
  answer: Connection,
  errors: {
    409: 'the name is taken, or the issuer is connected with this client ID already',
    422: 'the program does not exist, or an address is not one that this installation may call',
  },
})

export const updateLtiConnection = endpoint({
  method: 'POST',
  path: '/lti-connections/:connectionId',
  proof: 'provider',
  lasts: true,
  ...may,
  summary:
    'Change the connection of a learning management system; its issuer stays, because people are known by their names there',
  params: one,
  body: z.strictObject(fields),
  answer: Connection,
  errors: {
    409: 'the name is taken, the issuer is connected with this client ID already, or no LMS has registered yet',
    422: 'there is no such connection any longer, or an address is not one that this installation may call',
  },
  basis: {
    read: getConnection,
    elsewhere: {
      AuthUrl: ({ Lti }: Connection) => Lti?.AuthUrl,
      KeysUrl: ({ Lti }: Connection) => Lti?.KeysUrl,
      TokenUrl: ({ Lti }: Connection) => Lti?.TokenUrl,
      TokenAudience: ({ Lti }: Connection) => Lti?.TokenAudience,
      Deployments: ({ Lti }: Connection) => Lti?.Deployments,
      RoleLevels: ({ Lti }: Connection) => Lti?.RoleLevels,
    },
  },
})

/** Days that a registration address may be opened. */
export const registrationDays = 3

/** An address that an LMS opens to register this installation. It is shown this once, and good once. */
export const LtiRegistration = z.object({ ConnectionId: Id, Address: z.string(), ExpireDate: Instant })
export type LtiRegistration = z.infer<typeof LtiRegistration>

export const createLtiRegistration = endpoint({
  method: 'POST',
  path: '/lti-registrations',
  proof: 'provider',
  lasts: true,
  ...may,
  summary:
    'Begin the connection of a learning management system that registers by itself (LTI Dynamic Registration), with the address that it opens',
  body: z.strictObject({ Name: fields.Name, ProgramId: Id, AccessLevel: ConnectionLevel }),
  answer: LtiRegistration,
  errors: { 409: 'the name is taken', 422: 'the program does not exist' },
})

export const renewLtiRegistration = endpoint({
  method: 'POST',
  path: '/lti-registrations/:connectionId',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Make another registration address for a connection that no LMS has opened yet; the last one ends',
  params: one,
  answer: LtiRegistration,
  errors: { 409: 'an LMS has registered already' },
})

export const approveLtiConnection = endpoint({
  method: 'POST',
  path: '/lti-connections/:connectionId/approvals',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Turn on the connection of an LMS that registered by itself: its launches are taken from now on',
  params: one,
  answer: Connection,
  errors: { 409: 'it is on already, or no LMS has registered yet' },
})

/** A course that launches have told, whose roster can be read. */
export const LtiCourse = z.object({
  Id,
  /** How the platform names it. */
  ContextId: z.string(),
  Title: z.string(),
  LastSeenDate: Instant,
})
export type LtiCourse = z.infer<typeof LtiCourse>

export const listLtiCourses = endpoint({
  method: 'GET',
  path: '/connections/:connectionId/courses',
  ...may,
  summary: 'The courses that launches of a learning management system have told, latest first; the first 500',
  params: one,
  answer: z.array(LtiCourse),
})

/** What applying a roster would do with somebody. */
export const rosterActions = [
  'add',
  'link',
  'restore',
  'change',
  'deactivate',
  'leave',
  'keep',
  'skip',
] as const
export type RosterAction = (typeof rosterActions)[number]

/** Why somebody of a roster is left out. */
export const rosterReasons = ['no_role', 'no_name', 'above_level', 'same_email', 'twice'] as const
export type RosterReason = (typeof rosterReasons)[number]

export const RosterLine = z.object({
  /** By which the platform knows the person. */
  Subject: z.string(),
  Name: z.string(),
  Email: z.string(),
  Roles: z.array(z.enum(ltiRoles)),
  /** That the person has afterwards; null where nothing is known or nothing is done. */
  Level: z.number().int().nullable(),
  Action: z.enum(rosterActions),
  Reason: z.enum(rosterReasons).nullable(),
  /** Of somebody who would be added: who of the program has nearly the name and may be the same person; '' is nobody. */
  Alike: z.string(),
})
export type RosterLine = z.infer<typeof RosterLine>

export const Roster = z.object({ Id, CourseTitle: z.string(), ReadDate: Instant, Lines: z.array(RosterLine) })
export type Roster = z.infer<typeof Roster>

export const readRoster = endpoint({
  method: 'POST',
  path: '/connections/:connectionId/programs/:programId/rosters',
  ...may,
  isHeavy: true,
  summary:
    'Read the roster of a course from the learning management system, and tell what applying it to the program would do',
  params: inProgram,
  /** `LinksByEmail`: somebody whose address only one account of the program has gets that account. */
  body: z.strictObject({ CourseId: Id, LinksByEmail: z.boolean().default(false) }),
  answer: Roster,
  errors: {
    404: 'the program is not connected, or no launch has told this course',
    422: 'the platform did not give the roster, or it is too long',
  },
})

export const applyRoster = endpoint({
  method: 'POST',
  path: '/connections/:connectionId/programs/:programId/rosters/:rosterId',
  ...may,
  endsPeople: true,
  isHeavy: true,
  summary:
    'Apply a roster that was read within the last hour: add, link, restore, change and deactivate people',
  params: z.strictObject({ connectionId: Id, programId: Id, rosterId: Id }),
  /** What was shown: it is refused when something else would be done by now. */
  body: z.strictObject({ Changes: z.number().int().min(0) }),
  answer: z.object({
    Added: z.number().int(),
    Linked: z.number().int(),
    Restored: z.number().int(),
    Changed: z.number().int(),
    Deactivated: z.number().int(),
  }),
  errors: {
    404: 'the roster is unknown, too old or applied',
    409: 'something else would be done by now than was shown',
  },
})

const Guid = z.string().max(100)

/** A platform’s request for links, for the person who chooses them. */
export const DeepLink = z.object({
  Platform: z.string(),
  AcceptsMultiple: z.boolean(),
  IsAnswered: z.boolean(),
})
export type DeepLink = z.infer<typeof DeepLink>

export const getDeepLink = endpoint({
  method: 'GET',
  path: '/deep-links/:guid',
  may: 'signed-in',
  summary: 'A request of a learning management system for links, for the person who signed in by it',
  params: z.strictObject({ guid: Guid }),
  answer: DeepLink,
  errors: { 404: 'it is unknown, too old, or of somebody else' },
})

export const answerDeepLink = endpoint({
  method: 'POST',
  path: '/deep-links/:guid/answers',
  may: 'signed-in',
  summary:
    'Choose the links that a course gets; none cancels. Answers where the browser goes on, or null where a frame does',
  params: z.strictObject({ guid: Guid }),
  body: z.strictObject({ Pages: z.array(z.enum(ltiPages)).max(ltiPages.length) }),
  answer: z.object({ Address: z.string().nullable() }),
  errors: {
    404: 'it is unknown, too old, or of somebody else',
    409: 'it was answered before',
    422: 'the platform takes one link only',
  },
})
