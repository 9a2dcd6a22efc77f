import i18next from 'i18next'
import { useMemo } from 'react'
import { type TermKey, type Terms, termPlaceholders, termsOf } from '#contract/terminology.ts'
import { useCurrentTerms } from '#web/api/use-state.ts'
import { en } from './en.ts'

void i18next.init({
  lng: 'en',
  resources: { en: { translation: en } },
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
  returnNull: false,
})

export type Catalogue = typeof en
type Keys<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${P}${K}` : Keys<T[K], `${P}${K}.`>
}[keyof T & string]
/** The path of a text in the catalogue, such as 'areas.title'; plural pairs are named without _one and _other. */
export type WordKey = Keys<Catalogue> | StripPlural<Keys<Catalogue>>
type StripPlural<K extends string> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : never

export type Words = (key: WordKey, values?: Record<string, string | number>) => string

/** Texts with the given wording: `{site}`, `{Sites}` and so on are filled in, besides the values passed. */
export const wordsOf = (terms: Terms): Words => {
  const placeholders = termPlaceholders(terms)
  return (key, values) =>
    i18next.t(key as never, { ...placeholders, ...values } as never) as unknown as string
}

const defaultWords = wordsOf(termsOf([]))

/** The texts of the product in the current program's wording (D1-008). */
export const useWords = (): Words => {
  const terms = useCurrentTerms()
  return useMemo(() => (terms ? wordsOf(terms) : defaultWords), [terms])
}

/** One term of the current program, such as `term('site').Plural`. */
export const useTerm = (): ((key: TermKey) => Terms[TermKey]) => {
  const terms = useCurrentTerms()
  return useMemo(() => {
    const all = terms ?? termsOf([])
    return (key) => all[key]
  }, [terms])
}
