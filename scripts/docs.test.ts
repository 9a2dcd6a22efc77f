import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const words = (page: string): string[] => [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word!)

/** Where a path of the pages may begin: at the top, or in the folder that the sentence is about. */
const places = [
  ...['', 'docs', 'server/core', 'server/test', 'server/modules', 'web', 'contract', 'contract/core'],
  ...['auth', 'config', 'database', 'files', 'http', 'imports', 'mail', 'runtime'].map(
    (part) => `server/core/${part}`,
  ),
]
const isThere = (path: string): boolean => places.some((place) => existsSync(join(root, place, path)))

const commands = new Set(Object.keys(JSON.parse(read('package.json')).scripts))
const tables = new Map(
  [...read('server/core/database/types.ts').matchAll(/^ {2}(\w+): (\w+);$/gm)].map(([, name, type]) => [
    name!,
    type!,
  ]),
)
const columns = (table: string): string =>
  new RegExp(`export interface ${tables.get(table)} \\{([^}]*)\\}`).exec(
    read('server/core/database/types.ts'),
  )?.[1] ?? ''

describe.each(pages)('%s', (page) => {
  test('links to what is there', () => {
    const broken = [...read(page).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
      .map(([, link, picture]) => (link ?? picture)!.replace(/#.*/, ''))
      .filter((link) => link && !/^(https?|mailto):/.test(link))
      .filter((link) => !existsSync(join(root, dirname(page), link)))
    expect(broken).toEqual([])
  })

  test('names only files and folders that are there', () => {
    const named = words(page).filter(
      (word) =>
        /^\w[\w.@-]*(\/[\w.@-]+)*\/?$/.test(word) &&
        !word.startsWith('text/') &&
        /(^[a-z]+\/|\.(ts|tsx|mjs|tsv|md|cjs|css|sql)$)/.test(word),
    )
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  test('names only commands that there are', () => {
    const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !commands.has(name))).toEqual([])
  })
})

test('the glossary names only tables and columns that there are', () => {
  const named = words('docs/glossary.md').filter(
    (word) => /^[a-z_]+(\.[a-z_]+)?$/.test(word) && /[._]/.test(word) && !word.endsWith('.ts'),
  )
  expect(named.length).toBeGreaterThan(10)
  const unknown = named.filter((name) => {
    const [table = '', column] = name.split('.')
    return !tables.has(table) || (column && !new RegExp(`^ {2}${column}: `, 'm').test(columns(table)))
  })
  expect(unknown).toEqual([])
})
