import { z } from 'zod'
import { fieldMark } from '#contract/core/basis.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant, PageOf, paging } from '#contract/core/fields.ts'
import { importKinds, programImportKinds } from './import-kinds.ts'

/** Something wrong with a row. `Row` is the line of the file or the row of the sheet, as people count; 1 is about the whole file. */
export const ImportError = z.object({ Row: z.number().int(), Column: z.string(), Message: z.string() })
export type ImportError = z.infer<typeof ImportError>

/** Most changed values that a result tells. */
export const maxChangesTold = 1_000

export const ImportResult = z.object({
  Rows: z.number().int(),
  Added: z.number().int(),
  Changed: z.number().int(),
  Unchanged: z.number().int(),
  /** The first 10,000; all of them count in `ErrorCount`. One error and nothing is imported. */
  Errors: z.array(ImportError),
  ErrorCount: z.number().int(),
  /** What may be wrong and keeps nothing out, such as two people with one email; the first 1,000. */
  Warnings: z.array(ImportError),
  /** How many rows all of the warnings are about: some have several. */
  WarningRows: z.number().int(),
  /**
   * Values that rows of people and sites change, as `Before` → `After` by the file's column; the first 1,000. Empty for API keys, which
   * may be made to write only.
   */
  Changes: z.array(
    z.object({
      Row: z.number().int(),
      /** Whose record it is, as it is called now: "Last, First". */
      Name: z.string(),
      Column: z.string(),
      Before: z.string(),
      After: z.string(),
    }),
  ),
  /** What the added records are called, in the order of the file; the first 10,000. Empty for API keys and for what has no name of its own. */
  AddedNames: z.array(z.string()),
  /** Null for a dry run and where nothing was imported. */
  ImportId: Id.nullable(),
  /** The file's columns, in its order. */
  Columns: z.array(z.string()),
  /** Our field → their column, as it was used. */
  Mapping: z.record(z.string(), z.string()),
  /** Rows with an error; `Added`, `Changed` and `Unchanged` are about the others. */
  ErrorRows: z.number().int(),
  /** Those rows as they are in the file, the first 10,000: to be fixed and imported again. Empty unless something is wrong. */
  Refused: z.array(z.object({ Row: z.number().int(), Cells: z.array(z.string()) })),
  /** Values of columns with a fixed set that are not in it, or are matched to one that is; with how many rows have them. */
  Values: z.array(
    z.object({
      Field: z.string(),
      Text: z.string(),
      Rows: z.number().int(),
      /** Ours; '' leaves the cell empty, null is not matched yet. */
      To: z.string().nullable(),
    }),
  ),
  /** The fixed set of each field that `Values` names. */
  Choices: z.record(z.string(), z.array(z.string())),
  /** Rows of a workbook's sheet that are hidden or filtered away: they are left out. */
  HiddenRows: z.number().int(),
  /** The first rows as they are in the file. */
  Sample: z.array(z.array(z.string())),
})
export type ImportResult = z.infer<typeof ImportResult>

/** What an import says of the preview that it follows: which values it showed as old. */
export const previewOf = ({ Changes }: Pick<ImportResult, 'Changes'>) =>
  Changes.map(({ Row, Column, Before }) => ({ Row, Column, Mark: fieldMark(Before) }))

/** A run of the history. `Status` is running until all rows are in; a run whose process died reads as stopped. */
export const ImportRun = z.object({
  Id,
  Kind: z.enum(importKinds),
  FileName: z.string(),
  Status: z.enum(['running', 'done', 'failed', 'stopped', 'undone']),
  Rows: z.number().int(),
  DoneRows: z.number().int(),
  Added: z.number().int(),
  Changed: z.number().int(),
  Unchanged: z.number().int(),
  CreateDate: Instant,
  /** User name of whoever ran it. */
  CreateBy: z.string(),
  UndoneDate: Instant.nullable(),
  /** Rows that the undo left as they are, because they were changed or used since. */
  Kept: z.number().int(),
  /** The first of them, with why: 'Ada Reyes was changed since'. */
  KeptTold: z.array(z.string()),
})
export type ImportRun = z.infer<typeof ImportRun>

/** Largest file: 100,000 rows of the widest kind fit. */
export const maxImportBytes = 50 * 1024 * 1024
export const maxImportRows = 200_000
/** Most rows that an undo left and names. */
export const maxKeptTold = 20

