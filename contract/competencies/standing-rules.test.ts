import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLogs, logsMissing, progressOf, stateOf } from './standing-rules.ts'

const logged = [
  { Lineage: 'chest', Level: 'performed', Verified: 3, Waiting: 1 },
  { Lineage: 'chest', Level: 'observed', Verified: 4, Waiting: 0 },
  { Lineage: 'chest', Level: null, Verified: 2, Waiting: 0 },
  { Lineage: 'hand', Level: 'performed', Verified: 9, Waiting: 9 },
]

test('logs count at the levels that count, and all of them where there are none', () => {
  expect(countLogs({ Lineage: 'chest', hasLevels: true, counted: ['performed'] }, logged)).toEqual({
    Counted: 3,
    CountedWaiting: 1,
  })
  expect(countLogs({ Lineage: 'chest', hasLevels: false, counted: [] }, logged)).toEqual({
    Counted: 9,
    CountedWaiting: 1,
  })
  expect(countLogs({ Lineage: 'chest', hasLevels: true, counted: [] }, logged).Counted).toBe(0)
})

const counts = fc.record({
  LogsNeeded: fc.nat(6),
  Counted: fc.nat(6),
  CountedWaiting: fc.nat(6),
  More: fc.nat(3),
})

test('a state says what is missing, and verifying or logging never takes a student back', () => {
  const order = ['not-begun', 'more', 'waiting', 'ready']
  fc.assert(
    fc.property(counts, ({ More, ...some }) => {
      const now = { ...some, Logged: some.Counted + some.CountedWaiting + More }
      const state = stateOf(now)
      expect(state === 'ready').toBe(now.Counted >= now.LogsNeeded)
      expect(logsMissing(now) === 0).toBe(state === 'ready' || state === 'waiting')
      const later = stateOf({ ...now, CountedWaiting: now.CountedWaiting + 1, Logged: now.Logged + 1 })
      expect(order.indexOf(later)).toBeGreaterThanOrEqual(order.indexOf(state))
    }),
  )
})

const study = (Id: number, Name: string, ElectivesNeeded = 0, IsPatientCare = false) => ({
  Id,
  Name,
  ElectivesNeeded,
  IsPatientCare,
})
const procedure = (MajorStudyId: number, IsMandatory: boolean, Counted: number, Logged = Counted) => ({
  MajorStudyId,
  IsMandatory,
  LogsNeeded: 2,
  Counted,
  CountedWaiting: 0,
  Logged,
})

test('bars show what is needed of a major study, not what it lists', () => {
  const progress = progressOf(
    3,
    [
      study(1, 'Chest'),
      study(2, 'Head', 1),
      study(3, 'Fluoroscopy', 2),
      study(4, 'Care', 0, true),
      study(5, 'Extras'),
    ],
    [
      procedure(1, true, 2),
      procedure(1, true, 0),
      procedure(1, false, 2),
      procedure(2, false, 5),
      procedure(2, false, 2),
      procedure(3, false, 1),
      procedure(3, false, 0),
      procedure(4, true, 2),
      procedure(5, false, 0),
    ],
  )
  expect(progress.Studies).toEqual([
    { Id: 1, Name: 'Chest', Needed: 2, Ready: 1, Begun: 0 },
    { Id: 2, Name: 'Head', Needed: 1, Ready: 1, Begun: 0 },
    { Id: 3, Name: 'Fluoroscopy', Needed: 2, Ready: 0, Begun: 1 },
    { Id: 4, Name: 'Care', Needed: 1, Ready: 1, Begun: 0 },
  ])
  expect(progress.Mandatory).toEqual({ Needed: 2, Ready: 1, Begun: 0 })
  expect(progress.PatientCare).toEqual({ Needed: 1, Ready: 1, Begun: 0 })
  expect(progress.Electives).toEqual({ Needed: 3, Ready: 3, Begun: 0 })
  expect(progress.Lacking).toEqual([{ Study: 'Fluoroscopy', Electives: 1 }])
})

test('no share is further than what is needed', () => {
  const some = fc.array(
    fc.record({
      MajorStudyId: fc.integer({ min: 1, max: 3 }),
      IsMandatory: fc.boolean(),
      LogsNeeded: fc.nat(3),
      Counted: fc.nat(3),
      CountedWaiting: fc.nat(3),
      Logged: fc.nat(9),
    }),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(fc.nat(5), fc.nat(4), some, (electives, ofOne, procedures) => {
      const studies = [study(1, 'One', ofOne), study(2, 'Two'), study(3, 'Three', 0, true)]
      const { Studies, Lacking, ...shares } = progressOf(electives, studies, procedures)
      for (const { Needed, Ready, Begun } of [...Studies, ...Object.values(shares)]) {
        expect(Ready).toBeLessThanOrEqual(Needed)
        expect(Ready + Begun).toBeLessThanOrEqual(Needed)
      }
      for (const lack of Lacking) expect(lack.Electives).toBeGreaterThan(0)
    }),
  )
})
