import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inLanguage } from '#contract/language/texts.ts'
import {
  type Decided,
  type ExamFacts,
  firstValue,
  type GradedItem,
  gradingOf,
  readShortCode,
  retryFrom,
  statement,
  supervisionOf,
  whatIsMissing,
  whyNotApprovable,
  whyNotExaminer,
  whyNotRefusable,
  whyNotSimulated,
  writeShortCode,
} from './exam-rules.ts'
import { missingSentence, obstacleSentence } from './exam-texts.ts'

const facts = (more: Partial<ExamFacts> = {}): ExamFacts => ({
  Today: '2026-11-20',
  LogsNeeded: 5,
  Counted: 5,
  CountedWaiting: 0,
  NeedsLabCheck: false,
  HasLabCheck: false,
  HasItems: true,
  HasPassed: false,
  HasRecheck: false,
  Last: null,
  ...more,
})
const kinds = (more: Partial<ExamFacts> = {}) => whatIsMissing(facts(more)).map(({ Kind }) => Kind)
const failed = { State: 'failed' as const, RetryFrom: '2026-11-21', HasRemediation: false }

describe('what is missing before an exam', () => {
  test('the fifth counted log opens it, and not the fourth', () => {
    expect(kinds()).toEqual([])
    expect(whatIsMissing(facts({ Counted: 4, CountedWaiting: 3 }))).toEqual([
      { Kind: 'logs', Logs: 1, Waiting: 1 },
    ])
    expect(
      whatIsMissing(facts({ Counted: 1, CountedWaiting: 1 })).map((each) =>
        inLanguage(missingSentence(each), 'en'),
      ),
    ).toEqual(['4 more verified logs needed.'])
    expect(
      whatIsMissing(facts({ Counted: 3, CountedWaiting: 2 })).map((each) =>
        inLanguage(missingSentence(each), 'en'),
      ),
    ).toEqual(['2 logs wait for verification.'])
  })

  test('a lab check and exam items are asked where the list asks them', () => {
    expect(kinds({ NeedsLabCheck: true })).toEqual(['lab'])
    expect(kinds({ NeedsLabCheck: true, HasLabCheck: true })).toEqual([])
    expect(kinds({ HasItems: false, Counted: 0 })).toEqual(['items', 'logs'])
  })

  test('after a failed attempt come a note and some days', () => {
    expect(kinds({ Last: failed })).toEqual(['remediation', 'retry'])
    expect(kinds({ Last: { ...failed, HasRemediation: true } })).toEqual(['retry'])
    expect(kinds({ Last: { ...failed, HasRemediation: true, RetryFrom: '2026-11-20' } })).toEqual([])
    expect(retryFrom('2026-12-31', 1)).toBe('2027-01-01')
  })

  test('a passed exam is over, unless a recheck is asked for, which needs no logs', () => {
    expect(kinds({ HasPassed: true })).toEqual(['passed'])
    expect(kinds({ HasPassed: true, HasRecheck: true, Counted: 0, NeedsLabCheck: true })).toEqual([])
    expect(kinds({ HasPassed: true, HasRecheck: true, Last: failed })).toEqual(['remediation', 'retry'])
  })

  test('one attempt at a time, whatever else is there', () => {
    const states = fc.constantFrom('open' as const, 'suspended' as const)
    fc.assert(
      fc.property(states, fc.nat(9), fc.boolean(), fc.boolean(), (State, Counted, HasPassed, HasRecheck) => {
        const Last = { State, RetryFrom: null, HasRemediation: true }
        expect(kinds({ Last, Counted, HasPassed, HasRecheck })).toEqual([State])
      }),
    )
  })

  test('more verified logs never close an exam', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(5), (LogsNeeded, Counted, more) => {
        const before = kinds({ LogsNeeded, Counted })
        if (before.length === 0) expect(kinds({ LogsNeeded, Counted: Counted + more })).toEqual([])
      }),
    )
  })
})

const scale = [
  { Id: 1, Label: 'U', Value: 0, IsPassing: false },
  { Id: 2, Label: 'S', Value: 2, IsPassing: true },
  { Id: 3, Label: 'G', Value: 3, IsPassing: true },
  { Id: 4, Label: 'N/A', Value: null, IsPassing: true },
]
const item = (ValueId: number | null, more: Partial<GradedItem> = {}): GradedItem => ({
  IsCritical: false,
  Scale: scale,
  ValueId,
  Comment: '',
  ...more,
})
const rules = { PassingPercent: 75, CommentBelow: 3 }
const onPatient = { IsSimulated: false, IsSimulationApproved: false }
const approvable = (items: GradedItem[], simulation = onPatient) =>
  whyNotApprovable(gradingOf(items, rules), simulation)

