import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { countAlike, creditOf, type HoursRule, noRule, ruleOn } from './rules-of-hours.ts'

/** A moment in New York, with its offset where the clocks show the time twice. */
const at = (text: string): number =>
  Temporal.ZonedDateTime.from(`${text}[America/New_York]`, { disambiguation: 'reject' }).epochMilliseconds

const day = '2026-11-19T'
const dayShift = [`${day}07:00`, `${day}15:30`] as const
const meal = { MealMinutes: 30, MealAfterHours: 6 }
const meals = { ...meal, MealRepeats: true }
const capped = { FromShiftStart: true, ToShiftEnd: true }
/** A shift that does not begin on a quarter of an hour. */
const odd = [`${day}07:10`, `${day}15:40`] as const

/** Counted by hand from docs/decisions/rules-of-hours.md: from, to, shift, rule; what counts and what the meal break took. */
const cases: readonly (readonly [
  string,
  string,
  readonly [string, string] | null,
  Partial<HoursRule>,
  number,
  number,
])[] = [
  // Nothing is set: what is on the clock, to the nearest minute.
  [`${day}06:48`, `${day}15:37`, dayShift, {}, 529, 0],
  [`${day}06:48:40`, `${day}15:37:20`, dayShift, {}, 529, 0],
  // The meal break alone: records longer than six hours.
  [`${day}07:00`, `${day}15:30`, dayShift, meal, 480, 30],
  [`${day}07:00`, `${day}13:00`, dayShift, meal, 360, 0],
  [`${day}07:00`, `${day}13:01`, dayShift, meal, 331, 30],
  [`${day}07:00`, `${day}11:00`, null, meal, 240, 0],
  [`${day}07:00`, `${day}07:20`, null, { MealMinutes: 30, MealAfterHours: 0 }, 0, 20],
  [`${day}07:00`, `${day}15:00`, null, { MealMinutes: 45, MealAfterHours: 7.5 }, 435, 45],
  // The meal break after every six hours: after 6, 12 and 18, never for time that has not gone by.
  [`${day}07:00`, `${day}13:00`, null, meals, 360, 0],
  [`${day}07:00`, `${day}13:01`, null, meals, 331, 30],
  [`${day}07:00`, `${day}19:00`, null, meals, 690, 30],
  [`${day}07:00`, `${day}19:01`, null, meals, 661, 60],
  [`${day}07:00`, `${day}19:30`, null, meals, 690, 60],
  [`${day}06:48`, '2026-11-20T07:20', [`${day}07:00`, '2026-11-20T07:00'], { ...capped, ...meals }, 1350, 90],
  ['2026-10-31T07:00', '2026-11-01T07:00', ['2026-10-31T07:00', '2026-11-01T07:00'], meals, 1380, 120],
  [`${day}07:00`, `${day}15:01`, null, { ...meals, MealMinutes: 15, MealAfterHours: 2.5 }, 436, 45],
  [`${day}07:00`, `${day}15:00`, null, { ...meals, MealAfterHours: 0 }, 450, 30],
  // Rounding to a quarter of an hour: seven minutes go down, eight go up; seconds do not count.
  [`${day}07:07`, `${day}15:22`, null, { RoundTo: '15' }, 495, 0],
  [`${day}07:08`, `${day}15:23`, null, { RoundTo: '15' }, 495, 0],
  [`${day}07:07:59`, `${day}15:30:10`, null, { RoundTo: '15' }, 510, 0],
  [`${day}06:53`, `${day}15:38`, null, { RoundTo: '15' }, 525, 0],
  // To five minutes: two go down, three go up. To a tenth of an hour: two go down, three go up.
  [`${day}07:02`, `${day}15:33`, null, { RoundTo: '5' }, 515, 0],
  [`${day}07:03`, `${day}15:32`, null, { RoundTo: '5' }, 505, 0],
  [`${day}07:02`, `${day}15:33`, null, { RoundTo: '6' }, 516, 0],
  [`${day}07:03`, `${day}15:32`, null, { RoundTo: '6' }, 504, 0],
  [`${day}07:00`, `${day}07:06`, null, { RoundTo: '15' }, 0, 0],
  // Held to the shift: early, late, both, and wholly outside of it.
  [`${day}06:48`, `${day}15:37`, dayShift, { FromShiftStart: true }, 517, 0],
  [`${day}06:48`, `${day}15:37`, dayShift, { ToShiftEnd: true }, 522, 0],
  [`${day}06:48`, `${day}15:37`, dayShift, capped, 510, 0],
  [`${day}07:20`, `${day}15:00`, dayShift, capped, 460, 0],
  [`${day}05:00`, `${day}06:30`, dayShift, capped, 0, 0],
  [`${day}06:48`, `${day}15:37`, null, capped, 529, 0],
  // All of them: the shift first, then the rounding, then the meal break.
  [`${day}06:48`, `${day}15:37`, dayShift, { ...capped, ...meal, RoundTo: '15' }, 480, 30],
  [`${day}07:09`, `${day}15:20`, dayShift, { ...capped, ...meal, RoundTo: '15' }, 450, 30],
  [`${day}07:00`, `${day}13:07`, dayShift, { ...capped, ...meal, RoundTo: '15' }, 360, 0],
  // Neither the shift's own times nor rounding lead out of the shift.
  [`${day}07:00`, `${day}16:00`, odd, { ...capped, RoundTo: '15' }, 510, 0],
  [`${day}07:11`, `${day}15:39`, odd, { ...capped, RoundTo: '15' }, 505, 0],
  [`${day}07:10:20`, `${day}15:40:50`, odd, { ...capped, RoundTo: '15' }, 510, 0],
  [`${day}07:12`, `${day}15:38`, [`${day}07:11`, `${day}15:39`], { ...capped, RoundTo: '5' }, 508, 0],
  // Over midnight.
  [`${day}22:52`, '2026-11-20T07:11', [`${day}23:00`, '2026-11-20T07:00'], { ...capped, ...meal }, 450, 30],
  [`${day}22:52`, '2026-11-20T07:11', [`${day}23:00`, '2026-11-20T07:00'], { RoundTo: '15' }, 510, 0],
  // The night on which the clocks go forward is an hour shorter, that on which they go back an hour longer.
  ['2027-03-13T22:55', '2027-03-14T07:10', ['2027-03-13T23:00', '2027-03-14T07:00'], capped, 420, 0],
  ['2027-03-14T01:53', '2027-03-14T03:08', null, { RoundTo: '15' }, 15, 0],
  [
    '2026-10-31T22:55',
    '2026-11-01T07:10',
    ['2026-10-31T23:00', '2026-11-01T07:00'],
    { ...capped, ...meal },
    510,
    30,
  ],
  ['2026-11-01T01:53-04:00', '2026-11-01T01:08-05:00', null, { RoundTo: '15' }, 15, 0],
  // A shift of a day; on the night on which the clocks go back it is one of 25 hours.
  [`${day}06:48`, '2026-11-20T07:20', [`${day}07:00`, '2026-11-20T07:00'], {}, 1440, 0],
  [`${day}06:48`, '2026-11-20T07:20', [`${day}07:00`, '2026-11-20T07:00'], { ...capped, ...meal }, 1410, 30],
  ['2026-10-31T07:00', '2026-11-01T07:00', ['2026-10-31T07:00', '2026-11-01T07:00'], {}, 1500, 0],
  ['2027-03-13T07:00', '2027-03-14T07:00', ['2027-03-13T07:00', '2027-03-14T07:00'], capped, 1380, 0],
]

