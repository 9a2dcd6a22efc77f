import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Lines of a file that can still be read in one go. Whatever is longer is about more than one thing. */
const maxLines = 600

/** What may be longer, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'contract/core/pages.ts': 'one table: every page once',
  'server/core/database/types.ts': 'written by `npm run types`',
}

const linesOf = (path: string): number =>
  readFileSync(join(root, path), 'utf8').replace(/\n$/, '').split('\n').length

const long = ['contract', 'server', 'web', 'scripts', 'bench']
  .flatMap((side) =>
    readdirSync(join(root, side), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${side}/${path.replaceAll('\\', '/')}`,
    ),
  )
  .filter((path) => /\.(ts|tsx|mjs|css)$/.test(path) && !/\.test\.tsx?$/.test(path))
  .filter((path) => linesOf(path) > maxLines)

test('no file of the source is longer than can be read in one go', () => {
  expect(long.filter((path) => !(path in exceptions))).toEqual([])
})

test('every exception is still needed', () => {
  expect(Object.keys(exceptions).filter((path) => !long.includes(path))).toEqual([])
})
