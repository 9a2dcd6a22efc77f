import { type Terms, termPlaceholders } from '#contract/terminology/terminology.ts'
import { type Catalogue, catalogue } from './catalogue.ts'
import { defaultTerms } from './default-terms.ts'
import { type KeyOf, type Values, wordsFrom } from './words.ts'

export type WordKey = KeyOf<Catalogue>
export type Words = (key: WordKey, values?: Values) => string

/** Texts with the given wording: `{site}`, `{Sites}` and so on are filled in, besides the values passed. */
export const wordsOf = (terms: Terms): Words => wordsFrom(catalogue, termPlaceholders(terms))

/**
 * Texts without words of a program, for what no component shows and for what there are thousands of. The login page has no
 * others: it comes without what reads the program's.
 */
export const plainWords = wordsOf(defaultTerms)
