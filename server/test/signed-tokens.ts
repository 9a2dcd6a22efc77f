import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'

/** How a token of a test is signed; everything has its right value unless given. */
export interface Signing {
  /** `stranger`: a key that is not the issuer's. `hs256-public`: HMAC with the public key as the secret. */
  signs?: 'own' | 'stranger' | 'hs256-public' | 'hs256-secret' | 'none'
  kid?: string
  /** Seconds from now. */
  issuedAt?: number
  expires?: number
  notBefore?: number
}

/** The times of a token: five minutes from now unless a test says otherwise. */
export const timesOf = ({ issuedAt = 0, expires = 300, notBefore }: Signing) => {
  const now = Math.floor(Date.now() / 1000)
  return {
    iat: now + issuedAt,
    exp: now + expires,
    ...(notBefore !== undefined && { nbf: now + notBefore }),
  }
}

/** A pair of keys that signs whatever a test wants signed, and however. `secret` is what both sides know. */
export const makeSigner = async (kid: string, secret = '') => {
  const keys = await generateKeyPair('RS256', { extractable: true })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(keys.publicKey)), kid, alg: 'RS256', use: 'sig' }
  const sign = async (payload: Record<string, unknown>, saying: Signing): Promise<string> => {
    const { signs = 'own' } = saying
    if (signs === 'none') return new UnsecuredJWT(payload).encode()
    const isHmac = signs === 'hs256-public' || signs === 'hs256-secret'
    const token = new SignJWT(payload).setProtectedHeader({
      alg: isHmac ? 'HS256' : 'RS256',
      kid: saying.kid ?? kid,
    })
    if (!isHmac) return token.sign(signs === 'own' ? keys.privateKey : stranger.privateKey)
    const shared = signs === 'hs256-public' ? await exportSPKI(keys.publicKey) : secret.padEnd(32)
    return token.sign(new TextEncoder().encode(shared))
  }
  return { jwk, sign }
}
