import type { ImportKind } from '#contract/imports/import-kinds.ts'
import {
  getCollegeImport,
  getCollegeImportSample,
  getImport,
  getImportSample,
  type ImportResult,
  type ImportRun,
  importColleges,
  importIntoProgram,
  listCollegeImports,
  listImports,
  previewOf,
  undoCollegeImport,
  undoImport,
} from '#contract/imports/imports.ts'
import type { ColumnMapping, ValueMapping } from '#contract/imports/imports-rules.ts'
import { type BackgroundTask, cancelTask, getTaskImport, type TaskAnswer } from '#contract/tasks/tasks.ts'
import { CallError, call, callAddress } from '#web/api/call.ts'
import { followTask } from '#web/api/task.ts'
import { queryClient, useRead } from '#web/api/use-call.ts'

/** Colleges are imported into the installation, everything else into the program: one set of calls for the screen. */
const isOfInstallation = (kind: ImportKind): kind is 'colleges' => kind === 'colleges'

/** Who is told of a task that the worker does, and what ends the waiting. */
interface Following {
  onTask: (task: BackgroundTask | undefined) => void
  signal: AbortSignal
}

export interface RunOptions {
  DryRun?: boolean
  SendLinks?: boolean
  SkipErrors?: boolean
  Remembered?: boolean
  mapping?: ColumnMapping | undefined
  values?: ValueMapping | undefined
  /** The preview that somebody has looked at. */
  preview?: ImportResult
}

/** Where the sample file of a kind is. */
export const sampleAddress = (kind: ImportKind, programId: number | null, Format: 'csv' | 'xlsx'): string =>
  isOfInstallation(kind)
    ? callAddress(getCollegeImportSample, { query: { Format } })
    : callAddress(getImportSample, { params: { programId: programId ?? 0 }, query: { Kind: kind, Format } })

/** A task of the worker in place of the result: the file is large. */
const taskOf = (reply: ImportResult | TaskAnswer): BackgroundTask | undefined =>
  'Task' in reply ? reply.Task : undefined

/**
 * Checks or imports a file; a large one is the worker's, and followed until its result is there.
 *
 * @throws CallError; when the task was canceled, with the code `canceled`
 */
export const sendImportFile = async (
  kind: ImportKind,
  programId: number | null,
  file: File,
  { mapping, values, preview, ...query }: RunOptions,
  { onTask, signal }: Following,
): Promise<ImportResult> => {
  const seen = preview && previewOf(preview)
  const body = { ...(mapping && { mapping }), ...(values && { values }), ...(seen && { seen }) }
  const files = { files: { file } }
  const reply = isOfInstallation(kind)
    ? await call(importColleges, { query, body }, files)
    : await call(
        importIntoProgram,
        // Only colleges are imported without a program.
        { params: { programId: programId! }, query: { Kind: kind, ...query }, body },
        files,
      )
  const task = taskOf(reply)
  if (!task) return reply
  try {
    const { Id, Name, State } = await followTask(task, onTask, signal)
    if (State === 'canceled') throw new CallError(0, { Message: Name, Code: 'canceled' })
    return await call(getTaskImport, { params: { taskId: Id } })
  } finally {
    onTask(undefined)
  }
}

export const cancelImport = ({ Id }: BackgroundTask): Promise<unknown> =>
  call(cancelTask, { params: { taskId: Id } })

/**
 * Takes an import back; that of many rows is the worker's, and followed to its end.
 *
 * @throws CallError; when the task was canceled, with the code `canceled`
 */
export const undoRun = async (
  kind: ImportKind,
  programId: number | null,
  importId: number,
  { onTask, signal }: Following,
): Promise<ImportRun> => {
  if (isOfInstallation(kind)) {
    await call(undoCollegeImport, { params: { importId } })
    return call(getCollegeImport, { params: { importId } })
  }
  // Only colleges are imported without a program.
  const params = { programId: programId!, importId }
  const reply = (await call(undoImport, { params })) as TaskAnswer | undefined
  if (!reply) return call(getImport, { params })
  try {
    const { Name, State, Error: reason } = await followTask(reply.Task, onTask, signal)
    if (State === 'canceled') throw new CallError(0, { Message: Name, Code: 'canceled' })
    if (State === 'failed') throw new CallError(409, { Message: reason })
    return await call(getImport, { params })
  } finally {
    onTask(undefined)
  }
}

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
