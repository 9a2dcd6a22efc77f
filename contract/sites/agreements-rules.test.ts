import { describe, expect, test } from 'vitest'
import { monthsOfTerms, reminderStep, renewedDates, standingOf } from './agreements-rules.ts'

const today = '2026-11-21'

describe('where an agreement stands', () => {
  const at = (TerminationDate: string | null, more = {}) =>
    standingOf({ IsActive: true, IsApproved: true, TerminationDate, ...more }, today)

  test('follows its end, with the last day still in force', () => {
    expect(at(null)).toBe('in-force')
    expect(at('2027-02-20')).toBe('in-force')
    expect(at('2027-02-19')).toBe('ending')
    expect(at('2026-12-21')).toBe('urgent')
    expect(at('2026-11-21')).toBe('urgent')
    expect(at('2026-11-20')).toBe('expired')
  })

  test('is inactive or unapproved whatever its end; an end that has passed goes before a missing approval', () => {
    expect(at('2099-01-01', { IsActive: false })).toBe('inactive')
    expect(at('2099-01-01', { IsApproved: false })).toBe('unapproved')
    expect(at('2026-11-20', { IsApproved: false })).toBe('expired')
  })
})

test('a reminder is due in the 90, 60 and 30 days before the end', () => {
  expect([91, 90, 61, 60, 31, 30, 0, -1].map(reminderStep)).toEqual([
    undefined,
    90,
    90,
    60,
    60,
    30,
    30,
    undefined,
  ])
})

describe('a renewal', () => {
  test('reads years and months from the terms', () => {
    expect(monthsOfTerms('3 years')).toBe(36)
    expect(monthsOfTerms('1-year, renewable')).toBe(12)
    expect(monthsOfTerms('18 months')).toBe(18)
    expect(monthsOfTerms('2 yrs')).toBe(24)
    expect(monthsOfTerms('until ended in writing')).toBeUndefined()
    expect(monthsOfTerms('0 years')).toBeUndefined()
  })

  const dates = (more: object) =>
    renewedDates(
      { InitialDate: '2020-01-01', LastRenewalDate: null, TerminationDate: null, Terms: '', ...more },
      today,
    )

  test('D3-131 moves the end by the term, from the old end on or from today', () => {
    expect(dates({ TerminationDate: '2026-12-31', Terms: '2 years' })).toEqual({
      LastRenewalDate: today,
      TerminationDate: '2028-12-31',
    })
    expect(dates({ TerminationDate: '2026-01-31', Terms: '2 years' }).TerminationDate).toBe('2028-11-21')
  })

  test('is as long as the last term when the terms name none, and a year when nothing is known', () => {
    expect(dates({ LastRenewalDate: '2024-12-31', TerminationDate: '2026-12-31' }).TerminationDate).toBe(
      '2028-12-31',
    )
    expect(dates({}).TerminationDate).toBe('2027-11-21')
  })
})
