import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ownCommand } from '#server/core/config/own-command.ts'
import { readPage, stepsOf } from './install-test/document.ts'
import { type Item, writeTar } from './release/pack.ts'
import { packagesOf } from './release/packages.ts'
import { programOf } from './release/program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'practicum-release-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const time = 1_796_000_000
const itemsOf = (file: string): Item[] => [
  { path: 'a/program', file, isProgram: true },
  { path: 'a/b/text', text: 'words', mode: 0o640 },
  { path: 'a/link', target: 'program' },
  { path: `a/${'long/'.repeat(20)}name`, text: '' },
]

test('the same items make the same bytes, whenever their files were made and in whatever order they are named', async () => {
  const files = ['one', 'other'].map((name) => join(folder, name))
  for (const [index, file] of files.entries()) {
    writeFileSync(file, 'bytes', { mode: index === 0 ? 0o600 : 0o777 })
    utimesSync(file, index, index)
  }
  const [one, other] = files.map((file) => `${file}.tar.gz`) as [string, string] // Of two files two.
  await writeTar(one, itemsOf(files[0]!), time)
  await writeTar(other, itemsOf(files[1]!).reverse(), time)
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
  const { stdout } = spawnSync('tar', ['tzvf', one, '--numeric-owner', '--utc', '--full-time'], {
    encoding: 'utf8',
  })
  const lines = stdout.trim().split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/^-rwxr-xr-x 0\/0 +5 2026-11-30 00:53:20 a\/program$/))
  expect(lines).toContainEqual(expect.stringMatching(/^-rw-r----- 0\/0 +5 .* a\/b\/text$/))
  expect(lines).toContainEqual(expect.stringMatching(/^lrwxrwxrwx .* a\/link -> program$/))
  expect(lines).toContainEqual(expect.stringMatching(/ a\/(long\/){20}name$/))
  expect(lines.findIndex((line) => line.endsWith(' a/'))).toBe(0)
})

test('a release holds what the server loads, and nothing of browsers or tests', () => {
  const { items, packages } = programOf()
  const names = [...packages.keys()].map((path) => path.replace(/^.*node_modules\//, ''))
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'nodemailer', '@fontsource/noto-sans-kr']))
  expect(names).not.toEqual(expect.arrayContaining(['react']))
  expect(names.filter((name) => /^(react|vite|vitest|typescript|@mantine\/)/.test(name))).toEqual([])
  const paths = items.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['bin/practicum', 'server/main.ts', 'server/core/backup/backup.ts']),
  )
  expect(paths.filter((path) => /^(server|contract|scripts)\/.*\.(test|fixture)\.ts$/.test(path))).toEqual([])
})

test('a package comes with what it needs itself', () => {
  expect([...packagesOf(['pg']).keys()]).toEqual(
    expect.arrayContaining(['node_modules/pg', 'node_modules/pg-protocol', 'node_modules/pg-types']),
  )
})

test('the launcher knows whether the worker runs by itself, and explains its commands', () => {
  const launcher = programOf().items.find(({ path }) => path === 'bin/practicum') as { text: string } // A text of ours.
  const practicum = (args: string[], env: Record<string, string> = {}) =>
    spawnSync('sh', ['-c', launcher.text, 'practicum', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', ...env },
    })
  expect(practicum(['has-database']).status).toBe(1)
  expect(practicum(['has-database'], { DATABASE_URL: 'postgresql://db/practicum' }).status).toBe(0)
  expect(practicum(['has-database'], { DATABASE_URL_FILE: '/run/secrets/url' }).status).toBe(0)
  expect(practicum(['start', 'worker'])).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^The worker runs by itself only with DATABASE_URL: [^\n]+\n$/),
  })
  expect(practicum(['help']).stdout).toContain('practicum backup FILE')
  expect(practicum(['nonsense']).status).toBe(2)
})

test('every block of docs/install.md says where it runs, and one that does not is refused', () => {
  const steps = stepsOf(readPage())
  expect(new Set(steps.map(({ place }) => place))).toEqual(new Set(['server', 'container']))
  expect(() => stepsOf('## Somewhere\n```sh\nrm -rf /\n```')).toThrow(/under "Somewhere" does not say where/)
})

test('compose.yml and the settings of the package name only settings that there are', () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
  const known = new Set([...read('docs/operations.md').matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))
  const compose = read('docs/install/compose.yml')
  const named = [
    ...compose.slice(0, compose.indexOf('services:')).matchAll(/^ {4}([A-Z_]+):/gm),
    ...read('scripts/release/debian/practicum.env').matchAll(/^#?([A-Z_]+)=/gm),
  ].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('a command is named as its installation knows it', () => {
  expect(ownCommand('admin', 'recount')).toBe('npm run admin -- recount')
  vi.stubEnv('PRACTICUM_COMMAND', 'practicum')
  expect(ownCommand('admin', 'recount')).toBe('practicum admin recount')
  vi.unstubAllEnvs()
})
