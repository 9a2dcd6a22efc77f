import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { openLayer, openLayers } from './layers.ts'

/** Lists, calendars and menus that float over the page. */
const floating = '.mantine-Popover-dropdown, .mantine-Menu-dropdown'

/** Closed ones may stay in the document, without a box. */
const hasFloat = (): boolean =>
  [...document.querySelectorAll(floating)].some((each) => each.getClientRects().length > 0)

let closedFloat = false

if (typeof window !== 'undefined') {
  // Before anything else hears of the key: what floats closes itself, and this press has done its work then.
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape') closedFloat = hasFloat()
    },
    true,
  )
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || closedFloat) return
    const top = openLayers.findLast(({ isDialog }) => isDialog)
    if (!top) return
    event.preventDefault()
    top.close()
  })
}

/** Whether the running press of Escape closes something that floats, and therefore nothing else. */
export const escapeClosesFloat = (): boolean => closedFloat

/** Whether a dialog or sheet hears Escape, though the focus may still be on its way into it. */
export const dialogHearsEscape = (): boolean => openLayers.some(({ isDialog }) => isDialog)

/**
 * Runs `work` when Escape is pressed anywhere, or Back on a phone: the component that asked last goes first, and only when nothing
 * floats over it. For dialogs and sheets.
 */
export const useEscape = (work: () => void, isActive: boolean): void => {
  const newest = useRef(work)
  newest.current = work
  // Before it is painted: whoever sees a dialog can close it.
  useLayoutEffect(() => {
    if (!isActive) return
    return openLayer({ close: () => newest.current(), isDialog: true })
  }, [isActive])
}

/** Runs `close` on Escape, and on Back of a phone, while something floats, also while the focus is on its way into it: it would not hear of the key itself. */
export const useEscapeFrom = (isOpen: boolean, close: () => void): void => {
  const newest = useRef(close)
  newest.current = close
  useEffect(() => {
    if (!isOpen) return
    const hear = (event: KeyboardEvent) => event.key === 'Escape' && newest.current()
    window.addEventListener('keydown', hear)
    const closeLayer = openLayer({ close: () => newest.current(), isDialog: false })
    return () => {
      window.removeEventListener('keydown', hear)
      closeLayer()
    }
  }, [isOpen])
}

/** Whether a menu is open. Escape closes it. */
export const useMenu = (isOpenAtFirst: boolean): [boolean, (isOpen: boolean) => void] => {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  useEscapeFrom(isOpen, () => setOpen(false))
  return [isOpen, setOpen]
}
