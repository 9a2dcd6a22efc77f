import { expect, test } from 'vitest'
import { directionsLink } from './directions-link.ts'

test('directions open in the maps of Apple on its devices, and by an address that all others open', () => {
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15'
  const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0'
  expect(directionsLink(41.63, -70.93, iphone)).toBe('https://maps.apple.com/?daddr=41.63,-70.93')
  expect(directionsLink(41.63, -70.93, android)).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=41.63,-70.93',
  )
})
