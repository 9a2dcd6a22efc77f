import { registerHooks } from 'node:module'

/**
 * Finds our own modules by their names alone. Node.js looks for each of a thousand files in the packages' descriptions, at what kind of
 * file it is, and whether it is a link: that is an eighth of what a start takes, and nothing of it is ever different here
 * (`docs/decisions/typescript-without-a-build.md`). For what is loaded after this file.
 */
const root = new URL('../', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => {
    const isOwn = specifier.endsWith('.ts') && (specifier.startsWith('#') || specifier.startsWith('.'))
    if (!isOwn) return next(specifier, context)
    const url = specifier.startsWith('#')
      ? root + specifier.slice(1)
      : new URL(specifier, context.parentURL).href
    return { url, format: 'module-typescript', shortCircuit: true }
  },
})
