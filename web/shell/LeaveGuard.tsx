import { Outlet, useBlocker } from '@tanstack/react-router'
import { askToLeave, unsavedAt, useHasUnsaved } from '#web/ui/form/unsaved.ts'
import { useWords } from '#web/words/use-words.ts'

interface Place {
  pathname: string
  search: Record<string, string>
}

/**
 * All pages. Asks before unsaved work is left, whatever leads away: a link, Back, Cancel or Escape. It is another page, or
 * the same page for another thing (the work names the parts of the address that tell).
 */
export function LeaveGuard() {
  const words = useWords()
  const hasUnsaved = useHasUnsaved()
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Without a registered router the library does not know its places.
      const [here, there] = [current, next] as unknown as [Place, Place]
      const left = unsavedAt(
        (keys) =>
          here.pathname !== there.pathname || keys.some((key) => here.search[key] !== there.search[key]),
      )
      return left.length > 0 && !(await askToLeave(words, left))
    },
    enableBeforeUnload: false,
    disabled: !hasUnsaved,
  })
  return <Outlet />
}
