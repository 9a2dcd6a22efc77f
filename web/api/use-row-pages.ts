import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { type CallError, call } from './call.ts'
import { readKey } from './use-call.ts'

/** Where the rows of a long picture come from: pages of one size, each an answer of the endpoint. */
export interface RowSource<E extends AnyEndpoint, Row> {
  endpoint: E
  size: number
  /** What asks for the rows after so many. */
  inputAt: (offset: number) => InputOf<E>
  /** The rows of a page of which `offset` rows are before it: the same array whenever it is the same page. */
  rowsOf: (page: AnswerOf<E>, offset: number) => readonly Row[]
}

/** A page is asked for when the view comes this close to it. */
const rowsAhead = 30

const pageQuery = <E extends AnyEndpoint, Row>(
  { endpoint, size, inputAt }: RowSource<E, Row>,
  page: number,
) => {
  const input = inputAt(page * size)
  return {
    queryKey: readKey(endpoint, input),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<AnswerOf<E>> => call(endpoint, input, { signal }),
  }
}

export interface RowPages<E extends AnyEndpoint, Row> {
  /** Undefined while its page is on the way. The same function until a page comes or goes. */
  rowAt: (index: number) => Row | undefined
  /** The pages in view that are here. */
  pages: AnswerOf<E>[]
  /** Of a page in view that could not be read. */
  error: CallError | undefined
  retry: () => void
}

/** The list of before as long as it holds the same, so that what depends on it is not drawn again. */
const useSame = <Entry>(list: readonly Entry[]): readonly Entry[] => {
  const [before, setBefore] = useState(list)
  if (list.length === before.length && list.every((entry, at) => entry === before[at])) return before
  setBefore(list)
  return list
}

/** The pages around the rows in view; what was read before stays in the store, and what is no longer in view is not read again. */
export const useRowPages = <E extends AnyEndpoint, Row>(
  source: RowSource<E, Row>,
  count: number,
  first: number,
  last: number,
): RowPages<E, Row> => {
  const { size } = source
  const from = Math.floor(Math.max(0, first - rowsAhead) / size)
  const through = Math.floor(Math.min(Math.max(0, count - 1), last + rowsAhead) / size)
  const results = useQueries({
    queries: Array.from({ length: Math.max(0, through - from) + 1 }, (_, at) => pageQuery(source, from + at)),
  })
  const failed = results.find(({ error, data }) => error && !data)
  const lists = useSame(results.map(({ data }, at) => data && source.rowsOf(data, (from + at) * size)))
  const rowAt = useCallback(
    (index: number) => {
      const page = Math.floor(index / size)
      return lists[page - from]?.[index - page * size]
    },
    [lists, from, size],
  )
  return {
    rowAt,
    pages: results.flatMap(({ data }) => (data ? [data] : [])),
    // Calls fail with nothing else.
    error: (failed?.error as CallError | undefined) ?? undefined,
    retry: () => void failed?.refetch(),
  }
}

/** Reads at a time while everything is fetched: others use the server too. */
const atOnce = 3

const fetchAll = async <E extends AnyEndpoint, Row>(
  client: QueryClient,
  source: RowSource<E, Row>,
  count: number,
): Promise<Row[]> => {
  const total = Math.ceil(count / source.size)
  const rows: (readonly Row[])[] = []
  const pages = Array.from({ length: total }, (_, page) => page)
  const work = async (): Promise<void> => {
    for (let page = pages.shift(); page !== undefined; page = pages.shift())
      rows[page] = source.rowsOf(await client.fetchQuery(pageQuery(source, page)), page * source.size)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return rows.flat()
}

/** Fetches every page, as printing needs them, and answers their rows. */
export const useFetchAllRows = (): (<E extends AnyEndpoint, Row>(
  source: RowSource<E, Row>,
  count: number,
) => Promise<Row[]>) => {
  const client = useQueryClient()
  return (source, count) => fetchAll(client, source, count)
}
