import { infiniteQueryOptions } from '@tanstack/react-query'
import { listOwnRecords } from '#contract/time/clock.ts'
import { call } from '#web/api/call.ts'
import { readKey } from '#web/api/use-call.ts'

/** Which of the own records are shown. */
export type Show = 'all' | 'pending' | 'rejected' | 'absences'

/** The own records, part by part. */
export const ownRecords = (show: Show) =>
  infiniteQueryOptions({
    queryKey: readKey(listOwnRecords, { show }),
    queryFn: ({ pageParam, signal }) =>
      call(listOwnRecords, { query: { Show: show, ...(pageParam && { cursor: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.NextCursor ?? undefined,
  })
