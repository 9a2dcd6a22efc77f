import { expect, test } from 'vitest'
import { inTextSize } from './text-size.ts'

test('text and what holds it grow with the size that a reader has chosen, and hairlines do not', () => {
  expect(inTextSize('.a { font-size: 13px; line-height: 18px; min-height: 44px; width: 60px }')).toBe(
    '.a { font-size: 0.8125rem; line-height: 1.125rem; min-height: 2.75rem; width: 60px }',
  )
  expect(inTextSize('.tick { width: 16px; height: 16px; border: 1px solid }')).toBe(
    '.tick { width: 1rem; height: 1rem; border: 1px solid }',
  )
  expect(inTextSize('.line { height: 2px } @media (max-height: 400px) { .b { max-height: 90px } }')).toBe(
    '.line { height: 2px } @media (max-height: 400px) { .b { max-height: 90px } }',
  )
})
