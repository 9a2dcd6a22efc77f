import { expect, test } from 'vitest'
import type { Problem } from '#contract/placement/plans.ts'
import { plainWords } from '#web/words/plain-words.ts'
import { linesOf } from './cause-lines.ts'

const lack = (Lacks: string, StudentIds: number[], more: Partial<Problem> = {}): Problem => ({
  Kind: 'stops',
  Text: `${StudentIds.length} students have nowhere to go: ${Lacks}.`,
  StudentId: null,
  SiteId: null,
  Fix: 'requirements',
  StudentIds,
  SiteIds: [],
  Lacks,
  ...more,
})
const agreement = lack('', [1, 2], { Text: 'No agreement.', Fix: 'agreement' })

test('whatever a new cohort lacks is one line with its number and one email; other causes keep their own', () => {
  const causes = Array.from({ length: 14 }, (_, at) => lack(`Paper ${at + 1} is missing`, [1, 2, 3]))
  const [first, second, ...more] = linesOf([causes[0]!, agreement, ...causes.slice(1)], plainWords)
  expect(first?.cause.Text).toBe('3 students cannot be placed until their requirements are in order.')
  expect(first?.cause.StudentIds).toEqual([1, 2, 3])
  expect(first?.cause.Lacks).toContain('Paper 1 is missing; Paper 2 is missing')
  expect(first?.parts).toHaveLength(14)
  expect(second).toEqual({ cause: agreement, parts: [] })
  expect(more).toEqual([])
})

test('an email to students who lack different things names none of them, and warnings are a line of their own', () => {
  const warned = lack('CPR is not in order', [9], { Kind: 'warns' })
  const [stops, warns] = linesOf(
    [lack('CPR is missing', [1, 2]), lack('TB is missing', [2]), warned],
    plainWords,
  )
  expect(stops?.cause).not.toHaveProperty('Lacks')
  expect(stops?.cause.StudentIds).toEqual([1, 2])
  expect(warns).toEqual({ cause: warned, parts: [] })
})
