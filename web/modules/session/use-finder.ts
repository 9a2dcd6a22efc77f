import { useEffect, useState } from 'react'

/** Fields and editors have their own use of keys. */
const keepsKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))

/** Opens the finder, also by ⌘K. `asked` counts how often it was called. */
export const useFinder = () => {
  const [asked, setAsked] = useState(0)
  const open = () => setAsked((count) => count + 1)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey || keepsKeys(event.target))
        return
      event.preventDefault()
      setAsked((count) => count + 1)
    }
    document.documentElement.addEventListener('keydown', onKeyDown)
    return () => document.documentElement.removeEventListener('keydown', onKeyDown)
  }, [])
  return { asked, open }
}
