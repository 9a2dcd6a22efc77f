import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite'
import { spanishTerms } from '../contract/terminology/spanish-terms.ts'
import { en } from '../web/words/en.ts'
import { es } from '../web/words/es.ts'

type Nested = { readonly [name: string]: string | Nested }

const prefix = 'virtual:words/'
// By their paths: names such as `#web/` mean nothing in a module that is no file.
const wordsModule = (name: string): string =>
  normalizePath(resolve(import.meta.dirname, '..', 'web', 'words', name))

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

/** These texts of a catalogue, below each other as there; what it lacks comes from `instead`. */
export const pick = (texts: Nested | undefined, paths: readonly string[], instead: Nested): Nested =>
  Object.fromEntries(
    Object.entries(instead).flatMap(([name, other]): [string, string | Nested][] => {
      const own = texts?.[name]
      if (typeof other === 'string')
        return paths.includes(name) ? [[name, typeof own === 'string' ? own : other]] : []
      const below = paths.flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      )
      return below.length > 0 ? [[name, pick(own as Nested | undefined, below, other)]] : []
    }),
  )

/** As code, with the names of an object as they are written by hand: packed as small as what the build makes itself. */
const asCode = (value: unknown): string => JSON.stringify(value).replace(/(?<=[{,])"([A-Za-z]\w*)":/g, '$1:')

/** What takes the place of a marker in the files of each language. */
interface Spoken {
  en: string
  es: string
}
const spokenBy = new Map<string, Spoken>()

/**
 * A text that stands in the code for what each language has there. Its own name changes with any of them, and with it the name
 * of the file: browsers keep files for a year.
 */
const markerOf = (spoken: Spoken): string => {
  const name = createHash('sha256').update(JSON.stringify(spoken)).digest('hex').slice(0, 16)
  spokenBy.set(name, spoken)
  return `"words-of-${name}"`
}
const marker = /["'`]words-of-([0-9a-f]{16})["'`]/g

/** The code of a file in a language. In Spanish it is a folder deeper than the styles and pictures that it names. */
const inLanguage = (code: string, language: keyof Spoken): string => {
  const filled = code.replace(marker, (_all, name: string) => {
    const spoken = spokenBy.get(name)
    if (!spoken) throw new Error(`The words ${name} were made by another build.`)
    return spoken[language]
  })
  return language === 'en' ? filled : filled.replace(/(["'`])\.\/(?=[\w.~-]+\.(?!js\b)\w+\1)/g, '$1../')
}

/** Where a script of the build is in Spanish. */
const inSpanish = (fileName: string): string => fileName.replace('assets/', 'assets/es/')

const termsOfLanguage = 'virtual:terms-of-language'

/**
 * Lets every module of the screens bring the texts that it names, so that a page loads the words that are on it and not all of
 * the product; and in one language: the build writes each script twice, for English to `assets/` and for Spanish to `assets/es/`, with
 * the same names and imports. The server says in the HTML which of them a page begins with, and they load each other.
 */
export const wordsByUse = (): Plugin => {
  let config: ResolvedConfig
  /** Code for a value of each language: while developing both, for the page to choose. */
  const choice = (spoken: Spoken): string =>
    config.command === 'build' ? markerOf(spoken) : `language === 'es' ? ${spoken.es} : ${spoken.en}`
  const languageImport = () =>
    config.command === 'build' ? '' : `import { language } from '${wordsModule('language.ts')}'\n`
  return {
    name: 'words-by-use',
    configResolved: (resolved) => {
      config = resolved
    },
    resolveId: (id) => (id.startsWith(prefix) || id === termsOfLanguage ? `\0${id}` : undefined),
    load: (id) => {
      if (id === `\0${termsOfLanguage}`)
        return `${languageImport()}export default ${choice({ en: 'undefined', es: asCode(spanishTerms) })}`
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [named = ''] = id.slice(prefix.length + 1).split('?')
      const paths = named.split(',')
      return `import { addWords } from '${wordsModule('catalogue.ts')}'
${languageImport()}addWords(${choice({ en: asCode(pick(en, paths, en)), es: asCode(pick(es, paths, en)) })})`
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
    writeBundle: {
      sequential: true,
      order: 'pre',
      // On the disk, where nothing of the build changes the files any longer.
      handler: async ({ dir }, bundle) => {
        if (!dir) return
        await mkdir(join(dir, 'assets', 'es'), { recursive: true })
        await Promise.all(
          Object.values(bundle)
            .filter((file) => file.type === 'chunk' && file.fileName.startsWith('assets/'))
            .map(async ({ fileName }) => {
              const code = await readFile(join(dir, fileName), 'utf8')
              await writeFile(join(dir, fileName), inLanguage(code, 'en'))
              await writeFile(join(dir, inSpanish(fileName)), inLanguage(code, 'es'))
            }),
        )
      },
    },
  }
}
