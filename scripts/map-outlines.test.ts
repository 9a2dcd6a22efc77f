import { expect, test } from 'vitest'
import { isIn } from '../web/ui/map/outlines.ts'
import { mapOutlines } from './map-outlines.ts'

const files = mapOutlines()
// Each that is named is there.
const textOf = (name: string): string => files.get(`${name}.js`)!
const index = textOf('index')
const parts = [...index.matchAll(/cells:'([^']*)',at:'(\w+)',load:\(\)=>import\('\.\/([^']+)\.js'\)/g)].map(
  ([, cells = '', at = '', name = '']) => ({ cells, at, name }),
)
const near = (lat: number, lng: number) => ({ south: lat, north: lat + 0.01, west: lng, east: lng + 0.01 })
const filesAt = (lat: number, lng: number, zoom: 'far' | 'close'): string[] =>
  parts
    .filter(({ at, cells }) => at !== (zoom === 'far' ? 'close' : 'far') && isIn(cells, near(lat, lng)))
    .map(({ name }) => name)

test('a map close by loads the states that it shows and no others', () => {
  expect(filesAt(39.74, -104.99, 'close')).toEqual(['state-08'])
  // Kansas City: both sides of the river.
  expect(filesAt(39.1, -94.58, 'close').toSorted()).toEqual(['state-20', 'state-29'])
  expect(filesAt(21.3, -157.85, 'close')).toEqual(['state-15'])
  // The Aleutians beyond the date line.
  expect(filesAt(52.9, 172.9, 'close')).toContain('state-02')
  expect(filesAt(51.05, -114.07, 'close')).toEqual(['canada'])
  expect(filesAt(48.85, 2.35, 'close')).toEqual(['world'])
})

test('far out one file has all states, and every state has its own for close by', () => {
  expect(filesAt(39.74, -104.99, 'far')).toEqual(['states'])
  const names = JSON.parse(/names = (.+)$/.exec(index)![1]!) as unknown[]
  expect(names).toHaveLength(56)
  expect(parts.filter(({ at }) => at === 'close')).toHaveLength(56)
})

test('county lines are only in the files for close by, and a state is a few kilobytes', () => {
  for (const { at, name } of parts) {
    const { inner } = JSON.parse(textOf(name).replace('export default ', ''))
    if (at !== 'close') expect(inner, name).toBe(0)
  }
  expect(textOf('state-08').length).toBeLessThan(10_000)
})
