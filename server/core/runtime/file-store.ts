import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { DeclaredFailure } from '#contract/core/failure.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { fail } from './failure.ts'

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

/** What a folder or a bucket says when it fails; everything else that is thrown meanwhile concerns the bytes. */
const isOfStore = (error: unknown): boolean => {
  const { code, $metadata } = error as { code?: unknown; $metadata?: unknown }
  return $metadata !== undefined || (typeof code === 'string' && /^E[A-Z]+$/.test(code))
}

/**
 * The same store, whose own failures are told as such: without it a folder that is read-only or away would look like a
 * database that is.
 *
 * @param onFailure is told of each failure of the store
 */
export const tellingFailures = (store: FileStore, onFailure: (error: unknown) => void): FileStore => {
  const told =
    <Args extends unknown[], Result>(
      work: (...args: Args) => Promise<Result>,
      failure: DeclaredFailure,
      { isReading = false } = {},
    ) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await work(...args)
      } catch (error) {
        if (!isOfStore(error)) throw error
        const { code, name } = error as { code?: string; name?: string }
        if (isReading && (code === 'ENOENT' || name === 'NoSuchKey')) throw fail(coreFailures.file_missing)
        onFailure(error)
        const unavailable = fail(failure, { retryAfterSeconds: 60 })
        unavailable.cause = error
        throw unavailable
      }
    }
  return {
    ...store,
    put: told((bytes) => store.put(bytes), coreFailures.unwritable_store),
    place: told((key, body) => store.place(key, body), coreFailures.unwritable_store),
    read: told((key) => store.read(key), coreFailures.unreadable_store, { isReading: true }),
  }
}
