import termsOfLanguage from 'virtual:terms-of-language'
import { type Terms, termsOf } from '#contract/terminology/terminology.ts'

/** The words of a program that renames none, in the language of the page. */
export const defaultTerms: Terms = termsOf([], termsOfLanguage)
