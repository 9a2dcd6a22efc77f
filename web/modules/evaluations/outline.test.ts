import { expect, test } from 'vitest'
import { parseQuestions, parseScores, printScores } from './outline.ts'

test('lines become categories, scored and fill-in items with their marks', () => {
  const parsed = parseQuestions(
    '# Competence\nVerifies the patient + *\nProtects the patient +\n\n# Remarks\n> What should be kept?\n>number Cases seen *\n>choice Mood = Good | Bad',
    'General',
  )
  expect(parsed.Categories).toEqual([{ Name: 'Competence' }, { Name: 'Remarks' }])
  expect(parsed.Items).toEqual([
    { Category: 0, Text: 'Verifies the patient', ScoreType: 0, Group: 0, IsMandatory: true },
    { Category: 0, Text: 'Protects the patient', ScoreType: 0, Group: 0, IsMandatory: false },
  ])
  expect(
    parsed.FibItems.map(({ Text, InputType, Choices, IsMandatory }) => [
      Text,
      InputType,
      Choices,
      IsMandatory,
    ]),
  ).toEqual([
    ['What should be kept?', 'long', [], false],
    ['Cases seen', 'number', [], true],
    ['Mood', 'choice', ['Good', 'Bad'], false],
  ])
  expect(parsed.hasGroup).toBe(true)
})

test('questions before the first category belong to a general one', () => {
  expect(parseQuestions('Was on time', 'General')).toMatchObject({
    Categories: [{ Name: 'General' }],
    Items: [{ Text: 'Was on time' }],
  })
})

test('scores are labels with values, numbered where none is given, and printed back', () => {
  const scores = parseScores('Poor = 1\nGood = 2.5\nBest', 2, true)
  expect(scores).toEqual([
    { Label: 'Poor', Value: 1, NeedsComment: true },
    { Label: 'Good', Value: 2.5, NeedsComment: false },
    { Label: 'Best', Value: 3, NeedsComment: false },
    { Label: 'N/A', Value: null, IsNotApplicable: true },
  ])
  expect(printScores(scores.map((score) => ({ IsNotApplicable: false, ...score })))).toBe(
    'Poor = 1\nGood = 2.5\nBest = 3',
  )
})
