import { identity } from './en/identity.ts'
import { wordsFrom } from './words.ts'

/** The texts of the pages before signing in, where no program and no wording is known yet: without all the others. */
export const entranceWords = wordsFrom({ identity })
