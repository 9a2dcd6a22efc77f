import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { Level } from '#contract/core/levels.ts'
import { matrixLevels } from '#server/test/access-matrix.ts'
import { isTakenByCode, type ModuleName, RefusedName, respell } from './names.ts'
import { type Registration, read, register } from './register.ts'

const templates = join(import.meta.dirname, 'module')

/** What a new module is known by, told for field trips. Biome brings imports and long lines into their form afterwards. */
const registrations = (menuId: number): Registration[] => [
  {
    path: 'contract/index.ts',
    before: /^import /m,
    text: "import * as fieldTrips from '#contract/field-trips/field-trips.ts'",
  },
  { path: 'contract/index.ts', before: /^\}\n\nconst isEndpoint/m, text: '  fieldTrips,' },
  {
    path: 'contract/core/permissions.ts',
    before: /^\} as const satisfies Record<string, Rule>/m,
    text: "  'field-trips.read': { from: Level.Faculty },\n  'field-trips.write': { from: Level.Coord },",
  },
  {
    path: 'contract/core/pages.ts',
    before: /^\n {4}'admin\/inbox': /m,
    text: `    'admin/field-trips': {
      name: 'Field trips',
      may: 'field-trips.read',
      menu: { id: ${menuId}, under: 'settings' },
      holds: ['list'],
    },
    'admin/field-trips/edit': { name: 'Field trip', may: 'field-trips.write', holds: ['form'] },`,
  },
  {
    path: 'server/app.ts',
    before: /^import /m,
    text: "import { fieldTripRoutes } from './modules/field-trips/field-trips.routes.ts'",
  },
  { path: 'server/app.ts', before: /^ {2}\.\.\.descriptionRoutes,/m, text: '  ...fieldTripRoutes,' },
  {
    path: 'contract/deleted/deleted.ts',
    before: /^\} as const\nexport type DeletedKind/m,
    text: "  'field-trip': 'Field trip',",
  },
  {
    path: 'contract/deleted/restores.ts',
    before: /^import /m,
    text: "import { restoreFieldTrip } from '#contract/field-trips/field-trips.ts'",
  },
  {
    path: 'contract/deleted/restores.ts',
    before: /^\}\n\n\/\*\* The call that decides/m,
    text: "  'field-trip': byAddress(restoreFieldTrip, 'fieldTripId'),",
  },
  {
    path: 'server/modules/deleted/deleted.queries.ts',
    before: /^\}\n\nexport interface DeletedSelection/m,
    text: "  'field-trip': { table: 'field_trip', name },",
  },
  {
    path: 'server/modules/program-copy/copy-whole.test.ts',
    before: /(?<=^ {2}'has no entry in the tree of what is copied': \[\n( {4}.*\n)*)^ {2}\],/m,
    text: "    'field_trip',",
  },
  {
    path: 'web/staff-pages.ts',
    before: /^ {2}'admin\/not-found': /m,
    text: `  'admin/field-trips': screen(() => import('./modules/field-trips/FieldTripsPage.tsx'), 'FieldTripsPage'),
  'admin/field-trips/edit': screen(() => import('./modules/field-trips/FieldTripPage.tsx'), 'FieldTripPage'),`,
  },
  { path: 'web/words/en.ts', before: /^import /m, text: "import { fieldTrips } from './en/field-trips.ts'" },
  { path: 'web/words/en.ts', before: /(?<=^export const en = \{\n(.*\n)*)^\}/m, text: '  fieldTrips,' },
]

/** What there may not be yet: a file, or in a file what matches. */
const taken: [path: string, pattern?: string][] = [
  ['contract/field-trips'],
  ['server/modules/field-trips'],
  ['web/modules/field-trips'],
  ['web/words/en/field-trips.ts'],
  ['contract/index.ts', '\\bfieldTrips\\b'],
  ['contract/core/permissions.ts', "'field-trips\\.(read|write)'"],
  ['contract/core/pages.ts', "'(admin/)?field-trips'"],
  ['server/app.ts', '\\bfieldTripRoutes\\b'],
  ['server/core/database/types.ts', '^export interface FieldTrip \\{'],
  ['server/test/access-matrix.tsv', '/programs/:programId/field-trips\\b'],
  ['web/words/en.ts', '\\bfieldTrips\\b'],
]

