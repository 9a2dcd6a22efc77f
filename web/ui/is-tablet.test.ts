import { expect, test } from 'vitest'
import { isTablet } from './is-tablet.ts'

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'

test('an iPad that calls itself a Mac is known by its touch screen', () => {
  expect(isTablet({ userAgent: mac, maxTouchPoints: 5 })).toBe(true)
  expect(isTablet({ userAgent: mac, maxTouchPoints: 0 })).toBe(false)
})
test('iPhones and Android tablets are tablets here, Android phones and desks are not', () => {
  expect(isTablet({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' })).toBe(true)
  expect(isTablet({ userAgent: 'Mozilla/5.0 (Linux; Android 15; SM-X910) Chrome/140.0 Safari/537.36' })).toBe(
    true,
  )
  expect(isTablet({ userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36' })).toBe(
    false,
  )
  expect(isTablet({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' })).toBe(false)
})
