import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { themeStyles } from './theme-styles.ts'

const web = join(import.meta.dirname, '..', 'web')
const mantine = join(import.meta.dirname, '..', 'node_modules', '@mantine', 'core')
const read = (path: string): string => readFileSync(path, 'utf8')

const styleSheets = (): string[] => {
  const ofMantine = ['base-styles.ts', 'all-styles.ts'].flatMap((file) =>
    [...read(join(web, 'ui', file)).matchAll(/@mantine\/core\/(styles\/\w+\.layer\.css)/g)].map(([, path]) =>
      read(join(mantine, path!)),
    ),
  )
  const own = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'))
  return [...ofMantine, ...own.map((name) => read(join(web, name)))]
}

test('every variable of the theme that a style sheet reads is written out', () => {
  const written = themeStyles()
  const named = styleSheets().flatMap((css) => [...css.matchAll(/var\((--(?:mantine|p)-[\w-]+)\s*\)/g)])
  // Set by the component on its own element.
  const own = ['--mantine-text-wrap']
  const missing = named.map(([, name]) => name!).filter((name) => !written.includes(`${name}:`))
  expect([...new Set(missing)].filter((name) => !own.includes(name))).toEqual([])
})

test('both colour schemes are written out, with the shades of the colours in use only', () => {
  const written = themeStyles()
  expect(written).toContain(':root[data-mantine-color-scheme="dark"]')
  expect(written).toContain('--p-canvas: #131210')
  expect(written).toContain('--p-canvas: #F7F5F2')
  expect(written).toContain('--mantine-color-petrol-7')
  expect(written).not.toContain('--mantine-color-grape')
})
