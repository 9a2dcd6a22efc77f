import { describe, expect, test } from 'vitest'
import {
  addressEntries,
  problemOfAddresses,
  problemOfBody,
  problemOfSubject,
  type TemplateField,
} from './mail-templates-rules.ts'

const fields: TemplateField[] = [
  { Name: 'student.firstName', Kind: 'text' },
  { Name: 'student.email', Kind: 'address' },
  { Name: 'record.list', Kind: 'html' },
  { Name: 'link', Kind: 'link' },
]

describe('From, To and CC', () => {
  test('take addresses with and without names, and placeholders for addresses', () => {
    for (const right of [
      '',
      'a@b.example',
      'a@b.example, c@d.example; {{student.email}}',
      'Registrar <a@b.example>',
      '"College {{student.firstName}}" <a@b.example>',
    ])
      expect(problemOfAddresses(right, fields), right).toBeNull()
    expect(addressEntries('Registrar <a@b.example>; {{student.email}},c@d.example')).toEqual([
      { name: 'Registrar', address: 'a@b.example' },
      { field: 'student.email' },
      { name: '', address: 'c@d.example' },
    ])
  })

  test('refuse what is no address, unknown or half a placeholder, one that holds no addresses, and too many', () => {
    expect(problemOfAddresses('nobody', fields)).toBe('nobody is not a valid email address.')
    expect(problemOfAddresses('a@b.example, b@', fields)).toBe('b@ is not a valid email address.')
    expect(problemOfAddresses('{{student.mail}}', fields)).toMatch(/not among the placeholders/)
    expect(problemOfAddresses('{{student.firstName}}', fields)).toMatch(/cannot be used here/)
    expect(problemOfAddresses('{{student.email}} <a@b.example>', fields)).toMatch(/cannot be used here/)
    expect(problemOfAddresses('{{student.firstName}} <{{student.email}}>', fields)).toMatch(/cannot be used/)
    expect(problemOfAddresses('{{student.email', fields)).toMatch(/not whole/)
    expect(problemOfAddresses('a@b.example, c@d.example', fields, 1)).toMatch(/Only one/)
  })
})

test('a subject is needed, and holds texts and addresses only', () => {
  expect(problemOfSubject('For {{student.firstName}} in {sites}', fields)).toBeNull()
  expect(problemOfSubject(' ', fields)).toBe('Please specify a subject.')
  expect(problemOfSubject('{{record.list}}', fields)).toMatch(/cannot be used here/)
  expect(problemOfSubject('Hi {{student.firstName}', fields)).toMatch(/not whole/)
})

test('in an email placeholders are in the text, and in a tag only as the address of a link', () => {
  const right = '<p>{{ student.firstName }}</p><p>{{record.list}}</p><a href="{{link}}">x</a>'
  expect(problemOfBody(right, fields, ['link'])).toBeNull()
  expect(problemOfBody('<a href="mailto:{{student.email}}">x</a>', fields)).toBeNull()
  for (const wrong of [
    '<a href="{{student.firstName}}">x</a>',
    '<a href="mailto:{{student.firstName}}">x</a>',
    '<a href="https://a.example/{{link}}">x</a>',
    '<a href="{{link}}" title="{{student.firstName}}">x</a>',
  ])
    expect(problemOfBody(wrong, fields), wrong).toMatch(/cannot be the address or the title of a link/)
  expect(problemOfBody('<p>{{student.nmae}}</p>', fields)).toMatch(/\{\{student.nmae\}\} is not among/)
  expect(problemOfBody('<p>Hello</p>', fields, ['link', 'code'])).toBe(
    'The email is of no use without {{link}} or {{code}}.',
  )
})
