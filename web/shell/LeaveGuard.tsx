import { useEffect } from 'react'
import { placeOf, tabHistory } from '#web/api/place.ts'
import { askToLeave, unsavedAt, useHasUnsaved } from '#web/ui/form/unsaved.ts'
import { useWords } from '#web/words/use-words.ts'

/**
 * Asks before unsaved work is left, whatever leads away: a link, Back, Cancel or Escape. It is another page, or the same page
 * for another thing (the work names the parts of the address that tell).
 */
export function LeaveGuard() {
  const words = useWords()
  const hasUnsaved = useHasUnsaved()
  useEffect(() => {
    if (!hasUnsaved) return
    return tabHistory().block({
      enableBeforeUnload: false,
      blockerFn: async ({ currentLocation, nextLocation }) => {
        const [here, there] = [placeOf(currentLocation), placeOf(nextLocation)]
        const left = unsavedAt(
          (keys) => here.path !== there.path || keys.some((key) => here.search[key] !== there.search[key]),
        )
        return left.length > 0 && !(await askToLeave(words, left))
      },
    })
  }, [words, hasUnsaved])
  return null
}
