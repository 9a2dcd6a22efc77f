import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { BackupLock } from './backup-lock.ts'
import { ArchiveError, blockSize, checksumOf, field, headerOf, paddingOf } from './tar.ts'

export { ArchiveError }

/**
 * The container of a backup: a gzipped tar (POSIX ustar), so that any machine can look into it with `tar tzf`. Only
 * plain files; what is in it and whether it is whole says the manifest, its last entry.
 */
export type Entry = { name: string; size: number; body: AsyncIterable<Buffer> | Iterable<Buffer> }

/**
 * Writes the entries one after the other, encrypted where a lock is given; memory stays the same however large they are. The
 * file is on the disk when this resolves.
 */
export async function writeArchive(
  path: string,
  entries: AsyncIterable<Entry>,
  lock?: Pick<BackupLock, 'close'>,
): Promise<void> {
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const gzip = createGzip({ level: 4 })
  const packing = pipeline(Readable.from(blocksOf(entries)), gzip)
  await Promise.all([packing, pipeline(lock ? await lock.close(gzip) : gzip, output)])
}

async function* blocksOf(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { name, size, body } of entries) {
    yield headerOf({ path: name, size, mode: 0o600 })
    let written = 0
    for await (const chunk of body) {
      written += chunk.length
      yield chunk
    }
    if (written !== size)
      throw new ArchiveError(`The file ${name} changed while it was being backed up: try again.`)
    yield Buffer.alloc(paddingOf(size))
  }
  yield Buffer.alloc(2 * blockSize)
}

/**
 * Reads the entries in their order. A body that was not read to its end is skipped.
 *
 * @throws ArchiveError when the file is cut off or damaged
 */
export async function* readArchive(path: string, lock?: Pick<BackupLock, 'open'>): AsyncGenerator<Entry> {
  const file = createReadStream(path)
  await once(file, 'open')
  const gunzip = createGunzip()
  file.on('error', (error) => gunzip.destroy(error))
  try {
    const bytes: Readable = lock ? await lock.open(file) : file
    // What age refuses was changed after it was made.
    if (lock) bytes.on('error', () => gunzip.destroy(damaged()))
    const source = new BlockSource(bytes.pipe(gunzip))
    for (;;) {
      const header = await source.take(blockSize)
      if (header.every((byte) => byte === 0)) return
      const entry = parseHeader(header)
      let rest = entry.size
      async function* read(): AsyncGenerator<Buffer> {
        while (rest > 0) {
          const chunk = await source.takeUpTo(rest)
          rest -= chunk.length
          yield chunk
        }
      }
      yield { ...entry, body: read() }
      while (rest > 0) rest -= (await source.takeUpTo(rest)).length
      await source.take(paddingOf(entry.size))
    }
  } finally {
    file.destroy()
    gunzip.destroy()
  }
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const text = (at: number, length: number) => header.toString('utf8', at, at + length).replace(/\0.*$/s, '')
  if (Number.parseInt(text(...field.checksum), 8) !== checksumOf(header)) throw damaged()
  const prefix = text(...field.prefix)
  const name = text(...field.name)
  return { name: prefix ? `${prefix}/${name}` : name, size: Number.parseInt(text(...field.size), 8) }
}

function damaged(): ArchiveError {
  return new ArchiveError(
    'The backup is damaged or cut off, and nothing was changed: use another copy of it.',
  )
}

/** Cuts a stream into pieces of the sizes that are asked for. */
class BlockSource {
  readonly #chunks: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  async takeUpTo(size: number): Promise<Buffer> {
    while (this.#buffer.length === 0) {
      const { value, done } = await this.#next()
      if (done) throw damaged()
      this.#buffer = value
    }
    const taken = this.#buffer.subarray(0, size)
    this.#buffer = this.#buffer.subarray(taken.length)
    return taken
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    try {
      return await this.#chunks.next()
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damaged() : error
    }
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = size; missing > 0; ) {
      const part = await this.takeUpTo(missing)
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }
}
