import { z } from 'zod'
import { connectionLevels } from '#contract/connections/connections.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Instant, Small } from '#contract/core/fields.ts'

/** Hours that the key before a rotation stays valid. */
export const keyOverlapHours = 24

/** A group of the directory, and the level that it gives its members; null while it gives none. */
export const ProvisionedGroup = z.object({
  Id,
  Name: z.string(),
  MemberCount: z.number().int(),
  Level: z.number().int().nullable(),
})
export type ProvisionedGroup = z.infer<typeof ProvisionedGroup>

/** How a college’s directory keeps the people of a program (SCIM 2.0). */
export const Provisioning = z.object({
  IsOn: z.boolean(),
  /** Nobody above it is made, seen or changed. */
  MaxLevel: z.number().int(),
  /** Of people whom no group gives another. */
  DefaultLevel: z.number().int(),
  /** Whether an account of the program with the same email address is taken over. */
  AdoptsByEmail: z.boolean(),
  /** The last signs of the key, by which people tell keys apart. */
  Ending: z.string(),
  /** The key before the rotation is valid until then. */
  PreviousUntil: Instant.nullable(),
  LastUsedDate: Instant.nullable(),
  LastErrorDate: Instant.nullable(),
  LastError: z.string(),
  UserCount: z.number().int(),
  Groups: z.array(ProvisionedGroup),
})
export type Provisioning = z.infer<typeof Provisioning>

const params = z.strictObject({ connectionId: Id, programId: Id })
const path = '/connections/:connectionId/programs/:programId/provisioning'
const may = { may: 'saml.manage', byKey: 'never' } as const
const GivenLevel = Small.refine(
  (level) => connectionLevels.some(({ Id }) => Id === level),
  'must be a level below super admin',
)

export const getProvisioning = endpoint({
  method: 'GET',
  path,
  ...may,
  summary: 'How a directory keeps the people of a program: its key, its levels, its groups, its last error',
  params,
  answer: Provisioning,
})

export const saveProvisioning = endpoint({
  method: 'POST',
  path,
  ...may,
  proof: true,
  lasts: true,
  summary: 'Let a directory keep the people of a program, or change how; the key is answered when it is made',
  params,
  body: z
    .strictObject({
      MaxLevel: GivenLevel,
      DefaultLevel: GivenLevel,
      /** False for one that is new. */
      AdoptsByEmail: z.boolean().optional(),
      Groups: z
        .array(z.strictObject({ Id, Level: GivenLevel.nullable() }))
        .max(1_000)
        .default([]),
    })
    .refine(({ MaxLevel, DefaultLevel }) => DefaultLevel <= MaxLevel, {
      path: ['DefaultLevel'],
      error: 'can be at most the highest level',
    })
    .refine(({ MaxLevel, Groups }) => Groups.every(({ Level }) => Level === null || Level <= MaxLevel), {
      path: ['Groups'],
      error: 'can give at most the highest level',
    }),
  answer: z.object({ ...Provisioning.shape, Key: z.string().nullable() }),
  answersSecret: true,
  errors: { 404: 'the program is not connected' },
})

export const rotateProvisioningKey = endpoint({
  method: 'POST',
  path: `${path}/keys`,
  ...may,
  proof: 'provider',
  lasts: true,
  summary: 'Make another key for a directory; the last one stays valid for a day',
  params,
  answer: z.object({ Key: z.string() }),
  answersSecret: true,
  errors: { 404: 'provisioning is off' },
})

export const endProvisioning = endpoint({
  method: 'DELETE',
  path,
  ...may,
  proof: true,
  lasts: true,
  summary: 'Let a directory no longer keep the people of a program; the accounts stay as they are',
  params,
  errors: { 404: 'provisioning is off' },
})