describe('what counts of the time on the clock', () => {
  test.each(cases)(
    '%s to %s, shift %s, rule %s: %i minutes, %i of a meal',
    (from, to, shift, rule, counts, break_) => {
      const span = { startsAt: at(from), endsAt: at(to) }
      const credit = creditOf(
        { ...noRule, ...rule },
        span,
        shift && { startsAt: at(shift[0]), endsAt: at(shift[1]) },
      )
      expect(credit).toEqual({
        minutes: counts,
        mealMinutes: break_,
        // Whatever counts, the clock is told as it was.
        clockMinutes: Math.round((span.endsAt - span.startsAt) / 60_000),
      })
    },
  )
})

test('a rule holds from its day until the next one; before the first everything counts', () => {
  const first = { ...noRule, From: '2026-11-19', MealMinutes: 30 }
  const second = { ...noRule, From: '2026-12-01', RoundTo: '15' as const }
  const rules = [second, first]
  expect(ruleOn([], '2026-11-19')).toEqual(noRule)
  expect(ruleOn(rules, '2026-11-18')).toEqual(noRule)
  expect(ruleOn(rules, '2026-11-19')).toBe(first)
  expect(ruleOn(rules, '2026-11-30')).toBe(first)
  expect(ruleOn(rules, '2026-12-01')).toBe(second)
})

test('rules count alike whatever is set of a meal break that takes nothing off', () => {
  expect(countAlike({ ...noRule, From: '2026-11-19', MealAfterHours: 8 }, noRule)).toBe(true)
  expect(countAlike({ ...noRule, MealMinutes: 30 }, noRule)).toBe(false)
  expect(countAlike({ ...noRule, MealMinutes: 30 }, { ...noRule, MealMinutes: 30, MealAfterHours: 8 })).toBe(
    false,
  )
  expect(countAlike({ ...noRule, MealMinutes: 30 }, { ...noRule, MealMinutes: 30, MealRepeats: true })).toBe(
    false,
  )
})
