import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Where the bytes of files lie: under random names, never under the sender's. */
export interface FileStore {
  /** Keeps the bytes durably and answers the key they are under. */
  put(bytes: Uint8Array): Promise<string>
  /** @throws when there is nothing under the key, before the first byte is read */
  read(key: string): Promise<Readable>
  remove(key: string): Promise<void>
  /** Every whole file of the store, for backups. */
  list(): AsyncIterable<{ key: string; byteCount: number }>
  /** Puts a file of a backup under the key it had; nothing is under it until all bytes are. */
  place(key: string, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>
}

/** A new random key, in one of 256 folders. */
export const newFileKey = (): string => {
  const name = randomBytes(20).toString('hex')
  return `${name.slice(0, 2)}/${name.slice(2)}`
}

const passing = 'passing/'

/** A key for a file that lives a day at most. Backups leave such files out: they may be gone before they are read. */
export const newPassingKey = (): string => passing + newFileKey()

export const isPassing = (key: string): boolean => key.startsWith(passing)

/** @throws for a key that would lead out of the store */
export const checkFileKey = (key: string): string => {
  const isSafe = key.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  if (!isSafe || key.includes('\\') || key.includes('\0'))
    throw new Error(`${key} is not a key of the file store.`)
  return key
}
