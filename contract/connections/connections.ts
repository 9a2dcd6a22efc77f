import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Instant, Line, PageOf, paging, RequiredLine, Small } from '#contract/core/fields.ts'
import { Level, levels } from '#contract/core/levels.ts'
import { OutsideTest } from '#contract/core/outside-test.ts'
import { ltiRoles } from './lti-rules.ts'

/** The levels that a connection may reach, highest first: never super admins. */
export const connectionLevels = levels.filter(({ Id }) => Id >= Level.Alumnus && Id < Level.SuperAdmin)

export const ConnectionLevel = Small.refine(
  (level) => connectionLevels.some(({ Id }) => Id === level),
  'must be a level below super admin',
)

/** A program that a connection reaches. */
export const ConnectedProgram = z.object({
  ProgramId: Id,
  ProgramName: z.string(),
  CollegeId: Id,
  CollegeName: z.string(),
  /** The highest level: accounts above it are out of the connection’s reach. */
  AccessLevel: z.number().int(),
})
export type ConnectedProgram = z.infer<typeof ConnectedProgram>

/**
 * How people are named by an OpenID Connect provider: `sub`, or `oid` of Microsoft Entra, whose `sub` differs from application to
 * application.
 */
export const subjectClaims = ['sub', 'oid'] as const

/** How a college’s people come in: by OpenID Connect, or from the courses of a learning management system (LTI 1.3). */
export const connectionKinds = ['oidc', 'lti'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/**
 * How far a connection is: it works (`on`), an LMS has yet to open its registration address, or one has registered and somebody has yet
 * to turn it on. Whatever was entered by hand works at once.
 */
export const connectionStages = ['on', 'awaits_lms', 'awaits_approval'] as const
export type ConnectionStage = (typeof connectionStages)[number]

/** What a learning management system has besides issuer and client ID. */
export const LtiSettings = z.object({
  /** Where browsers are sent for a launch. */
  AuthUrl: z.string(),
  /** Where its public keys are. */
  KeysUrl: z.string(),
  /** Where access to rosters is asked for; '' where rosters are not read. */
  TokenUrl: z.string(),
  /** The audience that it expects there; '' for the address itself. */
  TokenAudience: z.string(),
  /** The deployments whose launches are taken. */
  Deployments: z.array(z.string()),
  /** The level that each role of a roster gives. */
  RoleLevels: z.array(z.object({ Role: z.enum(ltiRoles), Level: z.number().int() })),
})
export type LtiSettings = z.infer<typeof LtiSettings>

/** A connection of a college. The client secret is never told. */
export const Connection = z.object({
  Id,
  Kind: z.enum(connectionKinds),
  Stage: z.enum(connectionStages),
  /** Of the registration address while no LMS has opened it; null when there is none any longer. */
  AddressExpireDate: Instant.nullable(),
  Name: z.string(),
  /** Issuer and client ID are '' until an LMS has registered. */
  Issuer: z.string(),
  ClientId: z.string(),
  HasSecret: z.boolean(),
  SubjectClaim: z.enum(subjectClaims),
  /** An OpenID Connect provider sends browsers back to an address of its own; false for one that was connected before there were such. */
  HasOwnAnswer: z.boolean(),
  CreateDate: Instant,
  ModDate: Instant,
  Programs: z.array(ConnectedProgram),
  /** Of a learning management system alone. */
  Lti: LtiSettings.nullable(),
})
export type Connection = z.infer<typeof Connection>

/** What is known of how a connection is doing. */
const State = {
  LastSuccessDate: Instant.nullable(),
  LastErrorDate: Instant.nullable(),
  /** A sentence; '' while nothing has failed. */
  LastError: z.string(),
}

export const ListedConnection = z.object({ ...Connection.shape, ...State })
export type ListedConnection = z.infer<typeof ListedConnection>

/** https, and http where the operator lists networks; the server decides. Discovery appends its path, so none of query and fragment. */
export const Issuer = RequiredLine(1024).refine((text) => {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  )
}, 'must be a web address that begins with https:// and has no ? and no # in it')

