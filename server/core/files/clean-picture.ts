/** What a camera writes into a picture besides the picture: where and when it was taken, and by whom. */

const marker = (bytes: Buffer, at: number): number => bytes.readUInt16BE(at)

/** How a JPEG is turned, 1 to 8, by its EXIF; 1 where it does not say. */
const orientationOf = (exif: Buffer): number => {
  if (exif.toString('latin1', 0, 6) !== 'Exif\0\0' || exif.length < 14) return 1
  const tiff = exif.subarray(6)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const start = long(4)
  if (start + 2 > tiff.length) return 1
  for (let index = 0; index < short(start); index++) {
    const entry = start + 2 + index * 12
    if (entry + 12 > tiff.length) return 1
    if (short(entry) === 0x0112) return Math.min(8, Math.max(1, short(entry + 8)))
  }
  return 1
}

/** The shortest EXIF that says how the picture is turned, and nothing else. */
const turned = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Segments of a JPEG that hold no picture: APP1 to APP15 but the color profile and Adobe's, and comments. */
const isRemoved = (mark: number, body: Buffer): boolean =>
  mark === 0xfffe ||
  (mark >= 0xffe1 &&
    mark <= 0xffef &&
    mark !== 0xffee &&
    !(mark === 0xffe2 && body.toString('latin1', 0, 11) === 'ICC_PROFILE'))

const cleanJpeg = (bytes: Buffer): Buffer => {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let orientation = 1
  let at = 2
  while (at + 4 <= bytes.length) {
    const mark = marker(bytes, at)
    // The picture itself begins: everything from here on stays.
    if (mark === 0xffda || mark < 0xffc0) break
    const end = at + 2 + marker(bytes, at + 2)
    if (end > bytes.length) break
    const body = bytes.subarray(at + 4, end)
    if (mark === 0xffe1) orientation = Math.max(orientation, orientationOf(body))
    if (!isRemoved(mark, body)) kept.push(bytes.subarray(at, end))
    at = end
  }
  if (orientation > 1) kept.splice(1, 0, turned(orientation))
  return Buffer.concat([...kept, bytes.subarray(at)])
}

const namesOfPng = new Set(['eXIf', 'tEXt', 'iTXt', 'zTXt', 'tIME'])
const cleanPng = (bytes: Buffer): Buffer => {
  const kept: Buffer[] = [bytes.subarray(0, 8)]
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    if (!namesOfPng.has(bytes.toString('latin1', at + 4, at + 8))) kept.push(bytes.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, bytes.subarray(at)])
}

/**
 * A picture without what its camera wrote about place, time and owner; how it is turned stays. What is no JPEG or PNG, or is broken,
 * is answered as it is.
 */
export const cleanPicture = (bytes: Buffer, mediaType: string): Buffer =>
  mediaType === 'image/jpeg' ? cleanJpeg(bytes) : mediaType === 'image/png' ? cleanPng(bytes) : bytes
