import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { parseArgs } from 'node:util'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'

/** The key of a backup is missing or wrong, or its options cannot be used. One sentence; nothing was changed. */
export class BackupLockError extends Error {
  override name = 'BackupLockError'
}

/** How a backup is closed and opened again, in the format of age: `age` itself opens it on any machine. */
export interface BackupLock {
  close: (bytes: Readable) => Promise<Readable>
  open: (bytes: Readable) => Promise<Readable>
}

const ageHeader = 'age-encryption.org/'

/** Whether a file was encrypted by age. */
export const isLocked = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ageHeader.length), 0, ageHeader.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === ageHeader
  } finally {
    await file.close()
  }
}

// The types of Node.js and of browsers name the same stream twice.
const toWeb = (bytes: Readable) => Readable.toWeb(bytes) as unknown as globalThis.ReadableStream<Uint8Array>
const fromWeb = (bytes: unknown) => Readable.fromWeb(bytes as ReadableStream)

const identitiesIn = (path: string): string[] => {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
  } catch (error) {
    throw new BackupLockError(
      `The identity file ${path} cannot be read (${(error as Error).message}): nothing was changed.`,
    )
  }
}

const lockOf = (encrypter: Encrypter, decrypter: Decrypter): BackupLock => ({
  close: async (bytes) => fromWeb(await encrypter.encrypt(toWeb(bytes))),
  open: async (bytes) => {
    try {
      return fromWeb(await decrypter.decrypt(toWeb(bytes)))
    } catch {
      throw new BackupLockError(
        'This key does not open the backup, and nothing was changed: name the identity that it was made for.',
      )
    }
  },
})

const using = <T>(work: () => T, sentence: string): T => {
  try {
    return work()
  } catch {
    throw new BackupLockError(`${sentence}: nothing was changed.`)
  }
}

const onlyOne = ([file, ...more]: readonly string[]): string | undefined => {
  if (more.length === 0) return file
  throw new BackupLockError(`One file is one backup, and ${more.join(' ')} is too much: nothing was changed.`)
}

/**
 * Closes a backup for recipients. The machine itself keeps nothing that opens it: an identity that lives as long as the process
 * reads it back.
 *
 * @throws BackupLockError for what is no recipient
 */
export const lockForRecipients = async (recipients: readonly string[]): Promise<BackupLock> => {
  const [encrypter, decrypter] = [new Encrypter(), new Decrypter()]
  const own = await generateX25519Identity()
  for (const each of [...recipients, await identityToRecipient(own)])
    using(() => encrypter.addRecipient(each), `${each} is no recipient of age, such as age1…`)
  decrypter.addIdentity(own)
  return lockOf(encrypter, decrypter)
}

/**
 * The words behind `npm run backup --`.
 *
 * @throws BackupLockError
 */
export const readBackupOptions = async (
  words: readonly string[],
): Promise<{ file?: string; lock?: BackupLock }> => {
  const { values, positionals } = using(
    () =>
      parseArgs({
        args: [...words],
        allowPositionals: true,
        options: { recipient: { type: 'string', multiple: true } },
      }),
    'A backup takes a file, and --recipient',
  )
  const { recipient = [] } = values
  const file = onlyOne(positionals)
  const at = file === undefined ? {} : { file }
  return recipient.length === 0 ? at : { ...at, lock: await lockForRecipients(recipient) }
}

/**
 * The words behind `npm run restore --`.
 *
 * @throws BackupLockError
 */
export const readRestoreOptions = (words: readonly string[]): { file?: string; lock?: BackupLock } => {
  const { values, positionals } = using(
    () =>
      parseArgs({
        args: [...words],
        allowPositionals: true,
        options: { 'identity-file': { type: 'string' } },
      }),
    'A restore takes a file, and --identity-file',
  )
  const file = onlyOne(positionals)
  const at = file === undefined ? {} : { file }
  const path = values['identity-file']
  if (path === undefined) return at
  const decrypter = new Decrypter()
  for (const each of identitiesIn(path))
    using(() => decrypter.addIdentity(each), `${path} holds no identity of age, such as AGE-SECRET-KEY-1…`)
  return { ...at, lock: lockOf(new Encrypter(), decrypter) }
}
