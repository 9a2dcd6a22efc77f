import { expect, test } from 'vitest'
import { AbandonedError } from '#server/core/database/cancel.ts'
import { samplePlan } from '#server/test/sample-plans.ts'
import { askConflict } from './conflicts.process.ts'

test('the search for rules that cannot be kept together ends when whoever asked has left', async () => {
  const caller = new AbortController()
  expect(await askConflict(samplePlan(), caller.signal)).toMatchObject({ Rules: [] })
  const asked = askConflict(samplePlan(), caller.signal)
  caller.abort()
  await expect(asked).rejects.toThrow(AbandonedError)
  await expect(askConflict(samplePlan(), caller.signal)).rejects.toThrow(AbandonedError)
})
