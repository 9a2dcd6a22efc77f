import { describe, expect, test } from 'vitest'
import { Failure } from '#server/core/runtime/failure.ts'
import { checkNewPassword } from './password.ts'

const isTaken = (password: string): boolean => {
  try {
    checkNewPassword(password, 'dwhitfield')
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return false
  }
}

describe('C5 a new password', () => {
  test.each([
    ['repeats one character', 'aaaaaaaa'],
    ['repeats one character for long', 'z'.repeat(50)],
    ['repeats a few', 'abababab'],
    ['repeats four', 'k9!pk9!pk9!p'],
    ['is two runs of one character', 'aaaabbbb'],
    ['runs up', 'abcdefgh'],
    ['runs down', 'hgfedcba'],
    ['counts', '3456789012'],
    ['is a row of the keyboard', 'asdfghjk'],
    ['is a row backwards', 'poiuytrewq'],
    ['is two rows', 'asdfjkl;'],
    ['is columns of the keyboard', '1qaz2wsx3edc'],
    ['is a row in capitals', 'ASDFGHJK'],
    ['is a row and a count', 'qwertyui12345'],
    ['names the account', 'xx-dwhitfield-1'],
    ['is among the most used', 'football1'],
  ])('that %s is refused', (_what, password) => {
    expect(isTaken(password)).toBe(false)
  })

  test.each([
    ['Bluebird-42-harbor'],
    ['correct horse'],
    ['tr0ub4dor&3'],
    ['my dog ate 12345 socks'],
    ['Zx7#pQ2m'],
  ])('like %s is taken', (password) => {
    expect(isTaken(password)).toBe(true)
  })
})
