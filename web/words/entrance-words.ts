import { type Catalogue, catalogue } from './catalogue.ts'
import { wordsFrom } from './words.ts'

/** The texts of the pages before signing in and of calls that fail, where no program and no wording is known yet: without the terms of programs. */
export const entranceWords = wordsFrom(catalogue as Pick<Catalogue, 'identity' | 'call'>)
