import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'
import type { PushAddress } from '#contract/push/push.ts'

/** A message as it came to the push service, and what the browser read in it. */
export interface ReceivedPush {
  path: string
  headers: Record<string, string>
  /** Who says to have sent it, verified by the key that the browser subscribed with. */
  token: { aud?: unknown; sub?: unknown; exp?: unknown }
  payload: { account: number; tag: string; title: string; body: string; link: string }
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
  const made = createHmac('sha256', key)
  for (const part of parts) made.update(part)
  return made.digest()
}

/** Reads a message step by step as RFC 8291 and RFC 8188 write it, with nothing of the product’s own. */
const decrypt = (body: Buffer, privateKey: Buffer, auth: Buffer): string => {
  const salt = body.subarray(0, 16)
  const [size, length] = [body.readUInt32BE(16), body.readUInt8(20)]
  const sender = body.subarray(21, 21 + length)
  const sealed = body.subarray(21 + length)
  if (sealed.length > size) throw new Error('The record is longer than it says.')
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const first = hmac(auth, own.computeSecret(sender))
  const shared = hmac(first, 'WebPush: info\0', own.getPublicKey(), sender, Buffer.from([1]))
  const second = hmac(salt, shared)
  const key = hmac(second, 'Content-Encoding: aes128gcm\0', Buffer.from([1])).subarray(0, 16)
  const nonce = hmac(second, 'Content-Encoding: nonce\0', Buffer.from([1])).subarray(0, 12)
  const opened = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const text = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()])
  const end = text.lastIndexOf(2)
  if (text.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The record has no end.')
  return text.subarray(0, end).toString('utf8')
}

/** A push service with one browser: it takes what is sent, checks who sends, and decrypts. */
export const startPushService = async () => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const received: ReceivedPush[] = []
  /** Addresses of one browser are many: each device of a test has its own. */
  const keys = new Map<string, string>()
  let answer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(201).end()
  }
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request)
    const headers = request.headers as Record<string, string>
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
    const path = request.url ?? ''
    try {
      // A push service takes nothing that is signed by another key than the browser was given.
      if (key !== keys.get(path)) throw new Error('The key is another one.')
      const point = Buffer.from(key, 'base64url')
      const jwk = {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      }
      const { payload: said } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
        audience: `http://${headers.host}`,
        algorithms: ['ES256'],
      })
      received.push({
        path,
        headers,
        token: said,
        payload: JSON.parse(decrypt(body, pair.getPrivateKey(), auth)),
      })
    } catch (error) {
      response.writeHead(403).end(String(error))
      return
    }
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    received,
    /** How it answers what it has taken note of. */
    answerBy: (next: typeof answer) => {
      answer = next
    },
    /** What a browser says of a new subscription. */
    address: (publicKey: string, path = `/send/${randomBytes(6).toString('hex')}`): PushAddress => {
      keys.set(path, publicKey)
      return {
        Endpoint: `${base}${path}`,
        P256dh: pair.getPublicKey('base64url'),
        Auth: auth.toString('base64url'),
        PublicKey: publicKey,
      }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
