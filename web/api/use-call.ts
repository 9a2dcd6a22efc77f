import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/core/endpoint.ts'
import { ActingContext } from './acting.ts'
import { type CallError, type CallOptions, call } from './call.ts'
import { isFromShell } from './root.ts'

const isPassing = (error: unknown): boolean => [0, 429, 503].includes((error as CallError).status)

/** One store for what was read; nothing is fetched again because a window got the focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails at once and the screen says so; it never waits in silence.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: false,
      staleTime: 15_000,
      // Where the network did not even bring the page, the screens show what the device has at once.
      retry: (count, error) => count < 2 && isPassing(error) && !isFromShell,
    },
  },
})

/** The key of everything read by an endpoint; with input, of one answer. */
export const readKey = (endpoint: AnyEndpoint, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.path] : [endpoint.path, input]

export interface ReadOptions {
  /** False waits, for input that is not known yet. */
  isEnabled?: boolean
  /** Keeps showing the last answer while one for other input is fetched; true unless said otherwise. */
  keepsLast?: boolean
  staleMs?: number
  /** Forgets the answer as soon as no screen shows it, for what a screen changes without reading it again. */
  isForgotten?: boolean
  /** Reads again at this pace; such a call is nobody's doing and does not keep the session alive. */
  refetchEveryMs?: number
}

/** Reads by a call of the contract; the same endpoint and input share one answer. */
export const useRead = <E extends AnyEndpoint>(
  endpoint: E,
  input?: InputOf<E>,
  options: ReadOptions = {},
) => {
  const { isEnabled = true, keepsLast = true } = options
  const acting = useContext(ActingContext)
  return useQuery<AnswerOf<E>, CallError>({
    queryKey: [...readKey(endpoint, input ?? {}), ...(acting ? [acting.account] : [])],
    queryFn: ({ signal }) =>
      call(endpoint, input as InputOf<E>, {
        signal,
        isBackground: options.refetchEveryMs !== undefined,
        ...(acting && { acting }),
      }),
    enabled: isEnabled,
    ...(keepsLast && { placeholderData: keepPreviousData }),
    ...(options.staleMs !== undefined && { staleTime: options.staleMs }),
    ...(options.isForgotten && { gcTime: 0 }),
    ...(options.refetchEveryMs !== undefined && { refetchInterval: options.refetchEveryMs }),
  })
}

export interface SaveOptions {
  /** What was read by these is read again afterwards. */
  refresh?: readonly AnyEndpoint[]
}

const isStale = (error: CallError): boolean => error.status === 409 && error.code === 'stale'

/** Changes by a call of the contract: `await save.run(input)` answers or throws CallError; `isRunning` while it works. */
export const useSave = <E extends AnyEndpoint>(endpoint: E, { refresh = [] }: SaveOptions = {}) => {
  const client = useQueryClient()
  const acting = useContext(ActingContext)
  const { mutateAsync, isPending } = useMutation<
    AnswerOf<E>,
    CallError,
    { input?: InputOf<E>; options?: CallOptions }
  >({
    mutationFn: ({ input, options }) => call(endpoint, input, acting ? { ...options, acting } : options),
    onSuccess: () =>
      Promise.all(refresh.map((read) => client.invalidateQueries({ queryKey: readKey(read) }))),
    // What the change was compared with is read again, so that the form shows what is different.
    onError: (error) =>
      isStale(error) && endpoint.basis
        ? client.invalidateQueries({ queryKey: readKey(endpoint.basis.read) })
        : undefined,
  })
  return {
    run: (input?: InputOf<E>, options?: CallOptions): Promise<AnswerOf<E>> => mutateAsync({ input, options }),
    isRunning: isPending,
  }
}
