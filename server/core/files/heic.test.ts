import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Transformer } from '@napi-rs/image'
import UPNG from 'upng-js'
import { afterEach, expect, test, vi } from 'vitest'
import type { Failure } from '#server/core/runtime/failure.ts'
import { pictures, standInConverter } from '#server/test/pictures.ts'
import { cleanFile } from './clean-picture.ts'
import { findHeicConverter, withoutHeic } from './heic.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Four fields of red and green, blue and white; to be turned to the right, as both its boxes and its EXIF say. */
const bytes = readFileSync(new URL('./sample.heic', import.meta.url))
const photo = { field: 'file', name: 'IMG_0042.HEIC', bytes }
const failureOf = (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => Promise.reject(new Error('It was taken.')),
    (error: Failure) => error,
  )
const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith('practicum-heic-')).length

test.runIf(findHeicConverter())('a photo of an iPhone is read by libheif, and is upright once', async () => {
  const { name, bytes: jpeg } = await withoutHeic(photo)
  expect(name).toBe('IMG_0042.jpg')
  const { bytes: kept } = await cleanFile({ ...photo, name, bytes: jpeg }, 'image/jpeg')
  const png = UPNG.decode(new Uint8Array(await new Transformer(kept).png()).buffer)
  const pixels = new Uint8Array(UPNG.toRGBA8(png)[0]!)
  const brightest = (x: number, y: number) =>
    [0, 1, 2].filter((channel) => pixels[(y * png.width + x) * 4 + channel]! > 100)
  expect([png.width, png.height]).toEqual([48, 64])
  expect([brightest(4, 4), brightest(40, 4), brightest(4, 60), brightest(40, 60)]).toEqual([
    [2],
    [0],
    [0, 1, 2],
    [1],
  ])
  expect(kept.includes('Exif')).toBe(false)
})

test('without a program for it a photo stays as it is, and so does everything that is none', async () => {
  vi.stubEnv('PATH', '/nowhere:')
  expect(await withoutHeic(photo)).toBe(photo)
  vi.stubEnv('PATH', await standInConverter('exit 1'))
  for (const other of [pictures.jpeg, pictures.png, Buffer.from('%PDF-1.7'), Buffer.alloc(0)]) {
    const file = { ...photo, bytes: other }
    expect(await withoutHeic(file)).toBe(file)
  }
})

test('of several pictures in one file the first is kept, and never a map of its depth', async () => {
  for (const name of ['out.jpg', 'out-1.jpg']) {
    const folder = await standInConverter(pictures.jpeg)
    vi.stubEnv(
      'PATH',
      await standInConverter(
        `/bin/cat '${folder}/made.jpg' > ${name}; echo no > out-depth.jpg; echo no > out-2.jpg`,
      ),
    )
    expect((await withoutHeic(photo)).bytes).toEqual(pictures.jpeg)
  }
})

test.each([
  ['fails', 'exit 1'],
  ['makes nothing', 'exit 0'],
  ['makes no picture', 'echo no > out.jpg'],
  ['makes too much', '/bin/dd if=/dev/zero of=out.jpg bs=1M count=70 2>/dev/null'],
])('a photo is refused where the program %s, and nothing stays behind', async (_what, commands) => {
  vi.stubEnv('PATH', await standInConverter(commands))
  const before = foldersLeft()
  const { status, message } = await failureOf(withoutHeic(photo))
  expect([status, message]).toEqual([
    415,
    expect.stringMatching(/^IMG_0042.HEIC cannot be read.*Nothing was kept/),
  ])
  expect(foldersLeft()).toBe(before)
})

test('a photo of more pixels than anybody needs is refused before the program sees it', async () => {
  vi.stubEnv('PATH', await standInConverter(pictures.jpeg))
  const large = Buffer.from(bytes)
  large.writeUInt32BE(60_000, large.indexOf('ispe') + 8)
  large.writeUInt32BE(60_000, large.indexOf('ispe') + 12)
  expect((await failureOf(withoutHeic({ ...photo, bytes: large }))).status).toBe(413)
})

test('photos are read one after the other, and who would wait too long is told to come again', async () => {
  vi.stubEnv('PATH', await standInConverter(pictures.jpeg))
  const results = await Promise.allSettled(Array.from({ length: 14 }, () => withoutHeic(photo)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  for (const failure of refused) expect([failure.status, failure.retryAfterSeconds]).toEqual([503, 60])
  expect((await withoutHeic(photo)).name).toBe('IMG_0042.jpg')
})
