import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'
import { contractOfScreens } from './contract-of-screens.ts'
import { type Built, filesOf, loadedLater } from './page-list.ts'
import { idOf, moduleOf, screensAt } from './screens.ts'

const web = resolve(import.meta.dirname, '..', 'web')

/** The pages that open without a network, by their addresses. */
const kept = [
  '',
  'clock',
  'schedule',
  'hours',
  'evaluate',
  'evaluate/1',
  'more',
  'competencies',
  'competencies/log',
  'safety',
  'not-found',
]
/** What every page has, and what a page does once it is there. */
const always = ['main.ts', 'app.tsx', 'hands.ts', 'offline.ts', 'from-shell.ts', 'finish-sign-out.ts']

/** What no page of these uses although its module is with one, and the list of all pages. */
const never = ['pages.ts', 'own-pages.ts', 'staff-pages.ts', 'ui/RichTextEditor.tsx']
/** Of the page that only leads a student on, what others see on it is not kept. */
const leading = ['modules/homes/IndexPage.tsx']

const icons = [
  { name: 'icon-192', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512', sizes: '512x512', purpose: 'any' },
  { name: 'maskable-512', sizes: '512x512', purpose: 'maskable' },
]

/** One file that needs no other: browsers run workers without modules longest, and it is loaded in one step. */
const bundleWorker = async (files: readonly string[], icon: string): Promise<string> => {
  const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
  const output = await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    plugins: [contractOfScreens()],
    define: { keptFiles: JSON.stringify({ version, files, icon }) },
    build: {
      write: false,
      target: 'es2023',
      lib: { entry: resolve(web, 'sw.ts'), formats: ['iife'], name: 'worker', fileName: 'sw' },
    },
  })
  const [first] = (Array.isArray(output) ? output : [output]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  if (first?.type !== 'chunk') throw new Error('The service worker was not built.')
  return first.code
}

const keptFilesOf = ({ chunks, fonts, graph }: Built): string[] => {
  const modules = [...new Set([...always, ...kept.flatMap(screensAt).map(moduleOf)])]
  const opening = modules.filter((module) => !leading.includes(module))
  const later = loadedLater(opening.map(idOf), never.map(idOf), graph)
  const { scripts, styles } = filesOf([...modules, ...later], chunks)
  return [...scripts, ...styles, ...fonts].sort()
}

const copyIcon = (name: string, dist: string): string => {
  const picture = readFileSync(resolve(web, 'icons', `${name}.png`))
  const hash = createHash('sha256').update(picture).digest('hex').slice(0, 8)
  const file = `assets/${name}-${hash}.png`
  writeFileSync(resolve(dist, file), picture)
  return file
}

/**
 * What makes the product an app on a phone: the manifest with its icons, which is written to `dist`, and the service worker with the list of
 * the files that it keeps, which is returned.
 */
export const makeWorker = async (built: Built, dist: string): Promise<string> => {
  const shown = icons.map(({ name, ...icon }) => ({ src: copyIcon(name, dist), type: 'image/png', ...icon }))
  const manifest = {
    id: './',
    name: 'Practicum',
    short_name: 'Practicum',
    description: 'Clinical education and student placement: schedule, hours and evaluations.',
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: '#F7F5F2',
    theme_color: '#F7F5F2',
    icons: shown,
  }
  writeFileSync(resolve(dist, 'manifest.webmanifest'), JSON.stringify(manifest))
  // There are some.
  return bundleWorker(keptFilesOf(built), shown[0]!.src)
}
