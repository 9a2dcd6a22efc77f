import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ltiRoles } from '#contract/connections/lti-rules.ts'
import { Level } from '#contract/core/levels.ts'
import { AlikePeople } from '#contract/people/alike.ts'
import {
  changesOf,
  type KnownPerson,
  lineOf,
  nextPageOf,
  planRoster,
  type RosterMember,
  readMembers,
} from './roster.rules.ts'

const course = (name: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`
const member = (subject: string, more: Partial<RosterMember> = {}): RosterMember => ({
  subject,
  firstName: 'Ada',
  lastName: 'Byron',
  email: `${subject}@harbor.example`,
  roles: [course('Learner')],
  isActive: true,
  ...more,
})
const account = (id: number, more: Partial<KnownPerson> = {}): KnownPerson => ({
  id,
  firstName: 'Known',
  lastName: 'Person',
  email: `known${id}@harbor.example`,
  level: Level.Student,
  isActive: true,
  isInReach: true,
  keptAs: null,
  isEnded: false,
  linkedAs: null,
  isOfCourse: false,
  isOfOther: false,
  ...more,
})
const rules = {
  roleLevels: { Learner: Level.Student, Instructor: Level.Faculty },
  ceiling: Level.Faculty as number,
  linksByEmail: false,
}
const plan = (members: RosterMember[], known: KnownPerson[], more: Partial<typeof rules> = {}) =>
  planRoster(members, known, { ...rules, ...more }).map(({ action, reason, level, person }) => [
    action,
    reason,
    level,
    person?.id,
  ])

test('who is new is added with the level of the role, capped; who has none, or no name, is left out', () => {
  expect(plan([member('a')], [])).toEqual([['add', null, Level.Student, undefined]])
  expect(plan([member('a', { roles: [course('Instructor')] })], [], { ceiling: Level.Student })).toEqual([
    ['add', null, Level.Student, undefined],
  ])
  expect(plan([member('a', { roles: [course('Mentor')] })], [])).toEqual([
    ['skip', 'no_role', null, undefined],
  ])
  expect(plan([member('a', { firstName: '', lastName: '' })], [])).toEqual([
    ['skip', 'no_name', null, undefined],
  ])
  expect(plan([member('a', { firstName: '🌸', lastName: '' })], [])[0]?.[1]).toBe('no_name')
  expect(plan([member('a', { firstName: '' })], [])[0]?.[0]).toBe('add')
  expect(plan([member('a'), member('a')], [])[1]).toEqual(['skip', 'twice', null, undefined])
  // One account under two names: what the first said of it holds.
  const both = account(1, { keptAs: 'a', linkedAs: 'c', isOfCourse: true })
  expect(plan([member('a'), member('c')], [both])[1]).toEqual(['skip', 'twice', null, 1])
  expect(plan([member('c'), member('a')], [both])[1]).toEqual(['skip', 'twice', null, 1])
})

test('who is linked by name is taken over, letter by letter; an address links only where it is asked for and of one account alone', () => {
  const linked = account(1, { linkedAs: 'a' })
  expect(plan([member('a')], [linked])).toEqual([['link', null, Level.Student, 1]])
  expect(plan([member('A')], [linked])).toEqual([['add', null, Level.Student, undefined]])
  const same = account(2, { email: 'A@harbor.example' })
  expect(plan([member('a')], [same])).toEqual([['skip', 'same_email', null, 2]])
  expect(plan([member('a')], [same], { linksByEmail: true })).toEqual([['link', null, Level.Student, 2]])
  for (const taken of [
    [same, account(3, { email: 'a@harbor.example' })],
    [{ ...same, linkedAs: 'somebody else' }],
    [{ ...same, keptAs: 'somebody else' }],
    [{ ...same, isInReach: false }],
  ])
    expect(plan([member('a')], taken, { linksByEmail: true })[0]).toEqual(['skip', 'same_email', null, 2])
  // Two people of the roster with one address get no account of it.
  const two = [member('a'), member('b', { email: 'a@harbor.example' })]
  expect(plan(two, []).map(([action]) => action)).toEqual(['skip', 'skip'])
  expect(plan(two, [same], { linksByEmail: true }).map(([action]) => action)).toEqual(['link', 'skip'])
})

test('levels follow the roster for whom it keeps; who is above the ceiling stays untouched', () => {
  const kept = account(1, { keptAs: 'a', isOfCourse: true })
  expect(plan([member('a')], [kept])).toEqual([['keep', null, Level.Student, 1]])
  expect(plan([member('a', { roles: [course('Instructor')] })], [kept])).toEqual([
    ['change', null, Level.Faculty, 1],
  ])
  expect(plan([member('a')], [{ ...kept, isInReach: false, level: Level.Admin }])).toEqual([
    ['skip', 'above_level', null, 1],
  ])
  expect(plan([member('a')], [account(1, { linkedAs: 'a', isInReach: false })])).toEqual([
    ['skip', 'above_level', null, 1],
  ])
  for (const ended of [{ isEnded: true, isActive: false }, { isActive: false }])
    expect(plan([member('a')], [{ ...kept, ...ended }])).toEqual([['restore', null, Level.Student, 1]])
})

test('who has left the course is deactivated, unless another course has the person or the account is out of reach', () => {
  const kept = account(1, { keptAs: 'a', isOfCourse: true })
  expect(plan([], [kept])).toEqual([['deactivate', null, null, 1]])
  expect(plan([member('a', { isActive: false })], [kept])).toEqual([['deactivate', null, null, 1]])
  for (const more of [{ isOfOther: true }, { isInReach: false }, { isActive: false }])
    expect(plan([], [{ ...kept, ...more }])).toEqual([['leave', null, null, 1]])
  expect(plan([], [account(2, { linkedAs: 'b' }), account(3, { keptAs: 'c' })])).toEqual([])
  // Somebody without a role that counts is there all the same.
  expect(plan([member('a', { roles: [] })], [kept])).toEqual([['skip', 'no_role', null, 1]])
})

test('nobody is touched twice, nobody above the ceiling at all, and no level is above it', () => {
  const ids = ['a', 'b', 'c', 'd']
  const somebody = fc.constantFrom(...ids)
  const members = fc.array(
    fc.record({
      subject: somebody,
      firstName: fc.constantFrom('Ada', ''),
      lastName: fc.constant('Byron'),
      email: fc.constantFrom('', 'a@x.example', 'b@x.example'),
      roles: fc.subarray(ltiRoles.map(course)),
      isActive: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  const known = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 5 }).chain((numbers) =>
    fc.tuple(
      ...numbers.map((id, index) =>
        fc.record({
          id: fc.constant(id),
          firstName: fc.constant(''),
          lastName: fc.constant(''),
          email: fc.constantFrom('', 'a@x.example', 'b@x.example'),
          level: fc.constantFrom(Level.Student, Level.Faculty, Level.Admin),
          isActive: fc.boolean(),
          isInReach: fc.boolean(),
          keptAs: fc.constantFrom(null, ids[index] ?? null),
          isEnded: fc.boolean(),
          linkedAs: fc.option(somebody),
          isOfCourse: fc.boolean(),
          isOfOther: fc.boolean(),
        }),
      ),
    ),
  )
  fc.assert(
    fc.property(members, known, fc.boolean(), (told, people, linksByEmail) => {
      const ceiling = Level.Student
      const roleLevels = { Learner: Level.Student, Instructor: Level.Admin, Mentor: Level.Alumnus }
      const steps = planRoster(told, people, { roleLevels, ceiling, linksByEmail })
      const touched = steps.flatMap(({ action, person }) => (person && action !== 'skip' ? [person.id] : []))
      expect(new Set(touched).size).toBe(touched.length)
      for (const { action, person, level } of steps) {
        if (level !== null) expect(level).toBeLessThanOrEqual(ceiling)
        if (person && !['skip', 'leave'].includes(action)) expect(person.isInReach).toBe(true)
      }
      expect(changesOf(steps)).toBeLessThanOrEqual(steps.length)
      expect(steps.map((step) => lineOf(step, new AlikePeople()))).toHaveLength(steps.length)
    }),
  )
})

test('members are read whatever is left out or broken, and a page that is none is none', () => {
  expect(
    readMembers({ members: [{ user_id: 'a', name: 'Ada  Augusta Byron', roles: ['Learner'] }] }),
  ).toEqual([
    {
      subject: 'a',
      firstName: 'Ada Augusta',
      lastName: 'Byron',
      email: '',
      roles: ['Learner'],
      isActive: true,
    },
  ])
  const [broken] = readMembers({
    members: [
      null,
      7,
      {},
      { user_id: '' },
      { user_id: 'x'.repeat(256) },
      { user_id: 'b', email: 'none', roles: 'x', status: 'Inactive' },
    ],
  })!
  expect(broken).toEqual({ subject: 'b', firstName: '', lastName: '', email: '', roles: [], isActive: false })
  const long = 'x'.repeat(300)
  const cut = { user_id: 'c', name: `Ada ${long}`, given_name: long, email: `a@${long}.example` }
  expect(readMembers({ members: [cut] })).toMatchObject([{ firstName: 'Ada', lastName: '', email: '' }])
  for (const page of [undefined, null, 'x', {}, { members: {} }]) expect(readMembers(page)).toBeUndefined()
})

test('the next page is found among other links', () => {
  expect(nextPageOf('<https://a.example/?p=2>; rel="next"')).toBe('https://a.example/?p=2')
  expect(
    nextPageOf('<https://a.example/?d=1,2>; rel="differences", <https://a.example/?p=2>; rel=next'),
  ).toBe('https://a.example/?p=2')
  for (const none of [undefined, '', '<https://a.example>; rel="prev"', '<x>; rel="nextish"', 'rel="next"'])
    expect(nextPageOf(none), none).toBeUndefined()
})

test('somebody who would be added is told with whom of the program they may be', () => {
  const member = {
    subject: 'm1',
    firstName: 'Maria',
    lastName: 'Gonzales',
    email: '',
    roles: [],
    isActive: true,
  }
  const people = new AlikePeople([{ FirstName: 'María', LastName: 'González-Lopez' }])
  const step = { reason: null, level: Level.Student, member, person: undefined }
  expect(lineOf({ ...step, action: 'add' }, people).Alike).toBe('María González-Lopez')
  expect(lineOf({ ...step, action: 'keep' }, people).Alike).toBe('')
})
