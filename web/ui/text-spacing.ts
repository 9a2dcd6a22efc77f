/** A reader's own spacing is larger than this, in parts of the size of the text; ours is less everywhere. */
const least = 0.05

/**
 * Tells the styles when a reader's own text spacing is on (WCAG 1.4.12), as style sheets and extensions of browsers set it, also after the
 * page has come: `data-spaced` at the root. Columns of tables then take more room, and what was kept on one line wraps.
 */
const watchTextSpacing = (): void => {
  const probe = document.createElement('span')
  probe.textContent = 'a b'
  probe.className = 'p-probe'
  probe.setAttribute('aria-hidden', 'true')
  document.body.append(probe)
  const look = () => {
    const { fontSize, letterSpacing, wordSpacing } = getComputedStyle(probe)
    const parts = [letterSpacing, wordSpacing].map(
      (text) => Number.parseFloat(text) / Number.parseFloat(fontSize),
    )
    document.documentElement.toggleAttribute(
      'data-spaced',
      parts.some((part) => part > least),
    )
  }
  // Spacing makes it wider, whenever it is set.
  new ResizeObserver(look).observe(probe)
}

watchTextSpacing()

export {}
