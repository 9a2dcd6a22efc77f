/** The languages of the product. Pages of staff have the first one only (`readsLanguages`). */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }

/** The cookie of a browser whose person chose a language without being signed in. */
export const languageCookie = 'practicum_language'

export const isLanguage = (text: unknown): text is Language => languages.includes(text as Language)

/**
 * The language that a browser would rather read, by its `Accept-Language`: of those that it names, the one it prefers that the
 * product has. English for a header that names none of them.
 */
export const languageOfHeader = (header: string | undefined): Language => {
  const named = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, place) => {
      const [tag = '', ...more] = part.trim().toLowerCase().split(';')
      const quality = Number(/^\s*q=([\d.]+)/.exec(more.join(';'))?.[1] ?? 1)
      return { language: tag.split('-')[0], quality, place }
    })
    .filter(({ language, quality }) => isLanguage(language) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality || one.place - other.place)
  const [first] = named
  return isLanguage(first?.language) ? first.language : 'en'
}

/** One text in English and in another language; words in braces are whatever is between, the same on both sides. */
export type Pair = readonly [english: string, other: string]

/** A way to say texts of one language in another. Undefined for a text that is not known. */
export type Sayer = (text: string) => string | undefined

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Says whole English texts by a list of pairs. Between texts of the same beginning the more precise comes first: those without
 * braces, then the longer ones.
 */
export const sayerOf = (pairs: readonly Pair[]): Sayer => {
  const plain = new Map(pairs.filter(([english]) => !english.includes('{')))
  const patterns = pairs
    .filter(([english]) => english.includes('{'))
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([english, other]) => {
      const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const parts = english.split(/\{\w+\}/).map(escaped)
      return { pattern: new RegExp(`^${parts.join('(.+?)')}$`, 's'), names, other }
    })
  return (text) => {
    const known = plain.get(text)
    if (known !== undefined) return known
    for (const { pattern, names, other } of patterns) {
      const found = pattern.exec(text)
      if (found)
        return other.replace(/\{(\w+)\}/g, (all, name: string) => found[names.indexOf(name) + 1] ?? all)
    }
    return undefined
  }
}

/** Says a text of one or more sentences: as a whole, or sentence by sentence where each is known. Else as it is. */
export const said = (text: string, say: Sayer): string => {
  const whole = say(text)
  if (whole !== undefined) return whole
  const sentences = text.split(/(?<=[.?!]) +/)
  for (let length = sentences.length - 1; length > 0; length--) {
    const head = say(sentences.slice(0, length).join(' '))
    if (head === undefined) continue
    const tail = said(sentences.slice(length).join(' '), say)
    return `${head} ${tail}`
  }
  return text
}
