import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Instant, RequiredLine } from '#contract/core/fields.ts'
import { OutsideTest } from '#contract/core/outside-test.ts'

/** What an installation consists of, and what it uses, in the order of the page: first what an operator looks at before people come. */
export const systemParts = [
  'https',
  'mail',
  'backup',
  'time',
  'disk',
  'worker',
  'database',
  'replica',
  'files',
  'scanner',
  'traces',
  'maps',
  'heic',
] as const
export const SystemPartKey = z.enum(systemParts)
export type SystemPartKey = z.infer<typeof SystemPartKey>

/** How a part is: not used here, never checked yet, or how its last check ended; or it works, and something has to be done. */
export const systemPartStates = ['off', 'unchecked', 'working', 'attention', 'failing'] as const

/** Figures that go with a part. */
export const systemFigures = [
  'version',
  'size',
  'lag',
  'free',
  'waiting',
  'givenUp',
  'due',
  'failed',
  'days',
  'backupHours',
  'arrived',
] as const

/** A part of the installation. */
export const SystemPart = z.object({
  Key: SystemPartKey,
  State: z.enum(systemPartStates),
  /** The variable of the environment that sets it; '' where there is none to set. */
  Setting: z.string(),
  /** Where it is, without passwords; '' where it is not used, or is this installation itself. */
  Place: z.string(),
  Figures: z.array(z.object({ Name: z.enum(systemFigures), Value: z.string() })),
  LastSuccessDate: Instant.nullable(),
  LastErrorDate: Instant.nullable(),
  /** A sentence; '' while nothing has failed. */
  LastError: z.string(),
  /** A sentence: what to do before people come; '' where there is nothing. */
  ToDo: z.string(),
})
export type SystemPart = z.infer<typeof SystemPart>

/** What leads to others and has pages of its own. */
export const outsideKinds = [
  'saml',
  'oidc',
  'lti',
  'scim',
  'webhook',
  'webhook switched off',
  'push',
] as const

/** The installation was restored from a backup, and nobody has said yet that it is the real one now. */
export const RestoredCopy = z.object({
  RestoreDate: Instant,
  /** Of which moment the backup is. */
  BackupDate: Instant,
  /** What would be sent: all of it, and what was due before the backup was made, and may have been sent then. */
  Waiting: z.array(
    z.object({
      Kind: z.enum(['mail', 'webhook', 'push']),
      Count: z.number().int(),
      BeforeBackupCount: z.number().int(),
    }),
  ),
})

export type RestoredCopy = z.infer<typeof RestoredCopy>

export const SystemStatus = z.object({
  Version: z.string(),
  /** By the clock of the database, which counts for punches. */
  Now: Instant,
  RestoredCopy: RestoredCopy.nullable(),
  Parts: z.array(SystemPart),
  /** How many of each kind fail at this moment. */
  Outside: z.array(z.object({ Kind: z.enum(outsideKinds), FailingCount: z.number().int() })),
})
export type SystemStatus = z.infer<typeof SystemStatus>

export const getSystemStatus = endpoint({
  method: 'GET',
  path: '/system-status',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'How the parts of the installation are',
  answer: SystemStatus,
})

export const testSystemPart = endpoint({
  method: 'POST',
  path: '/system-status/:part/tests',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'Test a part of the installation at once, and say how far it came',
  params: z.strictObject({ part: SystemPartKey }),
  answer: OutsideTest,
  errors: { 422: 'the installation has no such part', 429: '60 tests in a quarter of an hour' },
})

export const confirmMailArrival = endpoint({
  method: 'POST',
  path: '/system-status/mail/arrivals',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'Say that the email of the last test arrived, by the code in it',
  body: z.strictObject({ Code: RequiredLine(20) }),
  errors: { 422: 'it is not the code of the last test', 429: '60 tries in a quarter of an hour' },
})

export const endRestoredCopy = endpoint({
  method: 'POST',
  path: '/system-status/restored-copy/end',
  may: 'settings.manage',
  byKey: 'never',
  summary:
    'Say that a restored installation is the real one now: from here on it reaches people and other systems again',
  body: z.strictObject({
    /** Also what was due before the backup was made; the installation that was backed up may have sent it. */
    SendsOld: z.boolean().default(false),
  }),
  errors: { 409: 'it is no restored copy' },
})
