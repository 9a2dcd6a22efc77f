import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** So many lines in a row that are the same in two places are worth a look. */
const run = 8
/** What there was when it was counted last. Lower it with every clean-up; a new piece of code never raises it. */
const most = 24

const isSource = (path: string): boolean =>
  /\.(ts|tsx|mjs)$/.test(path) &&
  !/\.(test|fixture)\.tsx?$|^server\/test\/|^web\/words\/en\/|database\/types\.ts$/.test(path)

/** The lines that say something: no imports, and nothing that closes alone. */
const linesOf = (path: string): { text: string; number: number }[] => {
  let isImport = false
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter(({ text }) => {
      if (/^import\b/.test(text)) isImport = true
      const isLeftOut = isImport || !/\w/.test(text) || /^(\*|\/\/|\/\*)/.test(text)
      if (isImport && /from '[^']+'$|^import '/.test(text)) isImport = false
      return !isLeftOut
    })
}

/** Where the same lines are written twice or more, by their first place. */
const findRuns = (paths: readonly string[]): Map<string, string[]> => {
  const places = new Map<string, string[]>()
  for (const path of paths) {
    const lines = linesOf(path)
    for (let at = 0; at + run <= lines.length; at++) {
      const key = lines
        .slice(at, at + run)
        .map(({ text }) => text)
        .join('\n')
      places.set(key, [...(places.get(key) ?? []), `${path}:${lines[at]!.number}`])
    }
  }
  return new Map([...places].filter(([, found]) => found.length > 1))
}

test('nothing new is written twice', () => {
  const paths = ['contract', 'server', 'web', 'scripts'].flatMap((side) =>
    readdirSync(join(root, side), { recursive: true, encoding: 'utf8' })
      .map((path) => `${side}/${path.replaceAll('\\', '/')}`)
      .filter(isSource),
  )
  const found = [...findRuns(paths).values()].map((places) => places.join(' and '))
  expect(found.length, `Lines that are the same in two places:\n${found.join('\n')}`).toBeLessThanOrEqual(
    most,
  )
})
