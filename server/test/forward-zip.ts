import { crc32, inflateRawSync } from 'node:zlib'

/**
 * The files of a ZIP as a reader finds them that goes forward only, as `java.util.zip.ZipInputStream` does: by the heads in
 * front of them, without the directory at the end.
 *
 * @throws Error where such a reader gives up
 */
export const readForward = (zip: Buffer): Record<string, Buffer> => {
  const found: Record<string, Buffer> = {}
  let at = 0
  while (zip.readUInt32LE(at) === 0x04034b50) {
    const [flags, method] = [zip.readUInt16LE(at + 6), zip.readUInt16LE(at + 8)]
    const isSizedBehind = (flags & 8) !== 0
    const nameEnd = at + 30 + zip.readUInt16LE(at + 26)
    const name = zip.toString('utf8', at + 30, nameEnd)
    const start = nameEnd + zip.readUInt16LE(at + 28)
    if (isSizedBehind && method !== 8)
      throw new Error(`${name}: only packed files may have their size behind them`)
    // Node's types leave out what `info` answers.
    const { buffer, engine } = inflateRawSync(zip.subarray(start), { info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    const sizes = isSizedBehind ? start + engine.bytesWritten + 4 : at + 14
    const told = [0, 4, 8].map((more) => zip.readUInt32LE(sizes + more))
    const real = [crc32(buffer), engine.bytesWritten, buffer.length]
    if (told.join() !== real.join()) throw new Error(`${name}: ${told} is said and ${real} is there`)
    found[name] = buffer
    at = isSizedBehind ? sizes + 12 : start + engine.bytesWritten
  }
  if (zip.readUInt32LE(at) !== (Object.keys(found).length > 0 ? 0x02014b50 : 0x06054b50))
    throw new Error(`Neither a file nor the directory begins at ${at}`)
  return found
}
