import { expect, test } from 'vitest'
import { phoneLink } from './phone-link.ts'

test('a press calls the number that is written, not its extension with it', () => {
  const links = {
    '(508) 555-0142': 'tel:5085550142',
    '508-555-0142 x12': 'tel:5085550142;ext=12',
    '5085550142 ext. 12': 'tel:5085550142;ext=12',
    '508-555-0142 #12': 'tel:5085550142;ext=12',
    'tel:+1-201-555-0123;ext=12': 'tel:+12015550123;ext=12',
    '+44 (0)20 7946 0958': 'tel:+442079460958',
    '+49 30/901820': 'tel:+4930901820',
    '555 0100 or 555 0101': 'tel:5550100',
    '508-555-0142 (cell)': 'tel:5085550142',
    x4412: 'tel:4412',
    '911': 'tel:911',
  }
  expect(Object.keys(links).map(phoneLink)).toEqual(Object.values(links))
})
