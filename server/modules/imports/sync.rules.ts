import type { ImportResult } from '#contract/imports/imports.ts'
import type { SyncEvent } from '#contract/imports/sync.ts'
import type { Failure } from '#server/core/runtime/failure.ts'
import type { Table } from './parse.rules.ts'

/** A value of a row as another system sends it. */
export type SentValue = string | number | boolean | null

/** Rows that were sent, as the table of a file: the first row is in line 2, under the names of all fields. */
export const tableOfRows = (rows: readonly Readonly<Record<string, SentValue>>[]): Table => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return {
    columns,
    rows: rows.map((row, index) => ({
      line: index + 2,
      cells: columns.map((column) => (Object.hasOwn(row, column) ? String(row[column] ?? '') : '')),
    })),
    errors: [],
  }
}

/** Columns that were matched to no field, the first hundred. */
export const ignoredColumns = ({ Columns, Mapping }: Pick<ImportResult, 'Columns' | 'Mapping'>): string[] => {
  const used = new Set(Object.values(Mapping))
  return Columns.filter((column) => !used.has(column)).slice(0, 100)
}

/** Whether the transaction begins again by itself, so that the run is not over yet. */
export const isTriedAgain = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string }).code ?? '')

const maxTold = 20

/** What the log keeps of a run that changed nothing; without a failure it ended through a fault of ours. */
export const refusedEvent = (failure: Failure | undefined): SyncEvent => {
  const errors = (failure?.extra as { Errors?: SyncEvent['Errors'] } | undefined)?.Errors
  return {
    Success: false,
    Message: failure?.message ?? 'The server failed. Nothing was changed. Send the rows again.',
    ...(errors && { Errors: errors.slice(0, maxTold) }),
  }
}
