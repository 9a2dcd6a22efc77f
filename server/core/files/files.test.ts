import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { addSiteDocument, downloadSiteDocument } from '#contract/sites/sites.ts'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import { type Bucket, startBucket } from '#server/test/bucket.ts'
import { makePerson, makeProgram, makeSite } from '#server/test/factories.ts'
import { startInstallation } from '#server/test/installation.ts'
import { openFileStore } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'practicum-store-'))
let bucket: Bucket
beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(async () => {
  await bucket?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const all = async <T>(from: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const one of from) found.push(one)
  return found
}
const bytesOf = async (store: FileStore, key: string): Promise<Buffer> =>
  Buffer.concat(await all<Buffer>(await store.read(key)))
const keysOf = async (store: FileStore): Promise<string[]> => (await all(store.list())).map(({ key }) => key)

describe.each([
  ['a folder', () => pathToFileURL(join(folder, 'files')).href],
  ['a bucket', () => bucket.url],
  ['a path in a bucket', () => bucket.url.replace('?', '/college/practicum?')],
])('%s', (_name, urlOf) => {
  let store: FileStore
  beforeAll(async () => {
    store = await openFileStore(urlOf())
  })

  test('keeps bytes under a random key, reads them as a stream, lists and removes them', async () => {
    const large = Buffer.alloc(6_000_001, 'practicum')
    const keys = [await store.put(large), await store.put(Buffer.alloc(0))]
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{2}\/[0-9a-f]{38}$/)
    expect((await bytesOf(store, keys[0]!)).equals(large)).toBe(true)
    expect(await bytesOf(store, keys[1]!)).toHaveLength(0)
    let pieces = 0
    for await (const _piece of await store.read(keys[0]!)) pieces++
    expect(pieces).toBeGreaterThan(10)
    const listed = await all(store.list())
    expect(listed).toEqual(expect.arrayContaining([{ key: keys[0], byteCount: 6_000_001 }]))
    await store.remove(keys[0]!)
    await store.remove(keys[0]!)
    expect(await keysOf(store)).toEqual([keys[1]])
    await expect(store.read(keys[0]!)).rejects.toThrow()
  })

  test('places a streamed file under its old key; one that breaks off does not exist', async () => {
    const parts = async function* (count: number, isBroken = false) {
      for (let at = 0; at < count; at++) yield Buffer.alloc(1_000_000, String(at % 10))
      if (isBroken) throw new Error('the source broke off')
    }
    const before = new Set(await keysOf(store))
    await store.place('ab/whole', parts(20))
    expect(await bytesOf(store, 'ab/whole')).toHaveLength(20_000_000)
    for (const count of [0, 5, 15])
      await expect(store.place('ab/broken', parts(count, true))).rejects.toThrow()
    expect((await keysOf(store)).filter((key) => !before.has(key))).toEqual(['ab/whole'])
    await expect(store.read('ab/broken')).rejects.toThrow()
  })

  test('lets no key lead out of the store', async () => {
    for (const key of ['../secret', 'ab/../../secret', '/etc/passwd', 'a\\b', ''])
      await expect(store.read(key), key).rejects.toThrow(/not a key/)
  })
})

test('a store that cannot be used is told in one sentence that names FILES_URL and no secret', async () => {
  writeFileSync(join(folder, 'in-the-way'), '')
  const unusable: [string, RegExp][] = [
    [pathToFileURL(join(folder, 'in-the-way', 'files')).href, /folder/],
    [bucket.url.replace('s3://files', 's3://absent'), /the bucket absent does not exist/],
    [bucket.url.replace('accessKeyId=', 'accessKeyId=not-'), /refuses these credentials/],
    [bucket.url.replace(/endpoint=[^&]+/, 'endpoint=http://127.0.0.1:1'), /127\.0\.0\.1:1 does not answer/],
  ]
  for (const [url, reason] of unusable) {
    const error = await openFileStore(url).then(
      () => undefined,
      (failure: Error) => failure,
    )
    expect(error?.name, url).toBe('ConfigError')
    expect(error?.message).toMatch(/^FILES_URL cannot be used: [^\n]+\.$/)
    expect(error?.message).toMatch(reason)
    expect(error?.message).not.toContain(bucket.secret)
  }
})

test('two processes with one bucket see each other’s files', async () => {
  const [one, other] = [await openFileStore(bucket.url), await openFileStore(bucket.url)]
  const key = await one.put(Buffer.from('from one'))
  expect((await bytesOf(other, key)).toString()).toBe('from one')
  expect(readdirSync(folder)).not.toContain(key.slice(0, 2))
})

test('documents of a site go into the bucket and come back; one that is too large leaves nothing there', async () => {
  const own = await startBucket()
  const installation = await startInstallation({ FILES_URL: own.url })
  try {
    const program = await makeProgram(installation.owner)
    const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    const site = await makeSite(installation.owner, program)
    const params = { programId: program.Id, siteId: site.Id }
    const add = (content: Buffer) =>
      coordinator.call(
        addSiteDocument,
        { params, body: {} },
        { files: [{ field: 'file', name: 'a.pdf', content }] },
      )
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3_000_000, 'x')])
    const kept = await add(content)
    expect(kept.status).toBe(200)
    expect((await add(Buffer.concat([content, Buffer.alloc(30_000_000)]))).status).toBe(413)
    const store = await openFileStore(own.url)
    expect(await all(store.list())).toEqual([{ key: expect.any(String), byteCount: content.length }])
    const back = await coordinator.call(downloadSiteDocument, {
      params: { ...params, documentId: kept.body.Id },
    })
    expect([back.status, String(back.body).length]).toEqual([200, content.length])
    const other = await installation.as(await makePerson(installation.owner, Level.Coord))
    const refused = await other.call(downloadSiteDocument, {
      params: { ...params, documentId: kept.body.Id },
    })
    expect(refused.status).toBe(404)
    await own.stop()
    expect((await add(content)).status).toBe(503)
    const missing = await coordinator.call(downloadSiteDocument, {
      params: { ...params, documentId: kept.body.Id },
    })
    expect(missing.status).toBe(503)
  } finally {
    await installation.stop()
  }
}, 60_000)
