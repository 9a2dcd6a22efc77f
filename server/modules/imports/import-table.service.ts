import { may } from '#contract/core/permissions.ts'
import { importFailures } from '#contract/imports/failures.ts'
import { type ImportKind, importables } from '#contract/imports/import-kinds.ts'
import { type ImportResult, maxChangesTold, previewOf } from '#contract/imports/imports.ts'
import { type ColumnMapping, matchColumns, type ValueMapping } from '#contract/imports/imports-rules.ts'
import { highestManageableLevel } from '#server/core/auth/api-key.ts'
import type { User } from '#server/core/auth/session.ts'
import { noteGoals } from '#server/core/database/goals.ts'
import { type Db, transaction } from '#server/core/database/pool.ts'
import type { ChangedMeanwhile } from '#server/core/imports/definition.ts'
import { type Entity, emptyPlan, type Plan, recordName } from '#server/core/imports/plan.ts'
import { startRun, updateRun } from '#server/core/imports/runs.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import type { AuditNote } from '#server/core/runtime/audit.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { definitionOf } from './definitions.rules.ts'
import { saveMemory } from './imports.commands.ts'
import { findMemory, listAdded, tryLock } from './imports.queries.ts'
import type { Table } from './parse.rules.ts'
import { type ChoicesByField, type Misfit, mappingErrors, readRows } from './rows.rules.ts'

/** Whose import it is, and where it works. */
export interface ImportWork {
  /** The import's own transaction, for the program of the job. */
  db: Db
  services: Services
  user: Pick<User, 'Id' | 'AccessLevel' | 'SuperAdminAreas' | 'isSuperAdmin' | 'KeyRights' | 'key'>
  audit: AuditNote
  /** Told how many rows are done, of how many. */
  progress?: (done: number, total: number) => void
}

/** What is imported. */
export interface ImportJob {
  kind: ImportKind
  /** Null for colleges. */
  programId: number | null
  table: Table
  /** As the history names it. */
  fileName: string
  /** Columns are matched by name without it. */
  mapping?: ColumnMapping | undefined
  /** Values of columns with a fixed set, as ours. */
  values?: ValueMapping | undefined
  /** Where mapping or values are not given, begins with those of the last import of the kind. */
  isRemembered?: boolean
  /** Remembers what it was matched by. */
  remembers?: boolean
  /** Leaves rows with errors out instead of refusing all. */
  skipsErrors?: boolean
  isDryRun: boolean
  /** What a preview of it has shown (`previewOf`). */
  seen?: ReturnType<typeof previewOf> | undefined
  /** Mails every added person a link to set a password. */
  sendsLinks: boolean
  /** Leaves runs that change nothing out of the history: a system that sends every hour would fill it. */
  isSync?: boolean
}

const maxTold = 10_000
const maxWarnings = 1_000
const sampleRows = 5
const batchRows = 2_000

const inBatches = async <T>(
  items: readonly T[],
  size: number,
  work: (batch: readonly T[]) => Promise<void>,
): Promise<void> => {
  for (let at = 0; at < items.length; at += size) await work(items.slice(at, at + size))
}

/** Emails to the people added: the link leads to the page that mails a one-time link, which lives ten minutes. */
const mailAdded = async (
  { db, services }: ImportWork,
  programId: number,
  importId: number,
): Promise<void> => {
  const link = `${services.publicUrl()}${services.config.appRoot}/new/reset-password`
  const people = await listAdded(db, programId, importId)
  await inBatches(people, batchRows, (batch) =>
    queueTemplatedEmails(
      db,
      batch.map((person) => ({
        programId,
        accountId: person.id,
        label: 'ACCOUNT_created',
        recipient: person.email,
        values: { 'user.firstName': person.first_name, 'account.userName': person.user_name, link },
      })),
    ),
  )
}

/** What somebody else has changed while an import was under way. */
const duringImport = (mapping: ColumnMapping, changed: readonly ChangedMeanwhile[]) =>
  changed.map(({ line, field }) => ({
    Row: line,
    Column: field === undefined ? '' : (mapping[field] ?? field),
    Message:
      field === undefined
        ? 'Someone else changed or deleted this record during the import.'
        : 'Someone else changed this during the import.',
  }))

