import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanPicture } from './clean-picture.ts'

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
  tiff.write('GPS 41.63 N 70.93 W', 34, 'latin1')
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]))
}
const withSegments = (...segments: Buffer[]): Buffer =>
  Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])

test('a photo loses where it was taken and keeps how it is turned', () => {
  const sent = withSegments(
    exif(6),
    segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0 exif:GPSLatitude')),
    segment(0xfe, Buffer.from('Taken at GPS home')),
    segment(0xe2, Buffer.from('ICC_PROFILE\0 colors')),
  )
  const cleaned = cleanPicture(sent, 'image/jpeg')
  expect(cleaned.includes('GPS')).toBe(false)
  expect(cleaned.includes('ICC_PROFILE')).toBe(true)
  // The picture itself is what it was.
  expect(cleaned.subarray(cleaned.indexOf(Buffer.from([0xff, 0xda])))).toEqual(
    plain.subarray(plain.indexOf(Buffer.from([0xff, 0xda]))),
  )
  expect(cleanPicture(cleaned, 'image/jpeg')).toEqual(cleaned)
  expect(cleaned.readUInt16BE(2)).toBe(0xffe1)
  expect(cleanPicture(withSegments(exif(1)), 'image/jpeg')).toEqual(plain)
})

test('a PNG loses its texts and keeps its picture', () => {
  const chunk = (name: string, body: string) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    return Buffer.concat([length, Buffer.from(name + body, 'latin1'), Buffer.alloc(4)])
  }
  const head = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const kept = [chunk('IHDR', 'size'), chunk('IDAT', 'picture'), chunk('IEND', '')]
  const sent = Buffer.concat([
    head,
    kept[0]!,
    chunk('eXIf', 'GPS'),
    chunk('tEXt', 'Place\0home'),
    ...kept.slice(1),
  ])
  expect(cleanPicture(sent, 'image/png')).toEqual(Buffer.concat([head, ...kept]))
})

test('whatever is sent is answered, and never longer than it came but for how it is turned', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('image/jpeg', 'image/png', 'application/pdf'),
      (bytes, type) => {
        for (const start of [[], [0xff, 0xd8], [0x89, 0x50]])
          expect(cleanPicture(Buffer.from([...start, ...bytes]), type).length).toBeLessThanOrEqual(
            bytes.length + 2 + 36,
          )
      },
    ),
  )
})
