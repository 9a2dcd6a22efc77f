import type { Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { aroundPages } from '#web/api/around-pages.ts'
import { CallError } from '#web/api/call.ts'
import { isFromDevice } from '#web/api/given-answers.ts'
import { queryClient } from '#web/api/use-call.ts'

/** What surrounds every page: older than what a page shows, and of no interest in itself. */
const around = new Set(aroundPages.map(({ path }) => path))

const isUnanswered = (error: unknown): boolean =>
  error instanceof CallError && [0, 502, 503, 504].includes(error.status)

/** What a query has is of another time than now. */
export const isOld = (query: Query): boolean =>
  isFromDevice(query) || (query.state.data !== undefined && isUnanswered(query.state.error))

const keptSince = (): number | undefined => {
  const kept = queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => query.isActive() && isOld(query))
  const own = kept.filter(({ queryKey }) => !around.has(String(queryKey[0])))
  const times = (own.length > 0 ? own : kept).map(({ state }) => state.dataUpdatedAt)
  return times.length > 0 ? Math.min(...times) : undefined
}

const watch = (listener: () => void): (() => void) => queryClient.getQueryCache().subscribe(listener)

/** Since when the oldest of what is shown could not be read again; undefined while all of it is of now. */
export const useKeptSince = (): number | undefined => useSyncExternalStore(watch, keptSince)
