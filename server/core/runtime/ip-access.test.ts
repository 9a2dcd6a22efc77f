import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writeMmdb } from '#server/test/mmdb.ts'
import { readGeoFile } from './geo-file.ts'
import { createIpCheck } from './ip-access.ts'

const bytes = writeMmdb({
  '198.51.100.0/24': { country: { iso_code: 'US' } },
  '203.0.113.0/25': { registered_country: { iso_code: 'FR' } },
  '203.0.113.128/25': { country_code: 'DE' },
  '192.0.2.0/24': { country: 'CA' },
})

test('a GeoIP file tells countries in the forms of its makers, as it is and compressed', async () => {
  for (const content of [bytes, gzipSync(bytes)]) {
    const file = await readGeoFile(content)
    expect(file.kind).toBe('Test-Country')
    expect(file.builtAt?.toISOString()).toBe('2026-11-01T00:00:00.000Z')
    const addresses = ['198.51.100.7', '203.0.113.9', '203.0.113.200', '192.0.2.1', '8.8.8.8', '2001:db8::1']
    expect(addresses.map(file.countryOf)).toEqual(['US', 'FR', 'DE', 'CA', null, null])
  }
})

test('what is no GeoIP file, is cut off, or unpacks without end is refused', async () => {
  const cut = Buffer.concat([bytes.subarray(0, 3), bytes.subarray(bytes.indexOf('MaxMind.com') - 3)])
  for (const content of [
    Buffer.from('network,country\n10.0.0.0/8,US\n'),
    Buffer.from('PK\x03\x04'),
    gzipSync(Buffer.alloc(200 * 1024 * 1024)),
    cut,
  ])
    await expect(readGeoFile(content)).rejects.toThrow()
})

test('this machine, the whitelist and the chosen countries are let in, and nobody else', async () => {
  const file = await readGeoFile(bytes)
  const check = createIpCheck({
    networks: ['203.0.113.9', '10.20.0.0/16', '2001:db8::/32'],
    countries: ['US'],
    file,
  })
  const allowed = (addresses: string[]) => addresses.map((address) => check(address).isAllowed)
  expect(
    allowed([
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '198.51.100.7',
      '::ffff:198.51.100.7',
      '203.0.113.9',
      '10.20.255.1',
      '2001:db8::5',
    ]),
  ).toEqual(Array(8).fill(true))
  expect(
    allowed(['203.0.113.10', '10.21.0.1', '8.8.8.8', '2001:db9::5', 'fe80::1%eth0', 'unix', '']),
  ).toEqual(Array(7).fill(false))
  expect(check('203.0.113.10')).toEqual({ isAllowed: false, country: 'FR' })
})

test('without a file only the whitelist counts', () => {
  const check = createIpCheck({ networks: ['10.0.0.0/8'], countries: ['US'], file: undefined })
  expect([check('198.51.100.7').isAllowed, check('10.1.2.3').isAllowed]).toEqual([false, true])
})
