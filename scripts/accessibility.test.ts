import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The rows of the tables of the conformance report: criterion, conformance, remarks and the tests that prove it. */
const rows = readFileSync(join(root, 'docs', 'accessibility.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.includes('| Conformance |'))
  .map((line) => line.slice(2, -2).split(' | '))

test('each statement of the accessibility report names its conformance and what proves it', () => {
  expect(rows.length).toBeGreaterThan(60)
  for (const [criterion, conformance, remarks, proof] of rows) {
    expect(['Supports', 'Partially supports', 'Not applicable'], criterion).toContain(conformance)
    expect(remarks, criterion).not.toBe('')
    if (conformance !== 'Not applicable') expect(proof, criterion).toMatch(/^`.+` “.+”/)
  }
})

test('the tests that the accessibility report names are there', () => {
  const gone = rows.flatMap(([, , , proof = '']) =>
    [...proof.matchAll(/`([^`]+)` “([^”]+)”/g)].filter(([, file = '', title = '']) => {
      const path = join(root, file)
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(title)
    }),
  )
  expect(gone.map(([named]) => named)).toEqual([])
})
