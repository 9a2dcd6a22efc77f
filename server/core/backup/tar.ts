/** What cannot be put into an archive, or read out of one. One sentence. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** The unit of a tar: headers are one block, and contents are filled up to whole ones. */
export const blockSize = 512

/** Where the fields of a header are: offset and length. */
export const field = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  checksum: [148, 8],
  link: [157, 100],
  prefix: [345, 155],
} as const

/** What a header says. Owner and group are root's. */
export interface Header {
  path: string
  size: number
  mode: number
  /** Seconds since 1970. */
  time?: number
  kind?: 'file' | 'folder' | 'link'
  /** Where a link leads. */
  target?: string
}

const kinds = { file: '0', link: '2', folder: '5' } as const

/** The header of an entry (POSIX ustar). */
export function headerOf({ path, size, mode, time = 0, kind = 'file', target = '' }: Header): Buffer {
  const header = Buffer.alloc(blockSize)
  const [prefix, name] = splitPath(path)
  header.write(name, ...field.name)
  header.write(`${octal(mode, 7)}\0${'0000000\0'.repeat(2)}`, field.mode[0])
  header.write(`${octal(size, 11)}\0`, ...field.size)
  header.write(`${octal(time, 11)}\0`, ...field.time)
  header.write(kinds[kind], field.link[0] - 1)
  header.write(target, ...field.link)
  header.write('ustar\0' + '00', field.link[0] + field.link[1])
  header.write(prefix, ...field.prefix)
  header.write(`${octal(checksumOf(header), 6)}\0 `, ...field.checksum)
  return header
}

function splitPath(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= field.name[1]) return ['', path]
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= field.prefix[1] && Buffer.byteLength(name) <= field.name[1]) {
      return [prefix, name]
    }
  }
  throw new ArchiveError(`The name ${path} is too long for an archive.`)
}

function octal(value: number, digits: number): string {
  const text = value.toString(8).padStart(digits, '0')
  if (text.length > digits)
    throw new ArchiveError('A single file of more than 8 GiB does not fit into an archive.')
  return text
}

/** The sum over a header. The checksum field itself counts as spaces. */
export function checksumOf(header: Buffer): number {
  const [at, length] = field.checksum
  return header.reduce((sum, byte, index) => sum + (index >= at && index < at + length ? 32 : byte), 0)
}

/** How many bytes fill a content up to whole blocks. */
export function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize
}
