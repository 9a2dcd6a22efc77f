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

/** What was added by the parts below, followed through the product. */
const saidOnce = `import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listMailTemplates } from '#contract/communication/mail-templates.ts'
import { Level } from '#contract/core/levels.ts'
import { startFromProfile, getEffectiveness } from '#contract/graduates/effectiveness.ts'
import { listProcedureLogs, logFilters } from '#contract/competencies/log-verification.ts'
import { addressOf, askedOf } from '#contract/core/filters.ts'
import { exportHoursSummary, getHoursSummary } from '#contract/time/hours-summary.ts'
import { createWebhook, listWebhookDeliveries } from '#contract/webhooks/webhooks.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { transaction } from '#server/core/database/pool.ts'
import { makePerson, makeProgram, makeRow, makeShift, makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8' })
})
afterAll(() => installation?.stop())

const asIn = async (level: Level) => {
  const program = await makeProgram(installation.owner)
  return { program, caller: await installation.as(await makePerson(installation.owner, level, { program })) }
}

test('an email is listed in the mail center and sent with its text', async () => {
  const superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  expect(await superAdmin.ok(listMailTemplates)).toContainEqual(
    expect.objectContaining({ Label: 'LOCKER_assigned', IsEnabled: true }),
  )
  const values = { 'student.firstName': 'Ada', link: 'https://practicum.example.edu/lockers' }
  await transaction(installation.services.pool, { accountId: null, programIds: [] }, (db) =>
    queueTemplatedEmails(db, [{ label: 'LOCKER_assigned', programId: null, recipient: 'ada@example.org', values }]),
  )
  const { rows } = await installation.owner.query("select subject, html from mail where label = 'LOCKER_assigned'")
  expect(rows).toEqual([{ subject: 'Locker assigned', html: expect.stringContaining('Hello Ada') }])
})

test('a change of a table that was nobody’s event is told to a webhook', async () => {
  const { program, caller } = await asIn(Level.Admin)
  const params = { programId: program.Id }
  const webhook = await caller.ok(createWebhook, { params, body: { Url: 'http://127.0.0.1:9/hook', Events: ['site-shift.made'] } })
  const { owner } = installation
  const shift = await makeShift(owner, program)
  await installation.hear()
  const { Items } = await caller.ok(listWebhookDeliveries, { params: { ...params, webhookId: webhook.Id }, query: {} })
  expect(Items).toMatchObject([{ Type: 'site-shift.made', Subject: \`site-shift/\${shift.Id}\` }])
})

test('a measure is among those of its accreditor, and a new accreditor among the others', async () => {
  const { program, caller } = await asIn(Level.Director)
  const params = { programId: program.Id }
  await caller.ok(startFromProfile, { params, body: { Profile: 'abhes' } })
  expect((await caller.ok(getEffectiveness, { params })).Measures.map(({ Name }) => Name)).toEqual(['Retention'])
})

test('a filter narrows its list by its column, and is asked from the address', async () => {
  const { program, caller } = await asIn(Level.Coord)
  const params = { programId: program.Id }
  const { owner } = installation
  const student = await makeStudent(owner, program)
  const program_id = program.Id
  const list = await makeRow(owner, 'competency_list', { program_id, name: 'List', effective_on: '2026-01-01' })
  const study = await makeRow(owner, 'major_study', { program_id, list_id: list.id, name: 'Chest', position: 1 })
  const skill = await makeRow(owner, 'skill', { program_id, major_study_id: study.id, name: 'Ribs', position: 1 })
  for (const count of [1, 2])
    await makeRow(owner, 'procedure_log', {
      program_id,
      student_id: student.Id,
      skill_id: skill.id,
      date: '2026-01-05',
      count,
      key: randomUUID(),
    })
  const { Items } = await caller.ok(listProcedureLogs, { params, query: { Count: 2 } })
  expect(Items.map(({ Count }) => Count)).toEqual([2])
  expect(askedOf(logFilters, { ...addressOf(logFilters), count: 2 })).toEqual({ Count: 2 })
})

test('a column of Hours Summary is read, added up, ordered by and in its file', async () => {
  const { program, caller } = await asIn(Level.Coord)
  const { owner } = installation
  const student = await makeStudent(owner, program, { last_name: 'Example' })
  await makeRow(owner, 'time_record', {
    program_id: program.Id,
    student_id: student.Id,
    kind: 'absence',
    status: 'approved',
    minutes: 90,
    occurred_at: '2026-01-05T12:00:00Z',
    date: '2026-01-05',
  })
  const params = { programId: program.Id }
  const summary = await caller.ok(getHoursSummary, { params, query: { sort: '-AbsentTime' } })
  expect(summary).toMatchObject({ Items: [{ StudentId: student.Id, AbsentTime: 90 }], Totals: { AbsentTime: 90 } })
  const file = await caller.call(exportHoursSummary, { params, query: { Format: 'csv' } })
  expect(String(file.body)).toMatch(/Absent time[\\s\\S]*1\\.5/)
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

  const replaceIn = (path: string, text: string, by: string): void => {
    const file = join(copy, path)
    expect(readFileSync(file, 'utf8')).toContain(text)
    writeFileSync(file, readFileSync(file, 'utf8').replace(text, by))
  }

  /** Each part with the files that it took and how many lines it added to each. */
  const added = new Map<string, Record<string, number>>()
  const known = new Map<string, number>()
  const linesOf = (path: string): number => readFileSync(path, 'utf8').split('\n').length
  const addPart = async (...words: string[]): Promise<Record<string, number>> => {
    const { code, output } = await make(...words)
    expect(output).toMatch(/^Changed:/)
    expect(code).toBe(0)
    return Object.fromEntries(
      [...output.matchAll(/^ {2}(\S+)$/gm)].map(([, path = '']) => {
        const lines = linesOf(join(copy, path))
        const more = lines - (known.get(path) ?? linesOf(join(root, path)))
        known.set(path, lines)
        return [path, more]
      }),
    )
  }

  const root = join(import.meta.dirname, '..')
  beforeAll(async () => {
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
    writeFileSync(join(copy, 'server/modules/said-once.test.ts'), saidOnce)
    for (const part of [
      'email locker-assigned',
      'event site-shift',
      'webhook site-shift-made',
      'measure abhes-retention',
      'column absent-time',
      'filter log-count',
    ])
      added.set(part, await addPart(...part.split(' ')))
    replaceIn(
      'server/modules/time/hours.queries.ts',
      '0 as absent_time',
      'coalesce(h.absence, 0) as absent_time',
    )
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
      'server/modules/time/hours.routes.ts',
      'server/modules/webhooks/told.rules.ts',
      'server/core/mail/mail-kinds.ts',
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
      'server/modules/said-once.test.ts',
    ])
    expect(tests).toEqual(right)
  })

  test('an email, an event, a webhook event, a measure and a column take at most two files each, a filter one line', () => {
    expect(Object.fromEntries(added)).toEqual({
      'email locker-assigned': { 'server/core/mail/kinds/program-emails.ts': 7 },
      'event site-shift': { 'server/modules/changes/functions.sql': 4 },
      'webhook site-shift-made': {
        'contract/webhooks/webhooks.ts': 1,
        'server/modules/webhooks/told.rules.ts': 10,
      },
      'measure abhes-retention': { 'contract/graduates/measure-profiles.ts': 4 },
      'column absent-time': {
        'contract/time/hours-summary.ts': 1,
        'server/modules/time/hours.queries.ts': 1,
      },
      'filter log-count': { 'contract/competencies/log-verification.ts': 1 },
    })
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
    const usage =
      'Say what to make: npm run new -- module lockers [--one locker], or with a name one of: email, event, webhook, column, filter, measure'
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
      [['module'], usage],
      [['module', 'lockers', '--many'], usage],
      [['screen', 'lockers'], usage],
      [
        ['email', 'lockers'],
        'Name it in two lower-case words or more, with hyphens: npm run new -- email locker-assigned',
      ],
      [
        ['webhook', 'person-created'],
        'There is person.created already: see contract/webhooks/webhooks.ts. Nothing was written.',
      ],
    ] as const) {
      expect(await make(...words)).toEqual({ code: 2, output: `${reason}\n` })
    }
    expect(readFileSync(join(copy, 'contract/index.ts'), 'utf8')).toBe(before)
    expect(existsSync(join(copy, 'contract/forms'))).toBe(false)
  })
})
