import { focusManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { getState } from '#contract/session/session.ts'
import { CallError, call, logFailure } from './call.ts'
import { queryClient } from './use-call.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('D1-302 a call that is not answered within 60 seconds ends and says so', async () => {
  const clock = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal)
  vi.stubGlobal(
    'fetch',
    (_address: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason))
      }),
  )
  const answer = call(getState).catch((error: unknown) => error)
  await vi.waitFor(() => expect(timeout).toHaveBeenCalledWith(60_000))
  clock.abort(new DOMException('', 'TimeoutError'))
  expect(await answer).toMatchObject({ status: 0, code: 'unanswered' })
})

test('D1-303 what was read is not read again because the window gets the focus', async () => {
  const read = vi.fn(async () => 'read')
  const readAgain = vi.fn(async () => 'read')
  queryClient.mount()
  const stops = [
    new QueryObserver(queryClient, { queryKey: ['focus'], queryFn: read, staleTime: 0 }),
    new QueryObserver(queryClient, {
      queryKey: ['focus', 'else'],
      queryFn: readAgain,
      refetchOnWindowFocus: 'always',
    }),
  ].map((observer) => observer.subscribe(() => {}))
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await vi.waitFor(() => expect(readAgain).toHaveBeenCalledTimes(2))
  expect(read).toHaveBeenCalledTimes(1)
  for (const stop of stops) stop()
  queryClient.unmount()
  queryClient.clear()
})

test('D1-309 D3-344 a failure that is only logged names the HTTP status in the console', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  logFailure('Deleting news', new CallError(503, { Message: 'Try again.' }))
  logFailure('Deleting news', new TypeError('no network'))
  expect(logged.mock.calls).toEqual([['Deleting news: HTTP 503'], ['Deleting news: HTTP 0']])
})
