import { timingSafeEqual } from 'node:crypto'
import { hashCode } from './seal.ts'
import { proofMinutes } from './session.ts'

const macOf = (secretKey: string, sessionId: number, at: string): Buffer =>
  hashCode(secretKey, `given proof ${sessionId}`, at)

/** What a page is given for a proof and sends in `X-Proof`: whoever has copied the cookie does not have it. */
export const newGivenProof = (secretKey: string, sessionId: number, at = Date.now()): string =>
  `${at}.${macOf(secretKey, sessionId, String(at)).toString('base64url')}`

/** Whether a header holds what was given to a page of this session within the last five minutes. */
export const isGivenProof = (secretKey: string, sessionId: number, header: unknown): boolean => {
  const [, at, mac] = /^(\d{1,16})\.([\w-]{43})$/.exec(typeof header === 'string' ? header : '') ?? []
  if (!at || !mac || Date.now() - Number(at) > proofMinutes * 60_000) return false
  return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(secretKey, sessionId, at))
}