/** The calls of the module with the lowest level that may make them, for the table of who may do what. */
const calls: [call: string, from: Level][] = [
  ['GET /programs/:programId/field-trips', Level.Faculty],
  ['GET /programs/:programId/field-trips/:fieldTripId', Level.Faculty],
  ['POST /programs/:programId/field-trips', Level.Coord],
  ['POST /programs/:programId/field-trips/:fieldTripId', Level.Coord],
  ['POST /programs/:programId/field-trips/:fieldTripId/restoration', Level.Coord],
  ['DELETE /programs/:programId/field-trips/:fieldTripId', Level.Coord],
]
const matrixPath = 'server/test/access-matrix.tsv'

const matrixWith = (matrix: string, name: ModuleName): string => {
  const [head, ...rows] = matrix.trimEnd().split('\n')
  const added = calls.map(
    ([call, from]) =>
      `${respell(call, name)}\t${matrixLevels.filter((level) => Level[level] >= from).join(' ')}`,
  )
  return `${[head, ...[...rows, ...added].toSorted()].join('\n')}\n`
}

const refuseTaken = (root: string, name: ModuleName): void => {
  for (const [path, pattern] of taken) {
    const at = join(root, respell(path, name))
    const isThere =
      existsSync(at) && (pattern === undefined || new RegExp(respell(pattern, name), 'm').test(read(at)))
    if (isThere)
      throw new RefusedName(
        `There are ${name.many.join(' ')} already: see ${respell(path, name)}. Choose another name; nothing was written.`,
      )
  }
}

/** The number of the next migration, and the id of the next place in a menu: one more than the highest that was given. */
const nextNumbers = (root: string): { migration: string; menuId: number } => {
  const numbers = readdirSync(join(root, 'server/migrations')).map((file) => Number.parseInt(file, 10) || 0)
  const pages = read(join(root, 'contract/core/pages.ts'))
  const ids = [...pages.matchAll(/\bid: (\d+)/g)].map(([, id]) => Number(id))
  return { migration: String(Math.max(...numbers) + 1).padStart(4, '0'), menuId: Math.max(...ids) + 1 }
}

/**
 * Writes the files of a module below `root` and registers it. Everything is read and checked before anything is written.
 *
 * @returns the paths of new and of changed files, with slashes, for the commands that come after
 * @throws RefusedName when the name is taken
 */
export const writeModule = (root: string, name: ModuleName): { added: string[]; changed: string[] } => {
  refuseTaken(root, name)
  const paths = globSync('**/*.txt', { cwd: templates })
  const texts = paths.map((path) => read(join(templates, path)))
  const other = isTakenByCode(texts, name)
  if (other)
    throw new RefusedName(
      `"${other}" means something else in the code already. Choose two words, such as clinic-${name.many.join('-')}.`,
    )
  const { migration, menuId } = nextNumbers(root)
  const added = new Map(
    paths.map((path, index) => [
      respell(path.replaceAll(sep, '/'), name)
        .replace(/\.txt$/, '')
        .replace(/^server\/migrations\//, `$&${migration}-`),
      respell(texts[index]!, name),
    ]),
  )
  const changed = register(
    root,
    registrations(menuId).map((each) => ({ ...each, text: respell(each.text, name) })),
    new Map([[matrixPath, matrixWith(read(join(root, matrixPath)), name)]]),
  )
  for (const [path, text] of [...added, ...changed]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { added: [...added.keys()].toSorted(), changed: [...changed.keys()].toSorted() }
}
