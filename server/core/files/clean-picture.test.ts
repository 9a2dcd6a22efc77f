import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Transformer } from '@napi-rs/image'
import fc from 'fast-check'
import UPNG from 'upng-js'
import { expect, test } from 'vitest'
import type { Failure } from '#server/core/runtime/failure.ts'
import { pictures } from '#server/test/pictures.ts'
import { cleanFile } from './clean-picture.ts'

const plain = readFileSync(new URL('../../demo/cpr-card.jpg', import.meta.url))
const segment = (mark: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, mark, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}
/** An EXIF with how the picture is turned and a place where it was taken. */
const exif = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(60)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(2, 8)
  tiff.writeUInt16LE(0x0112, 10)
  tiff.writeUInt16LE(3, 12)
  tiff.writeUInt32LE(1, 14)
  tiff.writeUInt16LE(orientation, 18)
  tiff.writeUInt16LE(0x8825, 22)
  tiff.writeUInt16LE(4, 24)
  tiff.writeUInt32LE(1, 26)
  tiff.writeUInt32LE(38, 30)
  tiff.write('GPS 41.63 N 70.93 W', 40, 'latin1')
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]))
}
const withSegments = (...segments: Buffer[]): Buffer =>
  Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])

const cleaned = async (bytes: Buffer, mediaType: string): Promise<Buffer> =>
  (await cleanFile({ field: 'file', name: 'photo', bytes }, mediaType)).bytes
const sizeOf = async (bytes: Buffer) => {
  const { width, height } = await new Transformer(bytes).metadata()
  return [width, height]
}
/** The color in a corner, as a library reads it that the product does not use. */
const cornerOf = async (bytes: Buffer): Promise<number[]> => {
  const png = UPNG.decode(new Uint8Array(await new Transformer(bytes).png()).buffer)
  return [...new Uint8Array(UPNG.toRGBA8(png)[0]!).subarray(0, 3)]
}
const hidden = Buffer.from('HIDDEN GPS 41.63 N 70.93 W')

test('a photo is upright and has nothing but its pixels: no place, no comment, nothing behind its end', async () => {
  const sent = Buffer.concat([
    withSegments(
      exif(6),
      segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0 exif:GPSLatitude')),
      segment(0xfe, Buffer.from('Taken at GPS home')),
      segment(0xed, hidden),
    ),
    hidden,
  ])
  const kept = await cleaned(sent, 'image/jpeg')
  for (const word of ['GPS', 'HIDDEN', 'Exif', 'xap']) expect(kept.includes(word), word).toBe(false)
  expect(kept.indexOf(Buffer.from([0xff, 0xfe]))).toBe(-1)
  expect(kept.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
  const [width, height] = await sizeOf(plain)
  expect(await sizeOf(kept)).toEqual([height, width])
  expect(await sizeOf(await cleaned(withSegments(exif(1)), 'image/jpeg'))).toEqual([width, height])
})

test.each([
  ['image/png', pictures.png, ['tEXt', 'tIME', 'gAMA', 'date:create']],
  ['image/jpeg', pictures.jpeg, []],
  ['image/webp', pictures.webp, []],
  ['image/gif', pictures.gif, ['ImageMagick', 'gamma']],
] as const)('%s keeps its pixels and loses what is around them', async (type, sent, words) => {
  for (const word of words) expect(sent.includes(word), word).toBe(true)
  const kept = await cleaned(Buffer.concat([sent, hidden]), type)
  for (const word of [...words, 'HIDDEN']) expect(kept.includes(word), word).toBe(false)
  if (type === 'image/gif') {
    expect(kept.subarray(0, 19)).toEqual(sent.subarray(0, 19))
    expect(kept.subarray(-15)).toEqual(sent.subarray(-15))
    return
  }
  expect(await sizeOf(kept)).toEqual([3, 2])
  const color = await cornerOf(kept)
  for (const [at, wanted] of [0x80, 0x40, 0x20].entries())
    expect(Math.abs(color[at]! - wanted)).toBeLessThan(6)
})

test('comments and texts of a GIF go, its loop stays', async () => {
  const { gif } = pictures
  const block = (label: number, ...pieces: string[]) =>
    Buffer.concat([
      Buffer.from([0x21, label]),
      ...pieces.map((text) => Buffer.from(String.fromCharCode(text.length) + text, 'latin1')),
      Buffer.from([0]),
    ])
  const loop = block(0xff, 'NETSCAPE2.0', '\u0001\0\0')
  const sent = Buffer.concat([
    gif.subarray(0, 19),
    block(0xfe, 'HIDDEN'),
    loop,
    block(0xff, 'NETSCAPE2.0', '\u0001\0\0', 'HIDDEN'),
    block(0x01, 'HIDDEN text'),
    gif.subarray(19),
  ])
  const kept = await cleaned(sent, 'image/gif')
  expect(kept.includes('HIDDEN')).toBe(false)
  expect(kept.includes(loop)).toBe(true)
})

test('a picture of more pixels than anybody needs is refused before they are there', async () => {
  const large = Buffer.from(pictures.gif)
  large.writeUInt16LE(60_000, 6)
  large.writeUInt16LE(60_000, 8)
  await expect(cleaned(large, 'image/gif')).rejects.toMatchObject({ status: 413 })
  const png = Buffer.from(pictures.png)
  png.writeUInt32BE(60_000, 16)
  png.writeUInt32BE(60_000, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  await expect(cleaned(png, 'image/png')).rejects.toMatchObject({ status: 413 })
  const jpeg = Buffer.from(pictures.jpeg)
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt32BE(0xea60ea60, frame + 5)
  await expect(cleaned(jpeg, 'image/jpeg')).rejects.toMatchObject({ status: 413 })
  const webp = Buffer.from(pictures.webp)
  webp.writeUInt32LE(0x3fff3fff, 26)
  await expect(cleaned(webp, 'image/webp')).rejects.toMatchObject({ status: 413 })
})

test('whatever is changed or cut, a picture is made anew or refused in a sentence; other files stay as they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('image/png', 'image/jpeg', 'image/webp', 'image/gif'),
      fc.nat(),
      fc.nat({ max: 255 }),
      fc.boolean(),
      async (type, place, value, isCut) => {
        const bytes = Buffer.from(pictures[type.slice(6) as keyof typeof pictures])
        const at = place % bytes.length
        bytes[at] = value
        const sent = isCut ? bytes.subarray(0, at) : bytes
        const answer = await cleaned(sent, type).catch((error: unknown) => error)
        if (!Buffer.isBuffer(answer)) expect([413, 415]).toContain((answer as Failure).status)
        expect(await cleaned(sent, 'application/pdf')).toBe(sent)
      },
    ),
    { numRuns: 200 },
  )
})
