import { expect, test } from 'vitest'
import type { DraftFigures } from '#contract/placement/drafts.ts'
import { problemsOf } from './placement-words.ts'

test('what is only warned about is not among what a draft could not do, and a draft of before keeps its lines', () => {
  const cause = (Kind: 'stops' | 'warns', Text: string) => ({ Kind, Text })
  const figures = {
    Problems: ['no place', 'CPR ends early', 'of before'],
    Causes: [cause('stops', 'no place'), cause('warns', 'CPR ends early')],
  } as unknown as DraftFigures
  expect(problemsOf(figures)).toEqual({
    stops: [cause('stops', 'no place')],
    warned: [cause('warns', 'CPR ends early')],
    unnamed: ['of before'],
  })
  expect(problemsOf(null)).toEqual({ stops: [], warned: [], unnamed: [] })
})
