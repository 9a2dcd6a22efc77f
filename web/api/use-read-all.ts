import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { ActingContext } from './acting.ts'
import { type CallError, call } from './call.ts'
import { type ReadOptions, readKey } from './use-call.ts'

/** The most rows that a list answers at once. */
const mostAtOnce = 500

type RowOf<E extends AnyEndpoint> = AnswerOf<E> extends { Items: readonly (infer Row)[] } ? Row : never

/** Reads a list page by page until nothing is left, for choices and lists that have no pages of their own; its rows are `data`. */
export const useReadAll = <E extends AnyEndpoint>(
  endpoint: E,
  input: InputOf<E>,
  { isEnabled = true, staleMs, refetchEveryMs }: Omit<ReadOptions, 'keepsLast' | 'isForgotten'> = {},
) => {
  const acting = useContext(ActingContext)
  return useQuery<RowOf<E>[], CallError>({
    queryKey: [...readKey(endpoint, input), 'all', ...(acting ? [acting.account] : [])],
    queryFn: async ({ signal }) => {
      const rows: RowOf<E>[] = []
      const { query } = input as { query?: object }
      for (let page = 1; ; page++) {
        const { Items } = (await call(
          endpoint,
          { ...input, query: { ...query, page, pageSize: mostAtOnce } } as InputOf<E>,
          { signal, isBackground: refetchEveryMs !== undefined, ...(acting && { acting }) },
        )) as { Items: RowOf<E>[] }
        rows.push(...Items)
        if (Items.length < mostAtOnce) return rows
      }
    },
    enabled: isEnabled,
    ...(staleMs !== undefined && { staleTime: staleMs }),
    ...(refetchEveryMs !== undefined && { refetchInterval: refetchEveryMs }),
  })
}
