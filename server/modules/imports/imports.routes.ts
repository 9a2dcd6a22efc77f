import { sql } from 'kysely'
import type { Importable } from '#contract/core/import-fields.ts'
import { may } from '#contract/core/permissions.ts'
import { chooseFile } from '#contract/core/wording.ts'
import { importFailures } from '#contract/imports/failures.ts'
import { type ImportKind, importables } from '#contract/imports/import-kinds.ts'
import * as contract from '#contract/imports/imports.ts'
import type { ColumnMapping, ValueMapping } from '#contract/imports/imports-rules.ts'
import { sentence } from '#contract/language/texts.ts'
import { highestManageableLevel } from '#server/core/auth/api-key.ts'
import { noteGoals } from '#server/core/database/goals.ts'
import type { Db } from '#server/core/database/pool.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { type Call, handle } from '#server/core/http/handle.ts'
import type { KeptRow } from '#server/core/imports/definition.ts'
import { updateRun } from '#server/core/imports/runs.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import { holdPeopleAlone } from '#server/core/runtime/people-lock.ts'
import { TakesLong } from '#server/core/runtime/tasks.ts'
import { definitionOf } from './definitions.rules.ts'
import { readImportFile } from './import-file.service.ts'
import { importTable, notAllowed } from './import-table.service.ts'
import { findRun, pageRuns, tryLock, tryLockUndo } from './imports.queries.ts'
import { sampleFile } from './sample.queries.ts'
import { logged } from './sync-log.service.ts'

type ImportCall = Call<
  unknown,
  { DryRun: boolean; SendLinks: boolean; SkipErrors: boolean; Remembered: boolean },
  | {
      mapping?: ColumnMapping | undefined
      values?: ValueMapping | undefined
      seen?: ReturnType<typeof contract.previewOf> | undefined
    }
  | undefined
>

/** Where the screens import things of the kind. */
const importPage = (kind: ImportKind): string => `/new/admin/imports?kind=${kind}`

const fileOf = (files: ImportCall['files']): ImportCall['files'][number] => {
  const file = files.find(({ field }) => field === 'file')
  if (!file)
    throw fail(importFailures.no_file, { fields: [{ Field: 'file', Message: sentence(chooseFile) }] })
  return file
}

/** The worker goes on with what was let through when it was asked for. */
const refuseUnproven = (
  kind: ImportKind,
  { user, session, progress }: Pick<Call<unknown, unknown, unknown>, 'user' | 'session' | 'progress'>,
): void => {
  const { proof, addsPeople }: Importable = importables[kind]
  if ((proof || addsPeople) && !user.key && !progress) requireProof(session, { lasts: proof })
}

const runImport = async (
  call: ImportCall,
  kind: ImportKind,
  programId: number | null,
): Promise<contract.ImportResult> => {
  const { query, body, user } = call
  // Nobody's file is read before it is known that they may send it.
  if (!may(user, importables[kind].may)) throw notAllowed(kind)
  if (!query.DryRun) refuseUnproven(kind, call)
  const { bytes, name: fileName, storeKey } = fileOf(call.files)
  if (storeKey)
    throw new TakesLong({
      kind: 'import',
      name: fileName || 'The file',
      uploadKey: storeKey,
      page: importPage(kind),
      isAwaited: query.DryRun,
    })
  const table = await readImportFile(bytes, importables[kind].fields)
  const work = () =>
    importTable(call, {
      kind,
      programId,
      table,
      fileName,
      mapping: body?.mapping,
      values: body?.values,
      seen: body?.seen,
      isRemembered: query.Remembered,
      remembers: true,
      skipsErrors: query.SkipErrors,
      isDryRun: query.DryRun,
      sendsLinks: query.SendLinks,
    })
  if (query.DryRun || programId === null) return work()
  return logged(call, { kind, programId, source: { File: fileName.slice(0, 200) } }, work)
}

const inUse = (kept: readonly KeptRow[]): Failure => {
  const told = kept.slice(0, 3).map(({ name, reason }) => `${name} ${reason}`)
  const more = kept.length > 3 ? ' and others' : ''
  return fail(importFailures.in_use, { Reason: told.join(', '), More: more })
}

const getRun = async (db: Db, programId: number | null, importId: number): Promise<contract.ImportRun> => {
  const run = await findRun(db, programId, importId)
  if (!run) throw fail(importFailures.no_import)
  return run
}

