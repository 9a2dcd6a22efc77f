import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useIsLow } from '../use-is-phone.ts'

export type RowWindow = {
  /** Indexes of the rows that are drawn. */
  visible: number[]
  /** Room for the rows before and after them, in px. */
  before: number
  after: number
  virtualizer: Virtualizer<HTMLDivElement, Element> | Virtualizer<Window, Element>
}

type Options = {
  count: number
  rowHeight: number
  /** How many rows are drawn beyond the visible ones. */
  overscan: number
  enabled: boolean
  scrollPaddingStart?: number
  /** The index of the row that is open, or -1: the rows begin with it in the middle. */
  findOpen: () => number
}

/** How much larger a reader has made the text; 1 unless they did. */
const textScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16

/**
 * Draws only the rows near the visible part: of the grid's own frame, or of the page where that scrolls as one because the
 * screen is low.
 */
export function useRowVirtualizer(scroller: RefObject<HTMLDivElement | null>, options: Options): RowWindow {
  const { count, rowHeight, overscan, enabled, scrollPaddingStart } = options
  const isLow = useIsLow()
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    if (isLow && enabled && scroller.current)
      setScrollMargin(scroller.current.getBoundingClientRect().top + window.scrollY)
  }, [isLow, enabled, scroller])
  const shared = { count, estimateSize: () => rowHeight * textScale(), overscan, scrollPaddingStart }
  const own = useVirtualizer<HTMLDivElement, Element>({
    ...shared,
    getScrollElement: () => scroller.current,
    enabled: enabled && !isLow,
  })
  const page = useWindowVirtualizer<Element>({ ...shared, scrollMargin, enabled: enabled && isLow })
  const virtualizer = isLow ? page : own
  const begin = useEffectEvent(() => {
    const open = options.findOpen()
    if (open >= 0) virtualizer.scrollToIndex(open, { align: 'center' })
  })
  const hasBegun = useRef(false)
  const isFilled = enabled && count > 0
  useEffect(() => {
    if (!isFilled || hasBegun.current) return
    hasBegun.current = true
    begin()
  }, [isFilled])
  if (!enabled)
    return { visible: Array.from({ length: count }, (_, index) => index), before: 0, after: 0, virtualizer }
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const margin = isLow ? scrollMargin : 0
  return {
    visible: items.map((item) => item.index),
    before: first ? first.start - margin : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - margin) : virtualizer.getTotalSize(),
    virtualizer,
  }
}
