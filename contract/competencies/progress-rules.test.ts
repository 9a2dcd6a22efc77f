import fc from 'fast-check'
import { expect, test } from 'vitest'
import { progressOf } from './progress-rules.ts'

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
  LacksLabCheck: false,
  Exam: null,
})
const passed = (MajorStudyId: number, IsMandatory: boolean) => ({
  ...procedure(MajorStudyId, IsMandatory, 2),
  Exam: 'passed' as const,
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
      passed(1, true),
      procedure(1, true, 0),
      procedure(1, false, 2),
      passed(2, false),
      procedure(2, false, 2),
      procedure(3, false, 1),
      procedure(3, false, 0),
      procedure(4, true, 2),
      procedure(5, false, 0),
    ],
  )
  expect(progress.Studies).toEqual([
    { Id: 1, Name: 'Chest', Needed: 2, Passed: 1, Ready: 0, Begun: 0 },
    { Id: 2, Name: 'Head', Needed: 1, Passed: 1, Ready: 0, Begun: 0 },
    { Id: 3, Name: 'Fluoroscopy', Needed: 2, Passed: 0, Ready: 0, Begun: 1 },
    { Id: 4, Name: 'Care', Needed: 1, Passed: 0, Ready: 1, Begun: 0 },
  ])
  expect(progress.Mandatory).toEqual({ Needed: 2, Passed: 1, Ready: 0, Begun: 0 })
  expect(progress.PatientCare).toEqual({ Needed: 1, Passed: 0, Ready: 1, Begun: 0 })
  expect(progress.Electives).toEqual({ Needed: 3, Passed: 1, Ready: 2, Begun: 0 })
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
      LacksLabCheck: fc.boolean(),
      Exam: fc.constantFrom('passed', 'simulated', 'failed', null),
    }),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(fc.nat(5), fc.nat(4), some, (electives, ofOne, procedures) => {
      const studies = [study(1, 'One', ofOne), study(2, 'Two'), study(3, 'Three', 0, true)]
      const { Studies, Lacking, ...shares } = progressOf(electives, studies, procedures)
      for (const { Needed, Passed, Ready, Begun } of [...Studies, ...Object.values(shares)]) {
        expect(Passed).toBeLessThanOrEqual(Needed)
        expect(Passed + Ready + Begun).toBeLessThanOrEqual(Needed)
      }
      for (const lack of Lacking) expect(lack.Electives).toBeGreaterThan(0)
    }),
  )
})
