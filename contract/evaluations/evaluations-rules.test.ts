import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerProblem } from './answer-problems.ts'
import {
  type AnswerFacts,
  answeredCount,
  type ItemFacts,
  isLate,
  itemLimit,
  longestItem,
  markAnswers,
  meanScore,
  missingOf,
  readItemLines,
  standingAnswers,
} from './evaluations-rules.ts'

const scores = [1, 2, 3, 4, 5].map((value) => ({
  Id: value,
  Label: String(value),
  Value: value,
  IsNotApplicable: false,
  NeedsComment: value < 3,
}))
const notApplicable = { Id: 6, Label: 'N/A', Value: null, IsNotApplicable: true, NeedsComment: false }
const scored = (Id: number, more: Partial<ItemFacts> = {}): ItemFacts => ({
  Id,
  Kind: 'scored',
  Text: `Item ${Id}`,
  GroupId: null,
  IsMandatory: false,
  InputType: null,
  Choices: [],
  ScoreValues: [...scores, notApplicable],
  ...more,
})
const fib = (Id: number, InputType: ItemFacts['InputType'], more: Partial<ItemFacts> = {}): ItemFacts =>
  scored(Id, { Kind: 'fib', InputType, ScoreValues: [], ...more })
const answer = (ItemId: number, more: Partial<AnswerFacts> = {}): AnswerFacts => ({
  ItemId,
  ScoreValueId: null,
  Text: null,
  Comment: null,
  ...more,
})

test('a mandatory item is missing until it is scored or written', () => {
  const items = [scored(1, { IsMandatory: true }), fib(2, 'long', { IsMandatory: true })]
  expect(missingOf(items, [], [])).toHaveLength(2)
  expect(missingOf(items, [], [answer(1, { ScoreValueId: 4 }), answer(2, { Text: '  ' })])).toEqual([
    { Kind: 'answer', ItemId: 2, Group: null },
  ])
  expect(missingOf(items, [], [answer(1, { ScoreValueId: 6 }), answer(2, { Text: 'Calm' })])).toEqual([])
})

test('D3-095 of a mandatory group at least one item must be answered', () => {
  const items = [scored(1, { GroupId: 7 }), scored(2, { GroupId: 7 }), scored(3)]
  const group = { Id: 7, Name: 'Core', IsMandatory: true }
  expect(missingOf(items, [group], [answer(3, { ScoreValueId: 5 })])).toEqual([
    { Kind: 'group', ItemId: 1, Group: 'Core' },
  ])
  expect(missingOf(items, [group], [answer(2, { ScoreValueId: 5 })])).toEqual([])
  expect(missingOf(items, [{ ...group, IsMandatory: false }], [])).toEqual([])
  expect(missingOf([scored(3)], [group], [])).toEqual([])
})

test('a score below the threshold asks for a comment', () => {
  const low = answer(1, { ScoreValueId: 2 })
  expect(missingOf([scored(1)], [], [low])).toEqual([{ Kind: 'comment', ItemId: 1, Group: null }])
  expect(missingOf([scored(1)], [], [{ ...low, Comment: 'Late' }])).toEqual([])
  expect(missingOf([scored(1)], [], [{ ...low, Comment: '  ' }])).toHaveLength(1)
  expect(missingOf([scored(1)], [], [answer(1, { ScoreValueId: 3 })])).toEqual([])
  expect(missingOf([scored(1)], [], [])).toEqual([])
})

test('what an answer counts: its score, its place on the scale, and whether it is low', () => {
  const marks = (item: ItemFacts, ScoreValueId: number | null) =>
    markAnswers([scored(9), item], [answer(item.Id, { ScoreValueId })])[0]
  expect(marks(scored(1), 1)).toEqual({ Score: 1, Share: 0, IsLow: true })
  expect(marks(scored(1), 2)).toEqual({ Score: 2, Share: 0.25, IsLow: true })
  expect(marks(scored(1), 4)).toEqual({ Score: 4, Share: 0.75, IsLow: false })
  const nothing = { Score: null, Share: null, IsLow: false }
  expect(marks(scored(1), 6)).toEqual(nothing)
  expect(marks(scored(1), null)).toEqual(nothing)
  expect(markAnswers([], [answer(1, { ScoreValueId: 1 })])).toEqual([nothing])
  // On a scale from 3 to 5, 3 is the lowest; a scale of one value has no place to be on.
  expect(marks(scored(1, { ScoreValues: scores.slice(2) }), 3)).toEqual({ Score: 3, Share: 0, IsLow: true })
  expect(marks(scored(1, { ScoreValues: [scores[4]!] }), 5)).toEqual({ Score: 5, Share: null, IsLow: false })
})

