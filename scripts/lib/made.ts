import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './process.mjs'

/** Where what the build makes of packages lies, until it is made again. */
const folder = join(root, 'node_modules', '.cache', 'practicum')

/** Writes a file for the build, and answers its path. */
export const writeMade = (name: string, text: string): string => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
