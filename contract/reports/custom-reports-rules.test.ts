import { describe, expect, test } from 'vitest'
import { definitionProblems, fieldOf, shownColumns } from './custom-reports-rules.ts'

const definition = {
  Subject: 'hours',
  Columns: ['Date', 'Hours'],
  Filters: [],
  GroupBy: [],
  Sort: '',
} as const
const problems = (change: object) => definitionProblems({ ...definition, ...change }).map(({ path }) => path)

describe('D1-170 a custom report', () => {
  test('shows its columns, or its groups with a count and the sums of its figures', () => {
    expect(shownColumns(definition)).toEqual(['Date', 'Hours'])
    expect(shownColumns({ ...definition, GroupBy: ['Site', 'Month'] })).toEqual([
      'Site',
      'Month',
      'Count',
      'Hours',
    ])
  })

  test('has only fields of its subject, once each', () => {
    expect(problems({})).toEqual([])
    expect(problems({ Columns: ['Date', 'password_hash'] })).toEqual(['Columns'])
    expect(problems({ Columns: ['Date', 'Date'] })).toEqual(['Columns'])
    expect(problems({ Columns: [] })).toEqual(['Columns'])
    expect(problems({ GroupBy: ['toString'] })).toEqual(['GroupBy'])
    expect(fieldOf('hours', 'constructor')).toBeUndefined()
  })

  test('is sorted by what it shows', () => {
    expect(problems({ Sort: '-Hours' })).toEqual([])
    expect(problems({ Sort: 'Site' })).toEqual(['Sort'])
    expect(problems({ Sort: '-Count', GroupBy: ['Site'] })).toEqual([])
    expect(problems({ Sort: 'Date', GroupBy: ['Site'] })).toEqual(['Sort'])
  })

  test.each([
    ['Date', 'at-least', '2026-02-28', true],
    ['Date', 'at-least', '2026-02-31', false],
    ['Date', 'contains', '2026-02-28', false],
    ['Hours', 'at-most', '7.5', true],
    ['Hours', 'at-most', '1; drop table', false],
    ['Status', 'is', 'approved', true],
    ['Status', 'is', 'toString', false],
    ['LastName', 'contains', "o'neil%", true],
    ['LastName', 'at-least', 'a', false],
    ['Nothing', 'is', 'a', false],
  ])('compares %s %s %s: %s', (Field, Operator, Value, isFine) => {
    expect(problems({ Filters: [{ Field, Operator, Value }] })).toEqual(isFine ? [] : ['Filters'])
  })
})