/** What an import would change and its preview has shown with another value, or not at all. */
const sincePreview = (
  now: Pick<ImportResult, 'Changes'>,
  seen: ReturnType<typeof previewOf>,
): ImportResult['Errors'] => {
  const shown = new Set(seen.map((each) => JSON.stringify(each)))
  // The last row of a list that was cut may have more.
  const last = seen.length < maxChangesTold ? Number.POSITIVE_INFINITY : (seen.at(-1)?.Row ?? 0) - 1
  return previewOf(now)
    .filter((each) => each.Row <= last && !shown.has(JSON.stringify(each)))
    .map(({ Row, Column }) => ({ Row, Column, Message: 'Someone else changed this since the preview.' }))
}

/** The refusal of an import whose records somebody else has changed since they were read for it. */
const changedMeanwhile = (Errors: ImportResult['Errors'], told: object): Failure => {
  // Called only when there are some.
  const { Row, Column, Message } = Errors[0]!
  const more = Errors.length > 1 ? ` (${Errors.length} rows)` : ''
  return fail(
    importFailures.changed_meanwhile,
    { Row, Column: Column && `, ${Column}`, Reason: Message.slice(0, -1), More: more },
    { extra: { ...told, Errors: Errors.slice(0, maxTold) } },
  )
}

const write = async (
  work: ImportWork,
  { kind, programId, fileName, sendsLinks }: ImportJob,
  { plan, mapping, rowCount }: { plan: Plan; mapping: ColumnMapping; rowCount: number },
): Promise<number> => {
  const { db, user, services } = work
  // The history shows a run while it works, so its row is written beside the import's own transaction.
  const beside = <T>(run: (db: Db) => Promise<T>): Promise<T> =>
    transaction(
      services.pool,
      { accountId: user.Id, programIds: programId === null ? [] : [programId], isSuper: user.isSuperAdmin },
      run,
    )
  const importId = await beside((aside) =>
    startRun(aside, { programId, kind, fileName, rows: rowCount, accountId: user.Id }),
  )
  const { store } = definitionOf(kind)
  const at = { db, programId, importId, accountId: user.Id }
  let done = plan.unchanged
  const reportProgress = async (count: number) => {
    done += count
    work.progress?.(done, rowCount)
    const isLast = done >= rowCount
    if (!isLast) await beside((aside) => updateRun(aside, importId, { done_rows: done }))
  }
  try {
    await inBatches(plan.added, store.isWhole ? plan.added.length : batchRows, async (batch) => {
      await store.add(at, batch)
      await reportProgress(batch.length)
    })
    await inBatches(plan.changed, batchRows, async (batch) => {
      const changed = await store.change(at, batch)
      if (changed.length > 0) throw changedMeanwhile(duringImport(mapping, changed), { Kind: kind })
      await reportProgress(batch.length)
    })
    if (programId !== null) await noteGoals(db, programId)
    if (sendsLinks && programId !== null && importables[kind].addsPeople)
      await mailAdded(work, programId, importId)
    await updateRun(db, importId, {
      status: 'done',
      done_rows: rowCount,
      added: plan.added.length,
      changed: plan.changed.length,
      unchanged: plan.unchanged,
    })
    return importId
  } catch (error) {
    await beside((aside) => updateRun(aside, importId, { status: 'failed' })).catch(() => {})
    if ((error as { code?: string }).code === '23505') throw fail(importFailures.taken_meanwhile)
    throw error
  }
}

/** The refusal of a kind that the person may not import. */
export const notAllowed = (kind: ImportKind): Failure =>
  fail(importFailures.import_not_allowed, { Kind: kind })

/** The result for the rows of a table. */
interface CheckedRows {
  plan: Plan
  errors: ImportResult['Errors']
  warnings: ImportResult['Warnings']
  values: ImportResult['Values']
}

