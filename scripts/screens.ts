import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { normalizePath } from 'vite'
import type { Screen } from '../web/pages.ts'

const web = resolve(import.meta.dirname, '..', 'web')

/** How the build names a module of `web/`. */
export const idOf = (module: string): string => normalizePath(resolve(web, module))

/** The screens of the product. Imported as the program runs it, not built into the build. */
export const { screens, frames, screensAt } = (await import(
  pathToFileURL(resolve(web, 'pages.ts')).href
)) as typeof import('../web/pages.ts')

/** The pages that the screens belong to, in the order of the table. */
export const { allPages } = (await import(
  pathToFileURL(resolve(web, '..', 'contract', 'core', 'pages.ts')).href
)) as typeof import('#contract/core/pages.ts')

/** The module of a screen, by its path in `web/`. */
export const moduleOf = ({ load, name }: Screen): string => {
  const [, module] = /import\(['"]\.\/(.+?)['"]\)/.exec(String(load)) ?? []
  if (!module) throw new Error(`The screen ${name} does not import its module by name.`)
  return module
}
