import { createContext } from 'react'
import type { Terms } from '#contract/terminology/terminology.ts'
import { plainWords, type Words } from './plain-words.ts'

/** The terms of the program that is worked on; undefined until they are read. */
export const TermsContext = createContext<Terms | undefined>(undefined)

/** The texts in its wording. */
export const WordsContext = createContext<Words>(plainWords)
