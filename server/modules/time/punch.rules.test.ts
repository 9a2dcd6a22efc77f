import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { inLanguage } from '#contract/language/texts.ts'
import { minutesBetween, noRule } from '#contract/time/rules-of-hours.ts'
import {
  countedMoment,
  decidePunch,
  distanceMeters,
  findShift,
  inferSite,
  isLeftOpen,
  lengthDoubt,
  type NewPunch,
  newRecord,
  offsetMinutes,
  type PunchFacts,
  type PunchQuestion,
  placeDoubts,
  type Refusal,
  roundCoordinate,
  type ShiftFacts,
  type SiteFacts,
  toleranceDoubt,
  travelDoubt,
} from './punch.rules.ts'
import { momentOf, wallClock } from './zone.rules.ts'

const minute = 60_000
const hour = 60 * minute
const now = Date.parse('2026-11-19T12:00:00Z')

const site = (siteId: number, more: Partial<SiteFacts> = {}): SiteFacts => ({
  siteId,
  name: `Site ${siteId}`,
  timeZone: 'America/New_York',
  latitude: 41.63,
  longitude: -70.93,
  precisionM: 150,
  allowOvernight: true,
  allowMulticlock: false,
  rejectInaccuratePins: false,
  rejectAccuracyM: 200,
  networkName: null,
  ...more,
})
const shift = (siteId: number, startsAt = now, more: Partial<ShiftFacts> = {}): ShiftFacts => ({
  assignmentId: siteId * 10,
  rotationId: 1,
  siteId,
  shiftType: 'day',
  startsAt,
  endsAt: startsAt + 8 * hour,
  ...more,
})
const clockIn = (at: number, more: Partial<PunchFacts> = {}): PunchFacts => ({
  id: 1,
  kind: 'in',
  at,
  siteId: 1,
  partnerId: null,
  insight: 1,
  isChangeAsked: false,
  assignmentId: null,
  rotationId: null,
  shiftType: null,
  latitude: 41.63,
  longitude: -70.93,
  ...more,
})
const ask = (more: Partial<PunchQuestion> = {}): PunchQuestion => ({
  kind: 'in',
  now,
  policy: { toleranceMinutes: 15, positionDecimals: 4 },
  timeZone: 'America/New_York',
  sites: [site(1)],
  shifts: [shift(1)],
  punches: [],
  position: { latitude: 41.63, longitude: -70.93, accuracy: 10 },
  ...more,
})

const position = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('distance on the globe', () => {
  test('is symmetric, zero at home, and never more than half way round', () => {
    fc.assert(
      fc.property(position, position, (one, other) => {
        const there = distanceMeters(one, other)
        expect(distanceMeters(other, one)).toBeCloseTo(there, 3)
        expect(there).toBeGreaterThanOrEqual(0)
        expect(there).toBeLessThan(20_015_200)
        expect(distanceMeters(one, one)).toBeCloseTo(0, 3)
      }),
    )
  })
  test('a degree of latitude is 111.2 km', () => {
    expect(distanceMeters({ latitude: 41, longitude: -71 }, { latitude: 42, longitude: -71 })).toBeCloseTo(
      111_195,
      -1,
    )
  })
})

test('a rounded coordinate is within half a step of the true one, and rounding twice changes nothing', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.integer({ min: 0, max: 6 }),
      (degrees, decimals) => {
        const rounded = roundCoordinate(degrees, decimals)
        expect(Math.abs(rounded - degrees)).toBeLessThanOrEqual(0.5 / 10 ** decimals + 1e-9)
        expect(roundCoordinate(rounded, decimals)).toBe(rounded)
      },
    ),
  )
  expect(roundCoordinate(-0.000_01, 4)).toBe(0)
})

describe('the site is worked out', () => {
  test('from the schedule when the position is near it, before any other site', () => {
    const sites = [site(1), site(2, { latitude: 41.6301 })]
    expect(inferSite(sites, [shift(2)], { latitude: 41.63, longitude: -70.93 }, now)?.siteId).toBe(2)
  })
  test('from the position when it lies in the circle of another site', () => {
    const sites = [site(1), site(2, { latitude: 42 })]
    expect(inferSite(sites, [shift(1)], { latitude: 42, longitude: -70.93 }, now)?.siteId).toBe(2)
  })
  test('from the schedule when there is no position, and the begin of the shift is nearest', () => {
    const shifts = [shift(1, now - 7 * hour), shift(2, now + 10 * minute)]
    for (const given of [shifts, shifts.toReversed()])
      expect(inferSite([site(1), site(2)], given, undefined, now)?.siteId).toBe(2)
  })
  test('from the known network without shift and position', () => {
    expect(inferSite([site(1), site(2, { networkName: 'Staff' })], [], undefined, now)?.siteId).toBe(2)
  })
  test('from the schedule with the known network before another shift that is nearer', () => {
    const sites = [site(1), site(3, { networkName: 'Guests' }), site(2, { networkName: 'Staff' })]
    expect(inferSite(sites, [shift(1), shift(2, now + hour)], undefined, now)?.siteId).toBe(2)
    expect(inferSite(sites, [shift(1)], undefined, now)?.siteId).toBe(3)
  })
  test('from the position when a site is near, the nearest by the edge of its circle', () => {
    const here = { latitude: 41.632, longitude: -70.93 }
    const sites = [site(1, { latitude: 41.637 }), site(2, { latitude: 41.626, precisionM: 300 })]
    expect(inferSite(sites, [], here, now)?.siteId).toBe(2)
    expect(inferSite(sites.toReversed(), [], here, now)?.siteId).toBe(2)
    expect(inferSite([site(1, { latitude: 41.64 })], [], here, now)).toBeUndefined()
  })
  test('from the schedule far away from it, rather than from another site that is only near', () => {
    const sites = [site(1, { latitude: 42 }), site(2, { latitude: 41.634 })]
    expect(inferSite(sites, [shift(1)], { latitude: 41.63, longitude: -70.93 }, now)?.siteId).toBe(1)
  })
  test('from a shift that is at hand, four hours before its begin and after its end', () => {
    const at = (moment: number) => inferSite([site(1)], [shift(1)], undefined, moment)?.siteId
    expect([now - 4 * hour, now + 12 * hour].map(at)).toEqual([1, 1])
    expect([now - 4 * hour - 1, now + 12 * hour + 1].map(at)).toEqual([undefined, undefined])
  })
  test('and is none when nothing tells it', () => {
    expect(inferSite([site(1)], [], undefined, now)).toBeUndefined()
    expect(inferSite([], [shift(1)], undefined, now)).toBeUndefined()
    expect(inferSite([site(1)], [shift(1, now + 30 * hour)], undefined, now)).toBeUndefined()
  })
})

