import { X509Certificate } from 'node:crypto'

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
