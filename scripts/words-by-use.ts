import { resolve } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { en } from '../web/words/en.ts'

type Nested = { readonly [name: string]: string | Nested }

const prefix = 'virtual:words/'
// By its path: names such as `#web/` mean nothing in a module that is no file.
const catalogue = normalizePath(resolve(import.meta.dirname, '..', 'web', 'words', 'catalogue.ts'))

const pathsOf = (texts: Nested, path = ''): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [`${path}${name}`] : pathsOf(text, `${path}${name}.`),
  )
const all = pathsOf(en)

/** The paths of the texts that code names: in full, alone or as a plural pair, or by how they begin (`time.${status}`). */
export const textsNamedIn = (code: string): string[] => {
  const named = new Set([...code.matchAll(/['"`]([A-Za-z]+\.[\w.]+)['"`]/g)].map(([, path]) => path))
  const begun = [...code.matchAll(/`([A-Za-z]+\.[\w.]*)\$\{/g)].map(([, path = '']) => path)
  return all.filter(
    (path) =>
      named.has(path) ||
      named.has(path.replace(/_(one|other)$/, '')) ||
      begun.some((beginning) => path.startsWith(beginning)),
  )
}

/** These texts of the catalogue, below each other as there. */
const pick = (texts: Nested, paths: readonly string[]): Nested =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]): [string, string | Nested][] => {
      if (typeof text === 'string') return paths.includes(name) ? [[name, text]] : []
      const below = paths.flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      )
      return below.length > 0 ? [[name, pick(text, below)]] : []
    }),
  )

/**
 * Lets every module of the screens bring the texts that it names, so that a page loads the words that are on it and not all of
 * the product.
 */
export const wordsByUse = (): Plugin => ({
  name: 'words-by-use',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load: (id) => {
    if (!id.startsWith(`\0${prefix}`)) return undefined
    const [paths = ''] = id.slice(prefix.length + 1).split('?')
    return `import { addWords } from '${catalogue}'
addWords(${JSON.stringify(pick(en, paths.split(',')))})`
  },
  transform: (code, id) => {
    if (!/\/web\/.+\.tsx?$/.test(id) || id.includes('/web/words/')) return undefined
    const paths = textsNamedIn(code)
    // Each module has its own, even where two name the same texts: shared ones would be a file for each set of screens. At the
    // end, where it moves no line; imports are carried out first wherever they are.
    return paths.length === 0
      ? undefined
      : {
          code: `${code}\nimport '${prefix}${paths.join()}?${id.slice(id.lastIndexOf('/web/') + 5).replaceAll('.', '-')}'`,
          map: null,
        }
  },
})