test('of shifts at the site the one whose begin is nearest is meant', () => {
  const shifts = [shift(1, now - 3 * hour, { assignmentId: 1 }), shift(1, now + hour, { assignmentId: 2 })]
  for (const given of [shifts, shifts.toReversed()]) {
    expect(findShift(given, 1, now)?.assignmentId).toBe(2)
    expect(findShift(given, 1, now - 2 * hour)?.assignmentId).toBe(1)
    expect(findShift(given, 2, now)).toBeUndefined()
  }
})

test('a clock-in is compared with the begin of its shift, a clock-out with the end, in whole minutes', () => {
  const planned = shift(1)
  expect(offsetMinutes('in', now + 7.9 * minute, planned)).toBe(7)
  expect(offsetMinutes('in', now - 7.9 * minute, planned)).toBe(-7)
  expect(offsetMinutes('out', now + 9 * hour, planned)).toBe(60)
})

test('a shift is meant from four hours before its begin to four hours after its end', () => {
  expect(findShift([shift(1)], 1, now - 4 * hour)).toBeDefined()
  expect(findShift([shift(1)], 1, now - 4 * hour - 1)).toBeUndefined()
  expect(findShift([shift(1)], 1, now + 12 * hour)).toBeDefined()
  expect(findShift([shift(1)], 1, now + 12 * hour + 1)).toBeUndefined()
})

