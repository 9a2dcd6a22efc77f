import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Statements that write, in Kysely's words and in SQL, each with the table that it names. */
const writings = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'([a-z_]+)/g,
  /\b(?:addRow|changeRow|setRows?Deleted)\(\s*\w+,\s*'([a-z_]+)/g,
  /\b(?:insert\s+into|delete\s+from)\s+([a-z_]+)/gi,
  /\bupdate\s+(?:only\s+)?([a-z_]+)(?:\s+(?:as\s+)?[a-z]{1,4})?\s+set\b/gi,
]

const writtenIn = (source: string): string[] =>
  writings.flatMap((writing) => [...source.matchAll(writing)].flatMap(([, table]) => table ?? []))

/**
 * What is wrong with a file of a domain: it writes and is no command, or it writes what another domain keeps. Subscribers write what
 * follows from changes, wherever that is kept.
 */
const complaints = (path: string, source: string, owners: ReadonlyMap<string, string>): string[] => {
  const domain = /^server\/modules\/([^/]+)\//.exec(path)?.[1]
  return [...new Set(writtenIn(source))].flatMap((table) => {
    const owner = owners.get(table)
    if (owner === undefined) return []
    if (path.endsWith('.subscriber.ts')) return []
    if (!path.endsWith('.commands.ts')) return [`${path} writes ${table}, and is no *.commands.ts`]
    return owner === domain || mayWrite[domain ?? '']?.includes(table)
      ? []
      : [`${path} writes ${table}, which ${owner} keeps`]
  })
}

/** Tables that a domain writes although another one keeps them, each for a reason. */
const mayWrite: Record<string, readonly string[]> = {
  // What of an account and of a person's row in a directory concerns signing in; people and provisioning build on identity.
  identity: ['account', 'scim_user'],
  // Copies take over rows of most domains by one way, and some need a word of their own.
  'program-copy': [
    'program',
    'competency_list',
    'pathology_setting',
    'program_menu',
    'program_menu_item',
    'skill',
  ],
  // The rules of hours stand with the program whose hours they are.
  time: ['program'],
  // What its checks found is among the figures of core.
  system: ['system_check'],
}

const sources = readdirSync(join(root, 'server/modules'), { recursive: true, encoding: 'utf8' })
  .map((path) => `server/modules/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))

const readOwners = (): ReadonlyMap<string, string> => {
  const schemas = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('schema.sql'),
  )
  return new Map(
    schemas.flatMap((path) => {
      const [kind, name] = path.replaceAll('\\', '/').split('/')
      const domain = kind === 'modules' ? name! : 'core'
      const sql = readFileSync(join(root, 'server', path), 'utf8')
      return [...sql.matchAll(/^create table ([a-z_]+)/gm)].map(([, table]) => [table!, domain] as const)
    }),
  )
}

test('only commands write, and only what their domain keeps', () => {
  const owners = readOwners()
  expect(owners.size).toBeGreaterThan(200)
  expect(sources.flatMap((path) => complaints(path, readFileSync(join(root, path), 'utf8'), owners))).toEqual(
    [],
  )
})

test.each([
  ['server/modules/sites/sites.routes.ts', "db.updateTable('site').set({ name })", 'is no *.commands.ts'],
  ['server/modules/sites/sites.queries.ts', 'sql`delete from site where id = 1`', 'is no *.commands.ts'],
  ['server/modules/sites/sites.jobs.ts', '`update site s set name = $1`', 'is no *.commands.ts'],
  ['server/modules/sites/sites.commands.ts', 'sql`insert into account (id)`', 'which people keeps'],
])('the test finds what %s must not write', (path, source, complaint) => {
  expect(complaints(path, source, readOwners())).toEqual([expect.stringContaining(complaint)])
})

test('reading for a later update is no writing', () => {
  expect(
    complaints('server/modules/sites/a.queries.ts', 'select from site for update', readOwners()),
  ).toEqual([])
})
