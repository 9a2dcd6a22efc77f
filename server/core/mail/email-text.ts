import type { FieldKind } from '#contract/communication/mail-templates-rules.ts'
import { escapeHtml } from './mail.ts'

/** HTML that the product has made, with everything in it escaped that comes from people. */
export interface MadeHtml {
  html: string
}

/** A list of texts. */
export const htmlList = (items: readonly string[]): MadeHtml => ({
  html: `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`,
})

/** Typed text: paragraphs and line breaks stay. */
export const htmlOfTyped = (typed: string): MadeHtml => ({
  html: typed
    .split(/\n\s*\n/)
    .map((part) => escapeHtml(part.trim()).replaceAll('\n', '<br>'))
    .filter(Boolean)
    .map((part) => `<p>${part}</p>`)
    .join(''),
})

export type Value = string | MadeHtml
export type Values = Readonly<Record<string, Value>>

type Part =
  | string
  /** `isAlone`: the placeholder is all that its paragraph holds. */
  | { field: string; kind: FieldKind; isAlone: boolean }
  | { term: string }

/** A text taken apart once, to be filled for many emails. */
export type Compiled = readonly Part[]

const parts = /<p>\s*\{\{\s*([\w.]+)\s*\}\}\s*<\/p>|\{\{\s*([\w.]+)\s*\}\}|\{([A-Za-z]+)\}/g

/** Takes a text or HTML apart into what stays, placeholders of known fields and words that follow the program's terminology. */
export const compile = (text: string, kinds: Readonly<Record<string, FieldKind>>): Compiled => {
  const result: Part[] = []
  let end = 0
  for (const match of text.matchAll(parts)) {
    const [all, alone, inline, term] = match
    const field = alone ?? inline
    const kind = field === undefined ? undefined : kinds[field]
    if (field !== undefined && kind === undefined) continue
    if (match.index > end) result.push(text.slice(end, match.index))
    // A match is a field of a known kind, or a term.
    result.push(kind ? { field: field!, kind, isAlone: alone !== undefined } : { term: term! })
    end = match.index + all.length
  }
  if (end < text.length) result.push(text.slice(end))
  return result
}

const htmlOf = (value: Value, kind: FieldKind): string =>
  typeof value !== 'string'
    ? value.html
    : kind === 'lines'
      ? escapeHtml(value).replace(/\r?\n/g, '<br>')
      : escapeHtml(value)

/**
 * Fills HTML: every value is escaped, and none is looked through for further placeholders. A paragraph of one placeholder
 * alone goes when that is empty, and makes room for a list.
 */
export const fillHtml = (
  compiled: Compiled,
  values: Values,
  terms: Readonly<Record<string, string>>,
): string =>
  compiled
    .map((part) => {
      if (typeof part === 'string') return part
      if ('term' in part) return escapeHtml(terms[part.term] ?? `{${part.term}}`)
      const value = values[part.field] ?? ''
      const html = htmlOf(value, part.kind)
      return part.isAlone && html !== '' && typeof value === 'string' ? `<p>${html}</p>` : html
    })
    .join('')

/** Fills one line of text, such as a subject; what is HTML stays out of it. */
export const fillText = (
  compiled: Compiled,
  values: Values,
  terms: Readonly<Record<string, string>>,
): string =>
  compiled
    .map((part) => {
      if (typeof part === 'string') return part
      if ('term' in part) return terms[part.term] ?? `{${part.term}}`
      const value = values[part.field] ?? ''
      return typeof value === 'string' ? value : ''
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
