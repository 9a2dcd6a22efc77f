import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Write beside a call, and name nobody: what is kept of an import, whose call holds the program, and when a calendar was read. */
const beside = [
  'scheduling/calendar.routes.ts',
  'imports/import-table.service.ts',
  'imports/sync-log.service.ts',
]
/** Holds the program as soon as it is known what the call does. */
const byItself = ['provisioning/scim.protocol.ts']

test('modules write in a program by themselves only where it is held', () => {
  const found = globSync('server/modules/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => {
      const text = readFileSync(file, 'utf8')
      return /\btransaction\(/.test(text) && /programIds: (?!\[\])/.test(text)
    })
    .map((file) => file.slice('server/modules/'.length).replaceAll('\\', '/'))
  expect(found.toSorted()).toEqual([...beside, ...byItself].toSorted())
})
