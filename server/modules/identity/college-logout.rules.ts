import { createVerify } from 'node:crypto'
import { readCertificates } from '#server/core/auth/certificates.ts'
import {
  elements,
  longestName,
  maxAgeMs,
  type OwnAddresses,
  type Provider,
  protocol,
  readXml,
  refuse,
  skewMs,
  strongAlgorithms,
} from './college.rules.ts'

/** What a provider says of whom it has signed out. */
export interface SignedOut {
  /** Of the request, for the answer. */
  id: string
  nameId: string
  /** The session that is meant; '' for all of them. */
  sessionIndex: string
}

/** A message as it came: in the address (HTTP-Redirect), with a signature beside it, or in a form, signed in itself. */
export type LogoutMessage =
  | { way: 'redirect'; rawQuery: string }
  | { way: 'post'; message: string | undefined }

/** The parts of an address that are signed, as they were written: what they decode to may be written otherwise. */
const partsOf = (rawQuery: string): Map<string, string> => {
  const parts = new Map<string, string>()
  for (const part of rawQuery.split('&')) {
    const name = part.split('=', 1)[0]!
    if (parts.has(name)) refuse(`The address says ${name.slice(0, 50)} twice.`)
    parts.set(name, part)
  }
  return parts
}
const textIn = (part: string | undefined): string => {
  if (part === undefined) return ''
  try {
    return decodeURIComponent(part.slice(part.indexOf('=') + 1).replaceAll('+', ' '))
  } catch {
    return refuse('The address is not UTF-8.')
  }
}

const read = (message: LogoutMessage) =>
  message.way === 'redirect'
    ? readXml(textIn(partsOf(message.rawQuery).get('SAMLRequest')).replaceAll(' ', '+'), {
        isDeflated: true,
      })
    : readXml(message.message)

const textOf = (parent: Element, name: string): string => {
  const found = Array.from(parent.childNodes).filter((node) => (node as Element).localName === name)
  if (found.length > 1) refuse(`The request has more than one ${name}.`)
  return found[0]?.textContent?.trim() ?? ''
}

/**
 * Who asks for somebody to be signed out. It is only a key to look up: nothing is proven yet.
 *
 * @throws AnswerRefused
 */
export const readIssuer = (message: LogoutMessage): string => {
  const { response } = read(message)
  if (response.namespaceURI !== protocol || response.localName !== 'LogoutRequest')
    refuse('This is no request to sign out.')
  return textOf(response, 'Issuer')
}

/** The signature of an address covers these parts, in this order. */
const signedParts = ['SAMLRequest', 'RelayState', 'SigAlg'] as const

const proveRedirect = (rawQuery: string, pems: readonly string[]): void => {
  const parts = partsOf(rawQuery)
  const algorithm = textIn(parts.get('SigAlg'))
  const signature = textIn(parts.get('Signature'))
  if (signature === '') refuse('The request is not signed.')
  if (!strongAlgorithms.has(algorithm) || !algorithm.includes('rsa-'))
    refuse(`The signature is made by ${algorithm.slice(0, 100)}.`)
  const signed = signedParts.flatMap((name) => parts.get(name) ?? []).join('&')
  const hash = algorithm.slice(algorithm.indexOf('rsa-') + 'rsa-'.length)
  const isProven = pems.some((pem) => createVerify(hash).update(signed).verify(pem, signature, 'base64'))
  if (!isProven) refuse('The request is not signed by the provider.')
}

const provePost = async (message: string, provider: Provider, pems: readonly string[], own: OwnAddresses) => {
  const { SAML } = await import('@node-saml/node-saml')
  const { response } = readXml(message)
  for (const name of ['SignatureMethod', 'DigestMethod'])
    for (const method of elements(response, 'http://www.w3.org/2000/09/xmldsig#', name)) {
      const algorithm = method.getAttribute('Algorithm') ?? ''
      if (!strongAlgorithms.has(algorithm)) refuse(`The signature is made by ${algorithm.slice(0, 100)}.`)
    }
  const saml = new SAML({
    issuer: own.entityId,
    callbackUrl: own.acsUrl,
    entryPoint: provider.sso_url,
    idpIssuer: provider.entity_id,
    idpCert: [...pems],
    acceptedClockSkewMs: skewMs,
  })
  try {
    await saml.validatePostRequestAsync({ SAMLRequest: message })
  } catch (error) {
    refuse((error as Error).message)
  }
}

/**
 * Proves a request to sign somebody out: signed by the provider as a whole, in time, and for this installation.
 *
 * @throws AnswerRefused
 */
export const verifyLogout = async (
  message: LogoutMessage,
  provider: Provider,
  own: OwnAddresses,
): Promise<SignedOut> => {
  const { pems } = readCertificates(provider.certificate)
  if (message.way === 'redirect') proveRedirect(message.rawQuery, pems)
  else await provePost(message.message ?? '', provider, pems, own)
  const { response } = read(message)
  const of = (name: string) => response.getAttribute(name) ?? ''
  if (textOf(response, 'Issuer') !== provider.entity_id) refuse('The request is of another provider.')
  if (of('Destination') && of('Destination') !== own.logoutUrl)
    refuse(`The request was meant for ${of('Destination').slice(0, 200)}.`)
  const now = Date.now()
  const issued = Date.parse(of('IssueInstant'))
  const until = of('NotOnOrAfter') ? Date.parse(of('NotOnOrAfter')) : issued + maxAgeMs
  if (!(Math.abs(now - issued) < maxAgeMs + skewMs) || !(now < until + skewMs))
    refuse('The request is out of time.')
  const nameId = textOf(response, 'NameID').normalize('NFC')
  if (nameId === '' || nameId.length > longestName) refuse('The request names no one.')
  return {
    id: of('ID').slice(0, longestName),
    nameId,
    sessionIndex: textOf(response, 'SessionIndex').slice(0, longestName),
  }
}

/** Signs what this installation tells a provider. */
export interface Signer {
  /** In PEM. */
  privateKey: string
}

const speaker = async (provider: Provider, own: OwnAddresses, { privateKey }: Signer) => {
  const { SAML } = await import('@node-saml/node-saml')
  return new SAML({
    issuer: own.entityId,
    callbackUrl: own.acsUrl,
    entryPoint: provider.sso_url,
    logoutUrl: provider.slo_url,
    idpCert: [...readCertificates(provider.certificate).pems],
    privateKey,
    signatureAlgorithm: 'sha256',
  })
}

/** The address that sends a browser to the provider to sign out there too (HTTP-Redirect, signed). */
export const logoutAddress = async (
  provider: Provider,
  own: OwnAddresses,
  signer: Signer,
  { nameId, sessionIndex }: Omit<SignedOut, 'id'>,
): Promise<string> =>
  (await speaker(provider, own, signer)).getLogoutUrlAsync(
    {
      issuer: provider.entity_id,
      nameID: nameId,
      nameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      ...(sessionIndex !== '' && { sessionIndex }),
    },
    '',
    {},
  )

/** The address that answers a provider's request, with what it gave along. */
export const logoutAnswerAddress = async (
  provider: Provider,
  own: OwnAddresses,
  signer: Signer,
  { id, relayState }: { id: string; relayState: string },
): Promise<string> =>
  (await speaker(provider, own, signer)).getLogoutResponseUrlAsync(
    { ID: id, issuer: provider.entity_id, nameID: '', nameIDFormat: '' },
    relayState,
    {},
    true,
  )
