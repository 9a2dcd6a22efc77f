import {
  cloneElement,
  type FocusEvent,
  type MouseEvent,
  type ReactElement,
  startTransition,
  useEffect,
  useState,
} from 'react'
import { later } from './later.tsx'

interface TargetProps {
  onMouseEnter?: (event: MouseEvent<HTMLElement>) => void
  onMouseLeave?: (event: MouseEvent<HTMLElement>) => void
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  onBlur?: (event: FocusEvent<HTMLElement>) => void
}

export interface HintProps {
  text: string
  /** Widest in px. */
  width?: number
  /** Without it the element is left as it is. */
  isOn?: boolean
  /** One element that can be pointed at. */
  children: ReactElement
}

const HintBubble = later(() => import('./HintBubble.tsx').then((m) => m.HintBubble))

/** Words about something for the pointer, the keyboard and the finger. The code that places them comes when they first show. */
export function Hint({ text, width, isOn = true, children }: HintProps) {
  const [target, setTarget] = useState<HTMLElement>()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
  if (!isOn) return children
  // When there is time for it: Tab, held down, passes many hints, and a page that is still busy would not come to its own updates
  // for all of theirs, which React ends with an error after fifty.
  const show = (element: HTMLElement) =>
    startTransition(() => {
      setTarget(element)
      setOpen(true)
    })
  const hide = () => startTransition(() => setOpen(false))
  // Any element that can be pointed at takes these.
  const own = children.props as TargetProps
  return (
    <>
      {cloneElement<TargetProps>(children as ReactElement<TargetProps>, {
        onMouseEnter: (event) => {
          own.onMouseEnter?.(event)
          show(event.currentTarget)
        },
        onMouseLeave: (event) => {
          own.onMouseLeave?.(event)
          hide()
        },
        onFocus: (event) => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget)
        },
        onBlur: (event) => {
          own.onBlur?.(event)
          hide()
        },
      })}
      {target && <HintBubble target={target} text={text} isOpen={isOpen} {...(width && { width })} />}
    </>
  )
}
