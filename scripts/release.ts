import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './lib/build.mjs'
import { root, SetupError, script } from './lib/process.mjs'
import { debianArchitecture, writeDeb } from './release/deb.ts'
import { writeBom, writeChanges, writeClientPackage, writeDescription } from './release/described.ts'
import { hasBuildah, usualBase, writeImage } from './release/image.ts'
import { licensesOf } from './release/licenses.ts'
import { sumOf, writeTar } from './release/pack.ts'
import { allPackages } from './release/packages.ts'
import { git, programOf, version } from './release/program.ts'

/** What whoever runs it reads; links of these pages to others lead to the repository. */
const pages = ['install.md', 'operations.md']

/**
 * `npm run release`: everything that a version is, in `dist/release/`. The same commit makes the same bytes, on whatever machine of
 * the same kind. `--base` names what the image is built on: an image, a folder with a Debian in it, or none.
 */
await script(async () => {
  const { values } = parseArgs({ options: { base: { type: 'string', default: usualBase } } })
  if (git('status', '--porcelain') !== '')
    throw new SetupError(
      'A release is made of a commit, and files of this folder are not in one: commit them, or put them away.',
    )
  const time = Number(git('log', '-1', '--format=%ct'))
  await ensureBuilt()
  const folder = join(root, 'dist', 'release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  const { items: program } = programOf()
  const licenses = licensesOf(allPackages())
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
  await writeDescription(join(folder, 'openapi.json'))
  await writeClientPackage(join(folder, `practicum-client-${version}.tgz`), version, time)
  writeBom(join(folder, 'sbom.cdx.json'), time)
  writeChanges(join(folder, `CHANGELOG-${version}.md`), version)
  if (values.base === 'none' || !hasBuildah())
    console.log('Without an image: it was not wanted, or buildah is not installed here.')
  else
    await writeImage(join(folder, `${name}-oci.tar`), {
      tarball: join(folder, `${name}.tar.gz`),
      name,
      version,
      base: values.base,
      time,
    })

  const names = readdirSync(folder).sort()
  const sums = await Promise.all(names.map(async (each) => `${await sumOf(join(folder, each))}  ${each}\n`))
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  for (const each of names)
    console.log(`${(statSync(join(folder, each)).size / 1e6).toFixed(1).padStart(8)} MB  ${each}`)
  return 0
})
