import type { InputOf } from '#contract/core/endpoint.ts'
import { getScheduleGrid, gridPageSize } from '#contract/scheduling/schedule-grid.ts'
import type { RowSource } from '#web/api/use-row-pages.ts'
import { type GridRow, rowsOfPage } from './grid-layout.ts'

/** What the picture shows: the input of its calls. */
export type GridInput = {
  params: { programId: number }
  query: Omit<InputOf<typeof getScheduleGrid>['query'], 'Offset' | 'Limit'>
}

/** The rows of the picture, a page at a time. */
export const gridRows = ({ params, query }: GridInput): RowSource<typeof getScheduleGrid, GridRow> => ({
  endpoint: getScheduleGrid,
  size: gridPageSize,
  inputAt: (Offset) => ({ params, query: { ...query, Offset, Limit: gridPageSize } }),
  rowsOf: rowsOfPage,
})
