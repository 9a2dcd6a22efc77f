import type { Words } from '#web/words/plain-words.ts'
import { textOfHtml } from '../html-text.ts'

const mostLetters = 80

/** A value as a sentence names it; `own` is what its field shows for it. Undefined for what has no short text. */
export const shownText = (words: Words, value: unknown, own?: string): string | undefined => {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return words('ui.empty')
  if (own !== undefined) return own
  if (typeof value === 'boolean') return words(value ? 'ui.yes' : 'ui.no')
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const text = value.startsWith('<') ? textOfHtml(value) : value
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}
