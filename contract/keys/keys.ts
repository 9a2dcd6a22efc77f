import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant, RequiredLine } from '#contract/core/fields.ts'
import { type Permission, permissions } from '#contract/core/permissions.ts'
import { IpAddress } from '#contract/settings/ip-access.ts'

/** Most keys of a program at a time, and of all programs together. */
export const maxKeys = 50
export const maxNetworks = 50
/** Two years. */
export const maxKeyDays = 730
/** For how long the key before may go on after a rotation: a week. */
export const maxOverlapHours = 168
export const defaultCallsPerMinute = 600
export const maxCallsPerMinute = 6_000

// Names of an object's own properties.
const rightNames = Object.keys(permissions) as [Permission, ...Permission[]]
const Right = z.enum(rightNames)

/** A key, without the key itself. */
export const ApiKey = z.object({
  Id,
  Name: z.string(),
  /** Its last four signs. */
  Ending: z.string(),
  IsForAllPrograms: z.boolean(),
  Rights: z.array(z.string()),
  /** Those of its rights that its person no longer has: they open nothing. */
  LostRights: z.array(z.string()),
  /** From which it may be used; from anywhere when there are none. */
  Networks: z.array(z.string()),
  CallsPerMinute: z.number().int(),
  /** `ended`: the person whose rights it has lost the access, or may keep no keys any longer. It opens again by a rotation alone. */
  State: z.enum(['active', 'expired', 'ended']),
  ExpireDate: Instant.nullable(),
  /** Whose rights it has at the most. */
  CreateBy: z.string(),
  CreateDate: Instant,
  RotateDate: Instant.nullable(),
  /** Until when the key before the last rotation opens too. */
  PreviousUntil: Instant.nullable(),
  LastUsedDate: Instant.nullable(),
  LastUsedAddress: z.string().nullable(),
  /** When it was refused last although it is right, from where and why. */
  RefusedDate: Instant.nullable(),
  RefusedAddress: z.string().nullable(),
  RefusedReason: z.enum(['expired', 'network', 'owner']).nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/programs/:programId/api-keys',
  may: 'api-keys.manage',
  byKey: 'never',
  summary: "The program's keys that are not revoked, by name; for super admins also those for all programs",
  params: InProgram,
  answer: z.array(ApiKey),
})

/** A right that the caller may give to a key, and the calls that it opens. */
export const KeyRight = z.object({
  Right: z.string(),
  Calls: z.array(z.object({ Method: z.string(), Path: z.string(), Summary: z.string() })),
})
export type KeyRight = z.infer<typeof KeyRight>

export const listKeyRights = endpoint({
  method: 'GET',
  path: '/programs/:programId/api-key-rights',
  may: 'api-keys.manage',
  byKey: 'never',
  summary: 'The rights that the caller may give to a key, each with the calls that it opens',
  params: InProgram,
  answer: z.array(KeyRight),
})

const MadeKey = ApiKey.extend({ Key: z.string() })

export const ApiKeyInput = z.strictObject({
  Name: RequiredLine(100),
  Rights: z
    .array(Right)
    .min(1, 'must name at least one right')
    .max(rightNames.length)
    .transform((rights) => [...new Set(rights)]),
  Networks: z
    .array(IpAddress)
    .max(maxNetworks)
    .default([])
    .transform((networks) => [...new Set(networks)]),
  /** Null: it does not expire. */
  ExpireDays: z.number().int().min(1).max(maxKeyDays).nullable(),
  CallsPerMinute: z.number().int().min(1).max(maxCallsPerMinute).default(defaultCallsPerMinute),
  /** For super admins. */
  IsForAllPrograms: z.boolean().default(false),
})
export type ApiKeyInput = z.output<typeof ApiKeyInput>

export const createApiKey = endpoint({
  method: 'POST',
  path: '/programs/:programId/api-keys',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'api-keys.manage',
  byKey: 'never',
  summary: 'Make a key with some of the own rights. It is told this once',
  params: InProgram,
  body: ApiKeyInput,
  answer: MadeKey,
  errors: {
    403: 'a right is not the caller’s own, or a key for all programs is asked by somebody who is no super admin',
    409: 'the name is taken',
    422: 'there are 50 keys',
  },
})

const OneKey = z.strictObject({ programId: Id, keyId: Id })

export const rotateApiKey = endpoint({
  method: 'POST',
  path: '/programs/:programId/api-keys/:keyId/rotations',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'api-keys.manage',
  byKey: 'never',
  summary:
    'Replace a key by a new one, with the same rights, now those of the caller. The one before goes on for some hours, unless it has ended. One that has expired begins its time anew',
  params: OneKey,
  body: z.strictObject({ OverlapHours: z.number().int().min(0).max(maxOverlapHours) }),
  answer: MadeKey,
  errors: { 403: 'the key has a right that is not the caller’s own' },
})

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/api-keys/:keyId',
  may: 'api-keys.manage',
  byKey: 'never',
  summary: 'Revoke a key: from this moment on it opens nothing, nor does the one before its last rotation',
  params: OneKey,
})