test('every input type takes what it names and nothing else', () => {
  const problem = (type: ItemFacts['InputType'], Text: string, Choices: string[] = []) =>
    answerProblem(fib(1, type, { Choices }), answer(1, { Text }))
  for (const [type, good, bad] of [
    ['number', '12.5', 'twelve'],
    ['date', '2026-02-28', '2026-02-31'],
    ['yesno', 'yes', 'maybe'],
    ['short', 'one line', 'two\nlines'],
  ] as const) {
    expect(problem(type, good)).toBeNull()
    expect(problem(type, bad)).not.toBeNull()
  }
  expect(problem('choice', 'Blue', ['Red', 'Blue'])).toBeNull()
  expect(problem('choice', 'Green', ['Red', 'Blue'])).not.toBeNull()
  expect(answerProblem(scored(1), answer(1, { ScoreValueId: 99 }))).not.toBeNull()
  expect(answerProblem(scored(1), answer(1, { ScoreValueId: 5 }))).toBeNull()
  expect(answerProblem(scored(1), answer(1))).toBeNull()
  expect(answerProblem(fib(1, 'long'), answer(1, { ScoreValueId: 5 }))).not.toBeNull()
  expect(answerProblem(fib(1, 'long', { ScoreValues: scores }), answer(1, { ScoreValueId: 5 }))).toBeNull()
  expect(
    answerProblem(fib(1, 'long', { ScoreValues: scores }), answer(1, { ScoreValueId: 99 })),
  ).not.toBeNull()
  expect(answerProblem(scored(1, { InputType: 'number' }), answer(1, { Text: 'a few words' }))).toBeNull()
  for (const type of ['number', 'date', 'yesno', 'choice', 'short', 'long'] as const)
    for (const nothing of ['', '  ']) expect(problem(type, nothing)).toBeNull()
  for (const good of ['0', '-0', '999999999999', '0.123456', ' 7 '])
    expect(problem('number', good)).toBeNull()
  for (const bad of [
    '1000000000000',
    '0.1234567',
    '1.',
    '.5',
    '1,5',
    '--1',
    '1e3',
    'a1',
    '1a',
    '1x5',
    '12.5.1',
  ])
    expect(problem('number', bad), bad).toMatchObject({ en: '{Item}: must be a number' })
  for (const below of ['-3', '-0.000001', ' -12.5 '])
    expect(problem('number', below), below).toMatchObject({ en: '{Item}: must be 0 or more' })
  for (const bad of ['2027-02-29', '02/28/2026', '2026-2-8', '2026-02-28T10:00', 'x2026-02-28', '2026-13-01'])
    expect(problem('date', bad), bad).toMatchObject({ en: '{Item}: must be a date' })
  expect(problem('date', '2028-02-29')).toBeNull()
  expect(problem('yesno', 'no')).toBeNull()
  expect(problem('short', 'x'.repeat(255))).toBeNull()
  expect(problem('short', 'x'.repeat(256))).not.toBeNull()
  expect(problem('long', `${'x'.repeat(256)}\n`)).toBeNull()
})

test('N/A does not count in the mean', () => {
  const items = [scored(1), scored(2), scored(3)]
  expect(
    meanScore(items, [
      answer(1, { ScoreValueId: 5 }),
      answer(2, { ScoreValueId: 2 }),
      answer(3, { ScoreValueId: 6 }),
    ]),
  ).toBe(3.5)
  expect(meanScore(items, [answer(3, { ScoreValueId: 6 })])).toBeNull()
})

test('answering more never adds a missing answer, and what is complete counts in full', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), fc.nat(), (mandatory, pick) => {
      const items = mandatory.map((IsMandatory, index) => scored(index + 1, { IsMandatory }))
      const some = items
        .filter((item) => (item.Id + pick) % 2 === 0)
        .map(({ Id }) => answer(Id, { ScoreValueId: 4 }))
      const every = items.map(({ Id }) => answer(Id, { ScoreValueId: 4 }))
      expect(missingOf(items, [], every)).toEqual([])
      expect(missingOf(items, [], some).length).toBeLessThanOrEqual(missingOf(items, [], []).length)
      expect(answeredCount(items, every)).toBe(items.length)
    }),
  )
})