describe('D3-080 doubts', () => {
  test('the circle and the known network leave none; near is mild, far is grave', () => {
    const at = (latitude: number) => placeDoubts(site(1), { latitude, longitude: -70.93, accuracy: 5 })
    expect(at(41.631)).toEqual([])
    expect(at(41.634).map(({ Code }) => Code)).toEqual(['unknown_network'])
    expect(at(41.64).map(({ Code }) => Code)).toEqual(['far_away'])
    expect(placeDoubts(site(1, { networkName: 'Staff' }), undefined)).toEqual([])
    expect(placeDoubts(site(1), undefined)).toEqual([{ Code: 'no_position' }])
  })
  test('distances are told in meters, and accuracy only when it is worse than the site accepts', () => {
    const at = (latitude: number, accuracy?: number) =>
      placeDoubts(site(1), { latitude, longitude: -70.93, accuracy })
    expect(at(41.634)).toEqual([{ Code: 'unknown_network', Value: 445 }])
    expect(at(41.64)).toEqual([{ Code: 'far_away', Value: 1112 }])
    expect(at(41.63, 200)).toEqual([])
    expect(at(41.63, 200.6)).toEqual([{ Code: 'poor_accuracy', Value: 201 }])
    expect(placeDoubts(site(1, { latitude: null }), { latitude: 41.63, longitude: -70.93 })).toEqual([
      { Code: 'no_position' },
    ])
    expect(placeDoubts(site(1, { longitude: null }), { latitude: 41.63, longitude: -70.93 })).toEqual([
      { Code: 'no_position' },
    ])
  })
  test('the edges of the circle and of what is near belong to them', () => {
    const here = { latitude: 41.64, longitude: -70.93 }
    const distance = distanceMeters(here, { latitude: 41.63, longitude: -70.93 })
    const codes = (precisionM: number) => placeDoubts(site(1, { precisionM }), here).map(({ Code }) => Code)
    expect(codes(distance)).toEqual([])
    expect(codes(distance - 1)).toEqual(['unknown_network'])
    expect(codes(distance - 500)).toEqual(['unknown_network'])
    expect(codes(distance - 501)).toEqual(['far_away'])
  })
  test('the tolerance includes its last minute', () => {
    expect(toleranceDoubt(15, 15)).toEqual([])
    expect(toleranceDoubt(-16, 15)).toEqual([{ Code: 'outside_tolerance', Value: -16 }])
    expect(toleranceDoubt(null, 15)).toEqual([])
  })
  test('nobody travels 100 km in ten minutes, and everybody may in two hours', () => {
    const there = { latitude: 42.53, longitude: -70.93 }
    expect(travelDoubt(clockIn(now - 10 * minute), undefined, there, now)[0]?.Code).toBe('impossible_travel')
    expect(travelDoubt(clockIn(now - 2 * hour), undefined, there, now)).toEqual([])
  })
  test('the speed is told in km/h, five figures at most; short ways and the first punch are never too fast', () => {
    const there = { latitude: 42.53, longitude: -70.93 }
    expect(travelDoubt(clockIn(now - 15 * minute), undefined, there, now)).toEqual([
      { Code: 'impossible_travel', Value: 400 },
    ])
    const around = { latitude: -41.63, longitude: 109.07 }
    expect(travelDoubt(clockIn(now - minute), undefined, around, now)[0]?.Value).toBe(99_999)
    // Within a minute nobody can tell how fast it was.
    expect(travelDoubt(clockIn(now), undefined, there, now)[0]?.Value).toBe(6_005)
    expect(
      travelDoubt(clockIn(now - minute), undefined, { latitude: 41.76, longitude: -70.93 }, now),
    ).toEqual([])
    expect(travelDoubt(undefined, site(1), there, now)).toEqual([])
    expect(travelDoubt(clockIn(now - minute), undefined, undefined, now)).toEqual([])
  })
  test('a punch without a position was made where its site is', () => {
    const there = { latitude: 42.53, longitude: -70.93 }
    const before = clockIn(now - 10 * minute, { latitude: null, longitude: null })
    expect(travelDoubt(before, site(1), there, now)[0]?.Code).toBe('impossible_travel')
    expect(travelDoubt(before, site(1, { latitude: 42.53 }), there, now)).toEqual([])
    expect(travelDoubt(before, undefined, there, now)).toEqual([])
  })
  test('a kept punch keeps its moment; a clock that is off is corrected and told; the future never counts', () => {
    expect(countedMoment(now, now - hour, now)).toEqual({ at: now - hour, doubts: [{ Code: 'offline' }] })
    const off = countedMoment(now, now - 3 * hour, now - 2 * hour)
    expect(off.at).toBe(now - hour)
    expect(off.doubts.map(({ Code }) => Code)).toEqual(['offline', 'clock_off'])
    expect(countedMoment(now, now + 3 * hour, undefined).at).toBe(now)
  })
  test('a clock may be off by five minutes; by how much it is off is told in minutes', () => {
    expect(countedMoment(now, undefined, now - 5 * minute)).toEqual({ at: now, doubts: [] })
    for (const off of [-6, 6])
      expect(countedMoment(now, undefined, now + off * minute)).toEqual({
        at: now,
        doubts: [{ Code: 'clock_off', Value: 6 }],
      })
    expect(countedMoment(now, undefined, undefined)).toEqual({ at: now, doubts: [] })
    expect(countedMoment(now, undefined, 0).doubts).toEqual([{ Code: 'clock_off', Value: 5_000_000 }])
  })
  test('a kept punch of the next five minutes counts now; a later one is told by how much', () => {
    expect(countedMoment(now, now + 5 * minute, now)).toEqual({ at: now, doubts: [{ Code: 'offline' }] })
    expect(countedMoment(now, now + 6 * minute, now)).toEqual({
      at: now,
      doubts: [{ Code: 'offline' }, { Code: 'clock_off', Value: 6 }],
    })
  })
  test('a kept punch lies neither before what the server had said by then, nor after what has passed since', () => {
    const hours = (count: number) => now - count * hour
    // Kept as 06:20 although the server had said 09:20: three hours are corrected and told.
    expect(countedMoment(now, hours(6), now, { serverAt: hours(3), sinceServerAt: 10 * minute })).toEqual({
      at: hours(3) + 10 * minute,
      doubts: [{ Code: 'offline' }, { Code: 'clock_off', Value: 190 }],
    })
    expect(countedMoment(now, hours(6), now, { serverAt: hours(3) }).at).toBe(hours(3))
    // Pressed two hours ago by the clock that nobody can set, and kept as of now.
    expect(countedMoment(now, now, now, { beforeSending: 2 * hour })).toEqual({
      at: hours(2),
      doubts: [{ Code: 'offline' }, { Code: 'clock_off', Value: 120 }],
    })
    // What can be is left alone, five minutes either way included.
    const facts = { serverAt: hours(3), sinceServerAt: hour, beforeSending: 2 * hour }
    for (const off of [-5, 0, 5])
      expect(countedMoment(now, hours(2) + off * minute, now, facts)).toEqual({
        at: hours(2) + off * minute,
        doubts: [{ Code: 'offline' }],
      })
    expect(countedMoment(now, hours(2) - 6 * minute, now, facts).at).toBe(hours(2))
    // A server whose clock was put back proves nothing, and says so.
    expect(countedMoment(now, hours(2), now, { serverAt: now + hour })).toEqual({
      at: hours(2),
      doubts: [{ Code: 'offline' }, { Code: 'clock_off', Value: 60 }],
    })
  })
  test('a punch is marked while server and database disagree by more than five minutes', () => {
    const doubtsAt = (apart: number) => {
      const decided = decidePunch(ask({ processNow: now + apart }))
      return 'text' in decided ? [] : decided.reasons
    }
    expect(doubtsAt(5 * minute)).toEqual([])
    expect(doubtsAt(-6 * hour)).toEqual([{ Code: 'clock_off', Value: 360 }])
  })
  test('whatever a device says, the counted moment is never later than the server', () => {
    const instant = fc.integer({ min: now - 30 * 24 * hour, max: now + 30 * 24 * hour })
    fc.assert(
      fc.property(
        fc.option(instant, { nil: undefined }),
        fc.option(instant, { nil: undefined }),
        (at, sent) => {
          expect(countedMoment(now, at, sent).at).toBeLessThanOrEqual(now)
        },
      ),
    )
  })
})

