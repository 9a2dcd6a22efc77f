import { useUnsaved } from '#web/ui/form/unsaved.ts'

/**
 * Unsaved work of a page that is not a form. The answer is a function that lets the next step pass, for after saving; forms
 * tell about theirs by themselves.
 */
export const useLeaveGuard = (changedCount: number, keys: readonly string[] = []): (() => void) =>
  useUnsaved({ count: changedCount, hasDraft: false, keys })
