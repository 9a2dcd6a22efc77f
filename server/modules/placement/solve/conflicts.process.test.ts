import { expect, test } from 'vitest'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { planFacts } from '#server/test/placement-facts.ts'
import { askConflict } from './conflicts.process.ts'

test('the search for rules that cannot be kept together ends when whoever asked has left', async () => {
  const caller = new AbortController()
  expect(await askConflict(planFacts(), caller.signal)).toMatchObject({ Rules: [] })
  const asked = askConflict(planFacts(), caller.signal)
  caller.abort()
  await expect(asked).rejects.toThrow(AbandonedError)
  await expect(askConflict(planFacts(), caller.signal)).rejects.toThrow(AbandonedError)
})
