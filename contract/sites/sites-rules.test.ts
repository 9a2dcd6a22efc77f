import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  agreementState,
  isTimeZone,
  observesDaylightSaving,
  readNetwork,
  siteTag,
  stripMarkup,
} from './sites-rules.ts'

test('an agreement is quiet, ending within 90 days, urgent within 30, then expired', () => {
  const on = (end: string | null) => agreementState(true, end, '2026-11-21')
  expect(on(null)).toBe('in-force')
  expect(on('2027-02-20')).toBe('in-force')
  expect(on('2027-02-19')).toBe('ending')
  expect(on('2026-12-22')).toBe('ending')
  expect(on('2026-12-21')).toBe('urgent')
  expect(on('2026-11-21')).toBe('urgent')
  expect(on('2026-11-20')).toBe('expired')
  expect(agreementState(false, null, '2026-11-21')).toBe('none')
})

test('networks are read with their prefix; one address is a network of one', () => {
  expect(readNetwork('198.51.100.0/24')).toEqual({ range: '198.51.100.0/24' })
  expect(readNetwork(' 203.0.113.7 ')).toEqual({ range: '203.0.113.7/32' })
  expect(readNetwork('2001:DB8::/32')).toEqual({ range: '2001:db8::/32' })
  expect(readNetwork('::1')).toEqual({ range: '::1/128' })
  expect(readNetwork('0.0.0.0/0')).toEqual({ range: '0.0.0.0/0' })
  expect(readNetwork('10.1.2.3/16')).toEqual({
    problem: 'must be the first address of its network: 10.1.0.0/16',
  })
  for (const wrong of [
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1::2::3',
    '::/129',
    '1.2.3.4/8/8',
    ':::',
    '1:2:3:4:5:6:7:8:9',
  ])
    expect(readNetwork(wrong), wrong).toHaveProperty('problem')
})

test('every address of four figures is its own network, and what is printed reads the same again', () => {
  const four = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join('.'))
  const eight = fc
    .array(fc.nat(65_535), { minLength: 8, maxLength: 8 })
    .map((parts) => parts.map((part) => part.toString(16)).join(':'))
  fc.assert(
    fc.property(fc.oneof(four, eight), (address) => {
      const read = readNetwork(address)
      expect(read).toHaveProperty('range')
      if ('range' in read) expect(readNetwork(read.range)).toEqual(read)
    }),
  )
})

test('whatever the text, a network is a range or a sentence', () => {
  fc.assert(fc.property(fc.string(), (text) => Object.keys(readNetwork(text)).length === 1))
})

test('a pin bears the code, or the initials without small words', () => {
  expect(siteTag('HGH', 'Harbor General')).toBe('HGH')
  expect(siteTag('', 'Hospital of the University at Harbor')).toBe('HUH')
  expect(siteTag('', 'قسم الأشعة')).toHaveLength(2)
  expect(siteTag('', '***')).toBe('?')
})

test('markup goes from a name, text with signs stays', () => {
  expect(stripMarkup('<b>Mercy</b>')).toBe('Mercy')
  expect(stripMarkup('A < B & C > D')).toBe('A < B & C > D')
  expect(stripMarkup('<img src=x onerror=alert(1)>')).toBe('')
})

test('zones are known by name, with whether their clocks change', () => {
  expect(isTimeZone('America/New_York')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
  expect(isTimeZone('+05:00')).toBe(false)
  expect(observesDaylightSaving('America/New_York', 2026)).toBe(true)
  expect(observesDaylightSaving('America/Phoenix', 2026)).toBe(false)
  expect(observesDaylightSaving('Australia/Sydney', 2026)).toBe(true)
})
