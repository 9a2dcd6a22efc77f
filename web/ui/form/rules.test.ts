import { expect, test } from 'vitest'
import { all, required, sameAs, validEmail } from './rules.ts'

const of = (rule: ReturnType<typeof required>, value: unknown, values: unknown = {}) =>
  rule(value as never, values as never)

test('D3-238 a required field that is empty says "This field is required"', () => {
  for (const empty of ['', '   ', null, undefined, []])
    expect(of(required(), empty)).toBe('This field is required')
  for (const full of ['x', 0, false, [1]]) expect(of(required(), full)).toBeNull()
})

test('D3-239 what is no email address says "Please enter a valid email address"', () => {
  for (const wrong of ['pat', 'pat@', '@example.org', 'pat@example', 'pat @example.org', 'a@b..c'])
    expect(of(validEmail(), wrong), wrong).toBe('Please enter a valid email address')
  for (const right of ['', 'pat@example.org', ' pat.doe+x@mail.example.org '])
    expect(of(validEmail(), right), right).toBeNull()
})

test('A49 D3-240 a repeated password that differs says "Password should match"', () => {
  const repeat = sameAs<{ Password: string }>('Password')
  expect(repeat('other' as never, { Password: 'secret' })).toBe('Password should match')
  expect(repeat('secret' as never, { Password: 'secret' })).toBeNull()
})

test('of several rules the first that objects speaks', () => {
  const rule = all(required(), validEmail())
  expect(rule('', {})).toBe('This field is required')
  expect(rule('pat', {})).toBe('Please enter a valid email address')
})
