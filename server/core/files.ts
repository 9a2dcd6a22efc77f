import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { ConfigError } from './config.ts'

/** Where the bytes of files lie: under random names, never under the sender's. */
export interface FileStore {
  /** Keeps the bytes durably and answers the key they lie under. */
  put(bytes: Uint8Array): Promise<string>
  read(key: string): Promise<Readable>
  remove(key: string): Promise<void>
}

const folderStore = (folder: string): FileStore => {
  const pathOf = (key: string): string => {
    if (!/^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(key)) throw new Error('This is not a key of the file store.')
    return join(folder, ...key.split('/'))
  }
  return {
    put: async (bytes) => {
      const name = randomBytes(20).toString('hex')
      const key = `${name.slice(0, 2)}/${name.slice(2)}`
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Written aside, flushed, then renamed: a half-written file never has a key.
      const draft = await open(`${path}.part`, 'wx', 0o600)
      try {
        await draft.writeFile(bytes)
        await draft.sync()
      } finally {
        await draft.close()
      }
      await rename(`${path}.part`, path)
      return key
    },
    read: async (key) => {
      const handle = await open(pathOf(key), 'r')
      return createReadStream('', { fd: handle })
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}

/** The store of `FILES_URL`. */
export const openFileStore = (filesUrl: string): FileStore => {
  const url = new URL(filesUrl)
  if (url.protocol === 'file:') return folderStore(fileURLToPath(url))
  throw new ConfigError(
    'FILES_URL cannot be an s3:// address in this version: use a folder that all processes share.',
  )
}
