import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'

const curve = 'prime256v1'

/** For whom a message is encrypted, both base64url: the browser's public key and its secret. */
export interface Recipient {
  p256dh: string
  auth: string
}

/** What is new with each message. Given only to compare with the example of the standard. */
interface Fresh {
  salt: Buffer
  /** The private key of the sender's pair. */
  privateKey: Buffer
}

const freshPair = (): Buffer => {
  const pair = createECDH(curve)
  pair.generateKeys()
  // One that begins with zeros is shorter.
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex')
}

/** Whether a key is a point of the curve: anything else can be no browser's. */
export const isPublicKey = (key: string): boolean => {
  try {
    const pair = createECDH(curve)
    pair.generateKeys()
    pair.computeSecret(Buffer.from(key, 'base64url'))
    return true
  } catch {
    return false
  }
}

/** One record holds any message of ours; push services take 4,096 bytes. */
const recordSize = 4_096

/** Encrypts a message for a browser as RFC 8291 says (`aes128gcm` of RFC 8188, one record). */
export const encryptMessage = (
  { p256dh, auth }: Recipient,
  text: string,
  { salt, privateKey }: Fresh = { salt: randomBytes(16), privateKey: freshPair() },
): Buffer => {
  const pair = createECDH(curve)
  pair.setPrivateKey(privateKey)
  const [own, theirs] = [pair.getPublicKey(), Buffer.from(p256dh, 'base64url')]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own])
  const shared = hkdfSync('sha256', pair.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const derive = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(shared), salt, `Content-Encoding: ${name}\0`, bytes))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  // The mark of the last record ends the text.
  const sealed = Buffer.concat([cipher.update(`${text}\u0002`, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.from([own.length]), own, sealed])
}

/** The keys by which push services know the installation (VAPID, RFC 8292): the public one as browsers take it, the private one as JWK. */
export const newServiceKeys = (): { publicKey: string; privateKey: string } => {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const point = [jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url'))
  return {
    publicKey: Buffer.concat([Buffer.from([4]), ...point]).toString('base64url'),
    privateKey: JSON.stringify(jwk),
  }
}

/** Push services take no token that is valid for longer than a day; half of one allows for clocks that differ. */
const tokenSeconds = 12 * 3_600

/**
 * Says to a push service who sends, as RFC 8292 does.
 *
 * @param endpoint the address of the device; the token is for its host alone
 * @param contact a `mailto:` or `https:` address
 * @param seconds of the moment of sending
 */
export const authorizationFor = (
  endpoint: string,
  { publicKey, privateKey }: { publicKey: string; privateKey: string },
  contact: string,
  seconds: number,
): string => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const said = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({
    aud: new URL(endpoint).origin,
    exp: seconds + tokenSeconds,
    sub: contact,
  })}`
  const key = createPrivateKey({ key: JSON.parse(privateKey), format: 'jwk' })
  const signature = sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${said}.${signature.toString('base64url')}, k=${publicKey}`
}
