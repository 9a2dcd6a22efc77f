import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writtenDescription } from '#server/core/http/description.ts'
import { writeClient } from '../lib/api-client.ts'
import { root, SetupError } from '../lib/process.mjs'
import { writeTar } from './pack.ts'
import { allPackages } from './packages.ts'

/** The description of all calls, as an installation without APP_ROOT answers it. */
export const writeDescription = async (file: string): Promise<void> =>
  writeFileSync(file, (await writtenDescription('/new/api')).join(''))

/** Compiles the typed client and packs it as npm does. */
export const writeClientPackage = async (file: string, version: string, time: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'practicum-client-'))
  try {
    writeFileSync(join(folder, 'index.ts'), writeClient([]))
    const options = [
      ...['--target', 'es2022', '--module', 'nodenext'],
      ...['--lib', 'es2024,dom', '--ignoreConfig'],
    ]
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    mkdirSync(join(folder, 'made'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { status, stdout } = spawnSync(
      process.execPath,
      [tsc, ...options, '--strict', '--declaration', '--outDir', 'made', 'index.ts'],
      { cwd: folder, encoding: 'utf8' },
    )
    if (status !== 0) throw new SetupError(`The client does not compile: ${stdout.slice(0, 1_000)}`)
    const about = {
      name: 'practicum-client',
      version,
      description: 'The calls of Practicum, typed',
      license: 'MIT',
      type: 'module',
      exports: { '.': { types: './index.d.ts', default: './index.js' } },
    }
    await writeTar(
      file,
      [
        { path: 'package/package.json', text: `${JSON.stringify(about, null, 2)}\n` },
        { path: 'package/LICENSE', file: join(root, 'LICENSE') },
        ...['index.js', 'index.d.ts'].map((name) => ({
          path: `package/${name}`,
          text: readFileSync(join(folder, 'made', name)),
        })),
      ],
      time,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Bom {
  serialNumber?: string
  metadata: { timestamp: string; component: { name: string } }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** What the product is made of (CycloneDX), without what is another one at each run, and without packages of other machines. */
export const writeBom = (file: string, time: number): void => {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    [
      'sbom',
      '--package-lock-only',
      '--omit',
      'dev',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  if (status !== 0) throw new SetupError(`npm lists no packages: ${stderr.trim()}`)
  const { serialNumber: _, ...bom } = JSON.parse(stdout) as Bom
  const here = new Set(
    [...allPackages()].map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  )
  bom.metadata.timestamp = new Date(time * 1_000).toISOString()
  bom.metadata.component.name = 'practicum'
  bom.components = bom.components.filter((each) => here.has(each['bom-ref']))
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => here.has(ref) || ref.startsWith('practicum@'))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => here.has(each)) }))
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
}

/** What CHANGELOG.md says of this version. */
export const writeChanges = (file: string, version: string): void => {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m)
  const section = sections.find((each) => each.startsWith(`## ${version}\n`))
  if (!section)
    throw new SetupError(`CHANGELOG.md says nothing about ${version}: write what changed, for whom.`)
  writeFileSync(file, section)
}
