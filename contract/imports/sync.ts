import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant, PageOf, paging, RequiredLine } from '#contract/core/fields.ts'
import { ImportError } from './imports.ts'

/** What other systems may send, by the number that is in the log. */
export const syncModules = [
  { Id: 1, Name: 'students' },
  { Id: 2, Name: 'staff' },
  { Id: 3, Name: 'sites' },
  { Id: 4, Name: 'verifications' },
] as const
export type SyncModule = (typeof syncModules)[number]['Name']
const moduleNames = syncModules.map(({ Name }) => Name) as [SyncModule, ...SyncModule[]]

/** What became of a run: counts, or why nothing was changed. */
export const SyncEvent = z.object({
  Success: z.boolean(),
  /** How the rows came: the name of the key, or of the file. */
  Key: z.string().optional(),
  File: z.string().optional(),
  Rows: z.number().int().optional(),
  Added: z.number().int().optional(),
  Changed: z.number().int().optional(),
  Unchanged: z.number().int().optional(),
  /** Columns that mean nothing here and were left out. */
  Ignored: z.array(z.string()).optional(),
  Message: z.string().optional(),
  /** The first of the rows that were refused. */
  Errors: z.array(ImportError).optional(),
})
export type SyncEvent = z.infer<typeof SyncEvent>

/** One run: rows sent with a key, or a CSV file that somebody imported. */
export const SyncLog = z.object({
  Id,
  ModuleId: z.number().int(),
  ModuleName: z.string(),
  Date: Instant,
  /** Whose rights the run had. */
  UserId: Id.nullable(),
  ProgramId: Id,
  ProgramName: z.string(),
  CollegeName: z.string(),
  Event: SyncEvent,
})
export type SyncLog = z.infer<typeof SyncLog>

export const listSyncLogs = endpoint({
  method: 'GET',
  path: '/v1/sync/logs',
  may: 'data-sync.manage',
  summary: 'Runs of data sync, newest first: of the own program, for super admins of all',
  query: z.strictObject({
    ...paging,
    ModuleId: z.number().int().min(1).max(syncModules.length).optional(),
    /** For super admins; everybody else sees their own program anyway. */
    ProgramId: Id.optional(),
    /** Only runs that changed nothing. */
    FailedOnly: z.boolean().default(false),
    /** Only runs after this moment. */
    Since: Instant.optional(),
  }),
  answer: PageOf(SyncLog),
})

/** Most rows of one call; more are sent in several. */
export const maxSyncRows = 20_000

const Cell = z.union([z.string().max(20_000), z.number(), z.boolean(), z.null()])

export const sync = endpoint({
  method: 'POST',
  path: '/v1/sync/:module',
  may: 'everyone',
  byKey: { only: 'data-sync.send' },
  summary:
    'Send rows from another system: all rows or none. Needs no session but a key of the program, as “Authorization: Bearer …”. Fields are named as the columns of a CSV import; an empty value changes nothing',
  params: z.strictObject({ module: z.enum(moduleNames) }),
  query: z.strictObject({
    /** Only says what would happen; the log stays as it is. */
    DryRun: z.boolean().default(false),
  }),
  body: z.strictObject({
    Rows: z
      .array(z.record(z.string().min(1).max(100), Cell))
      .min(1, 'must hold at least one row')
      .max(maxSyncRows, `may hold at most ${maxSyncRows.toLocaleString('en-US')} rows; send several calls`),
  }),
  answer: z.object({
    Rows: z.number().int(),
    Added: z.number().int(),
    Changed: z.number().int(),
    Unchanged: z.number().int(),
    Ignored: z.array(z.string()),
    /** What may be wrong and was done all the same, such as two people with one email. */
    Warnings: z.array(ImportError).optional(),
    DryRun: z.boolean(),
  }),
  anyNumbers: true,
  bodyLimit: 20 * 1024 * 1024,
  errors: {
    401: 'the key is missing, unknown or revoked',
    403: 'the owner of the key may no longer do this',
    409: 'an import of the program is running',
    422: 'a row has an error: nothing was changed; rows are counted as in a file, the first being 2',
    429: 'too many calls: wait as long as Retry-After says',
  },
})

/** A key of a program, without the key itself. */
export const SyncKey = z.object({
  Id,
  Name: z.string(),
  /** Its last four signs. */
  Ending: z.string(),
  /** Whose rights it has. */
  CreateBy: z.string(),
  CreateDate: Instant,
  LastUsedDate: Instant.nullable(),
})
export type SyncKey = z.infer<typeof SyncKey>

export const listSyncKeys = endpoint({
  method: 'GET',
  path: '/programs/:programId/sync-keys',
  may: 'data-sync.manage',
  byKey: 'never',
  summary: "The program's keys that are not revoked, by name",
  params: InProgram,
  answer: z.array(SyncKey),
})

export const createSyncKey = endpoint({
  method: 'POST',
  path: '/programs/:programId/sync-keys',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'data-sync.manage',
  byKey: 'never',
  summary: 'Make a key. It has the rights of whoever makes it, and is told this once',
  params: InProgram,
  body: z.strictObject({ Name: RequiredLine(100) }),
  answer: SyncKey.extend({ Key: z.string() }),
  errors: { 409: 'the name is taken', 422: 'the program has 50 keys' },
})

export const revokeSyncKey = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/sync-keys/:keyId',
  may: 'data-sync.manage',
  byKey: 'never',
  summary: 'Revoke a key: from this moment on it opens nothing',
  params: z.strictObject({ programId: Id, keyId: Id }),
})
