import {
  competencyPageSize,
  getCompetencyGrid,
  type getCompetencyGridHead,
} from '#contract/competencies/competency-grid.ts'
import type { AnswerOf, InputOf } from '#contract/core/endpoint.ts'
import type { RowSource } from '#web/api/use-row-pages.ts'

type ProgressPageAnswer = AnswerOf<typeof getCompetencyGrid>
export type ProgressHead = AnswerOf<typeof getCompetencyGridHead>
export type ProgressProcedure = ProgressHead['Procedures'][number]

/** One student in the grid. */
export interface ProgressRow {
  id: number
  name: string
  level: number | null
  /** One character a procedure. */
  cells: string
  passed: number
  done: number
  ready: number
  expected: number | null
  isBehind: boolean
}

const unpack = ({ Students }: ProgressPageAnswer): ProgressRow[] =>
  // Columns of one table: each has as many entries as there are ids.
  Students.Id.map((id, at) => ({
    id,
    name: `${Students.LastName[at]}, ${Students.FirstName[at]}`,
    level: Students.StudentLevelId[at] ?? null,
    cells: Students.Cells[at] ?? '',
    passed: Students.Passed[at] ?? 0,
    done: Students.Done[at] ?? 0,
    ready: Students.Ready[at] ?? 0,
    expected: Students.Expected[at] ?? null,
    isBehind: Students.IsBehind[at] ?? false,
  }))

const unpacked = new WeakMap<ProgressPageAnswer, ProgressRow[]>()

/** The rows of a page, unpacked once an answer: a row is the same object until it is read again. */
export const rowsOfProgress = (page: ProgressPageAnswer): ProgressRow[] => {
  let rows = unpacked.get(page)
  if (!rows) {
    rows = unpack(page)
    unpacked.set(page, rows)
  }
  return rows
}

/** What the grid shows: the input of its calls. */
export type ProgressInput = {
  params: { programId: number; listId: number }
  query: Omit<NonNullable<InputOf<typeof getCompetencyGrid>['query']>, 'Offset' | 'Limit'>
}

export const progressRows = ({
  params,
  query,
}: ProgressInput): RowSource<typeof getCompetencyGrid, ProgressRow> => ({
  endpoint: getCompetencyGrid,
  size: competencyPageSize,
  inputAt: (Offset) => ({ params, query: { ...query, Offset, Limit: competencyPageSize } }),
  rowsOf: rowsOfProgress,
})
