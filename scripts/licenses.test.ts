import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** What may be passed on together with the product, which is MIT. */
const fitting =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|MPL-2\.0|BlueOak-1\.0\.0|Unlicense|CC0-1\.0|Zlib)$/

/** Read one by one: what their license asks for is kept, or their package does not name it. */
const known: Record<string, string> = {
  '@fontsource-variable/figtree': 'OFL-1.1: a font, passed on with its license',
  argparse: 'Python-2.0: permissive, used as it is',
  'png-js': 'MIT, in its README',
}

/** OFL-1.1: fonts, passed on with their licenses. */
const isFont = /^@fontsource\/noto-sans(-[a-z]+)?$/

interface Locked {
  license?: string
  dev?: boolean
  link?: boolean
}

test('the license of every package that is passed on fits', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const unfit = Object.entries(lock.packages)
    .map(([path, locked]) => ({ name: path.replace(/^.*node_modules\//, ''), ...locked }))
    .filter(({ name, dev, link, license = '' }) => {
      const parts = license.replace(/[()]/g, '').split(/ OR | AND /)
      return (
        name &&
        !dev &&
        !link &&
        !known[name] &&
        !isFont.test(name) &&
        !parts.every((part) => fitting.test(part))
      )
    })
    .map(({ name, license }) => `${name}: ${license ?? 'names none'}`)
  expect(unfit).toEqual([])
})
