import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '#contract/language/language.ts'
import type { OfflineFiles } from './offline-files.ts'

/** What a browser fetches for a page before it shows: paths in `dist/`, and calls by their path below `/new/api`. */
export interface Announced {
  scripts: string[]
  styles: string[]
  reads: string[]
}

/** `dist/pages.json`, as the build writes it (`scripts/page-list.ts`). */
export interface PageList {
  /** The font that every page is written in. */
  fonts: string[]
  /** Scripts that every page but the login page loads once it is drawn. */
  afterwards: string[]
  login: Announced
  /** `address` is a regular expression on the address below `/new/`, without a slash at its end; the first that fits. */
  pages: (Announced & { address: string })[]
}

/** The build writes it last: one of a release before it, or one that is not finished, has none. */
const lastFile = 'sw.js'
const lookMs = 1_000

interface Pages extends OfflineFiles {
  /** The HTML of an address below `/new`. */
  htmlOf: (path: string, language: Language) => string
}

/**
 * The page with its addresses and the root written in; undefined before the first build. What the page at an address
 * begins with, code and answers, is announced in it (`modulepreload`, `preload`), so that a browser fetches it beside the entry
 * and not after it: on a phone's connection each step of a chain costs a fifth of a second.
 */
const readPages = (root: string, dist: string): Pages | undefined => {
  const [htmlFile, listFile, worker, manifest] = [
    'index.html',
    'pages.json',
    lastFile,
    'manifest.webmanifest',
  ].map((name) => join(dist, name)) as [string, string, string, string]
  if (![htmlFile, listFile, worker, manifest].every((file) => existsSync(file))) return undefined
  const { fonts, afterwards, login, pages } = JSON.parse(readFileSync(listFile, 'utf8')) as PageList
  const bare = readFileSync(htmlFile, 'utf8')
    .replaceAll('"./', `"${root}/new/`)
    .replace('name="app-root" content=""', `name="app-root" content="${root}"`)
  const announcing = (announced: Announced): string => {
    const { scripts, styles, reads } = announced
    const link = ([kind, path]: readonly [string, string]): string => {
      const address = `${root}/new/${path}`
      return bare.includes(`"${address}"`) ? '' : `<link rel="${kind}" crossorigin href="${address}">`
    }
    const links = [
      ...reads.map((path) => ['preload" as="fetch', `api${path}`] as const),
      ...styles.map((file) => ['preload" as="style', file] as const),
      ...scripts.map((file) => ['modulepreload', file] as const),
    ].map(link)
    // A browser paints nothing before a font that the head announces; the mark need not wait for it.
    const fontLinks = fonts.map((file) => link(['preload" as="font" type="font/woff2', file]))
    const later =
      announced === login
        ? []
        : afterwards.map((file) => `<meta name="afterwards" content="${root}/new/${file}">`)
    return bare
      .replace('</head>', `${[...links, ...later].join('')}</head>`)
      .replace('</body>', `${fontLinks.join('')}</body>`)
  }
  const html = new Map<Announced, string>()
  const htmlWith = (announced: Announced): string => {
    const made = html.get(announced) ?? announcing(announced)
    html.set(announced, made)
    return made
  }
  const inSpanish = (page: string): string =>
    page
      .replace('<html lang="en">', '<html lang="es">')
      .replaceAll(/(\/new\/assets\/)(?=[^"/]+\.js")/g, '$1es/')
      .replace(englishDescription, spanishDescription)
      .replace(englishLate, spanishLate)
  const spanish = new Map<string, string>()
  const inLanguage = (page: string, language: Language): string => {
    if (language === 'en') return page
    const made = spanish.get(page) ?? inSpanish(page)
    spanish.set(page, made)
    return made
  }
  const listed = pages.map((page) => ({ page, address: new RegExp(page.address) }))
  // The last address of the table fits everything.
  const announcedAt = (below: string): Announced => listed.find(({ address }) => address.test(below))!.page
  const shell = announcing({ ...announcedAt('clock'), reads: [] })
    .replace(collegeMeta, '')
    .replace('</head>', '<meta name="from-shell" content="yes"></head>')
  return {
    htmlOf: (path, language) =>
      inLanguage(htmlWith(path === '/login' ? login : announcedAt(path.replace(/^\/|\/$/g, ''))), language),
    shellOf: (language) => inLanguage(shell, language),
    worker: readFileSync(worker),
    manifest: readFileSync(manifest),
  }
}

/**
 * The pages as the last build left them. One that is made beneath the running server takes over: the pages of the one before name files
 * that are gone. While it is being made, and where it cannot be read, those before it stay.
 */
export const openPagesOf = (root: string, dist: string): (() => Pages) | undefined => {
  const first = readPages(root, dist)
  if (!first) return undefined
  const builtAt = (): number | undefined => statSync(join(dist, lastFile), { throwIfNoEntry: false })?.mtimeMs
  let [pages, built, looked] = [first, builtAt(), Date.now()]
  return () => {
    if (Date.now() - looked < lookMs) return pages
    looked = Date.now()
    const now = builtAt()
    if (now === undefined || now === built) return pages
    try {
      const read = readPages(root, dist)
      if (read) [pages, built] = [read, now]
    } catch {
      // Half written: the next page that is asked for looks again.
    }
    return pages
  }
}

/** What search engines and shared links say of the product. */
const englishDescription = 'Clinical education and student placement: schedule, hours and evaluations.'
const spanishDescription = 'Formación clínica y prácticas de estudiantes: calendario, horas y evaluaciones.'

const englishLate = 'Practicum is taking a while to load. <a href="">Reload</a>'
const spanishLate = 'Practicum tarda en cargar. <a href="">Volver a cargar</a>'

/** Where a college has a way to sign in: `web.ts` leaves it in the login page only then. */
export const collegeMeta = '<meta name="college-sign-in" content="yes" />'