const fields = {
  Name: RequiredLine(255),
  ClientId: RequiredLine(255),
  SubjectClaim: z.enum(subjectClaims),
}
const one = z.strictObject({ connectionId: Id })
const may = { may: 'saml.manage', byKey: 'never' } as const

export const listConnections = endpoint({
  method: 'GET',
  path: '/connections',
  ...may,
  summary: 'The connections of colleges by name, with their state; the first 10,000',
  answer: z.array(ListedConnection),
})

export const getConnection = endpoint({
  method: 'GET',
  path: '/connections/:connectionId',
  ...may,
  summary: 'One connection of a college',
  params: one,
  answer: Connection,
})

export const createConnection = endpoint({
  method: 'POST',
  path: '/connections',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Connect the OpenID Connect provider of a college for a program',
  /** Without a secret the provider is asked as a public client, by PKCE alone. */
  body: z.strictObject({
    ...fields,
    Issuer,
    ClientSecret: Line(1000).default(''),
    ProgramId: Id,
    AccessLevel: ConnectionLevel,
  }),
  answer: Connection,
  errors: {
    409: 'the name is taken, or the issuer is connected with this client ID already',
    422: 'the program does not exist, or the address is not one that this installation may call',
  },
})

export const updateConnection = endpoint({
  method: 'POST',
  path: '/connections/:connectionId',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Change a connection; its issuer stays, because people are known by their names there',
  params: one,
  /** The secret stays as it is unless given; `RemoveSecret` takes it away. */
  body: z.strictObject({
    ...fields,
    ClientSecret: Line(1000).default(''),
    RemoveSecret: z.boolean().default(false),
    /** The redirect URI of its own, once it is entered at the provider. */
    HasOwnAnswer: z.boolean().optional(),
  }),
  answer: Connection,
  errors: {
    409: 'the name is taken, or people are linked by the claim that would change',
    422: 'there is no such connection any longer',
  },
  basis: { read: getConnection },
})

export const deleteConnection = endpoint({
  method: 'DELETE',
  path: '/connections/:connectionId',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Delete a connection: no one signs in through it any longer, accounts are kept',
  params: one,
})

export const testConnection = endpoint({
  method: 'POST',
  path: '/connections/:connectionId/tests',
  ...may,
  summary: 'Try a connection: its description or keys, and whether it knows this client',
  params: one,
  answer: OutsideTest,
})

export const connectProgram = endpoint({
  method: 'POST',
  path: '/connections/:connectionId/programs',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Let a connection reach the people of a program up to a level, or change that level',
  params: one,
  body: z.strictObject({ ProgramId: Id, AccessLevel: ConnectionLevel }),
  answer: Connection,
  errors: { 422: 'the program does not exist' },
})

export const disconnectProgram = endpoint({
  method: 'DELETE',
  path: '/connections/:connectionId/programs/:programId',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Let a connection no longer reach the people of a program',
  params: z.strictObject({ connectionId: Id, programId: Id }),
  errors: { 409: 'it is the last program of the connection' },
})

/** A person in reach of a connection, and the name by which the provider knows that person. */
export const ConnectedPerson = z.object({
  UserId: Id,
  UserName: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  Email: z.string(),
  ProgramId: Id,
  ProgramName: z.string(),
  Subject: z.string().nullable(),
  LinkDate: Instant.nullable(),
})
export type ConnectedPerson = z.infer<typeof ConnectedPerson>

export const listConnectedPeople = endpoint({
  method: 'GET',
  path: '/connections/:connectionId/people',
  ...may,
  summary: 'A page of the active people of the connected programs, with their names at the provider',
  params: one,
  query: z.strictObject({
    ...paging,
    search: z.string().max(255).default(''),
    IsLinked: z.boolean().optional(),
  }),
  answer: PageOf(ConnectedPerson),
})

export const saveConnectedPerson = endpoint({
  method: 'POST',
  path: '/connections/:connectionId/people/:userId',
  proof: 'provider',
  lasts: true,
  ...may,
  summary: 'Say by which name the provider knows a person; an empty one unlinks',
  params: z.strictObject({ connectionId: Id, userId: Id }),
  body: z.strictObject({ Subject: Line(1024) }),
  answer: ConnectedPerson,
  errors: { 409: 'another person has the name' },
})