describe('a punch is decided', () => {
  test('the insight is 1 without doubts, 3 with a grave one, 2 with mild ones', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 41.5, max: 41.8, noNaN: true }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: -3 * 60, max: 3 * 60 }),
        (latitude, accuracy, late) => {
          const decided = decidePunch(
            ask({
              position: { latitude, longitude: -70.93, accuracy },
              shifts: [shift(1, now - late * minute)],
            }),
          )
          if ('text' in decided) return
          const grave = decided.reasons.some(({ Code }) => ['far_away', 'no_assignment'].includes(Code))
          expect(decided.insight).toBe(grave ? 3 : decided.reasons.length > 0 ? 2 : 1)
        },
      ),
    )
  })
  test('in and out alternate whatever is pressed: never two open at once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            kind: fc.constantFrom('in' as const, 'out' as const),
            after: fc.integer({ min: 1, max: 2000 }),
          }),
          { maxLength: 30 },
        ),
        (presses) => {
          const punches: PunchFacts[] = []
          let at = now
          for (const { kind, after } of presses) {
            at += after * minute
            const decided = decidePunch(
              ask({
                kind,
                now: at,
                shifts: [],
                siteId: 1,
                sites: [site(1, { allowMulticlock: true })],
                punches,
              }),
            )
            if ('text' in decided) continue
            if (kind === 'out') {
              const open = punches.find(({ id }) => id === decided.partner!.id)!
              expect(open.partnerId).toBeNull()
              expect(decided.credit.minutes).toBe(Math.round((at - open.at) / minute))
              open.partnerId = punches.length + 1
            }
            punches.push(
              clockIn(at, {
                id: punches.length + 1,
                kind,
                partnerId: kind === 'out' ? decided.partner!.id : null,
              }),
            )
            // Without a shift a clock-in runs for 16 hours.
            const open = punches.filter(
              (punch) => punch.kind === 'in' && punch.partnerId === null && at - punch.at <= 16 * hour,
            )
            expect(open.length).toBeLessThanOrEqual(1)
          }
        },
      ),
    )
  })
  test('a clock-in older than a day is unmatched and blocks nobody', () => {
    const decided = decidePunch(ask({ punches: [clockIn(now - 24 * hour)] }))
    expect('text' in decided).toBe(false)
    expect(decidePunch(ask({ kind: 'out', punches: [clockIn(now - 24 * hour)] }))).toMatchObject({
      text: { status: 409 },
    })
  })
  describe('a clock-in that was forgotten', () => {
    // In at 14:03 for the shift that ended at 20:00 yesterday.
    const evening = shift(1, now - 22 * hour, { assignmentId: 5, endsAt: now - 16 * hour })
    const forgotten = clockIn(now - 22 * hour + 3 * minute, { assignmentId: 5 })
    const decide = (more: Partial<PunchQuestion>) =>
      decidePunch(ask({ punches: [forgotten], shifts: [evening, shift(1)], ...more }))
    const left = (open: PunchFacts, at: number, shifts: ShiftFacts[]) =>
      isLeftOpen(open, { at, shifts, sites: [site(1)], timeZone: 'America/New_York' })

    test('blocks no clock-in of the next day, which belongs to the shift of that day', () => {
      expect(decide({})).toMatchObject({ kind: 'in', partner: null, shift: { assignmentId: 10 } })
    })
    test('is closed by a clock-out for Careful Review only, which says how long that is', () => {
      const closed = decide({ kind: 'out', now: now + 10 * minute })
      expect(closed).toMatchObject({ credit: { minutes: 22 * 60 + 7 }, insight: 3 })
      expect(closed).toMatchObject({
        reasons: expect.arrayContaining([{ Code: 'too_long', Value: 22 * 60 + 7 }]),
      })
    })
    test('is one four hours after its shift, or one hour after it when the next shift is at hand', () => {
      const own = shift(1, now, { assignmentId: 5, endsAt: now + 4 * hour })
      const open = clockIn(now, { assignmentId: 5 })
      expect(left(open, now + 8 * hour, [own])).toBe(false)
      expect(left(open, now + 8 * hour + 1, [own])).toBe(true)
      const next = shift(1, now + 7 * hour)
      expect(left(open, now + 5 * hour - 1, [own, next])).toBe(false)
      expect(left(open, now + 5 * hour, [own, next])).toBe(true)
      // A shift that is long over, or that began before the own one ended, is no next one.
      expect(left(open, now + 5 * hour, [own, shift(1, now + 3 * hour)])).toBe(false)
    })
    test('is one after 16 hours without a shift, or on another day when a shift has come since', () => {
      const open = clockIn(now - 10 * hour)
      expect(left(open, now, [])).toBe(false)
      expect(left(open, now, [shift(1, now)])).toBe(true)
      expect(left(open, now, [shift(1, now - 7 * hour)])).toBe(false)
      expect(left(clockIn(now - 16 * hour), now, [])).toBe(false)
      expect(left(clockIn(now - 16 * hour - 1), now, [])).toBe(true)
    })
    test('is none that has its clock-out, is one itself, or is still to come', () => {
      const at = now - 30 * hour
      expect(left(clockIn(at), now, [])).toBe(true)
      expect(left(clockIn(at, { partnerId: 2 }), now, [])).toBe(false)
      expect(left(clockIn(at, { kind: 'out' }), now, [])).toBe(false)
      expect(left(clockIn(now + 1), now, [])).toBe(false)
    })
  })
  test('a pair is too long when it is two hours longer than its shift, without a shift after 16 hours', () => {
    expect(lengthDoubt(10 * 60, shift(1))).toEqual([])
    expect(lengthDoubt(10 * 60 + 1, shift(1))).toEqual([{ Code: 'too_long', Value: 601 }])
    expect(lengthDoubt(16 * 60, null)).toEqual([])
    expect(lengthDoubt(16 * 60 + 1, undefined)).toEqual([{ Code: 'too_long', Value: 961 }])
  })
  test('a kept punch inside a pair that is there already is refused', () => {
    const punches = [
      clockIn(now - 5 * hour, { partnerId: 2 }),
      clockIn(now - hour, { id: 2, kind: 'out', partnerId: 1 }),
    ]
    expect(decidePunch(ask({ occurredAt: now - 3 * hour, punches }))).toMatchObject({ text: { status: 409 } })
    expect(decidePunch(ask({ kind: 'out', occurredAt: now - 3 * hour, punches }))).toMatchObject({
      text: { code: 'already_out' },
    })
    expect(decidePunch(ask({ occurredAt: now - 30 * minute, punches }))).not.toMatchObject({
      text: { code: 'already_in' },
    })
  })
  test('a kept clock-in after one that was never closed counts, whatever came later', () => {
    const punches = [clockIn(now - 30 * hour), clockIn(now - hour, { id: 3 })]
    expect(decidePunch(ask({ occurredAt: now - 3 * hour, punches }))).toMatchObject({ kind: 'in' })
  })
  test('the edge of the circle lies inside', () => {
    const position = { latitude: 41.631, longitude: -70.93 }
    const precisionM = distanceMeters(position, { latitude: 41.63, longitude: -70.93 })
    const at = (radius: number) => decidePunch(ask({ position, sites: [site(1, { precisionM: radius })] }))
    expect(at(precisionM)).toMatchObject({ isInside: true })
    expect(at(precisionM - 1)).toMatchObject({ isInside: false })
    expect(
      inferSite([site(1, { precisionM }), site(2, { latitude: 42, networkName: 'Staff' })], [], position, now)
        ?.siteId,
    ).toBe(1)
  })
  test('a punch kept for more than two weeks is refused with what to do', () => {
    expect(decidePunch(ask({ occurredAt: now - 15 * 24 * hour }))).toMatchObject({
      text: { status: 422, code: 'OccurredAt' },
    })
  })
  test('without any site it asks for one', () => {
    expect(decidePunch(ask({ sites: [], shifts: [] }))).toMatchObject({
      text: { status: 422, code: 'SiteId' },
    })
    expect(decidePunch(ask({ siteId: 9 }))).toMatchObject({ text: { status: 422, code: 'SiteId' } })
  })
  test('a punch kept for two weeks to the moment still counts', () => {
    expect(decidePunch(ask({ occurredAt: now - 14 * 24 * hour }))).toMatchObject({ kind: 'in' })
  })
  test('a clean clock-in carries its site, day, shift, place and distance', () => {
    const position = { latitude: 41.630_04, longitude: -70.930_06, accuracy: 9.6 }
    expect(decidePunch(ask({ position, shifts: [shift(1, now - 4 * minute)] }))).toMatchObject({
      kind: 'in',
      site: { siteId: 1 },
      at: now,
      date: '2026-11-19',
      shift: { assignmentId: 10 },
      rotationId: 1,
      partner: null,
      credit: { minutes: 0, clockMinutes: 0, mealMinutes: 0 },
      insight: 1,
      reasons: [],
      latitude: 41.63,
      longitude: -70.9301,
      accuracyM: 10,
      distanceM: 7,
      isInside: true,
      networkName: null,
      shiftType: 'day',
      offset: 4,
      source: 'server',
    })
  })
  test('without position and shift a clock-in says neither, and both are doubts', () => {
    const decided = decidePunch(ask({ siteId: 1, position: undefined, shifts: [], occurredAt: now - hour }))
    expect(decided).toMatchObject({
      shift: null,
      rotationId: null,
      shiftType: null,
      offset: null,
      latitude: null,
      longitude: null,
      accuracyM: null,
      distanceM: null,
      isInside: null,
      source: 'offline',
    })
    expect((decided as NewPunch).reasons.map(({ Code }) => Code)).toEqual([
      'offline',
      'no_assignment',
      'no_position',
    ])
  })
  test('outside of the circle, far and late, a clock-in counts with its doubts', () => {
    const decided = decidePunch(
      ask({
        siteId: 1,
        position: { latitude: 41.64, longitude: -70.93, accuracy: 300 },
        shifts: [shift(1, now - 16 * minute)],
      }),
    )
    expect(decided).toMatchObject({ isInside: false, distanceM: 1112, insight: 3 })
    expect((decided as NewPunch).reasons.map(({ Code }) => Code)).toEqual([
      'far_away',
      'poor_accuracy',
      'outside_tolerance',
    ])
  })
  test('a clock-out belongs to the site and shift of its clock-in, wherever it is made', () => {
    const open = clockIn(now - 8 * hour, { id: 5, assignmentId: 77, rotationId: 3, shiftType: 'evening' })
    const planned = shift(1, now - 8 * hour, { assignmentId: 77, rotationId: 3, shiftType: 'evening' })
    const decided = decidePunch(
      ask({
        kind: 'out',
        punches: [clockIn(now - 30 * hour, { id: 4, partnerId: 9 }), open],
        sites: [site(2, { latitude: 42 }), site(1)],
        position: { latitude: 42, longitude: -70.93 },
        shifts: [shift(1, now, { assignmentId: 78 }), planned],
      }),
    )
    expect(decided).toMatchObject({
      site: { siteId: 1 },
      partner: { id: 5 },
      shift: { assignmentId: 77 },
      rotationId: 3,
      shiftType: 'evening',
      credit: { minutes: 480, clockMinutes: 480, mealMinutes: 0 },
      offset: 0,
    })
    const without = decidePunch(ask({ kind: 'out', punches: [open], shifts: [] }))
    expect(without).toMatchObject({ shift: null, rotationId: 3, shiftType: 'evening', offset: null })
    const unplanned = { ...open, assignmentId: null, rotationId: null, shiftType: null }
    expect(decidePunch(ask({ kind: 'out', punches: [unplanned] }))).toMatchObject({
      shift: { assignmentId: 10 },
      rotationId: 1,
    })
  })
  test('clocking out needs a clock-in, and a second clock-in has to wait for it', () => {
    expect(decidePunch(ask({ kind: 'out' }))).toMatchObject({ text: { status: 409, code: 'already_out' } })
    const open = clockIn(now - hour)
    const refused = decidePunch(ask({ punches: [open] })) as Refusal
    expect(refused.text).toMatchObject({ status: 409, code: 'already_in' })
    expect(inLanguage(refused, 'en')).toBe(
      'You are clocked in since 11/19/2026 06:00 at Site 1. Clock out first.',
    )
    expect(inLanguage(refused, 'es')).toBe(
      'Su entrada está marcada desde 11/19/2026 06:00 en Site 1. Marque primero la salida.',
    )
    const elsewhere = ask({ punches: [{ ...open, siteId: 8 }], timeZone: 'America/Chicago' })
    expect(inLanguage(decidePunch(elsewhere) as Refusal, 'en')).toBe(
      'You are clocked in since 11/19/2026 06:00. Clock out first.',
    )
    const closed = [clockIn(now - 2 * hour, { partnerId: 2 }), clockIn(now - hour, { id: 2, kind: 'out' })]
    expect(decidePunch(ask({ kind: 'out', punches: closed }))).toMatchObject({
      text: { code: 'already_out' },
    })
    expect(decidePunch(ask({ kind: 'out', punches: [clockIn(now)] }))).toMatchObject({
      credit: { minutes: 0 },
    })
    expect(decidePunch(ask({ punches: [clockIn(now - hour, { kind: 'out' })] }))).toMatchObject({
      kind: 'in',
    })
    // What is still to come closes nothing.
    expect(decidePunch(ask({ kind: 'out', punches: [clockIn(now + hour)] }))).toMatchObject({
      text: { code: 'already_out' },
    })
  })
  test('where nobody stays overnight, a clock-in of the day before blocks nobody and cannot be closed', () => {
    const sites = [site(1, { allowOvernight: false })]
    const late = clockIn(now - 9 * hour)
    expect(decidePunch(ask({ sites, punches: [late] }))).toMatchObject({ kind: 'in', partner: null })
    expect(decidePunch(ask({ kind: 'out', sites, punches: [late] }))).toMatchObject({
      text: { status: 422, code: 'AllowOvernight' },
    })
    const closed = [
      clockIn(now - 11 * hour, { partnerId: 2 }),
      clockIn(now - 10 * hour, { id: 2, kind: 'out' }),
    ]
    expect(decidePunch(ask({ sites, punches: closed }))).toMatchObject({ kind: 'in' })
    const today = clockIn(now - 6 * hour)
    expect(decidePunch(ask({ kind: 'out', sites, punches: [today] }))).toMatchObject({
      credit: { minutes: 360 },
    })
    expect(decidePunch(ask({ sites, punches: [today] }))).toMatchObject({ text: { code: 'already_in' } })
    expect(decidePunch(ask({ kind: 'out', punches: [late] }))).toMatchObject({ credit: { minutes: 540 } })
  })
  test('a site may take one clock-in a day: of its own, of that day, and one that was closed', () => {
    const pair = (at: number, more: Partial<PunchFacts> = {}) => [
      clockIn(at, { partnerId: 2, ...more }),
      clockIn(at + hour, { id: 2, partnerId: 1, ...more, kind: 'out' }),
    ]
    expect(decidePunch(ask({ punches: pair(now - 3 * hour) }))).toMatchObject({
      text: { status: 422, code: 'AllowMulticlock' },
    })
    const minutes = (from: number, to: number) => [
      clockIn(now - from * minute, { partnerId: 2 }),
      clockIn(now - to * minute, { id: 2, partnerId: 1, kind: 'out' }),
    ]
    // A slip of some seconds or minutes, and a clock-out by mistake, use up no day.
    for (const [from, to] of [
      [120, 115],
      [120, 120],
      [300, 5],
    ] as const)
      expect(decidePunch(ask({ punches: minutes(from, to) }))).toMatchObject({ kind: 'in' })
    for (const [from, to] of [
      [120, 114],
      [300, 6],
    ] as const)
      expect(decidePunch(ask({ punches: minutes(from, to) }))).toMatchObject({
        text: { code: 'AllowMulticlock' },
      })
    const several = [site(1, { allowMulticlock: true })]
    expect(decidePunch(ask({ sites: several, punches: pair(now - 3 * hour) }))).toMatchObject({ kind: 'in' })
    expect(decidePunch(ask({ punches: pair(now - 3 * hour, { siteId: 2 }) }))).toMatchObject({ kind: 'in' })
    expect(decidePunch(ask({ punches: pair(now - 20 * hour) }))).toMatchObject({ kind: 'in' })
    const unmatchedOut = clockIn(now - 2 * hour, { kind: 'out', partnerId: 7 })
    expect(decidePunch(ask({ punches: [unmatchedOut] }))).toMatchObject({ kind: 'in' })
    const later = { occurredAt: now - 3 * hour, punches: [clockIn(now - hour)] }
    expect(decidePunch(ask(later))).toMatchObject({ kind: 'in' })
    const second = [...pair(now - 5 * hour), clockIn(now - hour, { id: 3 })]
    expect(decidePunch(ask({ kind: 'out', punches: second }))).toMatchObject({ partner: { id: 3 } })
  })
  test('a site may turn away positions that are not accurate enough, unless its network tells where it is', () => {
    const strict = { rejectInaccuratePins: true, rejectAccuracyM: 100 }
    const at = (accuracy: number | undefined, more: Partial<SiteFacts> = {}) =>
      decidePunch(
        ask({
          position: { latitude: 41.63, longitude: -70.93, accuracy },
          sites: [site(1, { ...strict, ...more })],
        }),
      )
    expect(at(101)).toMatchObject({ text: { status: 422, code: 'RejectInaccuratePins' } })
    expect(at(100)).toMatchObject({ kind: 'in' })
    expect(at(undefined)).toMatchObject({ kind: 'in' })
    expect(at(101, { networkName: 'Staff' })).toMatchObject({ kind: 'in', networkName: 'Staff' })
    expect(at(101, { rejectInaccuratePins: false })).toMatchObject({ kind: 'in' })
  })
  test('on a known network somebody without a position is where the site is', () => {
    const before = clockIn(now - 10 * minute, { kind: 'out', latitude: 42.53 })
    const codes = (networkName: string | null) =>
      (
        decidePunch(
          ask({ siteId: 1, position: undefined, sites: [site(1, { networkName })], punches: [before] }),
        ) as NewPunch
      ).reasons.map(({ Code }) => Code)
    expect(codes('Staff')).toEqual(['impossible_travel'])
    expect(codes(null)).toEqual(['no_position'])
  })
  test('a pair that lies over reported time counts, and says so; time that only touches it does not', () => {
    const before = { from: now - 9 * hour, to: now - 8 * hour }
    const overlaps = (from: number, to: number) =>
      (
        decidePunch(
          ask({ kind: 'out', punches: [clockIn(now - 2 * hour)], reported: [before, { from, to }] }),
        ) as NewPunch
      ).reasons.some(({ Code }) => Code === 'overlaps')
    expect(overlaps(now - hour, now + hour)).toBe(true)
    expect(overlaps(now - 3 * hour, now - hour)).toBe(true)
    expect(overlaps(now, now + hour)).toBe(false)
    expect(overlaps(now - 3 * hour, now - 2 * hour)).toBe(false)
  })
})

