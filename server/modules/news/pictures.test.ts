import UPNG from 'upng-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/news/pictures.ts'
import { type MadeProgram, makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { pictures } from '#server/test/pictures.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let student: Caller
let superAdmin: Caller

beforeAll(async () => {
  installation = await startInstallation({ APP_ROOT: '' })
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  student = await installation.as(await makeStudent(installation.owner, program))
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)
const kinds: [string, Uint8Array, string][] = [
  ['a.png', png, 'image/png'],
  ['b.jpg', pictures.jpeg, 'image/jpeg'],
  ['c.gif', pictures.gif, 'image/gif'],
  ['d.webp', pictures.webp, 'image/webp'],
  ['named-wrong.svg', png, 'image/png'],
]
const add = (caller: Caller, name: string, content: Uint8Array | string) =>
  caller.call(
    contract.addPicture,
    { params: { programId: program.Id } },
    { files: [{ field: 'file', name, content }] },
  )
const pixels = (bytes: Buffer): ArrayBuffer[] => UPNG.toRGBA8(UPNG.decode(new Uint8Array(bytes).buffer))
const keyOf = (address: string): string => /\/new\/api\/pictures\/([0-9a-f]{40})$/.exec(address)![1]!
const show = (caller: Caller, key: string) => caller.call(contract.getPicture, { params: { key } })

test.each(kinds)(
  '%s is kept by its content and served under a random address',
  async (name, content, type) => {
    const { status, body } = await add(coordinator, name, content)
    expect(status).toBe(200)
    const shown = await show(student, keyOf(body.Address))
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe(type)
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(shown.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(shown.headers.get('content-security-policy')).toContain("script-src 'self'")
  },
)

test('D1-299 the picture comes back without what was hidden in its file', async () => {
  const { body } = await add(coordinator, 'a.png', Buffer.concat([png, Buffer.from('hung behind it')]))
  const { rows } = await installation.owner.query(
    'select f.store_key from picture p join stored_file f on f.id = p.file_id where p.key = $1',
    [keyOf(body.Address)],
  )
  const chunks: Buffer[] = []
  for await (const chunk of await installation.services.files.read(rows[0].store_key))
    chunks.push(chunk as Buffer)
  const kept = Buffer.concat(chunks)
  expect(kept.includes('hung behind it')).toBe(false)
  expect(pixels(kept)).toEqual(pixels(png))
})

test('what is no such picture by its content is refused, whatever it is called', async () => {
  for (const [name, content] of [
    ['x.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['x.gif', '<html><script>alert(1)</script>'],
    ['x.jpg', '%PDF-1.7'],
    ['x.webp', ''],
    ['x.webp', 'RIFF1234WAVE'],
    ['broken.jpg', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['broken.gif', 'GIF89a\u0001\u0000\u0001\u0000'],
    ['x.heic', '\0\0\0\u0018ftypheic\0\0\0\0mif1heic'],
  ] as const)
    expect((await add(coordinator, name, content)).status, name).toBe(415)
})

test('a picture larger than 5 MiB is refused while it comes, or once it is there', async () => {
  const large = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes)])
  expect((await add(coordinator, 'l.png', large(contract.maxPictureBytes))).status).toBe(413)
  expect((await add(coordinator, 'l.png', large(20 * 1024 * 1024))).status).toBe(413)
  const { status } = await coordinator.call(
    contract.addPicture,
    { params: { programId: program.Id } },
    { files: [] },
  )
  expect(status).toBe(400)
})

test('a picture of a program does not exist for other programs, nor for who is not signed in', async () => {
  const key = keyOf((await add(coordinator, 'a.png', png)).body.Address)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Admin))
  expect((await show(stranger, key)).status).toBe(404)
  expect((await show(installation.anonymous, key)).status).toBe(401)
  expect((await show(superAdmin, key)).status).toBe(200)
  expect((await show(student, 'f'.repeat(40))).status).toBe(404)
  expect((await installation.anonymous.send('GET', '/pictures/..%2f..%2fetc')).status).toBe(401)
  expect((await student.send('GET', '/pictures/..%2f..%2fetc')).status).toBe(400)
})

test('a picture of the installation is seen by everybody who is signed in, and added by super admins only', async () => {
  const files = { files: [{ field: 'file', name: 'a.png', content: png }] }
  expect((await coordinator.call(contract.addInstallationPicture, {}, files)).status).toBe(403)
  expect((await add(student, 'a.png', png)).status).toBe(403)
  const { Address } = await superAdmin.ok(contract.addInstallationPicture, {}, files)
  expect((await show(student, keyOf(Address))).status).toBe(200)
  expect((await show(installation.anonymous, keyOf(Address))).status).toBe(401)
})

test('adding a picture is in the audit; looking at one in a text is not', async () => {
  const { body } = await add(coordinator, 'audited.png', png)
  await show(student, keyOf(body.Address))
  const { rows } = await installation.owner.query(
    "select action, detail from audit where action like '%pictures%' and program_id = $1 order by id desc limit 1",
    [program.Id],
  )
  expect(rows).toMatchObject([
    { action: 'POST /programs/:programId/pictures', detail: { Name: 'audited.png', MediaType: 'image/png' } },
  ])
})