/** The errors of texts that are not in the form of their field and would be written. */
const written = (misfits: readonly Misfit[], kind: ImportKind, { added, changed }: Plan) => {
  const { store } = definitionOf(kind)
  const columnsOf = (entity: Entity, field: string): string[] =>
    Object.keys(entity).filter((column) => store.fieldOf?.(column) === field)
  return misfits
    .filter(
      ({ Field, Value, error }) =>
        changed.some(({ line, after }) => line === error.Row && columnsOf(after, Field).length > 0) ||
        added.some((entity) => columnsOf(entity, Field).some((column) => entity[column] === Value)),
    )
    .map(({ error }) => error)
}

const checkRows = async (
  { db, user }: ImportWork,
  { kind, programId }: Pick<ImportJob, 'kind' | 'programId'>,
  table: Table,
  { mapping, values, choices }: { mapping: ColumnMapping; values: ValueMapping; choices: ChoicesByField },
): Promise<CheckedRows> => {
  const read = readRows(importables[kind].fields, table, mapping, choices, values)
  const scope = { db, programId, ownLevel: highestManageableLevel(user), ownId: user.Id }
  const plan = await definitionOf(kind).plan(scope, read.rows, mapping)
  return {
    plan,
    errors: [...read.errors, ...written(read.misfits, kind, plan), ...plan.errors],
    warnings: [...(table.notes ?? []), ...read.warnings, ...plan.warnings],
    values: read.values,
  }
}

/** What each value was and becomes, as the file writes it. */
const changesOf = (
  kind: ImportKind,
  { changed }: Plan,
  { mapping, choices }: { mapping: ColumnMapping; choices: ChoicesByField },
): ImportResult['Changes'] => {
  const { store } = definitionOf(kind)
  const offered = new Map(
    Object.entries(choices).map(([field, { offered: texts, read }]) => [
      field,
      new Map(
        texts.flatMap((text) => {
          const found = read(text)
          return 'value' in found ? [[found.value, text] as const] : []
        }),
      ),
    ]),
  )
  const told: ImportResult['Changes'] = []
  for (const { line, name, before, after } of changed) {
    for (const column of Object.keys(after)) {
      const field = store.fieldOf?.(column)
      if (field === undefined || before[column] === after[column]) continue
      const textOf = (value: Entity[string] | undefined): string =>
        value == null ? '' : (offered.get(field)?.get(value) ?? String(value))
      told.push({
        Row: line,
        Name: name,
        Column: mapping[field] ?? field,
        Before: textOf(before[column]),
        After: textOf(after[column]),
      })
    }
    if (told.length >= maxChangesTold) break
  }
  return told.slice(0, maxChangesTold)
}

/** Without the rows that are wrong nothing new goes wrong, save where rows refer to each other: then once more. */
const maxPasses = 3

/**
 * Imports a table: all rows or none, unless rows with errors are to be left out. A dry run only says what would happen.
 *
 * @throws Failure 403 when the kind is not the person's, 409 while another import of the program runs, 422 with the rows that
 *   are wrong
 */
