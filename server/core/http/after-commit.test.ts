import { expect, test } from 'vitest'
import { collectAfterCommit } from './after-commit.ts'

test('what follows a commit is done in its order, and one that fails is logged and keeps no other from it', () => {
  const done: string[] = []
  const logged: unknown[] = []
  const log = { error: (...told: unknown[]) => void logged.push(told) } as never
  const { afterCommit, runAfterCommit } = collectAfterCommit({ log })
  afterCommit(() => void done.push('one'))
  afterCommit(() => {
    throw new Error('No')
  })
  afterCommit(() => void done.push('two'))
  expect(done).toEqual([])
  expect(runAfterCommit).not.toThrow()
  expect(done).toEqual(['one', 'two'])
  expect(logged).toHaveLength(1)
})
