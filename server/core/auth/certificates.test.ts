import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeKeys } from '#server/test/identity-provider.ts'
import { makeCertificate, readCertificates } from './certificates.ts'

const keys = makeKeys()
const pem = makeCertificate(keys)
const bare = pem.replace(/-----[^-]+-----/g, '')

test('a certificate is read from PEM, from base64 alone, and from whatever line ends and text are around it', () => {
  for (const text of [
    pem,
    bare,
    bare.replace(/\s/g, ''),
    pem.replaceAll('\n', '\r\n'),
    `Bag Attributes\n${pem}\n`,
  ])
    expect(readCertificates(text).pems).toEqual([pem])
})

test('several certificates are kept, and the last end counts', () => {
  const older = makeCertificate(keys, { until: '260101000000Z' })
  const { pems, expiresAt } = readCertificates(`${older}\n${pem}`)
  expect(pems).toEqual([older, pem])
  expect(expiresAt.toISOString()).toBe('2049-12-31T23:59:59.000Z')
  expect(() => readCertificates(Array(6).fill(pem).join('\n'))).toThrow('at most 5')
})

test('what is no certificate, or none that is safe, is refused in words', () => {
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const [text, message] of [
    ['', 'not a certificate'],
    ['hello, world', 'not a certificate'],
    [pem.slice(0, 300), 'not a certificate'],
    [bare.slice(0, 400), 'not an X.509 certificate'],
    [privateKey, 'private key'],
    [`${pem}\n${privateKey}`, 'private key'],
    [makeCertificate(makeKeys(1024)), 'shorter than 2048 bits'],
    [makeCertificate(curve), 'no RSA key'],
  ] as const)
    expect(() => readCertificates(text), message).toThrow(message)
})
