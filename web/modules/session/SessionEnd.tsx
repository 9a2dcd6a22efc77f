import { useEffect } from 'react'
import { getSession } from '#contract/identity/identity.ts'
import { getGlobals } from '#contract/session/session.ts'
import { call, lastActivityAt } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { later } from '#web/ui/later.tsx'

const SessionEndWarning = later(() => import('./SessionEndWarning.tsx').then((m) => m.SessionEndWarning))
/** Somebody who works without calling the server is reported to it this often. */
const tellMs = 120_000

/**
 * Warns before the session ends for want of activity (ServerTimeoutWarningMinutes; 0, the default, is off), counts down and
 * keeps it alive on demand. On a ward computer it always
 * does. Typing and pointing count as activity, also where they call nothing. The end comes from the
 * server, so that every window of the browser knows the same one.
 */
export function SessionEnd() {
  const globals = useRead(getGlobals, {}, { staleMs: 60_000 })
  const isShared = useAppState().data?.IsShared ?? false
  const asked = globals.data?.ServerTimeoutWarningMinutes ?? 0
  // Nobody may find on a ward computer what the person before left on the screen.
  const minutes = isShared ? Math.max(asked, 1) : asked
  useActivity()
  return minutes > 0 && <SessionEndWarning withinMs={minutes * 60_000} isShared={isShared} />
}

const useActivity = () => {
  useEffect(() => {
    const tell = () => {
      if (Date.now() - lastActivityAt() > tellMs) void call(getSession).catch(() => {})
    }
    addEventListener('keydown', tell)
    addEventListener('pointerdown', tell)
    return () => {
      removeEventListener('keydown', tell)
      removeEventListener('pointerdown', tell)
    }
  }, [])
}
