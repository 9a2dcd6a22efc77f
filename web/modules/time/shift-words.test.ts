import { expect, test } from 'vitest'
import type { Words } from '#web/words/plain-words.ts'
import { shiftSpan } from './shift-words.ts'

const words = ((key: string) => key) as unknown as Words
const half = (Type: 'in' | 'out' | 'absence', day: string, Time: string, EndTime: string | null = null) => ({
  Type,
  Date: day,
  Time,
  EndTime,
  OffsetMinutes: null,
})
const span = (...Records: ReturnType<typeof half>[]) => shiftSpan(words, { Records })

test('A32 a shift shows both of its days, the clock-in first, and what is missing', () => {
  expect(span(half('in', '2026-11-19', '06:58'), half('out', '2026-11-19', '15:30'))).toBe(
    'Thu 11/19 · 06:58–15:30',
  )
  expect(span(half('in', '2026-11-19', '23:06'), half('out', '2026-11-20', '07:23'))).toBe(
    'Thu 11/19 → Fri 11/20 · 23:06–07:23',
  )
  expect(span(half('in', '2026-11-19', '22:53'))).toBe('Thu 11/19 · 22:53–?')
  expect(span(half('out', '2026-11-20', '07:23'))).toBe('Fri 11/20 · ?–07:23')
  expect(span(half('absence', '2026-11-19', '07:00', '15:30'))).toBe(
    'Thu 11/19 · time.typeAbsence 07:00–15:30',
  )
})
