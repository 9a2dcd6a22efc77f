import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { askToLeave, useUnsavedGuard } from '#web/ui/form/use-unsaved-guard.ts'

interface Place {
  pathname: string
  search: Record<string, string>
}

/**
 * Asks before unsaved work is left: another page, or the same page for another thing (`keys` of the address name it). The
 * answer is a function that lets the next step pass, for after saving.
 */
export const useLeaveGuard = (changedCount: number, keys: readonly string[] = []): (() => void) => {
  const mayLeave = useRef(false)
  useUnsavedGuard(changedCount)
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const [here, there] = [current, next] as unknown as [Place, Place]
      const isElsewhere =
        here.pathname !== there.pathname || keys.some((key) => here.search[key] !== there.search[key])
      if (!isElsewhere || changedCount === 0 || mayLeave.current) return false
      return !(await askToLeave(changedCount))
    },
    enableBeforeUnload: false,
  })
  return () => {
    mayLeave.current = true
  }
}
