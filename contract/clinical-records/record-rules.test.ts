import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isSameName,
  numberFrom,
  numberInCredential,
  numberInFile,
  numberSigns,
  readNumber,
  recordNumber,
} from './record-rules.ts'

const sixtyFourBytes = fc.uint8Array({ minLength: 64, maxLength: 64 })

describe('numbers', () => {
  test('any random bytes make a number that can be typed in small letters, with blanks and without marks', () => {
    fc.assert(
      fc.property(sixtyFourBytes, (bytes) => {
        const number = numberFrom(bytes)
        if (number === undefined) return
        expect(number).toMatch(recordNumber)
        expect(readNumber(number)).toBe(number)
        expect(readNumber(` ${number.toLowerCase().replaceAll('-', ' ')} `)).toBe(number)
        expect(readNumber(number.replace(/^CR-/, ''))).toBe(number)
      }),
    )
  })

  test('a number that itself begins with CR is typed with and without the CR before it', () => {
    expect(readNumber('CRAA-AAAA-AAAA')).toBe('CR-CRAA-AAAA-AAAA')
    expect(readNumber('cr craa aaaa aaaa')).toBe('CR-CRAA-AAAA-AAAA')
    expect(readNumber('CR-AAAA-AAAA')).toBeUndefined()
  })

  test('every sign is as likely as any other', () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 256; byte++) {
      const number = numberFrom(Array.from({ length: 12 }, () => byte))
      if (number) counts.set(number[3]!, (counts.get(number[3]!) ?? 0) + 1)
    }
    expect(counts.size).toBe(numberSigns.length)
    expect(new Set(counts.values()).size).toBe(1)
  })

  test('too few bytes, and bytes that favor some signs, make none', () => {
    expect(numberFrom([1, 2, 3])).toBeUndefined()
    expect(numberFrom(Array.from({ length: 64 }, () => 255))).toBeUndefined()
  })

  test('what is no number is none', () => {
    for (const typed of ['', 'CR', 'CR-7QK4', 'CR-7QK4-2M9X-VDH1', 'CR-7QK4-2M9X-VDHTT', '123'])
      expect(readNumber(typed)).toBeUndefined()
  })

  test('the number in a credential is that of its name, and other texts have none', () => {
    const token = (payload: string) => `e30.${Buffer.from(payload).toString('base64url')}.c2ln`
    const jti = 'https://practicum.example.edu/new/verify?number=CR-7QK4-2M9X-VDHT'
    expect(numberInCredential(`${token(JSON.stringify({ jti, name: 'Zoë — record?' }))}\n`)).toBe(
      'CR-7QK4-2M9X-VDHT',
    )
    for (const text of [
      '',
      'a.b',
      token('no JSON'),
      token('{}'),
      token('{"jti":"no address"}'),
      token('{"jti":5}'),
    ])
      expect(numberInCredential(text)).toBeUndefined()
  })

  test('the number in a file is the one after its mark', () => {
    expect(numberInFile('/Keywords (practicum-record:CR-7QK4-2M9X-VDHT)')).toBe('CR-7QK4-2M9X-VDHT')
    expect(numberInFile('CR-7QK4-2M9X-VDHT')).toBeUndefined()
  })
})

describe('names', () => {
  const amara = { First: 'Amara Grace', Last: 'Núñez-Okoye' }
  test.each([
    'Amara Núñez-Okoye',
    'amara nunez okoye',
    'Núñez-Okoye, Amara Grace',
    'AMARA GRACE NUNEZ-OKOYE',
  ])('%s is the holder’s', (typed) => expect(isSameName(typed, amara)).toBe(true))
  test.each([
    '',
    ' ',
    'Amara',
    'Okoye',
    'A. Núñez-Okoye',
    'Grace Núñez-Okoye',
    'Amara Okoye',
    'Amara Núñez-Okoye Smith',
  ])('“%s” is not', (typed) => expect(isSameName(typed, amara)).toBe(false))
  test('any name is itself, in either order', () => {
    const word = fc.stringMatching(/^[A-Za-zÀ-ž]{1,12}$/)
    fc.assert(
      fc.property(word, word, (First, Last) => {
        expect(isSameName(`${First} ${Last}`, { First, Last })).toBe(true)
        expect(isSameName(`${Last}, ${First}`, { First, Last })).toBe(true)
      }),
    )
  })
})
