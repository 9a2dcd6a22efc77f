import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { coreFailures } from '#contract/core/failures.ts'
import { thePhoto } from '#contract/core/wording.ts'
import { sentence } from '#contract/language/texts.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { refuseLarge, unreadable } from './clean-picture.ts'
import { pictureTypeOf } from './picture-type.ts'
import type { ReceivedFile } from './received-file.ts'

const start = promisify(execFile)

/** One photo at a time, each a second or two of a processor; who would wait for more than these comes again. */
const turn = pLimit(1)
const mostWaiting = 10

const timeoutMs = 20_000
const maxMadeBytes = 64 * 1024 ** 2
const maxMemoryBytes = 2 * 1024 ** 3

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where the first of these programs is, as a shell would find it. Looked up anew each time: it may have been installed since. */
const placeOf = (...programs: string[]): string | undefined =>
  programs
    .flatMap((program) =>
      (process.env.PATH ?? '').split(delimiter).flatMap((folder) => (folder ? join(folder, program) : [])),
    )
    .find(isProgram)

/** The program of libheif that turns HEIC into JPEG on this machine; undefined without one. It is run, never shipped: libheif is LGPL. */
export const findHeicConverter = (): string | undefined => placeOf('heif-dec', 'heif-convert')

/** HEIC and its like, by the box that such files begin with. */
const isHeic = (bytes: Buffer): boolean =>
  /^ftyp(heic|heix|hevc|heim|heis|mif1|msf1|avif)/.test(bytes.toString('latin1', 4, 12))

/** Refuses too many pixels before any is read: each size that such a file says, of the picture and of its tiles, is in a box `ispe`. */
const refuseManyPixels = ({ name, bytes }: ReceivedFile): void => {
  for (let at = bytes.indexOf('ispe'); at >= 0 && at + 16 <= bytes.length; at = bytes.indexOf('ispe', at + 4))
    refuseLarge(name, [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)])
}

/** A JPEG without its EXIF. The converter has turned the pixels, and leaves the word of the camera that they are to be turned. */
const withoutExif = (jpeg: Buffer): Buffer => {
  const kept = [jpeg.subarray(0, 2)]
  let at = 2
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff && jpeg[at + 1]! >= 0xe0) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (jpeg[at + 1] !== 0xe1) kept.push(jpeg.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, jpeg.subarray(at)])
}

/** Runs the converter in a folder of its own, without a shell, bounded in time, memory and what it writes. */
const convert = async (converter: string, { name, bytes }: ReceivedFile): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'practicum-heic-'))
  try {
    await writeFile(join(folder, 'in.heic'), bytes)
    const command = [converter, '-q', '95', 'in.heic', 'out.jpg']
    const bounds = placeOf('prlimit')
    const bounded = bounds
      ? [bounds, `--as=${maxMemoryBytes}`, `--fsize=${maxMadeBytes}`, ...command]
      : command
    await start(bounded[0]!, bounded.slice(1), {
      cwd: folder,
      env: { PATH: process.env.PATH },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    // A file of several pictures becomes out-1.jpg and so on; maps of depth have names besides.
    const files = await readdir(folder)
    const made = ['out.jpg', 'out-1.jpg'].find((name) => files.includes(name))
    if (!made || (await stat(join(folder, made))).size > maxMadeBytes) throw unreadable(name)
    const jpeg = await readFile(join(folder, made))
    if (pictureTypeOf(jpeg) !== 'image/jpeg') throw unreadable(name)
    return withoutExif(jpeg)
  } catch {
    throw unreadable(name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * An upload with its HEIC photos as JPEG, where this machine has a program for that; everything else as it came.
 *
 * @throws Failure 413 for too many pixels, 415 for a photo that cannot be read, 503 while too many are read already
 */
export const withoutHeic = async (file: ReceivedFile): Promise<ReceivedFile> => {
  if (!isHeic(file.bytes)) return file
  const converter = findHeicConverter()
  if (!converter) return file
  refuseManyPixels(file)
  if (turn.pendingCount >= mostWaiting)
    throw fail(coreFailures.photos_busy, { Name: file.name || sentence(thePhoto) }, { retryAfterSeconds: 60 })
  const bytes = await turn(() => convert(converter, file))
  return { ...file, name: `${file.name.replace(/\.\w+$/, '') || 'photo'}.jpg`, bytes }
}

/**
 * Refuses the photos of iPhones that few computers show and this one cannot convert, with the way out.
 *
 * @throws Failure 415
 */
export const refuseHeic = ({ name, bytes }: Pick<ReceivedFile, 'name' | 'bytes'>): void => {
  if (isHeic(bytes)) throw fail(coreFailures.heic, { Name: name || sentence(thePhoto) })
}
