import { readFileSync } from 'node:fs'
import type { Item } from './pack.ts'
import { filesOf, isLicense, type Packages } from './packages.ts'

/** Every package that is passed on, with its license in full where the package brings one. */
export const licensesOf = (packages: Packages): string =>
  [...packages]
    .map(([path, { version, license }]) => {
      const name = path.replace(/^.*node_modules\//, '')
      const texts = filesOf(path)
        .filter((item): item is Item & { file: string } => 'file' in item && isLicense(item.path))
        .toSorted((one, other) => (one.path < other.path ? -1 : 1))
        .map(({ file }) => readFileSync(file, 'utf8').trim())
      return [`${name} ${version}: ${license ?? 'see below'}`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(72)}\n\n`)
    .concat('\n')
