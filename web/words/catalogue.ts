import type { en } from './en.ts'

export type Catalogue = typeof en
type Texts = { [name: string]: string | Texts }

/** The texts that have been loaded: each module of the screens brings those that it names. */
export const catalogue = {} as Catalogue

const add = (texts: Texts, to: Texts): void => {
  for (const [name, text] of Object.entries(texts)) {
    const known = to[name]
    if (typeof text === 'object' && typeof known === 'object') add(text, known)
    else to[name] = text
  }
}

/**
 * Called by the modules that the build makes of the texts (`scripts/words-by-use.ts`).
 *
 * @public
 */
export const addWords = (texts: Texts): void => add(texts, catalogue)
