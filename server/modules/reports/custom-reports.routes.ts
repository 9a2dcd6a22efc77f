import { sql } from 'kysely'
import * as contract from '#contract/reports/custom-reports.ts'
import {
  countColumn,
  fieldOf,
  reportSubjects,
  shownColumns,
  subjectNames,
} from '#contract/reports/custom-reports-rules.ts'
import { reportFailures } from '#contract/reports/failures.ts'
import { termPlaceholders } from '#contract/terminology/terminology.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { Cell, TableColumn } from '#server/core/files/csv.ts'
import { type ExportColumn, hoursColumns, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import { reportStatement } from './custom-report-rows.queries.ts'
import {
  addCustomReport,
  changeCustomReport,
  saveMailing,
  setCustomReportDeleted,
} from './custom-reports.commands.ts'
import { findCustomReport, pageCustomReports } from './custom-reports.queries.ts'

type Row = Record<string, Cell>

const filled = (text: string, words: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_all, name: string) => words[name] ?? name)

const columnsOf = (definition: contract.ReportDefinition, words: Record<string, string>) =>
  shownColumns(definition).map((Name) => {
    const field = fieldOf(definition.Subject, Name)
    return Name === countColumn || !field
      ? { Name, Label: 'Count', Kind: 'number' as const }
      : { Name, Label: filled(field.label, words), Kind: field.kind }
  })

const choiceWord = (definition: contract.ReportDefinition, name: string, value: Cell): Cell =>
  fieldOf(definition.Subject, name)?.choices?.[String(value)] ?? value

/** The values of a row in the order of the columns, with the words of choices. */
const cellsOf = (definition: contract.ReportDefinition, names: readonly string[], row: Row): Cell[] =>
  names.map((name, index) => choiceWord(definition, name, row[`c${index}`] ?? null))

const kinds: Record<contract.ReportField['Kind'], TableColumn['kind']> = {
  text: 'text',
  choice: 'text',
  flag: 'text',
  date: 'date',
  number: 'number',
  minutes: 'hours',
}

const exportColumns = (
  definition: contract.ReportDefinition,
  words: Record<string, string>,
): ExportColumn<Row>[] =>
  columnsOf(definition, words).flatMap(({ Name, Label, Kind }, index): ExportColumn<Row>[] =>
    Kind === 'minutes'
      ? hoursColumns(Label, (row) => (row[`c${index}`] ?? null) as number | null)
      : [
          {
            title: Label,
            kind: kinds[Kind],
            width: 20,
            value: (row) => choiceWord(definition, Name, row[`c${index}`] ?? null),
          },
        ],
  )

const wordsOf = async (db: Db, programId: number) => termPlaceholders(await getTerms(db, programId))

interface Reader {
  programId: number
  accountId: number
}

const getReport = async (db: Db, reader: Reader, reportId: number): Promise<contract.CustomReport> => {
  const report = await findCustomReport(db, reader, reportId)
  if (!report) throw fail(reportFailures.no_report)
  return report
}

const getOwn = async (db: Db, reader: Reader, reportId: number): Promise<contract.CustomReport> => {
  const report = await getReport(db, reader, reportId)
  if (!report.IsOwn) throw fail(reportFailures.not_yours, { Name: report.Name, Owner: report.Owner })
  return report
}

const setDeleted = async (db: Db, reader: Reader, reportId: number, isDeleted: boolean): Promise<void> => {
  if (!(await setCustomReportDeleted(db, reader, reportId, isDeleted))) throw fail(reportFailures.no_report)
}

export const customReportRoutes = [
  handle(contract.listReportSubjects, async ({ db, params: { programId } }) => {
    const words = await wordsOf(db, programId)
    return subjectNames.map((Subject) => ({
      Subject,
      Label: filled(reportSubjects[Subject].label, words),
      Fields: Object.keys(reportSubjects[Subject].fields).map((Name) => {
        // The definition was checked, so its fields are known.
        const { label, kind, choices = {} } = fieldOf(Subject, Name)!
        return {
          Name,
          Label: filled(label, words),
          Kind: kind,
          Choices: Object.entries(choices).map(([Value, Label]) => ({ Value, Label })),
        }
      }),
    }))
  }),

  handle(contract.previewReport, async ({ db, params: { programId }, body }) => {
    const { Definition, page, pageSize } = body
    const statement = reportStatement(programId, Definition)
    const counted = await sql<{ total: number }>`select count(*) as total from (${statement}) rows`.execute(
      db,
    )
    const { rows } = await sql<Row>`${statement} limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
      db,
    )
    const Columns = columnsOf(Definition, await wordsOf(db, programId))
    const names = Columns.map(({ Name }) => Name)
    return {
      Items: rows.map((row) => cellsOf(Definition, names, row).map((cell) => cell ?? null)),
      Total: counted.rows[0]!.total,
      Page: page,
      PageSize: pageSize,
      Columns,
    }
  }),

  handle(contract.exportReport, async ({ db, params: { programId }, query, audit }) => {
    const { Name, Definition, Format } = query
    audit.detail = { Name, Definition }
    const rows = db.getExecutor().stream<Row>(reportStatement(programId, Definition).compile(db), 500)
    const each = async function* () {
      for await (const chunk of rows) yield* chunk.rows
    }
    return tableFile(
      Format,
      Name.replace(/[\\/:*?"<>|[\]]/g, ' ').trim() || 'Report',
      exportColumns(Definition, await wordsOf(db, programId)),
      each(),
    )
  }),

  handle(contract.listCustomReports, ({ db, params: { programId }, query, user }) =>
    pageCustomReports(db, { programId, accountId: user.Id }, query),
  ),

  handle(contract.getCustomReport, ({ db, params: { programId, reportId }, user }) =>
    getReport(db, { programId, accountId: user.Id }, reportId),
  ),

  handle(contract.createCustomReport, async ({ db, params: { programId }, body, user }) => {
    const reader = { programId, accountId: user.Id }
    return getReport(db, reader, await addCustomReport(db, reader, body))
  }),

  handle(contract.updateCustomReport, async ({ db, params: { programId, reportId }, body, user, audit }) => {
    const reader = { programId, accountId: user.Id }
    const { Name, Definition, IsShared } = await getOwn(db, reader, reportId)
    audit.detail = { Before: { Name, Definition, IsShared }, After: body }
    await changeCustomReport(db, { programId, id: reportId }, body)
    return getReport(db, reader, reportId)
  }),

  handle(contract.deleteCustomReport, async ({ db, params: { programId, reportId }, user, audit }) => {
    const reader = { programId, accountId: user.Id }
    audit.detail = { Name: (await getOwn(db, reader, reportId)).Name }
    await setDeleted(db, reader, reportId, true)
  }),

  handle(contract.restoreCustomReport, async ({ db, params: { programId, reportId }, user }) => {
    const reader = { programId, accountId: user.Id }
    await setDeleted(db, reader, reportId, false)
    return getReport(db, reader, reportId)
  }),

  handle(contract.setReportMailing, async ({ db, params: { programId, reportId }, body, user }) => {
    const reader = { programId, accountId: user.Id }
    await getReport(db, reader, reportId)
    if (body.Mailing !== 'none' && !user.EmailAddress) throw fail(reportFailures.no_email)
    await saveMailing(db, reader, reportId, body.Mailing)
    return getReport(db, reader, reportId)
  }),
]
