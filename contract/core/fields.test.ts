import { expect, test } from 'vitest'
import { inLanguage } from '#contract/language/texts.ts'
import { DateOnly } from './fields.ts'
import { problemIn } from './problems.ts'
import { fitsForm, type Writing, webAddressOf } from './writing.ts'

test('A38 a date that is wrong gets one error, whatever is wrong with it', () => {
  const errorsOf = (text: string) =>
    DateOnly.safeParse(text).error?.issues.map(({ message }) => inLanguage(problemIn(message), 'en'))
  expect(errorsOf('nope')).toEqual(['Enter a date as mm/dd/yyyy.'])
  expect(errorsOf('2026-02-31')).toEqual(['is not a day of the calendar'])
  expect(errorsOf('2199-01-01')).toEqual(['must be between 01/01/1900 and 12/31/2099'])
  expect(errorsOf('2026-02-28')).toBeUndefined()
})

test('phone numbers, postal codes, names and websites are taken as the world writes them, and nothing else', () => {
  const taken: Record<Writing, string[]> = {
    phone: [
      ...['(508) 555-0142', '508.555.0142', '508-555-0142 x12', '5085550142 ext. 12', '+44 (0)20 7946 0958'],
      ...[
        'tel:+1-201-555-0123;ext=12',
        '+49 30/901820',
        '555 0100 or 555 0101',
        '508-555-0142 (cell)',
        '508 555 0142 #4',
        '+683 4000',
        '+290 22158 int. 5',
      ],
      ...['+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧', '', ' '],
    ],
    postalCode: [
      '02740',
      '02740-1234',
      'K1A 0B1',
      'SW1A 1AA',
      '101',
      'AD500',
      '110 001',
      '1012 AB',
      '00-950',
      '',
    ],
    name: ['Maya', 'Ng', '李', 'O’Brien-Núñez', 'Maya 🌸', 'X Æ A-12', '3M Clinic', ''],
    website: [
      ...[
        'https://www.example.org',
        'HTTP://example.org/a?b=c#d',
        'www.example.org',
        'example.org:8080/visit',
      ],
      ...['clínica.example', 'https://intranet/', 'https://192.0.2.7/', '', ' '],
    ],
  }
  const refused: Record<Writing, string[]> = {
    phone: [
      '-1',
      '📞📞📞',
      'none',
      '12',
      '555',
      '911',
      'x4412',
      '555-010',
      '555 010 x12',
      'ext. 5550142',
      'call me 508 555 0142',
      '508-555-0142 <b>',
      'a@b.org',
    ],
    postalCode: ['abcde', '-1', '🏠', 'none', '1', '<02740>'],
    name: ['🌸🌸', '…', '-', '.', '🧑🏽‍⚕️'],
    website: [
      ...['javascript:alert(1)', ' JavaScript://example.org/%0aalert(1)', 'data:text/html,x', 'file:///etc'],
      ...['ftp://example.org', 'mailto:a@example.org', 'https://user:word@example.org', 'vbscript:x.y'],
      ...['none', 'see the intranet', 'https://', '//'],
    ],
  }
  for (const writing of ['phone', 'postalCode', 'name', 'website'] as const) {
    expect(taken[writing].filter((text) => !fitsForm(writing, text))).toEqual([])
    expect(refused[writing].filter((text) => fitsForm(writing, text))).toEqual([])
  }
})

test('a website opens by https unless it says otherwise, and what is none opens nothing', () => {
  expect(webAddressOf(' www.example.org ')).toBe('https://www.example.org')
  expect(webAddressOf('http://example.org')).toBe('http://example.org')
  expect(webAddressOf('javascript:alert(1)')).toBeUndefined()
  expect(webAddressOf('')).toBeUndefined()
})
