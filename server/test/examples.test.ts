import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { createApiKey } from '#contract/keys/keys.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite, makeStudent } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'

const root = join(import.meta.dirname, '..', '..')
let installation: Installation
let program: MadeProgram
let admin: Caller
let folder: string
beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  folder = mkdtempSync(join(tmpdir(), 'practicum-examples-'))
})
afterAll(async () => {
  await installation?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const keyFor = async (Name: string, ...Rights: string[]) =>
  (
    await admin.ok(createApiKey, {
      params: { programId: program.Id },
      body: { Name, Rights: Rights as never, ExpireDays: 1 },
    })
  ).Key

/** Runs an example as its users do; answers how it ended and what it said. */
const run = async (name: string, env: Record<string, string>, input = '') => {
  const child = spawn(process.execPath, [join(root, 'examples', name, 'main.ts')], {
    env: { ...process.env, PRACTICUM_URL: installation.url, PRACTICUM_PROGRAM: String(program.Id), ...env },
  })
  child.stdin.end(input)
  const [said, failed, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code, said, failed }
}
const linesOf = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('the client of the examples is the one that the command writes today', () => {
  const fresh = join(folder, 'practicum.ts')
  const names = ['searchUsers', 'listTimeRecords', 'addTimeRecord', 'sync']
  spawnSync(process.execPath, [join(root, 'scripts', 'api-client.ts'), fresh, ...names], { cwd: root })
  const plain = (path: string) => readFileSync(path, 'utf8').replace(/[\s,;|()'"]+/g, '')
  expect(plain(fresh)).toBe(plain(join(root, 'examples', 'practicum.ts')))
})

test('the roster comes from a student information system, and a broken one changes nothing', async () => {
  const file = join(folder, 'roster.tsv')
  const PRACTICUM_KEY = await keyFor('Registrar', 'data-sync.send')
  const head = 'FirstName\tLastName\tEmailAddress\tStudentNumber\n'
  writeFileSync(file, `${head}Ada\tLind\tada@example.org\tA1\nBo\tReed\tbo@example.org\tA2\n`)
  const env = { PRACTICUM_KEY, ROSTER_FILE: file }
  expect(await run('roster', env)).toMatchObject({ code: 0, said: '2 added, 0 changed, 0 unchanged\n' })
  expect((await run('roster', env)).said).toBe('0 added, 0 changed, 2 unchanged\n')
  const short = await run('roster', { ...env, ROSTER_FEWEST: '3' })
  expect([short.code, short.failed]).toEqual([1, expect.stringContaining('Nothing was sent')])
  writeFileSync(file, `${head}Cy\tFox\tnobody\tA3\n`)
  const broken = await run('roster', env)
  expect([broken.code, broken.failed]).toEqual([1, expect.stringMatching(/row 2/i)])
  const revoked = await run('roster', { ...env, PRACTICUM_KEY: 'psk_wrong' })
  expect(revoked.failed).toContain('no key that is in use')
})

test('the kiosk clocks a student in and out by their badge, and the nightly export brings both records', async () => {
  const site = await makeSite(installation.owner, program)
  await makeStudent(installation.owner, program, { student_number: 'K7', first_name: 'Kim' })
  const kiosk = {
    PRACTICUM_KEY: await keyFor('Kiosk', 'people.read', 'time.read', 'time.edit'),
    KIOSK_SITE: String(site.Id),
    KIOSK_TIME_ZONE: 'America/New_York',
  }
  expect((await run('kiosk-clock', kiosk, 'K7\nK8\n')).said).toBe('K7: clocked in\nK8: unknown badge\n')
  const { rows } = await installation.owner.query(
    'select count(*)::integer as count from time_record where program_id = $1',
    [program.Id],
  )
  expect(rows[0].count).toBe(1)
  const exported = await run('nightly-export', {
    PRACTICUM_KEY: await keyFor('Warehouse', 'people.read', 'time.read'),
    EXPORT_FOLDER: folder,
    EXPORT_FROM: '2026-01-01',
  })
  expect(exported).toMatchObject({ code: 0 })
  expect(linesOf('people.ndjson').map(({ FirstName }) => FirstName)).toContain('Kim')
  expect(linesOf('time-records.ndjson')).toMatchObject([{ Type: 'in', Location: site.Name }])
})

test('a key without the rights gets nothing, and says why', async () => {
  const { code, failed } = await run('nightly-export', {
    PRACTICUM_KEY: await keyFor('Too little', 'people.read'),
    EXPORT_FOLDER: join(folder, 'none'),
    EXPORT_FROM: '2026-01-01',
  })
  expect([code, failed]).toEqual([1, expect.stringContaining('time.read')])
})
