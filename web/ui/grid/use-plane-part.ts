import {
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { isSamePart, type PlanePart, type PlaneSizes, partInView, withAhead } from './plane-part.ts'

/** Until the size of the screen is known. */
const seenFirst: PlanePart = { rows: { from: 0, through: 14 }, columns: { from: 0, through: 13 } }

/**
 * Which part of a picture of rows and columns is drawn: at once what is in `view`, and in steps between which keys and presses are answered
 * what is `around` it. `look` notes where the picture was scrolled to, with the next picture rather than with the one after it.
 */
export const usePlanePart = (
  scroller: RefObject<HTMLElement | null>,
  { height, width, head, sticky }: PlaneSizes,
): { view: PlanePart; around: PlanePart; look: () => void } => {
  const [view, setView] = useState(seenFirst)
  const look = useCallback(() => {
    if (!scroller.current) return
    const now = partInView(scroller.current, { height, width, head, sticky })
    setView((before) => (isSamePart(before, now) ? before : now))
  }, [scroller, height, width, head, sticky])
  useLayoutEffect(look, [look])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, look])
  const around = useMemo(() => withAhead(view), [view])
  return { view, around: useDeferredValue(around, view), look }
}
