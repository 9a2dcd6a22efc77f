import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeClient } from './lib/api-client.ts'

/** `npm run api-client -- FILE [CALL …]`: a typed client in one file, of the named calls or of all that keys open. */
const [file, ...names] = process.argv.slice(2)
if (file === undefined) {
  console.error('Say where to write it, and which calls unless all: npm run api-client -- FILE [CALL …]')
  process.exitCode = 1
} else {
  writeFileSync(file, writeClient(names))
  const biome = join('node_modules', '@biomejs', 'biome', 'bin', 'biome')
  spawnSync(process.execPath, [biome, 'format', '--write', file], { stdio: 'ignore' })
  console.log(`Wrote ${file}`)
}
