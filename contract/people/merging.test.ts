import { expect, test } from 'vitest'
import { staysFirst, takenFirst } from './merging.ts'

test('what the account that stays lacks is taken from the other one, and nothing else', () => {
  const kept = { FirstName: 'Ada', PhoneNumber: '', StudentNumber: null, Cohort: '2027' }
  const merged = { FirstName: 'Adah', PhoneNumber: '5550100', StudentNumber: 'S-77', Cohort: null }
  expect(takenFirst(kept, merged)).toEqual(['PhoneNumber', 'StudentNumber'])
})

test('the account in use stays first, then the one with more in it, then the older, whichever the merge was begun from', () => {
  const side = (
    Id: number,
    {
      IsActive = true,
      seen = null as string | null,
      records = 0,
    }: { IsActive?: boolean; seen?: string | null; records?: number } = {},
  ) => ({ Person: { Id, IsActive }, LastSeenAt: seen, Rows: [{ Count: records }] })
  const seen = '2026-11-02T08:00:00Z'
  const said = [
    [side(9, { records: 5 }), side(1, { IsActive: false, seen, records: 500 }), 'active'],
    [side(9, { seen }), side(1, { records: 500 }), 'signedIn'],
    [side(9, { seen, records: 7 }), side(1, { seen, records: 6 }), 'records'],
    [side(1), side(9), 'older'],
  ] as const
  for (const [stays, ends, reason] of said) {
    expect(staysFirst(stays, ends)).toEqual({ stays, reason })
    expect(staysFirst(ends, stays)).toEqual({ stays, reason })
  }
})
