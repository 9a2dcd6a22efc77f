import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inLanguage } from '#contract/language/texts.ts'
import { whyNotLoggable, whyPrivate } from './log-refusals.ts'
import { isClean, loggableDays, privateDetailIn, variantFor } from './log-rules.ts'

test.each([
  ['MRN 4471', 'record'],
  ['pt id 33-12', 'record'],
  ['see accession for images', 'record'],
  ['A1234567', 'record'],
  ['00-123-456', 'record'],
  ['room 4, 883 201 77', 'record'],
  ['123-45-6789', 'ssn'],
  ['SSN on file', 'ssn'],
  ['call 508-555-0142', 'phone'],
  ['(508) 555-0142', 'phone'],
  ['born in spring', 'birth'],
  ['DOB unknown', 'birth'],
  ['04/12/1951', 'birth'],
  ['4-12-51', 'birth'],
  ['1951-04-12', 'birth'],
  ['April 12, 1951', 'birth'],
  ['12 Apr 1951', 'birth'],
  ['fecha de nacimiento desconocida', 'birth'],
  ['nacida en primavera', 'birth'],
  ['12 de abril de 1951', 'birth'],
  ['3 de dic 2001', 'birth'],
  ['seguro social', 'ssn'],
  ['expediente en la sala', 'record'],
] as const)('%s is refused as %s', (text, detail) => {
  expect(privateDetailIn(text)).toBe(detail)
  expect(whyPrivate(text)?.en).toMatch(/Never enter a patient's name, number or date of birth/)
})

test.each([
  '',
  'AP and lateral, 3 views',
  'Repeated once: clipped the left costophrenic angle',
  '72 kVp at 2.5 mAs, 40 in. SID, grid 12:1',
  'Room 4, bed 12',
  'Level 1 trauma, 2 of 3',
  'L4-L5 stenosis; C1/C2 open mouth',
  '110 kVp, 500 mA',
  'Tórax de un recién nacido, nacimiento por cesárea',
  'Se repitió una vez: recorte del ángulo costofrénico',
])('%s is kept', (text) => {
  expect(whyPrivate(text)).toBeUndefined()
})

test('six digits are refused wherever they are, and five never by themselves', () => {
  const around = fc.constantFrom('', 'x', ' ', 'view ', '. ')
  fc.assert(
    fc.property(around, fc.integer({ min: 100_000, max: 9_999_999_999 }), around, (before, number, after) => {
      expect(privateDetailIn(`${before}${number}${after}`)).toBeDefined()
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999 }), (number) => {
      expect(privateDetailIn(`view ${number} ok`)).toBeUndefined()
    }),
  )
})

const saidOf = (...asked: Parameters<typeof whyNotLoggable>): string => {
  const why = whyNotLoggable(...asked)
  return why ? inLanguage(why, 'en') : ''
}

test('days are logged from a year back, from the first day of the program, and never ahead', () => {
  const today = '2026-11-24'
  expect(whyNotLoggable(today, { today, from: null })).toBeUndefined()
  expect(saidOf('2026-11-25', { today, from: null })).toMatch(/still to come/)
  expect(whyNotLoggable('2025-11-23', { today, from: null })).toBeUndefined()
  expect(saidOf('2025-11-22', { today, from: null })).toMatch(/more than a year/)
  expect(saidOf('2026-08-30', { today, from: '2026-08-31' })).toMatch(/began on 08\/31\/2026/)
  const entered = { today, from: '2026-08-31', enteredOn: '2026-09-07' }
  expect(saidOf('2026-09-06', entered)).toMatch(/entered the program on 09\/07\/2026/)
  expect(whyNotLoggable('2026-09-07', entered)).toBeUndefined()
  expect(saidOf('2026-08-30', entered)).toMatch(/began/)
  expect(loggableDays).toBe(366)
})

test("a child's chest may count as the pediatric one, and only where its name says so", () => {
  const list = [
    'Chest Routine',
    'Abdomen Supine',
    'Mobile Chest',
    'Pediatric Chest Routine',
    'Pediatric Abdomen',
    'Pediatric Upper or Lower Extremity',
    'Geriatric Chest Routine',
  ].map((Name, index) => ({ Id: index + 1, Name }))
  const offered = (patient: 'adult' | 'pediatric' | 'geriatric', at: number) =>
    variantFor(patient, list[at]!, list)?.Name
  expect(offered('pediatric', 0)).toBe('Pediatric Chest Routine')
  expect(offered('pediatric', 1)).toBe('Pediatric Abdomen')
  expect(offered('geriatric', 0)).toBe('Geriatric Chest Routine')
  expect(offered('geriatric', 1)).toBeUndefined()
  expect(offered('adult', 0)).toBeUndefined()
  expect(offered('pediatric', 3)).toBeUndefined()
})

test('only what waits and has no repeats is verified with others', () => {
  expect(isClean({ State: 'submitted', Repeats: 0 })).toBe(true)
  expect(isClean({ State: 'submitted', Repeats: 1 })).toBe(false)
  expect(isClean({ State: 'returned', Repeats: 0 })).toBe(false)
})
