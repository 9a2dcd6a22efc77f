import type { en } from './en.ts'

export type Catalogue = typeof en

/** The texts that have been loaded: each module of the screens brings those of the domains that it names. */
export const catalogue = {} as Catalogue

/**
 * Called by the modules that the build makes of the domains (`scripts/words-by-use.ts`).
 *
 * @public
 */
export const addWords = <D extends keyof Catalogue>(domain: D, texts: Catalogue[D]): void => {
  catalogue[domain] = texts
}
