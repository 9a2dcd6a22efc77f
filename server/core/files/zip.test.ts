import { expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { readForward } from '#server/test/forward-zip.ts'
import { type ZipEntry, zipFile } from './zip.ts'

async function* of(...entries: ZipEntry[]) {
  yield* entries
}
const read = async (...entries: ZipEntry[]): Promise<Record<string, string>> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of zipFile(of(...entries))) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const forward = Object.entries(readForward(bytes)).map(([name, content]) => [name, content.toString()])
  const zip = await fromBufferPromise(bytes)
  const found: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = []
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
    found[entry.fileName] = Buffer.concat(parts).toString()
  }
  expect(Object.fromEntries(forward)).toEqual(found)
  return found
}
const text = (name: string, content: string): ZipEntry => ({ name, bytes: Buffer.from(content) })

test('a ZIP has every file as it is; the same name gets a number, whatever its case', async () => {
  expect(await read(text('Müller, Zoë.pdf', 'one'), text('A.pdf', 'two'), text('a.pdf', 'three'))).toEqual({
    'Müller, Zoë.pdf': 'one',
    'A.pdf': 'two',
    'a (2).pdf': 'three',
  })
})

test('no name leaves its folder', async () => {
  expect(
    Object.keys(await read(text('../../etc/passwd', ''), text('C:\\x|y?.pdf', ''), text('', ''))),
  ).toEqual(['.._.._etc_passwd', 'C__x_y_.pdf', 'file'])
})

test('an archive without files is one', async () => {
  expect(await read()).toEqual({})
})
