import { Failure } from '#server/core/runtime/failure.ts'
import type { ReceivedFile } from './received-file.ts'

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

/** The type of a picture by its content, whatever its name says; undefined for what browsers might run or not show. */
export const pictureTypeOf = (bytes: Uint8Array): string | undefined => {
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'image/gif'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp'
  return undefined
}

/** HEIC and its like, by the box that such files begin with. */
const isHeic = (bytes: Buffer): boolean =>
  /^ftyp(heic|heix|hevc|heim|heis|mif1|msf1|avif)/.test(bytes.toString('latin1', 4, 12))

/**
 * Refuses the photos of iPhones that few computers show, with the way out.
 *
 * @throws Failure 415
 */
export const refuseHeic = ({ name, bytes }: Pick<ReceivedFile, 'name' | 'bytes'>): void => {
  if (isHeic(bytes))
    throw new Failure(
      415,
      'heic',
      `${name || 'The photo'} is a HEIC photo, which many computers cannot show. Set the camera to “Most Compatible”, or take a screenshot of the photo and send that. Nothing was kept.`,
    )
}