describe('a new punch as its student sees it', () => {
  const punch = (more: Partial<PunchQuestion> = {}) => decidePunch(ask(more)) as NewPunch

  test('times are those of its site, moments have no idle zeros', () => {
    expect(newRecord(9, punch({ shifts: [shift(1, now - 4 * minute)] }), now)).toMatchObject({
      Id: 9,
      Type: 'in',
      SiteId: 1,
      Location: 'Site 1',
      TimeZone: 'America/New_York',
      Date: '2026-11-19',
      Time: '07:00',
      EndTime: null,
      OccurredAt: '2026-11-19T12:00:00Z',
      Minutes: 0,
      OffsetMinutes: 4,
      ShiftType: 'day',
      ShiftStart: '06:56',
      ShiftEnd: '14:56',
      ShiftEndsAt: '2026-11-19T19:56:00Z',
      Insight: 1,
      Reasons: [],
      Status: 'pending',
      Source: 'server',
      PartnerId: null,
    })
    const kept = newRecord(9, punch({ occurredAt: now - 250, shifts: [], siteId: 1 }), now)
    expect(kept).toMatchObject({ OccurredAt: '2026-11-19T11:59:59.75Z', ShiftStart: null, ShiftEndsAt: null })
  })

  test('a clock-out shows the insight of its pair', () => {
    const out = punch({ kind: 'out', punches: [clockIn(now - 8 * hour, { id: 5 })] })
    expect(newRecord(9, out, now + 48 * hour)).toMatchObject({
      Insight: out.insight,
      PartnerId: 5,
      Minutes: 480,
    })
  })

  test('a clock-in is unmatched when its shift has ended, without a shift after 16 hours', () => {
    const insightAt = (more: Partial<PunchQuestion>, later: number) =>
      newRecord(9, punch(more), now + later).Insight
    expect(insightAt({}, 8 * hour - 1)).toBe(1)
    expect(insightAt({}, 8 * hour)).toBe('u')
    const free = { siteId: 1, shifts: [] }
    expect(insightAt(free, 16 * hour - 1)).toBe(3)
    expect(insightAt(free, 16 * hour)).toBe('u')
    const dayLong = { shifts: [shift(1, now, { endsAt: now + 24 * hour })] }
    expect(insightAt(dayLong, 24 * hour - 1)).toBe(1)
    expect(insightAt(dayLong, 24 * hour)).toBe('u')
  })
})

