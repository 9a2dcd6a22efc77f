import * as contract from '#contract/evaluation-results.ts'
import type { Cell } from '#server/core/csv.ts'
import { handle } from '#server/core/handle.ts'
import { tableFile } from '#server/core/table.ts'
import { readComments, readResults, sortResults } from './results.queries.ts'

const mostExported = 100_000

const number = (title: string) => ({ title, kind: 'number' as const })

const resultColumns = [
  { title: 'Name', width: 48 },
  { title: 'Part of', width: 36 },
  number('Answers'),
  number('Mean'),
  number('Percent'),
  number('Program percent'),
  number('Low scores'),
]

const commentColumns = [
  { title: 'Template', width: 28 },
  { title: 'Question', width: 40 },
  { title: 'About', width: 24 },
  { title: 'Score', width: 20 },
  { title: 'Date', width: 12 },
  { title: 'Text', width: 80 },
]

async function* resultCells(rows: readonly contract.ResultRow[]): AsyncGenerator<Cell[]> {
  for (const row of rows) {
    const { Name, Detail, Answers, Mean, Percent, ProgramPercent, Low } = row
    yield [Name || 'Program', Detail, Answers, Mean, Percent, ProgramPercent, Low]
  }
}

async function* commentCells(rows: readonly contract.ResultComment[]): AsyncGenerator<Cell[]> {
  for (const row of rows) yield [row.Template, row.Item, row.Subject, row.Score, row.Date, row.Text]
}

export const resultRoutes = [
  handle(contract.getEvaluationResults, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, sort, By, ...filter } = query
    const { rows, summary } = await readResults(db, programId, { filter }, By)
    return {
      Items: sortResults(rows, sort).slice((page - 1) * pageSize, page * pageSize),
      Total: rows.length,
      Page: page,
      PageSize: pageSize,
      ...summary,
    }
  }),

  handle(contract.listResultComments, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, LowOnly, ...filter } = query
    const found = await readComments(db, programId, { filter, isLowOnly: LowOnly }, { page, pageSize })
    return { ...found, Page: page, PageSize: pageSize }
  }),

  handle(contract.exportEvaluationResults, async ({ db, params: { programId }, query }) => {
    const { Format, By, sort, ...filter } = query
    if (By === 'comment') {
      const { Items } = await readComments(db, programId, { filter }, { page: 1, pageSize: mostExported })
      return tableFile(Format, 'Evaluation comments', commentColumns, commentCells(Items))
    }
    const { rows } = await readResults(db, programId, { filter }, By)
    return tableFile(Format, 'Evaluation results', resultColumns, resultCells(sortResults(rows, sort)))
  }),

  handle(contract.getOwnResults, async ({ db, query, user, session }) => {
    if (session.programId === null) {
      const none = { Answers: 0, Percent: null, ProgramPercent: null, Low: 0 }
      return { Totals: none, Trend: [], Fifths: [0, 0, 0, 0, 0], IsHeldBack: false, Items: [], Comments: [] }
    }
    const scope = { filter: query, own: { accountId: user.Id } }
    const { rows, summary } = await readResults(db, session.programId, scope, 'item')
    const comments = await readComments(db, session.programId, scope, { page: 1, pageSize: 100 })
    return { ...summary, Items: sortResults(rows, 'Percent'), Comments: comments.Items }
  }),
]
