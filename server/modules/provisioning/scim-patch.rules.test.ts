import { describe, expect, test } from 'vitest'
import { ScimError } from './scim-errors.rules.ts'
import { PatchBody, patched } from './scim-patch.rules.ts'
import { groupLists, readUser, userLists } from './scim-resources.rules.ts'

const user = () => ({
  userName: 'mgomez@harbor.example',
  name: { givenName: 'Maria', familyName: 'Gomez' },
  active: true,
  emails: [{ value: 'mgomez@harbor.example', type: 'work', primary: true }],
  employeeNumber: '',
})
const applied = (operations: object[], resource: object = user(), lists = userLists) =>
  patched(resource as Record<string, unknown>, PatchBody.parse({ Operations: operations }).Operations, lists)

test('a name that shows nothing is none: the name to show stands for it', () => {
  const unseen = { ...user(), name: { givenName: '\u200b', familyName: '\u2060' }, displayName: 'Ada Okafor' }
  expect(readUser(unseen)).toMatchObject({ firstName: 'Ada', lastName: 'Okafor' })
})

describe('what Microsoft Entra sends', () => {
  test('operations with capital letters and booleans as text: "Replace", "False"', () => {
    const disabled = applied([{ op: 'Replace', path: 'active', value: 'False' }])
    expect(readUser(disabled).isActive).toBe(false)
    expect(readUser(applied([{ op: 'Add', path: 'active', value: 'True' }])).isActive).toBe(true)
  })
  test('a replacement without a path, also with paths as names', () => {
    const changed = applied([
      { op: 'replace', value: { active: false, 'name.familyName': 'Lopez', displayName: 'Maria Lopez' } },
    ])
    expect(readUser(changed)).toMatchObject({
      isActive: false,
      lastName: 'Lopez',
      firstName: 'Maria',
    })
  })
  test('a work address by a path with a filter, whether or not there is one', () => {
    const path = 'emails[type eq "work"].value'
    expect(readUser(applied([{ op: 'Replace', path, value: 'new@harbor.example' }])).email).toBe(
      'new@harbor.example',
    )
    const { emails: _none, ...without } = user()
    expect(applied([{ op: 'Add', path, value: 'first@harbor.example' }], without).emails).toEqual([
      { type: 'work', value: 'first@harbor.example' },
    ])
  })
  test('the student ID by the path of its schema, as text and as an object', () => {
    const schema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    expect(readUser(applied([{ op: 'Add', path: `${schema}:employeeNumber`, value: '4711' }])).number).toBe(
      '4711',
    )
    expect(readUser(applied([{ op: 'add', value: { [schema]: { employeeNumber: '4712' } } }])).number).toBe(
      '4712',
    )
  })
  test('members that are added again once, and removed by path and value', () => {
    const group = () => ({ displayName: 'Faculty', members: [{ value: '7' }] })
    expect(
      applied([{ op: 'Add', path: 'members', value: [{ value: '7' }, { value: '8' }] }], group(), groupLists),
    ).toEqual({
      displayName: 'Faculty',
      members: [{ value: '7' }, { value: '8' }],
    })
    expect(
      applied([{ op: 'Remove', path: 'members', value: [{ value: '7' }] }], group(), groupLists).members,
    ).toEqual([])
  })
})

describe('what Okta sends', () => {
  test('a member removed by a path with a filter, and a whole list replaced', () => {
    const group = { displayName: 'Faculty', members: [{ value: '7' }, { value: '8' }] }
    expect(applied([{ op: 'remove', path: 'members[value eq "7"]' }], group, groupLists).members).toEqual([
      { value: '8' },
    ])
    expect(
      applied([{ op: 'replace', path: 'members', value: [{ value: '9' }] }], group, groupLists).members,
    ).toEqual([{ value: '9' }])
  })
  test('active false without a path', () => {
    expect(readUser(applied([{ op: 'replace', value: { active: false } }])).isActive).toBe(false)
  })
})

test('what was given stays as it is, and a part of a name is changed alone', () => {
  const given = user()
  const changed = applied([{ op: 'replace', path: 'name.givenName', value: 'Ana' }], given)
  expect(changed.name).toEqual({ givenName: 'Ana', familyName: 'Gomez' })
  expect(given).toEqual(user())
  expect(applied([{ op: 'remove', path: 'name.givenName' }]).name).toEqual({ familyName: 'Gomez' })
  expect(applied([{ op: 'remove', path: 'emails' }]).emails).toBeUndefined()
})

test('operations that cannot be are refused by the name that the standard has for it', () => {
  const refusals = [
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'text' }, 'invalidValue'],
    [{ op: 'replace', path: 'active' }, 'invalidValue'],
    [{ op: 'replace', path: 'a b', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type xx "a"].value', value: 1 }, 'invalidFilter'],
    [{ op: 'replace', path: 'emails[type ne "work"].value', value: 1 }, 'noTarget'],
  ] as const
  for (const [operation, scimType] of refusals) {
    expect(() => applied([operation]), JSON.stringify(operation)).toThrow(ScimError)
    try {
      applied([operation])
    } catch (error) {
      expect(error, JSON.stringify(operation)).toMatchObject({ scimType })
    }
  }
  expect(PatchBody.safeParse({ Operations: [{ op: 'move' }] }).success).toBe(false)
  expect(PatchBody.safeParse({ Operations: [] }).success).toBe(false)
})
