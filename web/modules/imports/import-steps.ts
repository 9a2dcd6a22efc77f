import type { ImportResult } from '#contract/imports/imports.ts'
import type { ColumnMapping, ValueMapping } from '#contract/imports/imports-rules.ts'

/** A file with what the server says about it, and how its columns and values are matched. */
export interface Work {
  file: File
  result: ImportResult
  mapping: ColumnMapping
  values: ValueMapping
}

/** Where the wizard is. */
export type Step =
  | { name: 'file' }
  | ({ name: 'mapping' } & Work)
  | ({ name: 'preview' } & Work)
  | { name: 'running'; file: File; rows: number }
  | { name: 'done'; file: File; result: ImportResult }
