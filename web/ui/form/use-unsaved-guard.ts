import { useEffect } from 'react'
import { confirm } from '../confirm.ts'

/** Asks before unsaved text is left behind. */
export const askToLeave = (count: number) =>
  confirm({
    title: 'Leave without saving?',
    text: `${count} unsaved ${count === 1 ? 'change' : 'changes'} would be lost.`,
    verb: 'Leave',
    cancel: 'Stay',
    danger: true,
  })

/**
 * Guards unsaved changes: closing the tab asks the browser's question, and `useBlock` (the router's blocker, passed in
 * so that this folder needs no router) asks ours. `useBlock` is called with a function that answers true to stay.
 */
export function useUnsavedGuard(
  changedCount: number,
  useBlock?: (isUnsaved: boolean, shouldStay: () => Promise<boolean>) => void,
) {
  const isUnsaved = changedCount > 0
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  useBlock?.(isUnsaved, async () => !(await askToLeave(changedCount)))
}
