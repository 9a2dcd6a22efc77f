import * as contract from '#contract/evaluations/evaluation-results.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { readComments } from './result-comments.queries.ts'
import { pageResults, readResults, sortResults } from './results.queries.ts'

const maxExported = 100_000

type ResultColumn = ExportColumn<contract.ResultRow>
const number = (title: string, value: ResultColumn['value']): ResultColumn => ({
  title,
  kind: 'number',
  value,
})

const resultColumns: readonly ResultColumn[] = [
  { title: 'Name', width: 48, value: (row) => row.Name || 'Program' },
  { title: 'Part of', width: 36, value: (row) => row.Detail },
  number('Answers', (row) => row.Answers),
  number('Mean', (row) => row.Mean),
  number('Percent', (row) => row.Percent),
  number('Program percent', (row) => row.ProgramPercent),
  number('Low scores', (row) => row.Low),
]

const commentColumns: readonly ExportColumn<contract.ResultComment>[] = [
  { title: 'Template', width: 28, value: (row) => row.Template },
  { title: 'Question', width: 40, value: (row) => row.Item },
  { title: 'About', width: 24, value: (row) => row.Subject },
  { title: 'Score', width: 20, value: (row) => row.Score },
  { title: 'Date', kind: 'date', width: 12, value: (row) => row.Date },
  { title: 'Text', width: 80, value: (row) => row.Text },
]

export const resultRoutes = [
  handle(contract.getEvaluationResults, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, sort, By, ...filter } = query
    const { summary, ...found } = await pageResults(
      db,
      programId,
      { filter },
      { by: By, sort, page, pageSize },
    )
    return { ...found, Page: page, PageSize: pageSize, ...summary }
  }),

  handle(contract.listResultComments, async ({ db, params: { programId }, query }) => {
    const { page, pageSize, LowOnly, ...filter } = query
    const found = await readComments(db, programId, { filter, isLowOnly: LowOnly }, { page, pageSize })
    return { ...found, Page: page, PageSize: pageSize }
  }),

  handle(contract.exportEvaluationResults, async ({ db, params: { programId }, query }) => {
    const { Format, By, sort, ...filter } = query
    if (By === 'comment') {
      const { Items } = await readComments(db, programId, { filter }, { page: 1, pageSize: maxExported })
      return tableFile(Format, 'Evaluation comments', commentColumns, Items)
    }
    const { rows } = await readResults(db, programId, { filter }, By)
    return tableFile(Format, 'Evaluation results', resultColumns, sortResults(rows, sort))
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
