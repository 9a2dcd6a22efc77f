import { expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { blocksOf } from '#contract/placement/plan-rules.ts'
import { Group } from '#contract/placement/plans.ts'
import { samplePlan, sampleShift, sampleSite, sampleStudent } from '#server/test/sample-plans.ts'
import { indexPlan } from './indexed-plan.rules.ts'

/** A plan of one Saturday night from 23:00 to 07:30, 8.5 hours by the clock, for one student. */
const nights = (from: string, options: object) => {
  const plan = samplePlan()
  return samplePlan({
    Blocks: blocksOf(from, addDays(from, 6), 1),
    Rules: {
      ...plan.Rules,
      Groups: [Group.parse({ Name: 'All', ShiftsPerWeek: 1, Weekdays: [6] })],
    },
    Students: [sampleStudent(1)],
    Sites: [sampleSite(1)],
    Shifts: [sampleShift(1, 1, { Weekdays: [6], StartTime: '23:00', EndTime: '07:30', Type: 'night' })],
    Options: { ...plan.Options, ...options },
  })
}
const faultOf = (from: string, options: object) => indexPlan(nights(from, options)).faultOf(0, 0, 0)

const held = { HoursPerDayRule: 'block', HoursPerWeekRule: 'block' }

test('hours are those that pass: a night in which clocks go back is an hour longer, one in which they go forward shorter', () => {
  const usual = '2032-10-18'
  const back = '2032-11-01'
  const forward = '2032-03-08'
  for (const [from, hours] of [
    [usual, 8.5],
    [back, 9.5],
    [forward, 7.5],
  ] as const) {
    const enough = { ...held, MostHoursPerDay: hours, MostHoursPerWeek: hours }
    expect(faultOf(from, enough)).toBeUndefined()
    expect(faultOf(from, { ...enough, MostHoursPerDay: hours - 0.5 })).toContain('hours a day')
    expect(faultOf(from, { ...enough, MostHoursPerWeek: hours - 0.5 })).toContain('hours a week')
  }
})
