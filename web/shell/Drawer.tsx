import type { ReactNode } from 'react'
import { useEscape } from '#web/ui/escape.ts'
import { useFocusTrap } from '#web/ui/hooks.ts'
import { useFocusBack } from '#web/ui/use-focus-back.ts'
import classes from './Frame.module.css'

/** The menu over the page on a phone. Escape and a tap beside it close it; the focus stays inside and then returns. */
export function Drawer(props: { label: string; onClose: () => void; children: ReactNode }) {
  const { label, onClose, children } = props
  const trap = useFocusTrap()
  useFocusBack(true)
  useEscape(onClose, true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the scrim only shortens the way; Escape does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div className={classes.drawer} onClick={(event) => event.target === event.currentTarget && onClose()}>
      <div ref={trap} role="dialog" aria-modal="true" aria-label={label}>
        {children}
      </div>
    </div>
  )
}
