import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Instant } from '#contract/core/fields.ts'
import { ImportResult } from '#contract/imports/imports.ts'

/** Work that takes longer than anybody should wait: a large file, or a large import. */
export const BackgroundTask = z.object({
  Id,
  Kind: z.enum(['file', 'import', 'undo']),
  /** Of the file that is made or imported. */
  Name: z.string(),
  State: z.enum(['queued', 'running', 'done', 'failed', 'canceled']),
  /** Rows. */
  Done: z.number().int(),
  /** Null while it is not known. */
  Total: z.number().int().nullable(),
  /** Of a finished file. */
  ByteCount: z.number().int().nullable(),
  /** Why it failed, and what to do. */
  Error: z.string(),
  /** Where an import goes on; empty for files. */
  Page: z.string(),
  CreateDate: Instant,
  /** Until then the result is kept; null before it is there. */
  ExpireDate: Instant.nullable(),
})
export type BackgroundTask = z.infer<typeof BackgroundTask>

/** What a call that `mayBePrepared` answers with 202 in place of its own answer. */
export const TaskAnswer = z.object({ Task: BackgroundTask })
export type TaskAnswer = z.infer<typeof TaskAnswer>

const params = z.strictObject({ taskId: Id })

export const listTasks = endpoint({
  method: 'GET',
  path: '/background-tasks',
  may: 'signed-in',
  byKey: 'always',
  summary: 'The own files and imports that are being prepared or are kept, newest first, at most 50',
  answer: z.array(BackgroundTask),
})

export const getTask = endpoint({
  method: 'GET',
  path: '/background-tasks/:taskId',
  may: 'signed-in',
  byKey: 'always',
  summary: 'One of the own files or imports, with how far it is',
  params,
  answer: BackgroundTask,
})

export const cancelTask = endpoint({
  method: 'DELETE',
  path: '/background-tasks/:taskId',
  may: 'signed-in',
  byKey: 'always',
  summary: 'Cancel a file or an import that is not finished; nothing of it is kept',
  params,
  errors: { 409: 'it is finished' },
})

export const getTaskFile = endpoint({
  method: 'GET',
  path: '/background-tasks/:taskId/file',
  may: 'signed-in',
  byKey: 'always',
  summary: 'The finished file, for a day, to the person who asked for it and while the role allows it',
  params,
  answers: 'file',
})

export const getTaskImport = endpoint({
  method: 'GET',
  path: '/background-tasks/:taskId/import',
  may: 'signed-in',
  byKey: 'always',
  summary: 'What the import of a large file has answered, for a day',
  params,
  answer: ImportResult,
  errors: {
    409: 'it is not finished, or another import of the program was running',
    422: 'a row has an error: nothing was imported; the body carries the result too',
  },
})
