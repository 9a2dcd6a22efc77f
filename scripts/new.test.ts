import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typeCheck } from './lib/compiler.mjs'
import { readName, respell } from './new/names.ts'

describe('the name of a module', () => {
  test('is known in each of its spellings, with the article that belongs to it', () => {
    const template =
      'A field trip, field-trips.ts, field_trip, listFieldTrips, fieldTripId, Field trips of a program'
    expect(respell(template, readName('id-badges'))).toBe(
      'An id badge, id-badges.ts, id_badge, listIdBadges, idBadgeId, Id badges of a program',
    )
    expect(respell(template, readName('lockers'))).toBe(
      'A locker, lockers.ts, locker, listLockers, lockerId, Lockers of a program',
    )
  })

  test('has one of many by its ending, or as it is told', () => {
    const one = (many: string, told?: string) => readName(many, told).one.join(' ')
    expect(['boxes', 'policies', 'field-days', 'wishes'].map((many) => one(many))).toEqual([
      'box',
      'policy',
      'field day',
      'wish',
    ])
    expect(one('lab-coats-and-badges', 'lab-item')).toBe('lab item')
    expect(one('alumni-children', 'alumni-child')).toBe('alumni child')
  })

  test.each([
    ['Lockers', /lower-case words with hyphens/],
    ['../lockers', /lower-case words with hyphens/],
    ['locker_keys', /lower-case words with hyphens/],
    ['children', /--one NAME/],
    ['glass', /--one NAME/],
    ['classes', /"class" is a word of SQL or JavaScript\. Choose two words, such as clinic-classes/],
    ['x'.repeat(70).concat('s'), /too long/],
  ])('%s is refused with what to do', (many, reason) => {
    expect(() => readName(many)).toThrow(reason)
  })
})

/** Written to a site, read of it, imported and exported. */
const loadingDock = `import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { importIntoProgram } from '#contract/imports/imports.ts'
import { createSite, exportSites, getSite } from '#contract/sites/sites.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

test('a loading dock is saved, imported, read and exported', async () => {
  const program = await makeProgram(installation.owner)
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const params = { programId: program.Id }
  const body = { Name: 'Harbor Clinic', ExternalLocationId: 'H1', LoadingDock: 'Gate 3' }
  const made = await coordinator.ok(createSite, { params, body })
  expect(made).toMatchObject({ LoadingDock: 'Gate 3' })
  const content = 'Name,External ID,Dock\\nHarbor Clinic,H1,Gate 4\\n'
  const imported = await coordinator.call(
    importIntoProgram,
    { params, query: { Kind: 'sites' } },
    { files: [{ field: 'file', name: 'sites.csv', content }] },
  )
  expect(imported.body).toMatchObject({ Changed: 1, ErrorCount: 0 })
  const at = { params: { programId: program.Id, siteId: made.Id } }
  expect(await coordinator.ok(getSite, at)).toMatchObject({ LoadingDock: 'Gate 4' })
  const file = await coordinator.call(exportSites, { params, query: { Format: 'csv' } })
  expect(String(file.body)).toMatch(/LoadingDock[\\s\\S]*Gate 4/)
})
`

