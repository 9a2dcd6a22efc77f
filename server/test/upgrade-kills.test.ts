import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killEmbedded, killGoingBack, killServed } from './upgrade-kills.ts'

// `npm run upgrade-test` kills at twenty moments each, and fills disks.
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practicum-upgrade-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('an update of the embedded installation that is killed ends whole at the next start', async () => {
  expect(await killEmbedded({ folder, moments: 3, seed: 1 })).toEqual([])
})

test('an update of a database of one’s own that is killed ends whole at the next start', async () => {
  expect(await killServed({ folder, moments: 3, seed: 2 })).toEqual([])
})

test('going back that is killed goes on when it is run again, and loses neither people nor files', async () => {
  expect(await killGoingBack({ folder, moments: 1, seed: 3 })).toEqual([])
})