describe('grading', () => {
  test('points are summed, items without points are left out, and the passing score is told', () => {
    expect(gradingOf([item(3), item(2, { Comment: 'slow' }), item(4)], rules)).toEqual({
      Score: 5,
      Highest: 6,
      PassesFrom: 4.5,
      Unscored: [],
      Uncommented: [],
      CriticalFailed: [],
    })
    expect(gradingOf([], { PassingPercent: null, CommentBelow: null })).toMatchObject({
      Score: 0,
      Highest: 0,
      PassesFrom: null,
    })
  })

  test('hundredths are added without losing any', () => {
    const tenths = [{ Id: 1, Label: 'x', Value: 0.1, IsPassing: true }]
    const items = Array.from({ length: 3 }, () => item(1, { Scale: tenths }))
    expect(gradingOf(items, { PassingPercent: 100, CommentBelow: null })).toMatchObject({
      Score: 0.3,
      Highest: 0.3,
      PassesFrom: 0.3,
    })
  })

  test('what keeps from approving comes one reason at a time', () => {
    expect(approvable([item(null), item(3)])).toEqual({ Kind: 'unscored', Items: 1 })
    expect(approvable([item(2), item(3)])).toEqual({ Kind: 'uncommented', Items: 1 })
    expect(approvable([item(1, { IsCritical: true, Comment: 'missed' }), item(3), item(3), item(3)])).toEqual(
      {
        Kind: 'critical',
        Items: 1,
      },
    )
    expect(approvable([item(1, { Comment: 'missed' }), item(3)])).toEqual({
      Kind: 'points',
      Score: 3,
      PassesFrom: 4.5,
    })
    expect(approvable([item(3)], { IsSimulated: true, IsSimulationApproved: false })).toEqual({
      Kind: 'simulation',
    })
    expect(approvable([item(3)], { IsSimulated: true, IsSimulationApproved: true })).toBeUndefined()
    expect(approvable([item(3), item(4)])).toBeUndefined()
  })

  test('not approved needs a reason, and may come before the last item', () => {
    const grading = gradingOf([item(null), item(3)], rules)
    expect(whyNotRefusable(grading, ' ')).toEqual({ Kind: 'comment' })
    expect(whyNotRefusable(grading, 'Wrong side marked')).toBeUndefined()
    expect(whyNotRefusable(gradingOf([item(2)], rules), 'Slow')).toEqual({ Kind: 'uncommented', Items: 1 })
  })

  test('critical items never begin with a score', () => {
    expect(firstValue({ IsCritical: true, DefaultValueId: 3 })).toBeNull()
    expect(firstValue({ IsCritical: false, DefaultValueId: 3 })).toBe(3)
  })

  test('whatever is approved has all scores, all comments, no failed critical item and the points', () => {
    const items = fc.array(
      fc.record({
        IsCritical: fc.boolean(),
        Scale: fc.constant(scale),
        ValueId: fc.constantFrom(1, 2, 3, 4, null),
        Comment: fc.constantFrom('', 'said so'),
      }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(items, (graded) => {
        const grading = gradingOf(graded, rules)
        expect(grading.Score).toBeLessThanOrEqual(grading.Highest)
        if (whyNotApprovable(grading, onPatient)) return
        const values = graded.map(({ ValueId }) => scale.find(({ Id }) => Id === ValueId))
        expect(values).not.toContain(undefined)
        graded.forEach(({ IsCritical, Comment }, index) => {
          const value = values[index]
          if (IsCritical) expect(value?.IsPassing).toBe(true)
          if (value && value.Value !== null && value.Value < 3) expect(Comment).not.toBe('')
        })
        expect(grading.Score * 100).toBeGreaterThanOrEqual(Math.floor(grading.Highest * 75))
      }),
    )
  })

  test('obstacles are told in words', () => {
    expect(inLanguage(obstacleSentence({ Kind: 'points', Score: 3, PassesFrom: 4.5 }), 'en')).toBe(
      '3 points are below the passing score of 4.5.',
    )
    const unscored = obstacleSentence({ Kind: 'unscored', Items: 2 })
    expect(inLanguage(unscored, 'en')).toBe('2 items have no score yet.')
    expect(inLanguage(unscored, 'es')).toBe('2 criterios aún no tienen puntaje.')
  })
})

test('simulation is for imaging that may be simulated, up to the limit', () => {
  const one = { IsPatientCare: false, MayBeSimulated: true, MostSimulated: 10, Simulated: 9 }
  expect(whyNotSimulated(one)).toBeUndefined()
  expect(whyNotSimulated({ ...one, Simulated: 10 })).toBe('limit')
  expect(whyNotSimulated({ ...one, Simulated: 99, MostSimulated: null })).toBeUndefined()
  expect(whyNotSimulated({ ...one, MayBeSimulated: false })).toBe('procedure')
  expect(whyNotSimulated({ ...one, IsPatientCare: true })).toBe('patient-care')
})

describe('who examines', () => {
  const imaging = {
    Today: '2026-11-20',
    IsPatientCare: false,
    SiteHasRoster: true,
    Examiners: ['supervisor', 'faculty'],
  }
  const rostered = (Examines: 'all' | 'patient-care', ExpiresOn: string | null = null) => ({
    Roster: { Examines, ExpiresOn },
    Role: null,
    IsExcluded: false,
    HasEmail: true,
  })
  const account = (Role: 'supervisor' | 'faculty' | 'coordinator' | null) => ({
    Roster: null,
    Role,
    IsExcluded: false,
    HasEmail: true,
  })
  test.each([
    ['a registered radiographer of the roster', rostered('all', '2026-11-20'), undefined],
    ['one whose registration ended yesterday', rostered('all', '2026-11-19'), 'expired'],
    ['a nurse for imaging', rostered('patient-care'), 'scope'],
    ['a relative', { ...rostered('all'), IsExcluded: true }, 'excluded'],
    ['a relative with an account', { ...account('faculty'), IsExcluded: true }, 'excluded'],
    ['a supervisor who is not on the roster', account('supervisor'), 'roster'],
    ['faculty, who need no roster', account('faculty'), undefined],
    ['a coordinator where the list does not let them', account('coordinator'), 'role'],
    ['an account of another kind', account(null), 'role'],
    ['nobody to mail to', { ...rostered('all'), HasEmail: false }, 'email'],
  ])('%s', (_who, candidate, why) => {
    expect(whyNotExaminer(candidate, imaging)).toBe(why)
  })
  test('a nurse signs patient care, and supervisors examine where a site has no roster', () => {
    expect(whyNotExaminer(rostered('patient-care'), { ...imaging, IsPatientCare: true })).toBeUndefined()
    expect(whyNotExaminer(account('supervisor'), { ...imaging, SiteHasRoster: false })).toBeUndefined()
    expect(whyNotExaminer(rostered('all'), { ...imaging, Examiners: ['faculty'] })).toBe('role')
  })
})

describe('supervision', () => {
  const at = (At: string, State: Decided['State'], IsRecheck = false): Decided => ({ At, State, IsRecheck })
  test('a pass moves to indirect, a failed recheck back, a passed one on', () => {
    expect(supervisionOf(false, [])).toBe('direct')
    expect(supervisionOf(false, [at('1', 'failed')])).toBe('direct')
    const passed = [at('1', 'failed'), at('2', 'passed')]
    expect(supervisionOf(false, passed)).toBe('indirect')
    expect(supervisionOf(true, passed)).toBe('direct')
    expect(supervisionOf(false, [...passed, at('3', 'failed', true)])).toBe('direct')
    expect(supervisionOf(false, [...passed, at('3', 'failed', true), at('4', 'passed', true)])).toBe(
      'indirect',
    )
    expect(supervisionOf(false, [...passed, at('3', 'suspended', true)])).toBe('indirect')
    expect(supervisionOf(false, [at('1', 'suspended')])).toBe('direct')
  })

  test('never indirect without a pass, in whatever order attempts come', () => {
    const attempts = fc.array(
      fc.record({
        At: fc.stringMatching(/^[a-z]{4}$/),
        State: fc.constantFrom('passed' as const, 'failed' as const, 'suspended' as const, 'voided' as const),
        IsRecheck: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(attempts, (all) => {
        const isIndirect = supervisionOf(false, all) === 'indirect'
        if (isIndirect)
          expect(all.some(({ State, IsRecheck }) => State === 'passed' && !IsRecheck)).toBe(true)
        expect(supervisionOf(true, all)).toBe('direct')
      }),
    )
  })
})

test('short codes are read as people type them', () => {
  expect(readShortCode(' kx4m-72ab ')).toBe('KX4M72AB')
  expect(writeShortCode('KX4M72AB')).toBe('KX4M-72AB')
})

test('the statement names student, procedure, result and whether it was simulated', () => {
  expect(statement.text('Ada Lee', 'Knee', 'failed', true)).toMatch(
    /Ada Lee perform Knee in simulation .* not approved/,
  )
})
