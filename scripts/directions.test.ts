import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const configFile = '.dependency-cruiser.cjs'

/** What is allowed, written as the sources write it. Every violation below is added to this. */
const allowed: Record<string, string> = {
  'contract/core/fields.ts': "import { z } from 'zod'\nexport const Id = z.number()",
  'contract/sites/sites.ts': "import { Id } from '../core/fields.ts'\nexport const siteId = Id",
  'server/core/http/handle.ts':
    "import { siteId } from '#contract/sites/sites.ts'\nexport const handle = siteId",
  'server/core/database/pool.ts': 'export const pool = 1',
  'server/core/database/across.ts': 'export const acrossPrograms = 1',
  'server/modules/people/people.across.ts':
    "import { acrossPrograms } from '#server/core/database/across.ts'\nexport const countPeople = acrossPrograms",
  'server/core/auth/session.ts':
    "import { pool } from '#server/core/database/pool.ts'\nexport const session = pool",
  'server/modules/people/people.queries.ts': 'export const listPeople = 1',
  'server/modules/people/people.rules.ts': 'export const rule = 1',
  'server/modules/people/people.commands.ts':
    "import { listPeople } from './people.queries.ts'\nexport const addPerson = listPeople",
  'server/modules/sites/sites.queries.ts': 'export const listSites = 1',
  'server/modules/sites/sites.routes.ts':
    "import { handle } from '#server/core/http/handle.ts'\nimport { listPeople } from '../people/people.queries.ts'\nexport const sites = [handle, listPeople]",
  'server/modules/people/people.import.ts': 'export const personImport = 1',
  'server/modules/imports/definitions.rules.ts':
    "import { personImport } from '../people/people.import.ts'\nexport const definitions = [personImport]",
  'server/modules/placement/plan/plan.rules.ts': 'export const plan = 1',
  'server/modules/placement/solve/flow.solver.ts': 'export const flow = 1',
  'server/modules/placement/solve/limits.rules.ts':
    "import { plan } from '../plan/plan.rules.ts'\nimport { flow } from './flow.solver.ts'\nexport const limits = [plan, flow]",
  'server/app.ts': "import { sites } from './modules/sites/sites.routes.ts'\nexport const app = sites",
  'server/main.ts': "import { app } from './app.ts'\nconsole.log(app)",
  'web/api/call.ts': "import { siteId } from '#contract/sites/sites.ts'\nexport const call = siteId",
  'web/ui/Grid.tsx': 'export const Grid = 1',
  'web/shell/Shell.tsx': "import { Grid } from '#web/ui/Grid.tsx'\nexport const Shell = Grid",
  'web/shared/ShiftMark.tsx': "import { Shell } from '#web/shell/Shell.tsx'\nexport const ShiftMark = Shell",
  'web/modules/people/PeoplePage.tsx': 'export const PeoplePage = 1',
  'web/modules/sites/SitesPage.tsx':
    "import { call } from '#web/api/call.ts'\nimport { ShiftMark } from '#web/shared/ShiftMark.tsx'\nexport const SitesPage = [call, ShiftMark]",
  'web/pages.ts':
    "import { SitesPage } from './modules/sites/SitesPage.tsx'\nexport const routes = SitesPage",
}

