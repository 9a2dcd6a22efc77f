import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { root, SetupError } from '../lib/process.mjs'
import { tarOf } from './pack.ts'

/** What the image is built on unless somebody names another base. */
export const usualBase = 'docker.io/library/debian:bookworm-slim'

/** Whether this machine can build images. */
export const hasBuildah = (): boolean => spawnSync('buildah', ['--version']).status === 0

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Builds an image of a tarball and writes it as an archive of the OCI form.
 *
 * @param base a name of an image, or a folder with a Debian in it
 * @throws SetupError when the base cannot be had
 */
export const writeImage = async (
  file: string,
  {
    tarball,
    name,
    version,
    base,
    time,
  }: { tarball: string; name: string; version: string; base: string; time: number },
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'practicum-image-'))
  const run = (command: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
    if (status !== 0)
      throw new SetupError(
        `The image could not be built on ${base}: name another base with --base, or leave it out with --base none. ${stderr.trim()}`,
      )
    return stdout.trim()
  }
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]): string => run('buildah', ...store, ...args)
  try {
    run('tar', 'xzf', tarball)
    renameSync(join(folder, name), join(folder, 'practicum'))
    copyFileSync(join(root, 'docs/install/Containerfile'), join(folder, 'Containerfile'))
    let from = base
    if (isFolder(base)) {
      const container = buildah('from', 'scratch')
      buildah('add', '--quiet', container, base, '/')
      from = 'localhost/base'
      buildah('commit', '--quiet', '--timestamp', String(time), container, from)
    }
    const image = `localhost/practicum:${version}`
    const times = ['--timestamp', String(time), '--build-arg', `SOURCE_DATE_EPOCH=${time}`]
    const context = ['--isolation', 'chroot', '--ignorefile', '/dev/null', '--file', 'Containerfile', '.']
    buildah('build', ...times, '--build-arg', `BASE=${from}`, '--tag', image, ...context)
    buildah('push', '--quiet', image, `oci:${join(folder, 'image')}:${image}`)
    const layout = join(folder, 'image')
    const items = readdirSync(layout, { recursive: true, encoding: 'utf8' })
      .filter((path) => !isFolder(join(layout, path)))
      .map((path) => ({ path, file: join(layout, path) }))
    await pipeline(Readable.from(tarOf(items, time)), createWriteStream(file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