test('D3-101 an uncompleted evaluation is late from the day after its end date', () => {
  expect(isLate({ EndDate: '2026-11-20', Status: 0 }, '2026-11-21')).toBe(true)
  expect(isLate({ EndDate: '2026-11-21', Status: 0 }, '2026-11-21')).toBe(false)
  expect(isLate({ EndDate: '2026-11-20', Status: 1 }, '2026-11-21')).toBe(false)
  expect(isLate({ EndDate: null, Status: 0 }, '2026-11-21')).toBe(false)
})

test('pasted lines become items without bullet and number; what is refused is named by its line', () => {
  const pasted =
    '- Verifies the patient\r\n\r\n12) Protects\tthe patient\n(3) Positions\n• positions\nAsks\n\u0007'
  expect(readItemLines(pasted, ['ASKS'])).toEqual({
    Taken: ['Verifies the patient', 'Protects the patient', 'Positions'],
    Refused: [
      { Line: 5, Text: 'positions', Reason: 'twice' },
      { Line: 6, Text: 'Asks', Reason: 'exists' },
      { Line: 7, Text: '\u0007', Reason: 'control' },
    ],
  })
  expect(readItemLines('3.5 mm collimation\n2026 goals', []).Taken).toEqual([
    '3.5 mm collimation',
    '2026 goals',
  ])
  const marked = ['- a', '* b', '• c', '– d', '· e', '1. f', '22) g', '(333) h', '-   i', '  - j']
  expect(readItemLines(marked.join('\r'), []).Taken).toEqual([...'abcdefghij'])
  expect(readItemLines('-a\n1.b\n1234. c\nd - e', []).Taken).toEqual(['-a', '1.b', '1234. c', 'd - e'])
})

test('a line has two thousand characters at most, and a refused one is told by its first 120', () => {
  const [long, most] = ['x'.repeat(longestItem + 1), 'y'.repeat(longestItem)]
  expect(readItemLines(`${long}\n${most}`, [])).toEqual({
    Taken: [most],
    Refused: [{ Line: 1, Text: 'x'.repeat(120), Reason: 'too_long' }],
  })
})

test('a template is never filled beyond its most, and every line is either taken or refused', () => {
  const full = Array.from({ length: itemLimit - 1 }, (_each, index) => `Item ${index}`)
  const { Taken, Refused } = readItemLines('One\nTwo', full)
  expect([Taken, Refused.map(({ Reason }) => Reason)]).toEqual([['One'], ['full']])
  fc.assert(
    fc.property(fc.array(fc.string()), (lines) => {
      const read = readItemLines(lines.join('\n'), [])
      expect(new Set(read.Taken).size).toBe(read.Taken.length)
      for (const text of read.Taken) expect(text).toBe(text.trim())
    }),
  )
})

test('answers to what the form no longer asks do not count, nor scores that are no longer offered', () => {
  const given = [answer(1, { ScoreValueId: 3 }), answer(2, { ScoreValueId: 99, Comment: 'kept' }), answer(9)]
  expect(standingAnswers([scored(1), scored(2)], given)).toEqual([
    given[0],
    { ...given[1], ScoreValueId: null },
  ])
})

test('blank text is no answer, in the count as little as in what is missing', () => {
  const items = [scored(1), fib(2, 'long'), fib(3, 'long')]
  const given = [answer(1, { ScoreValueId: 6 }), answer(2, { Text: ' ' }), answer(3, { Text: 'Calm' })]
  expect(answeredCount(items, given)).toBe(2)
  expect(answeredCount(items, [])).toBe(0)
  expect(answeredCount(items, [answer(1)])).toBe(0)
})

test('the mean leaves out answers to other forms and those without a score', () => {
  const given = [answer(1, { ScoreValueId: 4 }), answer(2), answer(9, { ScoreValueId: 1 })]
  expect(meanScore([scored(1), scored(2)], given)).toBe(4)
  expect(meanScore([], given)).toBeNull()
})
