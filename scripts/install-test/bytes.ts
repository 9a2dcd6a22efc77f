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

/** Makes the release of this commit once more, in another folder, and compares it with the one that was made here. */
export const compareBytes = async (release: string): Promise<void> => {
  console.log('\nThe same commit makes the same bytes')
  const sumsOf = (folder: string): string[] =>
    readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')
  const here = sumsOf(release)
  const folder = mkdtempSync(join(tmpdir(), 'practicum-bytes-'))
  try {
    const copy = join(folder, 'another-folder')
    run(folder, 'git', 'clone', '--quiet', root, copy)
    run(folder, 'cp', '--archive', '--link', join(root, 'node_modules'), join(copy, 'node_modules'))
    const hasImage = here.some((line) => line.endsWith('-oci.tar'))
    run(copy, 'npm', 'run', 'release', '--', '--base', hasImage ? leastDebian() : 'none')
    const there = sumsOf(join(copy, 'dist/release'))
    const differing = here.filter((line, index) => line !== there[index])
    mustBe(
      here.length === there.length && differing.length === 0,
      `${here.length} files are the same in another folder`,
      differing,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
