import { expect, test } from 'vitest'
import { login as declared } from '#contract/identity/identity.ts'
import { login } from './calls.ts'

test('the call of the login page is the one that the contract declares', () => {
  const { kind, method, path, may } = declared
  expect(login).toEqual({ kind, method, path, may })
})
