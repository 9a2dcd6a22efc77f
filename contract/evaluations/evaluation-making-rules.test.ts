import { describe, expect, test } from 'vitest'
import {
  type AutomaticSettings,
  automaticProblem,
  eachChoices,
  isAboutSites,
  isAboutStudents,
  isMadeByRule,
  needsPeople,
} from './evaluation-making-rules.ts'

const roles = (EvaluatorRole: string, SubjectRole: string) => ({ EvaluatorRole, SubjectRole })
const settings = (more: Partial<AutomaticSettings> = {}): AutomaticSettings => ({
  ...roles('supervisor', 'student'),
  IsAnonymous: false,
  IsAutomatic: true,
  AutomaticFrom: '2026-09-01',
  MakeOn: 'shift',
  MakeEach: 'shift',
  MakeDate: null,
  MakePersonIds: [],
  ...more,
})

describe('whom an evaluation is about', () => {
  test('students evaluate or are evaluated, also by themselves', () => {
    for (const [evaluator, subject] of [
      ['student', 'site'],
      ['self', 'self'],
      ['supervisor', 'student'],
    ] as const)
      expect(isAboutStudents(roles(evaluator, subject)), evaluator).toBe(true)
    expect(isAboutStudents(roles('supervisor', 'site'))).toBe(false)
  })

  test('a site tells its supervisors and itself', () => {
    for (const [evaluator, subject] of [
      ['supervisor', 'student'],
      ['student', 'site'],
      ['student', 'supervisor'],
    ] as const)
      expect(isAboutSites(roles(evaluator, subject)), subject).toBe(true)
    expect(isAboutSites(roles('student', 'faculty'))).toBe(false)
  })

  test('faculty and coordinators have to be named, since no schedule does', () => {
    for (const [evaluator, subject] of [
      ['faculty', 'student'],
      ['coordinator', 'site'],
      ['student', 'faculty'],
    ] as const)
      expect(needsPeople(roles(evaluator, subject)), evaluator).toBe(true)
    expect(needsPeople(roles('supervisor', 'student'))).toBe(false)
  })

  test('schedules tell neither peers nor anonymous people, nor who of the same role evaluates whom', () => {
    for (const [evaluator, subject] of [
      ['anonymous', 'site'],
      ['peer', 'student'],
      ['student', 'peer'],
      ['student', 'student'],
    ] as const)
      expect(isMadeByRule(roles(evaluator, subject)), `${evaluator} ${subject}`).toBe(false)
    expect(isMadeByRule(roles('self', 'self'))).toBe(true)
    expect(isMadeByRule(roles('student', 'site'))).toBe(true)
  })
})

test('how often an evaluation may be made follows from what makes it and whom it is about', () => {
  const [student, site, others] = [
    roles('student', 'site'),
    roles('supervisor', 'site'),
    roles('faculty', 'coordinator'),
  ]
  expect(eachChoices('shift', student)).toEqual(['shift', 'rotation', 'site'])
  expect(eachChoices('rotation_end', student)).toEqual(['rotation', 'site'])
  expect(eachChoices('fixed', student)).toEqual(['site'])
  expect(eachChoices('fixed', roles('self', 'self'))).toEqual(['student'])
  for (const makeOn of ['shift', 'rotation_end'] as const) {
    expect(eachChoices(makeOn, site)).toEqual(['site'])
    expect(eachChoices(makeOn, others)).toEqual(['rotation'])
  }
})

describe('why a template cannot make its evaluations', () => {
  const fieldOf = (more: Partial<AutomaticSettings>) => automaticProblem(settings(more))?.field

  test('nothing is wrong with what is complete, nor with what is off', () => {
    expect(automaticProblem(settings())).toBeNull()
    expect(automaticProblem(settings({ IsAutomatic: false, AutomaticFrom: null }))).toBeNull()
  })

  test('anonymous evaluations and those that no schedule tells are not made', () => {
    expect(fieldOf({ IsAnonymous: true })).toBe('IsAutomatic')
    expect(fieldOf(roles('student', 'peer'))).toBe('IsAutomatic')
  })

  test('it needs its first day, and a day of its own where the day is fixed', () => {
    expect(fieldOf({ AutomaticFrom: null })).toBe('AutomaticFrom')
    const fixed = { MakeOn: 'fixed', MakeEach: 'site' } as const
    expect(fieldOf(fixed)).toBe('MakeDate')
    expect(fieldOf({ ...fixed, MakeDate: '2026-12-01' })).toBeUndefined()
  })

  test('it is made as often as fits, and by people who are named where they must be', () => {
    expect(fieldOf({ MakeOn: 'rotation_end' })).toBe('MakeEach')
    const byFaculty = { ...roles('faculty', 'student'), MakeEach: 'rotation' } as const
    expect(fieldOf(byFaculty)).toBe('MakePersonIds')
    expect(fieldOf({ ...byFaculty, MakePersonIds: [7] })).toBeUndefined()
  })
})
