import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PageList } from '#server/core/http/built-pages.ts'

const dist = join(import.meta.dirname, '..', 'dist')
const list = JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8')) as PageList

/** Kilobytes of scripts as the server sends them. */
const kilobytesOf = (scripts: readonly string[]): number =>
  scripts.reduce((sum, name) => sum + statSync(join(dist, `${name}.br`)).size, 0) / 1000

const scriptsAt = (path: string): readonly string[] =>
  path === 'login'
    ? list.login.scripts
    : (list.pages.find(({ address }) => new RegExp(address).test(path))?.scripts ?? [])

/** The file of a module that a page asks for by itself as soon as it is drawn. */
const fileOf = (module: string): string => {
  const [file] = globSync(`assets/${module}-*.js`, { cwd: dist })
  if (!file) throw new Error(`${module} is in no file of its own.`)
  return file
}

/** What every page asks for as soon as it is drawn. */
const ofAll = ['text-spacing']

/** Most kilobytes of each page, and what it loads besides its announced files: the map with the largest state that it may begin in. */
const bars = [
  { path: 'login', most: 75 },
  { path: 'clock', most: 123 },
  { path: 'admin/home', most: 153, besides: ['ProgramHome', 'WeekBars'] },
  { path: 'admin/approve-time-records', most: 195 },
  { path: 'admin/visualization', most: 172 },
  { path: 'admin/sites', most: 260, besides: ['LeafletMap', 'state-48'] },
]

/** Where the Spanish words of a script are. Spanish is longer: by how much its pages may weigh more. */
const inSpanish = (script: string): string => script.replace('assets/', 'assets/es/')
const mostLonger = 2

for (const { path, most } of bars.filter((bar) => !bar.path.startsWith('admin/')))
  test(`the page ${path} in Spanish begins with at most ${most + mostLonger} kB of scripts`, () => {
    const weight = kilobytesOf([...scriptsAt(path), ...ofAll.map(fileOf)].map(inSpanish))
    expect(weight).toBeGreaterThan(10)
    expect(weight).toBeLessThanOrEqual(most + mostLonger)
  })

test('no script of a page has both languages, or a marker of the build in it', () => {
  const [english, spanish] = ['Ready when you are, ', 'Todo listo para marcar, ']
  const codeOf = (scripts: readonly string[]) =>
    scripts.map((name) => readFileSync(join(dist, name), 'utf8')).join('')
  const [first, second] = [codeOf(scriptsAt('clock')), codeOf(scriptsAt('clock').map(inSpanish))]
  expect([first.includes(english), first.includes(spanish)]).toEqual([true, false])
  expect([second.includes(english), second.includes(spanish)]).toEqual([false, true])
  expect(`${first}${second}`).not.toContain('words-of-')
})

for (const { path, most, besides = [] } of bars)
  test(`the page ${path} begins with at most ${most} kB of scripts`, () => {
    const scripts = [...scriptsAt(path), ...[...ofAll, ...besides].map(fileOf)]
    expect(scripts.length).toBeGreaterThan(1)
    expect(kilobytesOf([...new Set(scripts)])).toBeLessThanOrEqual(most)
  })
