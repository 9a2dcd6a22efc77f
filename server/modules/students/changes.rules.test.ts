import { expect, test } from 'vitest'
import { actionWords } from '../audit/action-words.service.ts'
import { aboutOf } from './changes.rules.ts'

const punch = 'POST /clock/punches'
const record = { Type: 'Clock in', Date: '2026-11-24', Time: '07:10', Site: 'Harbor General' }

test('a change says what was done, and of which day, time and site', () => {
  expect(actionWords(punch, { Records: [record] })).toBe('Clock in')
  expect(actionWords(punch, { Records: [record], IsAsked: false })).toBe('Take back a clock-in')
  expect(actionWords(punch, { Records: [record], IsAsked: true })).toBe('Ask to take back a clock-in')
  expect(actionWords(punch)).toBe('Clock in or out')
  expect(aboutOf({ Records: [record] })).toBe('11/24/2026 07:10, Harbor General')
  expect(aboutOf({ Records: [record, record], RecordsInAll: 30 })).toBe('30 records')
  expect(aboutOf({ LastDay: '2026-12-11' })).toBe('12/11/2026')
  expect([aboutOf(null), aboutOf({}), aboutOf({ Records: [] })]).toEqual(['', '', ''])
})