const oneRun = z.strictObject({ programId: Id, importId: Id })
const body = z
  .strictObject({
    /** Our field → their column; without it columns are matched by name. */
    mapping: z.record(z.string().max(100), z.string().max(10_000)).optional(),
    /** Our field → their value → ours, for columns with a fixed set of values; '' leaves the cell empty. */
    values: z.record(z.string().max(100), z.record(z.string().max(1_000), z.string().max(255))).optional(),
    /** The `Changes` of the dry run that somebody has looked at (`previewOf`): what has another value by now is refused. */
    seen: z
      .array(
        z.strictObject({ Row: z.number().int(), Column: z.string().max(10_000), Mark: z.string().max(20) }),
      )
      .max(maxChangesTold)
      .optional(),
  })
  .optional()
const options = {
  DryRun: z.boolean().default(false),
  /** Mails every added person a link to set a password. */
  SendLinks: z.boolean().default(false),
  /** Imports the rows without errors and leaves the others out. */
  SkipErrors: z.boolean().default(false),
  /** Where `mapping` or `values` are not given, begins with those of the last import of the kind. */
  Remembered: z.boolean().default(false),
}
const SampleQuery = { Format: z.enum(['csv', 'xlsx']).default('xlsx') }
const errors = {
  409: 'another import of the program is running, or somebody else has changed the same: the body carries the result too',
  413: 'larger than 50 MiB',
  422: 'a row has an error: nothing was imported; the body carries the result too',
} as const

export const importIntoProgram = endpoint({
  method: 'POST',
  path: '/programs/:programId/imports',
  may: 'imports.run',
  summary:
    'Import a CSV file or an Excel workbook (.xlsx): all rows or none; with DryRun only say what would happen',
  params: InProgram,
  query: z.strictObject({ Kind: z.enum(programImportKinds), ...options }),
  body,
  takes: 'multipart',
  mayBePrepared: true,
  bodyLimit: maxImportBytes,
  answer: ImportResult,
  errors,
})

export const getImportSample = endpoint({
  method: 'GET',
  path: '/programs/:programId/imports/samples',
  may: 'imports.run',
  summary: 'A sample file of a kind: its columns, rows as they could be, and notes on what each column takes',
  params: InProgram,
  query: z.strictObject({ Kind: z.enum(programImportKinds), ...SampleQuery }),
  answers: 'file',
})

export const listImports = endpoint({
  method: 'GET',
  path: '/programs/:programId/imports',
  may: 'imports.run',
  summary: 'The imports of a program, newest first',
  params: InProgram,
  query: z.strictObject({ Kind: z.enum(programImportKinds).optional(), ...paging }),
  answer: PageOf(ImportRun),
})

export const getImport = endpoint({
  method: 'GET',
  path: '/programs/:programId/imports/:importId',
  may: 'imports.run',
  summary: 'One import, with how far it is',
  params: oneRun,
  answer: ImportRun,
})

export const undoImport = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/imports/:importId',
  may: 'imports.run',
  summary:
    'Undo an import: what it added goes, what it changed is put back; rows that were changed or used since stay, and the import names them',
  params: oneRun,
  mayBePrepared: true,
  errors: { 409: 'all that it made is in use or was changed since, or it is undone already' },
})

export const importColleges = endpoint({
  method: 'POST',
  path: '/imports',
  may: 'colleges.manage',
  summary: 'Import colleges from a CSV file or an Excel workbook (.xlsx)',
  query: z.strictObject({ Kind: z.literal('colleges').default('colleges'), ...options }),
  body,
  takes: 'multipart',
  bodyLimit: maxImportBytes,
  answer: ImportResult,
  errors,
})

export const getCollegeImportSample = endpoint({
  method: 'GET',
  path: '/imports/samples',
  may: 'colleges.manage',
  summary: 'A sample file of colleges',
  query: z.strictObject(SampleQuery),
  answers: 'file',
})

export const listCollegeImports = endpoint({
  method: 'GET',
  path: '/imports',
  may: 'colleges.manage',
  summary: 'The imports of colleges, newest first',
  query: z.strictObject({ Kind: z.literal('colleges').optional(), ...paging }),
  answer: PageOf(ImportRun),
})

export const getCollegeImport = endpoint({
  method: 'GET',
  path: '/imports/:importId',
  may: 'colleges.manage',
  summary: 'One import of colleges, with how far it is',
  params: z.strictObject({ importId: Id }),
  answer: ImportRun,
})

export const undoCollegeImport = endpoint({
  method: 'DELETE',
  path: '/imports/:importId',
  may: 'colleges.manage',
  summary: 'Undo an import of colleges',
  params: z.strictObject({ importId: Id }),
  errors: { 409: 'each college has programs or was changed since, or it is undone already' },
})
