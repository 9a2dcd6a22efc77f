import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { themeStyles } from '../../scripts/theme-styles.ts'

const packages = join(import.meta.dirname, '..', '..', 'node_modules', '@mantine')
const mantine = join(packages, 'core')
const web = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(path, 'utf8')

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))

/** Names that our files take from Mantine, by themselves or through its other packages. */
const usedNames = (): Set<string> => {
  const names = new Set<string>()
  const others = new Set<string>()
  const collect = (file: string): void => {
    for (const [, list = '', source] of read(file).matchAll(
      /(?:import|export) \{([^}]*)\} from ['"]@mantine\/([a-z]+)['"]/g,
    )) {
      if (source !== 'core') others.add(source!)
      else for (const name of list.split(',')) names.add(name.replace('type ', '').split(' as ')[0]!.trim())
    }
  }
  for (const file of filesIn(web, /\.tsx?$/)) collect(file)
  for (const other of ['dates', 'dropzone', 'spotlight', 'tiptap'].filter((name) => others.has(name)))
    for (const file of filesIn(join(packages, other, 'esm'), /\.mjs$/)) collect(file)
  return names
}

/** The class names of all components that these are made of, by Mantine's own imports. */
const classesOf = (names: ReadonlySet<string>): Set<string> => {
  const classes = new Set<string>()
  const seen = new Set<string>()
  const follow = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    const text = read(file)
    if (file.endsWith('.module.mjs') || file.endsWith('.module.css.mjs'))
      for (const [name] of text.matchAll(/m_[0-9a-f]+/g)) classes.add(name)
    for (const [, path = ''] of text.matchAll(/from ?["'](\.[^"']+)["']/g)) follow(join(dirname(file), path))
  }
  for (const [, list = '', path = ''] of read(join(mantine, 'esm', 'index.mjs')).matchAll(
    /(?:import|export) \{([^}]*)\} from ["'](\.[^"']+)["']/g,
  ))
    if (list.split(',').some((name) => names.has(name.trim()))) follow(join(mantine, 'esm', path))
  return classes
}

const loaded = (): string[] =>
  ['base-styles.ts', 'base-styles.css', 'all-styles.ts'].flatMap((file) =>
    [...read(join(import.meta.dirname, file)).matchAll(/@mantine\/core\/styles\/([\w-]+\.layer\.css)/g)].map(
      ([, name]) => name!,
    ),
  )
const styles = join(mantine, 'styles')

test('every Mantine component in use has its styles, and no other styles are loaded', () => {
  const classes = classesOf(usedNames())
  const needed = readdirSync(styles)
    .filter((name) => name.endsWith('.layer.css'))
    .filter((name) =>
      [...read(join(styles, name)).matchAll(/m_[0-9a-f]+/g)].some(([name]) => classes.has(name)),
    )
  expect(needed.length).toBeGreaterThan(20)
  // Those in small letters belong to no component.
  const ofComponents = loaded().filter((name) => /^[A-Z]/.test(name))
  expect(ofComponents.toSorted()).toEqual(needed.toSorted())
})

test('every variable of the theme that a style sheet reads is written out', () => {
  const written = themeStyles()
  const ofMantine = loaded().filter((name) => name !== 'default-css-variables.layer.css')
  const sheets = [...ofMantine.map((name) => join(styles, name)), ...filesIn(web, /\.css$/)]
  const named = sheets.flatMap((file) => [...read(file).matchAll(/var\((--(?:mantine|p)-[\w-]+)\s*\)/g)])
  // Set by the component on its own element.
  const own = ['--mantine-text-wrap']
  const missing = named.map(([, name]) => name!).filter((name) => !written.includes(`${name}:`))
  expect([...new Set(missing)].filter((name) => !own.includes(name))).toEqual([])
})

test('both color schemes are written out, with the shades of the colors in use only', () => {
  const written = themeStyles()
  expect(written).toContain(':root[data-mantine-color-scheme="dark"]')
  expect(written).toContain('--p-canvas: #131210')
  expect(written).toContain('--p-canvas: #F7F5F2')
  expect(written).toContain('--mantine-color-petrol-7')
  expect(written).not.toContain('--mantine-color-grape')
})

test('text and what holds it grow with the size that a reader has chosen', () => {
  // Heights of text and lines of text; hairlines and small marks are in pixels.
  const inPixels = /(?<![\w-])(--[\w-]*height[\w-]*|font-size|line-height|(?:min-)?height):\s*(\d*\.?\d+)px/g
  const found = filesIn(web, /\.css$/).flatMap((file) =>
    [
      ...read(file)
        .replace(/@[^{]*\{/g, '{')
        .matchAll(inPixels),
    ]
      .filter(([, , px]) => Number(px) > 8)
      .map(([rule]) => `${file.slice(web.length + 1)}: ${rule}`),
  )
  expect(found).toEqual([])
})