describe('npm run new -- module id-badges, in a copy of the repository', { timeout: 240_000 }, () => {
  let copy: string
  const inModules = (...path: string[]) => join(copy, 'node_modules', ...path)

  /** Runs a program of Node in the copy, as a terminal does: without what belongs to this test run. */
  const runNode = (args: string[], more = {}): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve, reject) => {
      const env = Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$)/.test(name)),
      )
      const child = spawn(process.execPath, args, { cwd: copy, env: { ...env, ...more } })
      let output = ''
      child.stdout.on('data', (text) => (output += text))
      child.stderr.on('data', (text) => (output += text))
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, output }))
    })
  const make = (...words: string[]) => runNode([join('scripts', 'new.ts'), ...words])
  const right = { code: 0, output: expect.any(String) }

  /** Writes a line above the one that begins so. */
  const addLine = (path: string, above: string, line: string): void => {
    const file = join(copy, path)
    const text = readFileSync(file, 'utf8')
    expect(text.split(`\n${above}`)).toHaveLength(2)
    writeFileSync(file, text.replace(`\n${above}`, `\n${line}\n${above}`))
  }

  beforeAll(async () => {
    const root = join(import.meta.dirname, '..')
    copy = mkdtempSync(join(tmpdir(), 'practicum-new-'))
    const settings = readdirSync(root).filter((file) => /\.(json|cjs|ts)$|^\.gitignore$/.test(file))
    for (const path of ['contract', 'server', 'web', 'scripts', ...settings])
      cpSync(join(root, path), join(copy, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), inModules(), 'junction')
    // A plain field of a site, as `docs/adding-an-endpoint.md` says: everything else follows from its declaration.
    addLine('server/modules/sites/schema.sql', '  beds integer', "  loading_dock text not null default '',")
    addLine(
      'contract/sites/sites-fields.ts',
      "  { ...whole('Beds'",
      "  { ...text('LoadingDock', 'Loading dock', 100, ['Gate 3', ''], 'DOCK'), ...inSite, width: 12 },",
    )
    writeFileSync(join(copy, 'server/modules/sites/loading-dock.test.ts'), loadingDock)
    expect(await make('module', 'id-badges')).toEqual(right)
  }, 120_000)
  afterAll(() => copy && rmSync(copy, { recursive: true, force: true }))

  test('writes what passes types, lint and directions, and its own test over HTTP; so does a new field of a site', async () => {
    const files = ['contract', 'server', 'web'].flatMap((side) =>
      readdirSync(join(copy, side), { recursive: true, encoding: 'utf8' })
        .map((path) => join(side, path))
        .filter((path) => /id-?badges?[^/\\]*\.tsx?$/i.test(path)),
    )
    expect(files.length).toBe(8)
    // Without tests, which bring the whole server and are run below; `web.ts` has the types of the plugins,
    // `css-variables.d.ts` those of styles, `virtual.d.ts` those of what the build writes.
    const checked = [
      ...files.filter((path) => !path.includes('.test.')),
      'contract/index.ts',
      'server/modules/sites/site-fields.rules.ts',
      'server/core/http/web.ts',
      'web/css-variables.d.ts',
      'web/words/virtual.d.ts',
    ]
    writeFileSync(
      join(copy, 'tsconfig.new.json'),
      JSON.stringify({ extends: './tsconfig.json', include: [], files: checked }),
    )
    const registered = [
      'contract/index.ts',
      'contract/core',
      'server/app.ts',
      'web/staff-pages.ts',
      'web/words/en.ts',
    ]
    const written = [...files, ...registered].map((path) => path.replaceAll('\\', '/'))
    const lint = await runNode([
      inModules('@biomejs', 'biome', 'bin', 'biome'),
      ...['check', ...files, ...registered],
    ])
    expect(lint).toEqual(right)
    const compiler = typeCheck('tsconfig.new.json')
    const [types, directions] = await Promise.all([
      runNode(compiler.args, compiler.env),
      runNode([
        inModules('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
        ...['--config', '.dependency-cruiser.cjs'],
        // What they import is named and not read: all of it has been looked at where it stands.
        ...['--do-not-follow', `^(?!${written.join('|')})`, ...written],
      ]),
    ])
    expect(types).toEqual(right)
    expect(directions).toEqual(right)
    const tests = await runNode([
      inModules('vitest', 'vitest.mjs'),
      ...['run', '--project', 'server', 'server/modules/id-badges', 'scripts/pages.test.ts'],
      ...['server/modules/program-copy/copy-whole.test.ts', 'server/modules/sites/loading-dock.test.ts'],
    ])
    expect(tests).toEqual(right)
  })

  test('adds its calls to the table of who may do what, in its order', () => {
    const rows = readFileSync(join(copy, 'server/test/access-matrix.tsv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
    expect(rows).toEqual(rows.toSorted())
    expect(rows.filter((row) => row.includes('/id-badges'))).toEqual([
      'DELETE /programs/:programId/id-badges/:idBadgeId\tSuperAdmin Admin Director Coord',
      'GET /programs/:programId/id-badges\tSuperAdmin Admin Director Coord Faculty',
      'GET /programs/:programId/id-badges/:idBadgeId\tSuperAdmin Admin Director Coord Faculty',
      'POST /programs/:programId/id-badges\tSuperAdmin Admin Director Coord',
      'POST /programs/:programId/id-badges/:idBadgeId\tSuperAdmin Admin Director Coord',
      'POST /programs/:programId/id-badges/:idBadgeId/restoration\tSuperAdmin Admin Director Coord',
    ])
  })

  test('refuses a name that is there already, or means something else, and writes nothing', async () => {
    const before = readFileSync(join(copy, 'contract/index.ts'), 'utf8')
    for (const [words, reason] of [
      [
        ['module', 'id-badges'],
        'There are id badges already: see contract/id-badges. Choose another name; nothing was written.',
      ],
      [
        ['module', 'pictures'],
        'There are pictures already: see contract/index.ts. Choose another name; nothing was written.',
      ],
      [
        ['module', 'forms'],
        '"form" means something else in the code already. Choose two words, such as clinic-forms.',
      ],
      [
        ['module', 'events'],
        '"Event" means something else in the code already. Choose two words, such as clinic-events.',
      ],
      [['module'], 'Say what to make, in the plural: npm run new -- module lockers [--one locker]'],
      [
        ['module', 'lockers', '--many'],
        'Say what to make, in the plural: npm run new -- module lockers [--one locker]',
      ],
    ] as const) {
      expect(await make(...words)).toEqual({ code: 2, output: `${reason}\n` })
    }
    expect(readFileSync(join(copy, 'contract/index.ts'), 'utf8')).toBe(before)
    expect(existsSync(join(copy, 'contract/forms'))).toBe(false)
  })
})
