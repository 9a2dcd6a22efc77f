import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNode } from './install.mjs'
import { root, run, SetupError } from './process.mjs'

const sources = [
  'contract',
  'web',
  'vite.config.ts',
  'scripts/build.ts',
  'scripts/contract-of-screens.ts',
  'scripts/map-outlines.ts',
  'scripts/page-files.ts',
  'scripts/page-list.ts',
  'scripts/screens.ts',
  'scripts/service-worker.ts',
  'scripts/theme-styles.ts',
  'scripts/words-by-use.ts',
  'package.json',
  'package-lock.json',
]
const stamp = join(root, 'dist', '.build-stamp')

/** Builds the web pages when a source changed since the last complete build. */
export async function ensureBuilt() {
  const hash = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  console.log('Building the pages …')
  const env = { ...process.env, NODE_ENV: 'production' }
  const code = await run(findNode(), [join(root, 'scripts', 'build.ts')], { env })
  if (code !== 0) throw new SetupError('The pages could not be built: see the error above.')
  writeFileSync(stamp, hash)
}

function hashSources() {
  const hash = createHash('sha256')
  const isSource = (path) => !/\.test\.tsx?$/.test(path)
  for (const path of sources.flatMap(listFiles).filter(isSource).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!existsSync(join(root, path))) return []
  if (path.includes('.')) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
}
