import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import { type AsyncFlateStreamHandler, Zip, type ZipInputFile } from 'fflate'

export interface ZipEntry {
  /** Its name in the archive; what file systems refuse is replaced, and the same name gets a number. */
  name: string
  bytes: Uint8Array
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
const refused = /[\u0000-\u001F<>:"/\\|?*]/g

/** A name that every file system takes, and that no earlier entry has. */
const namer = (): ((name: string) => string) => {
  const taken = new Map<string, number>()
  return (given) => {
    const name = given.toWellFormed().replace(refused, '_').slice(0, 150).trim() || 'file'
    const key = name.toLowerCase()
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    if (count === 1) return name
    const dot = name.lastIndexOf('.')
    return dot > 0 ? `${name.slice(0, dot)} (${count})${name.slice(dot)}` : `${name} (${count})`
  }
}

/** A ZIP to add files to, and what of it is ready to be sent. */
export const openZip = (): { zip: Zip; take: () => Uint8Array[] } => {
  const ready: Uint8Array[] = []
  let failure: Error | undefined
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else if (chunk.length > 0) ready.push(chunk)
  })
  return {
    zip,
    take: () => {
      if (failure) throw failure
      return ready.splice(0)
    },
  }
}

/**
 * A file of an archive, packed by zlib on its own thread, so that other calls are answered meanwhile. Its size is known only behind it,
 * and readers that stream find the end of a file by its packing: so every one is packed, however little is won by it.
 */
export class PackedPart implements ZipInputFile {
  readonly filename: string
  readonly compression = 8
  size = 0
  crc = 0
  ondata?: AsyncFlateStreamHandler
  private readonly packer: DeflateRaw

  constructor(filename: string, level = 3) {
    this.packer = createDeflateRaw({ level })
    this.filename = filename
    // The archive sets `ondata` when it takes the file, before anything is written.
    this.packer.on('data', (chunk: Buffer) => this.ondata!(null, chunk as Buffer<ArrayBuffer>, false))
    this.packer.on('end', () => this.ondata!(null, new Uint8Array(), true))
  }

  /** Adds a piece; waits while the packer has enough to do. */
  async write(piece: string | Uint8Array): Promise<void> {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    this.size += bytes.length
    this.crc = crc32(bytes, this.crc)
    if (!this.packer.write(bytes)) await once(this.packer, 'drain')
  }

  async end(piece: string | Uint8Array): Promise<void> {
    await this.write(piece)
    this.packer.end()
    await finished(this.packer)
  }

  /** Gives the packer's memory back when the download is broken off. */
  terminate = (): void => {
    this.packer.destroy()
  }
}

/** A ZIP as it streams: one entry at a time is in memory. For files that are packed already, such as PDF: little is tried on them. */
export async function* zipFile(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const { zip, take } = openZip()
  const nameOf = namer()
  for await (const { name, bytes } of entries) {
    const entry = new PackedPart(nameOf(name), 1)
    zip.add(entry)
    await entry.end(bytes)
    yield* take()
  }
  zip.end()
  yield* take()
}
