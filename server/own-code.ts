import { existsSync, readFileSync } from 'node:fs'
import { type ResolveFnOutput, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Finds modules by their names alone: ours, and those that a package's module names by their file. Node.js looks for each of two
 * thousand files in the packages' descriptions, at what kind of file it is, and whether it is a link: that is a fifth of what a start
 * takes, and nothing of it is ever different here (`docs/decisions/typescript-without-a-build.md`). A package that our modules name is
 * looked for once, not for each of them. For what is loaded after this file.
 */
const root = new URL('../', import.meta.url).href

/** Whether the `.js` files of a folder of packages are modules, by the nearest description above it. */
const areModules = new Map<string, boolean>()
const holdsModules = (folder: string): boolean => {
  const known = areModules.get(folder)
  if (known !== undefined) return known
  const description = fileURLToPath(`${folder}package.json`)
  const found = existsSync(description)
    ? JSON.parse(readFileSync(description, 'utf8')).type === 'module'
    : !folder.endsWith('/node_modules/') && holdsModules(new URL('../', folder).href)
  areModules.set(folder, found)
  return found
}

const packages = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve: (specifier, context, next) => {
    const isPath = specifier.startsWith('.')
    if (specifier.endsWith('.ts') && (isPath || specifier.startsWith('#'))) {
      const url = isPath ? new URL(specifier, context.parentURL).href : root + specifier.slice(1)
      return { url, format: 'module-typescript', shortCircuit: true }
    }
    const { parentURL = '' } = context
    if (!parentURL.startsWith(root) || !context.conditions.includes('import')) return next(specifier, context)
    const isOfPackage = parentURL.includes('/node_modules/')
    if (isPath && isOfPackage && specifier.endsWith('.js')) {
      const { href } = new URL(specifier, parentURL)
      return holdsModules(href.slice(0, href.lastIndexOf('/') + 1))
        ? { url: href, format: 'module', shortCircuit: true }
        : next(specifier, context)
    }
    if (isPath || isOfPackage || specifier.includes(':')) return next(specifier, context)
    const found = packages.get(specifier) ?? next(specifier, context)
    packages.set(specifier, found)
    return { ...found, shortCircuit: true }
  },
})
