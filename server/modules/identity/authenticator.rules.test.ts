import { generateSync } from 'otplib'
import { expect, test } from 'vitest'
import { newRecoveryCode, newSecret, readRecoveryCode, stepOfCode } from './authenticator.rules.ts'

const secret = newSecret()
const now = 1_795_435_215
const running = Math.floor(now / 30)
const codeAt = (steps: number) => generateSync({ secret, epoch: now + steps * 30 })

test('a code is good in its own step, the one before and the one after, and says which one it was', () => {
  for (const steps of [-1, 0, 1]) expect(stepOfCode(secret, codeAt(steps), now)).toBe(running + steps)
  for (const steps of [-2, 2]) expect(stepOfCode(secret, codeAt(steps), now)).toBeUndefined()
})

test('blanks in a code do not count; what is not six digits is no code', () => {
  const code = codeAt(0)
  expect(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)} `, now)).toBe(running)
  for (const typed of ['', code.slice(1), `${code}0`, `x${code.slice(1)}`, `${code}x`])
    expect(stepOfCode(secret, typed, now), typed).toBeUndefined()
})

test('recovery codes are two groups of five, each its own, and are read as people type them', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) {
    expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
    expect(readRecoveryCode(` ${code.replace('-', ' ').toUpperCase()} `)).toBe(code)
  }
  for (const typed of ['', 'abcde-fgh2', 'abcde-fgh234']) expect(readRecoveryCode(typed)).toBeUndefined()
})
