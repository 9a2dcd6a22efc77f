import { useLayoutEffect } from 'react'

/** Where the keyboard was when something opened over the page, it is again when that goes, unless it is elsewhere by then. */
export const useFocusBack = (isOpen: boolean): void => {
  useLayoutEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    }
  }, [isOpen])
}
