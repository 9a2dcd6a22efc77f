import { accessSync, constants, statfsSync } from 'node:fs'

const folder = '/dev/shm'
/** A whole run holds less than 2 GiB at once. */
const enough = 8 * 1024 ** 3

/**
 * The environment in which temporary files are in memory, where there is a file system for that with room enough: on a
 * disk the thousand files of a test's database take ten times as long to make. Somebody's own `TMPDIR` goes before it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withFilesInMemory(env) {
  if (env.TMPDIR) return env
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < enough ? env : { ...env, TMPDIR: folder }
  } catch {
    return env
  }
}
