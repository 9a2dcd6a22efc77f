import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { blockSize, headerOf, paddingOf } from '#server/core/backup/tar.ts'

/** Something that is packed: a file of this machine, a text of our own, or a link. */
export type Item = { path: string } & (
  | { file: string; isProgram?: boolean }
  | { text: string | Buffer; isProgram?: boolean; mode?: number }
  | { target: string }
)

/** The same items make the same bytes, whoever packs them, when, and in which order they are named. */
export async function* tarOf(items: readonly Item[], time: number): AsyncGenerator<Buffer> {
  for (const path of foldersOf(items))
    yield headerOf({ path: `${path}/`, size: 0, mode: 0o755, time, kind: 'folder' })
  for (const item of items.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const { path } = item
    if ('target' in item) {
      yield headerOf({ path, size: 0, mode: 0o777, time, kind: 'link', target: item.target })
      continue
    }
    const mode = ('mode' in item && item.mode) || (item.isProgram ? 0o755 : 0o644)
    const size = 'file' in item ? (await stat(item.file)).size : Buffer.byteLength(item.text)
    yield headerOf({ path, size, mode, time })
    if ('file' in item) yield* createReadStream(item.file, { highWaterMark: 1 << 20 })
    else yield Buffer.from(item.text)
    yield Buffer.alloc(paddingOf(size))
  }
  yield Buffer.alloc(2 * blockSize)
}

/** Every folder on the way to an item, parents first. */
const foldersOf = (items: readonly Item[]): string[] => {
  const folders = new Set<string>()
  for (const { path } of items) {
    const parts = path.split('/').slice(0, -1)
    for (const [index] of parts.entries()) folders.add(parts.slice(0, index + 1).join('/'))
  }
  folders.delete('.')
  return [...folders].sort()
}

/** Packs items into a gzipped tar. */
export const writeTar = (file: string, items: readonly Item[], time: number): Promise<void> =>
  pipeline(Readable.from(tarOf(items, time)), createGzip({ level: 9 }), createWriteStream(file))

/** The SHA-256 of a file. */
export const sumOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
