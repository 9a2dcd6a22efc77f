import { useMemo } from 'react'
import { type TermKey, type Terms, termPlaceholders } from '#contract/terminology/terminology.ts'
import { useCurrentTerms } from '#web/api/use-state.ts'
import { defaultTerms } from './default-terms.ts'
import { plainWords, type Words, wordsOf } from './plain-words.ts'
import { filled } from './words.ts'

/** The texts of the product in the current program's wording. */
export const useWords = (): Words => {
  const terms = useCurrentTerms()
  return useMemo(() => (terms ? wordsOf(terms) : plainWords), [terms])
}

/** Fills the words of the current program into a text of the contract, such as the name of what is imported. */
export const useFilled = (): ((text: string) => string) => {
  const terms = useCurrentTerms()
  return useMemo(() => {
    const placeholders = termPlaceholders(terms ?? defaultTerms)
    return (text) => filled(text, placeholders)
  }, [terms])
}

/** One term of the current program, such as `term('site').Plural`. */
export const useTerm = (): ((key: TermKey) => Terms[TermKey]) => {
  const terms = useCurrentTerms()
  return useMemo(() => {
    const all = terms ?? defaultTerms
    return (key) => all[key]
  }, [terms])
}
