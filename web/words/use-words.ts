import { useContext, useMemo } from 'react'
import { type TermKey, type Terms, termPlaceholders } from '#contract/terminology/terminology.ts'
import { defaultTerms } from './default-terms.ts'
import type { Words } from './plain-words.ts'
import { filled } from './words.ts'
import { TermsContext, WordsContext } from './words-context.ts'

/** The texts of the product in the current program's wording. */
export const useWords = (): Words => useContext(WordsContext)

/** Fills the words of the current program into a text of the contract, such as the name of what is imported. */
export const useFilled = (): ((text: string) => string) => {
  const terms = useContext(TermsContext)
  return useMemo(() => {
    const placeholders = termPlaceholders(terms ?? defaultTerms)
    return (text) => filled(text, placeholders)
  }, [terms])
}

/** One term of the current program, such as `term('site').Plural`. */
export const useTerm = (): ((key: TermKey) => Terms[TermKey]) => {
  const terms = useContext(TermsContext)
  return useMemo(() => {
    const all = terms ?? defaultTerms
    return (key) => all[key]
  }, [terms])
}
