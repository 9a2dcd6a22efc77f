import type { ReactNode } from 'react'
import { getGlobals, type State } from '#contract/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'

/**
 * A shell once the state is there. What stands above its page is known by then too, so that nothing moves down under the
 * finger.
 */
export function StateGate({ children }: { children: (state: State) => ReactNode }) {
  const state = useAppState()
  const globals = useRead(getGlobals, {}, { staleMs: 60_000 })
  if (state.error)
    return <PageMessage kind="error" text={state.error.message} onRetry={() => void state.refetch()} />
  if (!state.data || globals.isLoading) return null
  return children(state.data)
}
