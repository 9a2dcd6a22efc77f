import { createSign, type KeyObject, randomBytes, X509Certificate } from 'node:crypto'

/** What a text with certificates holds. */
export interface Certificates {
  /** Each one in PEM, lines of 64 characters. */
  pems: readonly string[]
  /** When the last of them ends. */
  expiresAt: Date
}

const minRsaBits = 2048
const maxCertificates = 5

/** The bodies of the PEM blocks; a text without any is taken as one body, as metadata of providers show it. */
const bodiesOf = (text: string): string[] => {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)]
  // The pattern's group is part of every match.
  return blocks.length > 0 ? blocks.map(([, , body]) => body!) : [text]
}

/**
 * Reads X.509 certificates from PEM, or one from base64 alone.
 *
 * @throws Error with a sentence for people when it holds anything else, a key that signs no SAML, or one that is too short
 */
export const readCertificates = (text: string): Certificates => {
  if (/PRIVATE KEY/.test(text))
    throw new Error('This is a private key, which belongs to the provider alone. Give its certificate.')
  const bodies = bodiesOf(text)
  if (bodies.length > maxCertificates) throw new Error(`Give at most ${maxCertificates} certificates.`)
  const certificates = bodies.map((body) => {
    const plain = body.replace(/\s/g, '')
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) throw new Error('This is not a certificate in PEM or base64.')
    let certificate: X509Certificate
    try {
      certificate = new X509Certificate(Buffer.from(plain, 'base64'))
    } catch {
      throw new Error('This is not an X.509 certificate: it is damaged or cut short.')
    }
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    if (asymmetricKeyType !== 'rsa') throw new Error('The certificate has no RSA key; SAML is signed by RSA.')
    if ((asymmetricKeyDetails?.modulusLength ?? 0) < minRsaBits)
      throw new Error(`The key of the certificate is shorter than ${minRsaBits} bits and can be forged.`)
    return certificate
  })
  return {
    pems: certificates.map((certificate) => certificate.toString().trim()),
    expiresAt: new Date(Math.max(...certificates.map(({ validTo }) => Date.parse(validTo)))),
  }
}

/** One element of DER: a tag, the length, and what is in it. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const rsaWithSha256 = '2a864886f70d01010b'
const commonName = '550403'

/** A certificate that signs itself, as the parties of SAML have them: it carries a key and proves nothing about whose it is. */
export const makeCertificate = (
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  { of = 'practicum', until = '491231235959Z' } = {},
): string => {
  const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
  const algorithm = sequence(der(0x06, Buffer.from(rsaWithSha256, 'hex')), Buffer.from([0x05, 0]))
  const name = sequence(
    der(0x31, sequence(der(0x06, Buffer.from(commonName, 'hex')), der(0x0c, Buffer.from(of)))),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    algorithm,
    name,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from(until))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const bytes = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature))
  return new X509Certificate(bytes).toString().trim()
}