export const importTable = async (work: ImportWork, job: ImportJob): Promise<ImportResult> => {
  const { db, user, audit } = work
  const { kind, programId, table, fileName, isDryRun } = job
  const importable = importables[kind]
  if (!may(user, importable.may)) throw notAllowed(kind)
  if (!isDryRun && !(await tryLock(db, programId))) throw fail(importFailures.import_running)
  work.progress?.(0, table.rows.length)
  const memory = job.isRemembered ? await findMemory(db, programId, kind) : undefined
  const mapping = job.mapping ?? matchColumns(importable.fields, table.columns, memory)
  const matched = job.values ?? memory?.values ?? {}
  const errors = [...table.errors]
  if (table.columns.length > 0) errors.push(...mappingErrors(importable, table.columns, mapping))
  if (table.columns.length > 0 && table.rows.length === 0 && errors.length === 0)
    errors.push({ Row: 1, Column: '', Message: 'The file has a header and no rows.' })
  let plan = emptyPlan()
  let goodRows = 0
  let warnings: ImportResult['Warnings'] = []
  let values: ImportResult['Values'] = []
  // Without a sound header every row would be wrong in the same way.
  const isReadable = errors.every(({ Row }) => Row !== 1) && table.columns.length > 0
  let choices: ChoicesByField = {}
  if (isReadable) {
    choices =
      (await definitionOf(kind).listChoices?.({ db, programId, ownLevel: highestManageableLevel(user) })) ??
      {}
    const sound = { mapping, values: matched, choices }
    let rows = table.rows
    for (let pass = 1; pass <= maxPasses; pass++) {
      const checked = await checkRows(work, job, { ...table, rows }, sound)
      if (pass === 1) values = checked.values
      errors.push(...checked.errors)
      plan = checked.plan
      warnings = checked.warnings
      goodRows = rows.length
      if (checked.errors.length === 0) break
      const wrong = new Set(checked.errors.map(({ Row }) => Row))
      rows = rows.filter(({ line }) => !wrong.has(line))
      if (pass === maxPasses || rows.length === 0) {
        plan = emptyPlan()
        goodRows = 0
        break
      }
    }
  }
  errors.sort((a, b) => a.Row - b.Row)
  const wrong = new Set(errors.map(({ Row }) => Row))
  const refused = isReadable
    ? [...table.rows, ...(table.unfit ?? [])]
        .filter(({ line }) => wrong.has(line))
        .sort((a, b) => a.line - b.line)
        .slice(0, maxTold)
    : []
  const shownFields = new Set(values.map(({ Field }) => Field))
  const result: ImportResult = {
    Rows: table.rows.length,
    Added: plan.added.length,
    Changed: plan.changed.length,
    Unchanged: plan.unchanged,
    Errors: errors.slice(0, maxTold),
    ErrorCount: errors.length,
    WarningRows: new Set(warnings.map(({ Row }) => Row)).size,
    Warnings: warnings.toSorted((a, b) => a.Row - b.Row).slice(0, maxWarnings),
    ErrorRows: isReadable ? wrong.size : 0,
    Refused: refused.map(({ line, cells }) => ({ Row: line, Cells: cells })),
    Values: values,
    Choices: Object.fromEntries(
      importable.fields
        .filter(({ name }) => shownFields.has(name))
        .map(({ name }) => [name, [...(choices[name]?.offered ?? [])]]),
    ),
    Changes: importable.tellsChanges && !user.key ? changesOf(kind, plan, { mapping, choices }) : [],
    AddedNames: user.key ? [] : plan.added.slice(0, maxTold).map(recordName).filter(Boolean),
    ImportId: null,
    HiddenRows: table.hiddenRows ?? 0,
    Columns: table.columns,
    Mapping: mapping,
    Sample: table.rows.slice(0, sampleRows).map(({ cells }) => cells.map((cell) => cell.slice(0, 200))),
  }
  audit.detail = {
    Kind: kind,
    FileName: fileName,
    DryRun: isDryRun,
    Rows: result.Rows,
    Added: result.Added,
    Changed: result.Changed,
    ErrorCount: result.ErrorCount,
  }
  if (isDryRun) return result
  if (errors.length > 0 && (!job.skipsErrors || goodRows === 0)) {
    const { Row, Column, Message } = errors[0]! // There is one.
    const more = errors.length > 1 ? ` and ${(errors.length - 1).toLocaleString('en-US')} more` : ''
    throw fail(
      importFailures.rows_refused,
      {
        Row,
        Column: Column && `, ${Column.slice(0, 60)}`,
        Reason: Message,
        More: more,
      },
      { extra: { ...result, Added: 0, Changed: 0, Unchanged: 0 } },
    )
  }
  const changed = job.seen && importable.tellsChanges && !user.key ? sincePreview(result, job.seen) : []
  if (changed.length > 0) throw changedMeanwhile(changed, { Kind: kind, ...result, ErrorCount: 0 })
  if (job.isSync && plan.added.length + plan.changed.length === 0) return result
  const ImportId = await write(work, job, { plan, mapping, rowCount: goodRows })
  if (job.remembers) {
    const used: ValueMapping = {}
    for (const { Field, Text, To } of values) if (To !== null) used[Field] = { ...used[Field], [Text]: To }
    await saveMemory(db, programId, kind, { mapping, columns: table.columns, values: used })
  }
  return { ...result, ImportId }
}
