import { createECDH } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encryptMessage, isPublicKey, newServiceKeys } from './encryption.rules.ts'
import { aboutOf, type Fact, pushText } from './texts.rules.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted to the byte as the example of RFC 8291 (appendix A)', () => {
  const recipient = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const fresh = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  expect(
    encryptMessage(recipient, 'When I grow up, I want to be a watermelon', fresh).toString('base64url'),
  ).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('no two messages are encrypted alike, and only points of the curve are keys', () => {
  const { publicKey } = newServiceKeys()
  expect(isPublicKey(publicKey)).toBe(true)
  const recipient = { p256dh: publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
  expect(encryptMessage(recipient, 'one')).not.toEqual(encryptMessage(recipient, 'one'))
  const moved = bytes(publicKey)
  moved[64] = moved[64]! ^ 1
  for (const wrong of [moved.toString('base64url'), 'A'.repeat(87), '', `B${'A'.repeat(86)}`])
    expect(isPublicKey(wrong)).toBe(false)
  const pair = createECDH('prime256v1')
  fc.assert(
    fc.property(fc.constant(null), () => isPublicKey(pair.generateKeys('base64url'))),
    { numRuns: 30 },
  )
})

const facts: Fact[] = [
  { kind: 'shift', date: '2030-01-15', start: '07:00', end: '15:30', count: 2 },
  { kind: 'clock-out', date: '2030-01-15', time: '06:58' },
  { kind: 'evaluation', count: 1 },
  { kind: 'evaluation', count: 3 },
  ...(['shift', 'open-shift', 'hours', 'requirement'] as const).map(
    (about): Fact => ({ kind: 'answer', about }),
  ),
  { kind: 'test' },
]

test('every message has a short text in both languages, with the day written as the product writes it', () => {
  for (const fact of facts) {
    const [english, spanish] = [pushText(fact, 'en'), pushText(fact, 'es')]
    for (const { title, body } of [english, spanish]) {
      expect(title.length).toBeLessThanOrEqual(40)
      expect(body.length).toBeLessThanOrEqual(120)
    }
    expect(spanish.body).not.toBe(english.body)
  }
  expect(pushText(facts[0]!, 'en')).toEqual({
    title: 'Next shift',
    body: 'Tue 01/15/2030, 07:00–15:30, and 1 more that day',
  })
  expect(pushText(facts[0]!, 'es').body).toBe('mar 01/15/2030, 07:00–15:30, y 1 más ese día')
  expect(pushText(facts[2]!, 'en').body).toBe('1 evaluation to complete.')
})

test('what a decision is about follows from the page that shows it', () => {
  expect(['/new/swaps?show=own', '/new/open-shifts', '/new/hours', '/new/requirements'].map(aboutOf)).toEqual(
    ['shift', 'open-shift', 'hours', 'requirement'],
  )
})
