import pLimit from 'p-limit'
import { coreFailures } from '#contract/core/failures.ts'
import { thePicture } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { type Failure, fail } from '#server/core/runtime/failure.ts'
import type { ReceivedFile } from './received-file.ts'

/** A phone's largest photo of common use has fewer; each takes four bytes while it is made anew. */
const maxPixels = 64_000_000

/** One at a time: each takes a processor, and a quarter of a gigabyte at most. */
const turn = pLimit(1)

/** How much of a photo's detail is kept; few see what the rest was. */
const quality = 88

/** The refusal of a picture that cannot be read. */
export const unreadable = (name: string): Failure =>
  fail(coreFailures.unreadable_picture, { Name: name || sentence(thePicture) })

const tooManyPixels = (name: string): Failure =>
  fail(coreFailures.too_many_pixels, { Name: name || sentence(thePicture), Millions: maxPixels / 1_000_000 })

/**
 * Refuses a picture by the size that it says it has.
 *
 * @throws Failure 413
 */
export const refuseLarge = (name: string, [width, height]: readonly [number, number]): void => {
  if (width * height > maxPixels) throw tooManyPixels(name)
}

/** Where a JPEG says its size: behind the marks of a frame, which are these but three. */
const isFrame = (mark: number): boolean =>
  mark >= 0xffc0 && mark <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(mark)

const jpegSize = (bytes: Buffer): [number, number] => {
  for (let at = 2; ; ) {
    const mark = bytes.readUInt16BE(at)
    if (isFrame(mark)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    // Marks may have any number of filling bytes in front of them.
    at = mark === 0xffff ? at + 1 : at + 2 + bytes.readUInt16BE(at + 2)
  }
}

const webpSize = (bytes: Buffer): [number, number] => {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  if (kind === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  const packed = bytes.readUInt32LE(21)
  return [(packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1]
}

/** The size that a picture says it has, read before any of its pixels. */
const sizeOf = (bytes: Buffer, mediaType: string): [number, number] =>
  mediaType === 'image/jpeg'
    ? jpegSize(bytes)
    : mediaType === 'image/webp'
      ? webpSize(bytes)
      : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]

const saidSize = (name: string, bytes: Buffer, mediaType: string): [number, number] => {
  try {
    return sizeOf(bytes, mediaType)
  } catch {
    throw unreadable(name)
  }
}

/** Pictures are made anew by a library, loaded when the first one comes. */
const remade = async (name: string, bytes: Buffer, mediaType: string): Promise<Buffer> => {
  refuseLarge(name, saidSize(name, bytes, mediaType))
  const { Transformer } = await import('@napi-rs/image')
  // Turned as its camera says, since the words of the camera go.
  const upright = new Transformer(bytes).rotate()
  const made =
    mediaType === 'image/jpeg'
      ? upright.jpeg(quality)
      : mediaType === 'image/webp'
        ? upright.webp(quality)
        : upright.png()
  return made.catch(() => {
    throw unreadable(name)
  })
}

/** Extensions of a GIF that say how long a frame is shown and how often all are. */
const graphicControl = 0xf9
const application = 0xff
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** A GIF of its frames alone: comments, texts, what applications wrote, and what is behind its end are left out. */
const framesOf = (name: string, bytes: Buffer): Buffer => {
  const byte = (at: number): number => {
    const found = bytes[at]
    if (found === undefined) throw unreadable(name)
    return found
  }
  const colors = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const blocksEnd = (from: number): number => {
    let at = from
    while (byte(at) > 0) at += byte(at) + 1
    return at + 1
  }
  let at = 13 + colors(byte(10))
  byte(at)
  refuseLarge(name, [bytes.readUInt16LE(6), bytes.readUInt16LE(8)])
  const kept = [bytes.subarray(0, at)]
  let frames = 0
  for (; byte(at) !== 0x3b; ) {
    const start = at
    if (byte(at) === 0x2c) {
      at = blocksEnd(at + 10 + colors(byte(at + 9)) + 1)
      frames++
      kept.push(bytes.subarray(start, at))
    } else if (byte(at) === 0x21) {
      const label = byte(at + 1)
      at = blocksEnd(at + 2)
      if (label === graphicControl) kept.push(bytes.subarray(start, at))
      if (label === application && loops.includes(bytes.toString('latin1', start + 3, start + 14)))
        kept.push(bytes.subarray(start, Math.min(at, start + 19)))
    } else throw unreadable(name)
  }
  if (frames === 0) throw unreadable(name)
  return Buffer.concat([...kept, Buffer.from([0x3b])])
}

/** Whether a file of this type is a picture, which is made anew. */
const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/')

/**
 * A file without what its maker does not see: a picture is made anew from its pixels, upright, without place, time, owner, comments
 * and whatever was hung behind it. What is no picture is answered as it is.
 *
 * @throws Failure 413 for more pixels than anybody needs, 415 for a picture that cannot be read
 */
export const cleanFile = async (file: ReceivedFile, mediaType: string): Promise<ReceivedFile> => {
  if (!isPicture(mediaType)) return file
  const { name, bytes } = file
  const clean =
    mediaType === 'image/gif' ? framesOf(name, bytes) : await turn(() => remade(name, bytes, mediaType))
  return { ...file, bytes: clean }
}
