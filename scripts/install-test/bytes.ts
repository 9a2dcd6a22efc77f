import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, SetupError } from '../lib/process.mjs'
import { leastDebian } from './machine.ts'
import { mustBe } from './package.ts'

const run = (cwd: string, command: string, ...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')} failed: ${stdout}${stderr}`)
}

/** Makes the release of this commit in two folders, one after the other, and compares what came out. */
export const compareBytes = async (): Promise<void> => {
  console.log('\nThe same commit makes the same bytes')
  const folder = mkdtempSync(join(tmpdir(), 'practicum-bytes-'))
  try {
    const sums = ['first', 'a-second-folder'].map((name) => {
      const copy = join(folder, name)
      run(folder, 'git', 'clone', '--quiet', root, copy)
      run(folder, 'cp', '--archive', '--link', join(root, 'node_modules'), join(copy, 'node_modules'))
      run(copy, 'npm', 'run', 'release', '--', '--base', leastDebian())
      return readFileSync(join(copy, 'dist/release/SHA256SUMS'), 'utf8').trim().split('\n')
    })
    const [first = [], second = []] = sums
    const differing = first.filter((line, index) => line !== second[index])
    mustBe(
      first.length === second.length && differing.length === 0,
      `${first.length} files are the same`,
      differing,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