/** The rule, the file that breaks it, and its text. */
const violations: [rule: string, path: string, text: string][] = [
  [
    'asked-across-programs',
    'server/modules/sites/bad-25.queries.ts',
    "import { acrossPrograms } from '#server/core/database/across.ts'\nexport const x = acrossPrograms",
  ],
  ['contract-stands-alone', 'contract/bad-1.ts', "import pg from 'pg'\nexport const x = pg"],
  ['contract-stands-alone', 'contract/bad-2.ts', "import { join } from 'node:path'\nexport const x = join"],
  [
    'contract-stands-alone',
    'contract/bad-3.ts',
    "import { handle } from '#server/core/http/handle.ts'\nexport const x = handle",
  ],
  [
    'server-without-web',
    'server/core/bad-4.ts',
    "import { call } from '#web/api/call.ts'\nexport const x = call",
  ],
  [
    'web-without-server',
    'web/api/bad-5.ts',
    "import type { handle } from '#server/core/http/handle.ts'\nexport type X = typeof handle",
  ],
  ['web-without-node', 'web/api/bad-6.ts', "import { join } from 'node:path'\nexport const x = join"],
  [
    'core-without-modules',
    'server/core/bad-7.ts',
    "import { listPeople } from '#server/modules/people/people.queries.ts'\nexport const x = listPeople",
  ],
  [
    'server-modules-share-queries-commands-and-services',
    'server/modules/sites/bad-8.ts',
    "import { rule } from '../people/people.rules.ts'\nexport const x = rule",
  ],
  [
    'server-modules-share-queries-commands-and-services',
    'server/modules/imports/bad-15.ts',
    "import { personImport } from '../people/people.import.ts'\nexport const x = personImport",
  ],
  [
    'queries-and-rules-never-write',
    'server/modules/people/bad-16.queries.ts',
    "import { addPerson } from './people.commands.ts'\nexport const x = addPerson",
  ],
  [
    'imports-know-definitions',
    'server/modules/imports/definitions.rules.ts',
    "import { listPeople } from '../people/people.queries.ts'\nexport const x = listPeople",
  ],
  [
    'app-knows-server-modules',
    'server/bad-9.ts',
    "import { sites } from './modules/sites/sites.routes.ts'\nexport const x = sites",
  ],
  [
    'modules-without-app',
    'server/modules/people/bad-10.ts',
    "import { app } from '#server/app.ts'\nexport const x = app",
  ],
  [
    'web-modules-stand-alone',
    'web/modules/sites/bad-11.tsx',
    "import { PeoplePage } from '../people/PeoplePage.tsx'\nexport const x = PeoplePage",
  ],
  [
    'routes-know-web-modules',
    'web/shell/bad-12.tsx',
    "import { SitesPage } from '#web/modules/sites/SitesPage.tsx'\nexport const x = SitesPage",
  ],
  [
    'routes-know-web-modules',
    'web/shared/bad-16.tsx',
    "import { SitesPage } from '#web/modules/sites/SitesPage.tsx'\nexport const x = SitesPage",
  ],
  [
    'library-behind-ui',
    'web/modules/sites/bad-22.tsx',
    "import { Button } from '@mantine/core'\nexport const x = Button",
  ],
  [
    'ui-without-domain',
    'web/ui/bad-17.tsx',
    "import { ShiftMark } from '#web/shared/ShiftMark.tsx'\nexport const x = ShiftMark",
  ],
  [
    'ui-without-domain',
    'web/api/bad-18.ts',
    "import { ShiftMark } from '#web/shared/ShiftMark.tsx'\nexport const x = ShiftMark",
  ],
  [
    'ui-without-domain',
    'web/ui/bad-21.tsx',
    "import { SitesPage } from '#web/modules/sites/SitesPage.tsx'\nexport const x = SitesPage",
  ],
  [
    'ui-knows-the-core-only',
    'web/ui/bad-19.tsx',
    "import { siteId } from '#contract/sites/sites.ts'\nexport const x = siteId",
  ],
  [
    'shell-below-shared',
    'web/shell/bad-20.tsx',
    "import { ShiftMark } from '#web/shared/ShiftMark.tsx'\nexport const x = ShiftMark",
  ],
  [
    'ui-without-domain',
    'web/ui/bad-13.tsx',
    "import { Shell } from '#web/shell/Shell.tsx'\nexport const x = Shell",
  ],
  [
    'no-cycles',
    'contract/core/fields.ts',
    "import { siteId } from '../sites/sites.ts'\nexport const Id = () => siteId",
  ],
  [
    'no-folder-cycles',
    'server/modules/people/bad-15.queries.ts',
    "import { listSites } from '../sites/sites.queries.ts'\nexport const x = listSites",
  ],
  [
    'no-room-cycles',
    'server/modules/placement/plan/bad-22.rules.ts',
    "import { limits } from '../solve/limits.rules.ts'\nexport const x = limits",
  ],
  [
    'modules-name-kinds',
    'server/modules/reports/bad-24.ts',
    "import { readHome } from './home.queries.ts'\nexport const x = readHome",
  ],
  [
    'solver-without-plans',
    'server/modules/placement/solve/bad-23.solver.ts',
    "import { plan } from '../plan/plan.rules.ts'\nexport const x = plan",
  ],
  [
    'no-core-cycles',
    'server/core/database/bad-16.ts',
    "import { session } from '#server/core/auth/session.ts'\nexport const x = session",
  ],
  [
    'nothing-unresolved',
    'web/api/bad-14.ts',
    "import { nothing } from '#web/api/nothing.ts'\nexport const x = nothing",
  ],
]

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practicum-directions-'))
  for (const file of ['package.json', 'tsconfig.json', configFile])
    cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [path, text] of Object.entries(allowed)) write(path, text)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the layout of the architecture is accepted, and every path in it is followed', () => {
  const { found, resolved } = cruise()
  expect(found).toEqual([])
  expect(resolved).toContain('contract/sites/sites.ts')
  expect(resolved).toContain('server/core/http/handle.ts')
  expect(resolved).toContain('web/api/call.ts')
})

test('every rule fires for a violation of it', () => {
  for (const [, path, text] of violations) write(path, text)
  const { found } = cruise()
  for (const [rule, path] of violations) {
    const from = /^no-(folder|room|core)-cycles$/.test(rule) ? dirname(path) : path
    expect(found).toContainEqual({ rule, from })
  }
})

test('every rule of the configuration has a violation here', () => {
  const { forbidden } = createRequire(import.meta.url)(join(root, configFile)) as {
    forbidden: { name: string }[]
  }
  expect(new Set(violations.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)))
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${text}\n`)
}

type Report = {
  modules: { dependencies: { resolved: string }[] }[]
  summary: { violations: { from: string; rule: { name: string } }[] }
}

/** The same program with the same configuration as the check of `npm test`. */
function cruise(): { found: { rule: string; from: string }[]; resolved: string[] } {
  const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  const args = [cruiser, '--config', configFile, '--output-type', 'json', 'contract', 'server', 'web']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const report = JSON.parse(stdout || 'null') as Report | null
  if (!report) throw new Error(stderr)
  return {
    found: report.summary.violations.map(({ rule, from }) => ({ rule: rule.name, from })),
    resolved: report.modules.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved)),
  }
}
