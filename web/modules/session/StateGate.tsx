import { type ReactNode, useDeferredValue } from 'react'
import { getGlobals, type State } from '#contract/session/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'

/**
 * A shell once the state is there. What is above its page is known by then too, so that nothing moves down under the
 * finger. It is drawn in small steps (deferred), between which a slow phone answers touches.
 */
export function StateGate({ children }: { children: (state: State) => ReactNode }) {
  const state = useAppState()
  const globals = useRead(getGlobals, {}, { staleMs: 60_000 })
  const known = useDeferredValue(globals.isLoading ? undefined : state.data)
  if (state.error && !state.data)
    return <PageMessage kind="error" text={state.error.message} onRetry={() => void state.refetch()} />
  return known ? children(known) : null
}
