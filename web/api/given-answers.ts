import type { Query } from '@tanstack/react-query'

/** When the answers were read that the screens have from the device, by query. */
const given = new Map<string, number>()

export const noteGiven = (query: readonly unknown[], at: number): void => {
  given.set(JSON.stringify(query), at)
}

/** Whether a query has what the device kept, and nothing newer. */
export const isFromDevice = ({ queryKey, state }: Query): boolean =>
  given.get(JSON.stringify(queryKey)) === state.dataUpdatedAt
