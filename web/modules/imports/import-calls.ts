import type { ImportKind } from '#contract/imports/import-kinds.ts'
import {
  getCollegeImportSample,
  getImportSample,
  type ImportResult,
  importColleges,
  importIntoProgram,
  listCollegeImports,
  listImports,
  undoCollegeImport,
  undoImport,
} from '#contract/imports/imports.ts'
import type { ColumnMapping, ValueMapping } from '#contract/imports/imports-rules.ts'
import { call, callAddress } from '#web/api/call.ts'
import { queryClient, useRead } from '#web/api/use-call.ts'

/** Colleges are imported into the installation, everything else into the program: one set of calls for the screen. */
const isOfInstallation = (kind: ImportKind): kind is 'colleges' => kind === 'colleges'

export interface RunOptions {
  DryRun?: boolean
  SendLinks?: boolean
  SkipErrors?: boolean
  Remembered?: boolean
  mapping?: ColumnMapping | undefined
  values?: ValueMapping | undefined
}

/** Where the sample file of a kind is. */
export const sampleAddress = (kind: ImportKind, programId: number | null, Format: 'csv' | 'xlsx'): string =>
  isOfInstallation(kind)
    ? callAddress(getCollegeImportSample, { query: { Format } })
    : callAddress(getImportSample, { params: { programId: programId ?? 0 }, query: { Kind: kind, Format } })

export const sendImportFile = (
  kind: ImportKind,
  programId: number | null,
  file: File,
  { mapping, values, ...query }: RunOptions,
): Promise<ImportResult> => {
  const body = (mapping || values) && { ...(mapping && { mapping }), ...(values && { values }) }
  const files = { files: { file } }
  return isOfInstallation(kind)
    ? call(importColleges, { query, ...(body && { body }) }, files)
    : call(
        importIntoProgram,
        // Only colleges are imported without a program.
        { params: { programId: programId! }, query: { Kind: kind, ...query }, ...(body && { body }) },
        files,
      )
}

export const undoRun = (kind: ImportKind, programId: number | null, importId: number): Promise<unknown> =>
  isOfInstallation(kind)
    ? call(undoCollegeImport, { params: { importId } })
    : // Only colleges are imported without a program.
      call(undoImport, { params: { programId: programId!, importId } })

/** A page of the history; while an import runs it is read again and again. */
export const useHistory = (
  kind: ImportKind,
  programId: number | null,
  { page, pageSize, isRunning }: { page: number; pageSize: number; isRunning: boolean },
) => {
  const options = isRunning ? { refetchEveryMs: 700 } : { refetchEveryMs: 30_000 }
  const colleges = useRead(
    listCollegeImports,
    { query: { page, pageSize } },
    { ...options, isEnabled: isOfInstallation(kind) },
  )
  const others = useRead(
    listImports,
    {
      params: { programId: programId ?? 0 },
      query: { ...(!isOfInstallation(kind) && { Kind: kind }), page, pageSize },
    },
    { ...options, isEnabled: !isOfInstallation(kind) && programId !== null },
  )
  return isOfInstallation(kind) ? colleges : others
}

/** After an import everything that was read may be out of date. */
export const forgetReads = (): Promise<void> => queryClient.invalidateQueries()
