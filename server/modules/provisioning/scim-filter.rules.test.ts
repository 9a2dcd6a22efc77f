import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ScimError } from './scim-errors.rules.ts'
import { type Filter, holds, operators, parseFilter, printFilter } from './scim-filter.rules.ts'

const path = fc.constantFrom(
  'username',
  'name.givenname',
  'emails.value',
  'active',
  'externalid',
  'meta.created',
)
const value = fc.oneof(
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constant(null),
)
const filters = fc.letrec<{ any: Filter }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.record({
      kind: fc.constant('compare' as const),
      path,
      operator: fc.constantFrom(...operators),
      value,
    }),
    fc.record({ kind: fc.constant('present' as const), path }),
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('any'), right: tie('any') }),
    fc.record({ kind: fc.constant('not' as const), inner: tie('any') }),
    fc.record({ kind: fc.constant('some' as const), path: fc.constant('emails'), inner: tie('any') }),
  ),
})).any

test('a filter that is written out reads back as the same', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(parseFilter(printFilter(filter))).toEqual(filter)
    }),
  )
})

test('whatever is sent is read, or refused as a filter that cannot be: nothing else comes of it', () => {
  const parts = fc.constantFrom(
    '(',
    ')',
    '[',
    ']',
    'and',
    'or',
    'not',
    'eq',
    'pr',
    'userName',
    '"a"',
    '"',
    '1',
    'true',
    '\\',
    ' ',
  )
  const texts = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(parts, { maxLength: 20 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseFilter(text)
      } catch (error) {
        expect(error).toBeInstanceOf(ScimError)
        expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' })
      }
    }),
  )
  expect(() => parseFilter('('.repeat(1_000))).toThrow(ScimError)
  expect(() => parseFilter('a'.repeat(3_000))).toThrow(ScimError)
})

describe('the examples of RFC 7644 3.4.2.2', () => {
  const bjensen = {
    userName: 'bjensen',
    name: { familyName: "O'Malley" },
    title: 'Tour Guide',
    userType: 'Employee',
    emails: [
      { value: 'bjensen@example.com', type: 'work' },
      { value: 'babs@jensen.org', type: 'home' },
    ],
    meta: { lastModified: '2011-05-14T04:42:34Z' },
    active: true,
  }
  test.each([
    ['userName eq "bjensen"', true],
    ['USERNAME Eq "BJensen"', true],
    ['name.familyName co "O\'Malley"', true],
    ['userName sw "J"', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "b"', true],
    ['title pr', true],
    ['nickName pr', false],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', true],
    ['meta.lastModified le "2011-05-13T04:42:34Z"', false],
    ['title pr and userType eq "Employee"', true],
    ['title pr or userType eq "Intern"', true],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', true],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', false],
    ['userType eq "Employee" and (emails.type eq "work")', true],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "work" and value co "@jensen.org"]', false],
    ['emails[type eq "work"].value co "@example.com"', true],
    ['emails[type eq "work"].value co "@jensen.org"', false],
    ['not (emails[type eq "work"].value pr)', false],
    [
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
      true,
    ],
    ['active eq true', true],
    ['nickName ne "x"', true],
    ['userType eq "Intern" or title pr and userName eq "nobody"', false],
  ])('%s', (text, isRight) => expect(holds(parseFilter(text), bjensen)).toBe(isRight))
})
