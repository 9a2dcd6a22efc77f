import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import {
  countedMoment,
  decidePunch,
  distanceMeters,
  findShift,
  inferSite,
  minutesBetween,
  type PunchFacts,
  type PunchQuestion,
  placeDoubts,
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
    expect(inferSite([site(1), site(2)], shifts, undefined, now)?.siteId).toBe(2)
  })
  test('from the known network without shift and position', () => {
    expect(inferSite([site(1), site(2, { networkName: 'Staff' })], [], undefined, now)?.siteId).toBe(2)
  })
  test('and is none when nothing tells it', () => {
    expect(inferSite([site(1)], [], undefined, now)).toBeUndefined()
    expect(inferSite([], [shift(1)], undefined, now)).toBeUndefined()
    expect(inferSite([site(1)], [shift(1, now + 30 * hour)], undefined, now)).toBeUndefined()
  })
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
          if ('status' in decided) return
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
            if ('status' in decided) continue
            if (kind === 'out') {
              const open = punches.find(({ id }) => id === decided.partner!.id)!
              expect(open.partnerId).toBeNull()
              expect(decided.minutes).toBe(Math.round((at - open.at) / minute))
              open.partnerId = punches.length + 1
            }
            punches.push(
              clockIn(at, {
                id: punches.length + 1,
                kind,
                partnerId: kind === 'out' ? decided.partner!.id : null,
              }),
            )
            const open = punches.filter(
              (punch) => punch.kind === 'in' && punch.partnerId === null && at - punch.at < 24 * hour,
            )
            expect(open.length).toBeLessThanOrEqual(1)
          }
        },
      ),
    )
  })
  test('a clock-in older than a day is unmatched and blocks nobody', () => {
    const decided = decidePunch(ask({ punches: [clockIn(now - 24 * hour)] }))
    expect('status' in decided).toBe(false)
    expect(decidePunch(ask({ kind: 'out', punches: [clockIn(now - 24 * hour)] }))).toMatchObject({
      status: 409,
    })
  })
  test('a kept clock-in inside a pair that is there already is refused', () => {
    const punches = [
      clockIn(now - 5 * hour, { partnerId: 2 }),
      clockIn(now - hour, { id: 2, kind: 'out', partnerId: 1 }),
    ]
    expect(decidePunch(ask({ occurredAt: now - 3 * hour, punches }))).toMatchObject({ status: 409 })
    expect(decidePunch(ask({ occurredAt: now - 30 * minute, punches }))).not.toMatchObject({
      code: 'already_in',
    })
  })
  test('a punch kept for more than two weeks is refused with what to do', () => {
    expect(decidePunch(ask({ occurredAt: now - 15 * 24 * hour }))).toMatchObject({
      status: 422,
      code: 'OccurredAt',
    })
  })
  test('without any site it asks for one', () => {
    expect(decidePunch(ask({ sites: [], shifts: [] }))).toMatchObject({ status: 422, code: 'SiteId' })
  })
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
