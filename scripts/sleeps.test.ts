import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Tests in which time passes, and why. */
const waiting: Readonly<Record<string, string>> = {
  'journeys/sorting.ts': 'a list of entries sets a timer, and one behind it is waited for',
  'server/core/database/embedded.test.ts': 'a start is killed at several moments of it',
  'server/modules/reports/sums.test.ts': 'looks again until a statement waits for a lock',
  'server/test/faults.test.ts': 'people go on while something is killed, and look again until it is back',
  'server/test/hanging-database.test.ts': 'how long the database hangs is what it is about',
}

const sleeping = ['contract', 'server', 'web', 'scripts', 'journeys'].flatMap((side) =>
  readdirSync(join(root, side), { recursive: true, encoding: 'utf8' })
    .map((path) => `${side}/${path.replaceAll('\\', '/')}`)
    .filter((path) => (side === 'journeys' ? /\.ts$/ : /\.test\.tsx?$/).test(path))
    .filter((path) => path !== 'scripts/sleeps.test.ts')
    .filter((path) =>
      /\bwaitForTimeout\b|\bsetTimeout\b|timers\/promises/.test(readFileSync(join(root, path), 'utf8')),
    ),
)

test('E10 no test and no journey sleeps: it waits for what it wants to see', () => {
  expect(sleeping.filter((path) => !(path in waiting))).toEqual([])
})

test('E10 every exception is still needed', () => {
  expect(Object.keys(waiting).filter((path) => !sleeping.includes(path))).toEqual([])
})