test('a shift of a day is clocked out of until hours after it; of the pair a day counts', () => {
  const dayLong = [shift(1, now, { endsAt: now + 24 * hour })]
  const early = clockIn(now - 20 * minute, { assignmentId: 10 })
  const out = (after: number) =>
    decidePunch(ask({ kind: 'out', now: now + after, shifts: dayLong, punches: [early] }))
  expect(out(24 * hour + 10 * minute)).toMatchObject({
    credit: { minutes: 1440, clockMinutes: 1470, mealMinutes: 0 },
    insight: 1,
  })
  expect(out(27 * hour)).toMatchObject({ credit: { minutes: 1440 }, insight: 3 })
  expect(out(28 * hour)).toMatchObject({ text: { code: 'already_out' } })
  // On the night on which the clocks go back it lasts 25 hours, and so does what counts.
  const longer = [shift(1, now, { endsAt: now + 25 * hour })]
  const closed = decidePunch(
    ask({ kind: 'out', now: now + 25 * hour, shifts: longer, punches: [clockIn(now, { assignmentId: 10 })] }),
  )
  expect(closed).toMatchObject({ credit: { minutes: 1500, clockMinutes: 1500 }, insight: 1 })
})

test('the rule of a pair is that of the day on which it began, at its site', () => {
  const hoursRules = [
    { ...noRule, From: '2026-11-19', MealMinutes: 30 },
    { ...noRule, From: '2026-11-20', MealMinutes: 45 },
  ]
  // 23:30 in New York, the day after in UTC.
  const begin = Date.parse('2026-11-20T04:30:00Z')
  const out = (timeZone: string) =>
    decidePunch(
      ask({
        kind: 'out',
        now: begin + 8 * hour,
        sites: [site(1, { timeZone })],
        punches: [clockIn(begin)],
        policy: { toleranceMinutes: 15, positionDecimals: 4, hoursRules },
      }),
    )
  expect(out('America/New_York')).toMatchObject({
    credit: { minutes: 450, clockMinutes: 480, mealMinutes: 30 },
  })
  expect(out('UTC')).toMatchObject({ credit: { minutes: 435, mealMinutes: 45 } })
})

