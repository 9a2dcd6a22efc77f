import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './lib/build.mjs'
import { root, SetupError, script } from './lib/process.mjs'
import { debianArchitecture, writeDeb } from './release/deb.ts'
import { licensesOf } from './release/licenses.ts'
import { sumOf, writeTar } from './release/pack.ts'
import { git, programOf, version } from './release/program.ts'

/** What whoever runs it reads; links of these pages to others lead to the repository. */
const pages = ['install.md', 'operations.md']

/**
 * `npm run release`: everything that a version is, in `dist/release/`. The same commit makes the same bytes, on whatever machine of
 * the same kind.
 */
await script(async () => {
  if (git('status', '--porcelain') !== '')
    throw new SetupError(
      'A release is made of a commit, and files of this folder are not in one: commit them, or put them away.',
    )
  const time = Number(git('log', '-1', '--format=%ct'))
  await ensureBuilt()
  const folder = join(root, 'dist', 'release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  const { items: program, packages } = programOf()
  const licenses = licensesOf(packages)
  writeFileSync(join(folder, 'LICENSES.txt'), licenses)
  const name = `practicum-${version}-linux-${process.arch}`
  const whole = [...program, { path: 'LICENSES.txt', text: licenses }]
  await writeTar(
    join(folder, `${name}.tar.gz`),
    whole.map((item) => ({ ...item, path: `${name}/${item.path}` })),
    time,
  )
  await writeDeb(join(folder, `practicum_${version}_${debianArchitecture}.deb`), {
    version,
    time,
    program,
    licenses,
    pages,
  })

  const names = readdirSync(folder).sort()
  const sums = await Promise.all(names.map(async (each) => `${await sumOf(join(folder, each))}  ${each}\n`))
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  for (const each of names)
    console.log(`${(statSync(join(folder, each)).size / 1e6).toFixed(1).padStart(8)} MB  ${each}`)
  return 0
})
