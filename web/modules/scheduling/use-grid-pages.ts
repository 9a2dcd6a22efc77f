import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import type { InputOf } from '#contract/core/endpoint.ts'
import { getScheduleGrid, gridPageSize } from '#contract/scheduling/schedule-grid.ts'
import { type CallError, call } from '#web/api/call.ts'
import { readKey } from '#web/api/use-call.ts'
import { type GridPage, type GridRow, rowsOfPage } from './grid-layout.ts'

/** What the picture shows: the input of its calls. */
export type GridInput = {
  params: { programId: number }
  query: Omit<InputOf<typeof getScheduleGrid>['query'], 'Offset' | 'Limit'>
}

/** A page is asked for when the view comes this close to it. */
const rowsAhead = 30

const pageQuery = ({ params, query }: GridInput, page: number) => {
  const input = { params, query: { ...query, Offset: page * gridPageSize, Limit: gridPageSize } }
  return {
    queryKey: readKey(getScheduleGrid, input),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<GridPage> =>
      call(getScheduleGrid, input, { signal }),
  }
}

export interface GridPages {
  /** Undefined while its page is on the way. */
  rowAt: (index: number) => GridRow | undefined
  /** Of a page in view that could not be read. */
  error: CallError | undefined
  retry: () => void
}

/** The pages around the rows in view; what was read before stays in the store, and what is no longer in view is not read again. */
export const useGridPages = (input: GridInput, count: number, first: number, last: number): GridPages => {
  const from = Math.floor(Math.max(0, first - rowsAhead) / gridPageSize)
  const through = Math.floor(Math.min(Math.max(0, count - 1), last + rowsAhead) / gridPageSize)
  const results = useQueries({
    queries: Array.from({ length: Math.max(0, through - from) + 1 }, (_, at) => pageQuery(input, from + at)),
  })
  const failed = results.find(({ error, data }) => error && !data)
  return {
    rowAt: (index) => {
      const page = Math.floor(index / gridPageSize)
      const data = results[page - from]?.data
      return data && rowsOfPage(data, page * gridPageSize)[index - page * gridPageSize]
    },
    // Calls fail with nothing else.
    error: (failed?.error as CallError | undefined) ?? undefined,
    retry: () => void failed?.refetch(),
  }
}

/** Reads at a time while everything is fetched: others use the server too. */
const atOnce = 3

const fetchAll = async (client: QueryClient, input: GridInput, count: number): Promise<void> => {
  const pages = Array.from({ length: Math.ceil(count / gridPageSize) }, (_, page) => page)
  const work = async (): Promise<void> => {
    for (let page = pages.shift(); page !== undefined; page = pages.shift())
      await client.fetchQuery(pageQuery(input, page))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** Fetches every page, as printing needs them. */
export const useFetchAllPages = (): ((input: GridInput, count: number) => Promise<void>) => {
  const client = useQueryClient()
  return (input, count) => fetchAll(client, input, count)
}