describe('clocks that change', () => {
  const zones = [
    'America/New_York',
    'America/Chicago',
    'America/Phoenix',
    'Europe/Berlin',
    'Australia/Lord_Howe',
  ]
  test('minutes are those between the moments, on every night of the year', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 364 }),
        fc.integer({ min: 1, max: 1439 }),
        (zone, day, length) => {
          const begin = momentOf(addDays('2026-01-01', day), '19:00', zone)
          if (!('at' in begin)) return
          expect(minutesBetween(begin.at, begin.at + length * minute)).toBe(length)
        },
      ),
    )
  })
  test('a wall-clock time read back is the one that was asked for, or it is told as skipped', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 364 }),
        fc.integer({ min: 0, max: 1439 }),
        (zone, day, minutes) => {
          const date = addDays('2026-01-01', day)
          const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
          const moment = momentOf(date, time, zone)
          if ('at' in moment) expect(wallClock(moment.at, zone)).toEqual({ date, time })
          else {
            expect(time >= moment.skippedFrom).toBe(true)
            expect(time < moment.skippedTo).toBe(true)
          }
        },
      ),
      { numRuns: 400 },
    )
  })
  test('the skipped hour is named', () => {
    expect(momentOf('2027-03-14', '02:30', 'America/New_York')).toEqual({
      skippedFrom: '02:00',
      skippedTo: '03:00',
    })
    expect(momentOf('2026-10-04', '02:15', 'Australia/Lord_Howe')).toEqual({
      skippedFrom: '02:00',
      skippedTo: '02:30',
    })
  })
})
