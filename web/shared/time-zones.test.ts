import { expect, test } from 'vitest'
import { timeZoneOptions, zoneOfState } from './time-zones.ts'

test('the zones of the United States come first with their everyday names, and every other once', () => {
  const options = timeZoneOptions()
  expect(options[0]).toEqual({ value: 'America/New_York', label: 'America/New York', detail: 'Eastern Time' })
  expect(options[7]?.value).toBe('America/Puerto_Rico')
  expect(options.map(({ value }) => value).toSorted()).toEqual(Intl.supportedValuesOf('timeZone').toSorted())
})

test('a state is known by its letters and by its name', () => {
  expect(['il', ' Illinois ', 'AZ', 'hawaii'].map(zoneOfState)).toEqual([
    'America/Chicago',
    'America/Chicago',
    'America/Phoenix',
    'Pacific/Honolulu',
  ])
  expect(['', 'Ontario', 'il Illinois'].map(zoneOfState)).toEqual([undefined, undefined, undefined])
})
