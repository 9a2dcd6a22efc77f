import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', 'journeys')

test('E10 no journey sleeps: it waits for what it wants to see', () => {
  const sleeping = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /\bwaitForTimeout\b|\bsetTimeout\b|timers\/promises/.test(readFileSync(join(folder, name), 'utf8')),
    )
  expect(sleeping).toEqual([])
})
