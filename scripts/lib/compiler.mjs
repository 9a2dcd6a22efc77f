import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findNode } from './install.mjs'
import { root } from './process.mjs'

/**
 * The program that checks types. TypeScript 7 is ten times faster; where its program does not run, 6 says the same.
 *
 * @returns {string}
 */
export function findCompiler() {
  const fast = join(root, 'node_modules', 'tsc7', 'bin', 'tsc')
  const isFast = existsSync(fast) && spawnSync(findNode(), [fast, '--version']).status === 0
  return isFast ? fast : join(root, 'node_modules', 'typescript', 'bin', 'tsc')
}