/**
 * Lets one undo of an import run, and no other import beside it.
 *
 * @throws Failure 409 where there is nothing to undo, or not now
 */
const refuseUndone = async (
  db: Db,
  programId: number | null,
  { Id, FileName }: contract.ImportRun,
): Promise<void> => {
  const isAlone = await tryLockUndo(db, Id)
  // Another undo of it may have ended since it was read first.
  const { Status } = await getRun(db, programId, Id)
  if (Status === 'undone') throw fail(importFailures.undone_already, { FileName })
  if (!isAlone) throw fail(importFailures.undo_running, { FileName })
  if (Status !== 'done') throw fail(importFailures.not_done, { FileName })
  if (!(await tryLock(db, programId))) throw fail(importFailures.undo_waits)
}

/** An undo of more rows than these is the worker's: nobody waits for it, and no call has the time. */
const directUndo = 1_000

const undo = async (
  call: Pick<Call<unknown, unknown, unknown>, 'db' | 'user' | 'session' | 'audit' | 'progress'>,
  programId: number | null,
  importId: number,
): Promise<void> => {
  const { db, user, audit, progress } = call
  const run = await getRun(db, programId, importId)
  if (!may(user, importables[run.Kind].may)) throw fail(importFailures.undo_not_allowed)
  refuseUnproven(run.Kind, call)
  const rows = run.Added + run.Changed
  await refuseUndone(db, programId, run)
  if (programId !== null && rows > directUndo && !progress)
    throw new TakesLong({ kind: 'undo', name: run.FileName, page: importPage(run.Kind) })
  progress?.(0, rows)
  if (programId !== null && (importables[run.Kind] as Importable).addsPeople)
    await holdPeopleAlone(db, programId)
  const { store } = definitionOf(run.Kind)
  const at = { db, programId, importId, accountId: user.Id }
  const kept = await store.findKept(at)
  try {
    const taken = await store.undo(
      at,
      kept.map(({ id }) => id),
    )
    if (kept.length > 0 && taken === 0) throw inUse(kept)
    if (programId !== null) await noteGoals(db, programId)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '23503') throw fail(importFailures.people_in_use)
    if (code === '23505') throw fail(importFailures.id_in_use)
    throw error
  }
  progress?.(rows, rows)
  const told = kept.slice(0, contract.maxKeptTold).map(({ name, reason }) => `${name} ${reason}`)
  await updateRun(db, importId, { undone_at: sql<string>`now()`, kept: kept.length, kept_told: told })
  audit.detail = {
    Kind: run.Kind,
    FileName: run.FileName,
    Added: run.Added,
    Changed: run.Changed,
    ...(kept.length > 0 && { Kept: kept.length, KeptRows: told }),
  }
}

export const importRoutes = [
  handle(contract.importIntoProgram, (call) => runImport(call, call.query.Kind, call.params.programId)),

  handle(contract.getImportSample, ({ db, params: { programId }, query: { Kind, Format }, user }) =>
    sampleFile(db, { kind: Kind, programId, format: Format, ownLevel: highestManageableLevel(user) }),
  ),

  handle(contract.listImports, async ({ db, params, query }) => ({
    ...(await pageRuns(db, params.programId, {
      kind: query.Kind,
      page: query.page,
      pageSize: query.pageSize,
    })),
    Page: query.page,
    PageSize: query.pageSize,
  })),

  handle(contract.getImport, ({ db, params }) => getRun(db, params.programId, params.importId)),

  handle(contract.undoImport, (call) => undo(call, call.params.programId, call.params.importId)),

  handle(contract.importColleges, (call) => runImport(call, 'colleges', null)),

  handle(contract.getCollegeImportSample, ({ db, query: { Format }, user }) =>
    sampleFile(db, {
      kind: 'colleges',
      programId: null,
      format: Format,
      ownLevel: highestManageableLevel(user),
    }),
  ),

  handle(contract.listCollegeImports, async ({ db, query }) => ({
    ...(await pageRuns(db, null, { kind: query.Kind, page: query.page, pageSize: query.pageSize })),
    Page: query.page,
    PageSize: query.pageSize,
  })),

  handle(contract.getCollegeImport, ({ db, params }) => getRun(db, null, params.importId)),

  handle(contract.undoCollegeImport, (call) => undo(call, null, call.params.importId)),
]
