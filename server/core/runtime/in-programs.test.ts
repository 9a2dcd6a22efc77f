import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Writes beside a call that holds the program itself: what it keeps of an import names nobody of it. */
const beside = ['imports/import-table.service.ts', 'imports/sync-log.service.ts']
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
