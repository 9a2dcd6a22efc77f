import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { normalizePath } from 'vite'
import { isStaffAddress } from '#contract/core/pages.ts'
import type { Screen } from '../web/screen.ts'

const web = resolve(import.meta.dirname, '..', 'web')

/** How the build names a module of `web/`. */
export const idOf = (module: string): string => normalizePath(resolve(web, module))

const imported = (file: string) => import(pathToFileURL(resolve(web, file)).href)
// Imported as the program runs them, not built into the build.
const pages = (await imported('pages.ts')) as typeof import('../web/pages.ts')
const { ownScreens } = (await imported('own-pages.ts')) as typeof import('../web/own-pages.ts')
const { staffScreens } = (await imported('staff-pages.ts')) as typeof import('../web/staff-pages.ts')

/** The screens of the product. */
export const screens = { ...ownScreens, ...staffScreens }
export const { frames } = pages
/** What an address shows, with the screens themselves. */
export const screensAt = (path: string): Screen[] => pages.screensAt(path, (page) => screens[page])

/** The table that has the screens of an address. */
export const tableAt = (path: string): string => (isStaffAddress(path) ? 'staff-pages.ts' : 'own-pages.ts')

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
