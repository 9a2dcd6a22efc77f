import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '#server/core/config/config.ts'
import { readS3Url } from '#server/core/config/s3-url.ts'
import { checkFileKey, type FileStore, newFileKey } from '#server/core/runtime/file-store.ts'

/** Without it a power cut may forget a rename. */
const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Writes a file aside, flushes it and renames it into place: under its name it is whole or not there. */
export const writeWhole = async (
  path: string,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> => {
  const draft = `${path}.part`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(draft, body, { mode: 0o600, flush: true })
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

const openFolder = async (folder: string): Promise<FileStore> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(
      `FILES_URL cannot be used: the folder ${folder} cannot be made (${(error as Error).message}).`,
    )
  }
  const pathOf = (key: string): string => join(folder, ...checkFileKey(key).split('/'))

  return {
    put: async (bytes) => {
      const key = newFileKey()
      await writeWhole(pathOf(key), [bytes])
      return key
    },
    place: (key, body) => writeWhole(pathOf(key), body),
    read: async (key) => {
      const handle = await open(pathOf(key), 'r')
      return createReadStream('', { fd: handle })
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    // A file that is still being written ends in `.part` and belongs to no row yet.
    list: async function* () {
      const found = await readdir(folder, { recursive: true, withFileTypes: true })
      const paths = found
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
      for (const path of paths)
        yield { key: relative(folder, path).split(sep).join('/'), byteCount: (await stat(path)).size }
    },
  }
}

/**
 * The store of `FILES_URL`.
 *
 * @throws ConfigError when it cannot be used
 */
export const openFileStore = async (filesUrl: string): Promise<FileStore> => {
  const url = new URL(filesUrl)
  if (url.protocol === 'file:') return openFolder(fileURLToPath(url))
  const place = readS3Url(url)
  if ('problem' in place) throw new ConfigError(`FILES_URL cannot be used: ${place.problem}.`)
  // The library of the protocol takes longer to load than all the rest of the start.
  const { openBucket } = await import('./s3-files.ts')
  return openBucket(place)
}
