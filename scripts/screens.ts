import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { normalizePath } from 'vite'
import type { PageEntry } from '../web/pages.ts'

const web = resolve(import.meta.dirname, '..', 'web')

/** How the build names a module of `web/`. */
export const idOf = (module: string): string => normalizePath(resolve(web, module))

/** The addresses of the product with the screens that they show. Imported as the program runs it, not built into the build. */
export const { pages, frames, entriesAt } = (await import(
  pathToFileURL(resolve(web, 'pages.ts')).href
)) as typeof import('../web/pages.ts')

/** The module of a screen, by its path in `web/`. */
export const moduleOf = ({ load, path }: PageEntry): string => {
  const [, module] = /import\(['"]\.\/(.+?)['"]\)/.exec(String(load)) ?? []
  if (!module) throw new Error(`The page ${path} does not import its module by name.`)
  return module
}
