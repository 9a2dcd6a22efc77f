let isPressed = false

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (isPressed = true), true)
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, () => setTimeout(() => (isPressed = false)), true)
}

/**
 * Runs `work` when nobody is pressing a button: at once, or after the press and its click have ended. What moves the page must
 * not move it between the two, or the click meets something else.
 */
export const afterPress = (work: () => void): void => {
  if (isPressed) window.addEventListener('pointerup', () => setTimeout(work), { once: true, capture: true })
  else work()
}
