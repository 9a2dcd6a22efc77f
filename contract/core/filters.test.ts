import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  addressOf,
  askedOf,
  byChoice,
  byCohort,
  byDays,
  byLevels,
  byLink,
  bySearch,
  byValue,
  byView,
  onlyThose,
  queryOf,
} from './filters.ts'

const filters = {
  show: byView('show', 'Show', { open: 'Open', all: 'All' }),
  state: byValue('State', 'Status', { new: 'New', used: 'Used' }),
  site: byChoice('SiteId', 'site', '{Site}'),
  procedure: byLink('ProcedureId'),
  levels: byLevels('StudentLevelIds'),
  late: onlyThose('IsLate', 'Late', 'Only late ones'),
  cohort: byCohort(),
  search: bySearch('Name', 5),
  days: byDays('Date'),
} as const
const start = addressOf(filters)

test('nothing chosen asks for nothing, and is the first of what always counts', () => {
  expect(start).toEqual({
    show: 'open',
    state: '',
    site: null,
    procedure: null,
    levels: [],
    late: false,
    cohort: '',
    search: '',
    from: '',
    through: '',
  })
  expect(askedOf(filters, start)).toEqual({})
  expect(z.strictObject(queryOf(filters)).parse({})).toEqual({ show: 'open', search: '' })
})

test('what is chosen is asked by the names of the query, which takes it', () => {
  const at = {
    show: 'all',
    state: 'used',
    site: 3,
    procedure: 4,
    levels: [1, 2],
    late: true,
    cohort: '2030',
    search: 'Ada',
    from: '2030-01-02',
    through: '2030-01-03',
  }
  const asked = askedOf(filters, at)
  expect(asked).toEqual({
    show: 'all',
    State: 'used',
    SiteId: 3,
    ProcedureId: 4,
    StudentLevelIds: [1, 2],
    IsLate: true,
    Cohort: '2030',
    search: 'Ada',
    FromDate: '2030-01-02',
    ThroughDate: '2030-01-03',
  })
  expect(z.strictObject(queryOf(filters)).parse(asked)).toEqual(asked)
})

test('a value that is none of the options counts as nothing chosen; the query refuses what is wrong', () => {
  expect(askedOf(filters, { ...start, show: 'gone', state: 'gone', from: '' })).toEqual({})
  const query = z.strictObject(queryOf(filters))
  for (const wrong of [
    { State: 'gone' },
    { SiteId: 'x' },
    { search: 'longer' },
    { FromDate: 'x' },
    { Other: 1 },
  ])
    expect(query.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
})
