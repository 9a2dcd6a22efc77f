import { useEffect, useRef, useState } from 'react'

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

/**
 * The text of a search whose letters count from the press that opens it, wherever the focus is until the search has it: code may
 * have to come first, and the focus moves more than once.
 */
export const useEarlyLetters = () => {
  const [text, setText] = useState('')
  const [isAwaited, setAwaited] = useState(false)
  const current = useRef(text)
  current.current = text
  useEffect(() => {
    if (!isAwaited) return
    const stop = (): void => setAwaited(false)
    const focused = ({ target }: FocusEvent): void => {
      if (isField(target)) stop()
    }
    const pressed = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (isField(target) || key === 'Escape' || key === 'Tab') {
        stop()
        return
      }
      // A blank alone presses the button that has the focus.
      if (key.length !== 1 || ctrlKey || metaKey || altKey || (key === ' ' && current.current === '')) return
      event.preventDefault()
      event.stopPropagation()
      current.current += key
      setText(current.current)
    }
    document.addEventListener('keydown', pressed, true)
    document.addEventListener('focusin', focused)
    document.addEventListener('pointerdown', stop)
    return () => {
      document.removeEventListener('keydown', pressed, true)
      document.removeEventListener('focusin', focused)
      document.removeEventListener('pointerdown', stop)
    }
  }, [isAwaited])
  return { text, setText, await: () => setAwaited(true) }
}
