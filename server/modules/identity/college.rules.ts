import { inflateRawSync } from 'node:zlib'
import type { Profile, SAML } from '@node-saml/node-saml'
import { DOMParser } from '@xmldom/xmldom'
import { readCertificates } from '#server/core/auth/certificates.ts'

/** How this installation is called by providers, and where they send their answers. */
export interface OwnAddresses {
  entityId: string
  acsUrl: string
  /** Where they send requests to sign out, and answers to ours. */
  logoutUrl: string
}

/** What is known of a provider. */
export interface Provider {
  entity_id: string
  sso_url: string
  /** In PEM. */
  certificate: string
  /** Where browsers are sent to sign out; '' where it knows no such thing. */
  slo_url: string
}

/** What a provider's answer says about the person. */
export interface Claim {
  nameId: string
  /** '' when the provider sends no address, or several. */
  email: string
  /** How the provider calls the session that it has begun; '' where it does not say. */
  sessionIndex: string
}

export type RefusalCode = 'invalid' | 'expired' | 'declined'

/** An answer is not accepted. The message is for the audit; people get the page of the code. */
export class AnswerRefused extends Error {
  override name = 'AnswerRefused'
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Minutes from the beginning of a sign-in to the provider's answer: people look for their phones meanwhile. */
export const requestMinutes = 15
/** Clocks of servers are set by the network; more than this is a fault to be fixed there. */
export const skewMs = 60_000
export const maxAgeMs = 5 * 60_000
const longestAnswer = 200_000
/** More opening and closing tags than an answer with the groups of a person has: reading more would hold the process up. */
const mostTags = 3_000
export const longestName = 1024

export const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const addressFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const signatures = 'http://www.w3.org/2000/09/xmldsig#'
/** SHA-1 signatures can be forged; the library would still take them. */
export const strongAlgorithms: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])
/** The names under which providers send an address. */
const addressAttributes = [
  'mail',
  'email',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]

export const refuse = (message: string): never => {
  throw new AnswerRefused('invalid', message)
}

/** The library comes with the first sign-in through a college: many installations never have one. */
const library = () => import('@node-saml/node-saml')

const samlFor = async (
  provider: Provider,
  own: OwnAddresses,
  request: { id: string; createdAt: string },
): Promise<SAML> => {
  const { SAML, ValidateInResponseTo } = await library()
  return new SAML({
    issuer: own.entityId,
    audience: own.entityId,
    callbackUrl: own.acsUrl,
    entryPoint: provider.sso_url,
    idpCert: [...readCertificates(provider.certificate).pems],
    wantAssertionsSigned: true,
    // The assertion says everything that counts and is signed itself; many providers sign nothing else.
    wantAuthnResponseSigned: false,
    disableRequestedAuthnContext: true,
    identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
    acceptedClockSkewMs: skewMs,
    maxAssertionAgeMs: maxAgeMs,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: requestMinutes * 60_000,
    generateUniqueId: () => request.id,
    // The database keeps requests and spends them once all checks have passed: a forged answer, after which the library
    // would forget the request, must not end the sign-in of the person it was made for.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === request.id ? request.createdAt : null),
      removeAsync: async () => null,
    },
  })
}

/** The description of this installation that a provider's administrator reads in. */
export const metadataOf = async (
  { entityId, acsUrl, logoutUrl }: OwnAddresses,
  certificate: string,
): Promise<string> => {
  const xml = (await library()).generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
    wantAssertionsSigned: true,
  })
  // The library tells of a key only together with signed requests to sign in, and of one way to sign out.
  const body = certificate.replace(/-----[A-Z ]+-----|\s/g, '')
  const key = `<KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${signatures}"><ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`
  const logout = ['HTTP-Redirect', 'HTTP-POST'].map(
    (way) =>
      `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${way}" Location="${logoutUrl}"/>`,
  )
  return xml.replace(/<SPSSODescriptor[^>]*>/, (begin) => [begin, key, ...logout].join(''))
}

/** The address that sends a browser to the provider with a request of this ID (HTTP-Redirect). */
export const requestAddress = async (provider: Provider, own: OwnAddresses, id: string): Promise<string> => {
  const saml = await samlFor(provider, own, { id, createdAt: new Date().toISOString() })
  return saml.getAuthorizeUrlAsync('', undefined, {})
}

/** What an answer says on its outside, before anything of it is proven. */
export interface Outline {
  inResponseTo: string
}

const parse = (xml: string): Document => {
  const fail = (message: string): never => refuse(`The XML is broken: ${message.slice(0, 100)}`)
  const document = new DOMParser({
    errorHandler: { warning: fail, error: fail, fatalError: fail },
  }).parseFromString(xml, 'text/xml')
  return document?.documentElement ? document : fail('nothing in it')
}

interface ReadMessage {
  xml: string
  response: Element
}

export const elements = (parent: Document | Element, namespace: string, name: string): Element[] =>
  Array.from(parent.getElementsByTagNameNS(namespace, name))

/**
 * Reads a message of a provider, which is deflated where it comes in an address.
 *
 * @throws AnswerRefused
 */
export const readXml = (message: string | undefined, { isDeflated = false } = {}): ReadMessage => {
  const text = message?.replace(/\s/g, '') ?? ''
  if (text === '' || text.length > longestAnswer || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    return refuse('There is no answer in the form.')
  let xml: string
  try {
    const bytes = Buffer.from(text, 'base64')
    const plain = isDeflated ? inflateRawSync(bytes, { maxOutputLength: longestAnswer }) : bytes
    xml = new TextDecoder('utf-8', { fatal: true }).decode(plain)
  } catch {
    return refuse(`The answer is not UTF-8${isDeflated ? ', or not deflated' : ''}.`)
  }
  // Comments, document types, CDATA and instructions: parsers differ in what they make of them, and no provider needs them.
  if (/<!|<\?(?!xml\s)/.test(xml)) refuse('The answer has comments, a document type or instructions.')
  if (xml.split('<', mostTags + 1).length > mostTags) refuse('The answer has too many elements.')
  return { xml, response: parse(xml).documentElement }
}

/**
 * Reads which request an answer belongs to. What it says is only a key to look up: nothing is proven yet.
 *
 * @throws AnswerRefused
 */
export const readOutline = (samlResponse: string | undefined): Outline => {
  const { response } = readXml(samlResponse)
  if (response.namespaceURI !== protocol || response.localName !== 'Response')
    refuse('This is no answer to a sign-in.')
  const inResponseTo = response.getAttribute('InResponseTo')
  if (!inResponseTo)
    return refuse('No one asked for this answer: a sign-in begins here, not at the provider.')
  return { inResponseTo }
}

/** What the answer's outside must say beside the signed part. */
const checkOutside = (response: Element, provider: Provider, own: OwnAddresses): void => {
  const status = elements(response, protocol, 'StatusCode').find(
    ({ parentNode }) => parentNode?.parentNode === response,
  )
  if (status?.getAttribute('Value') !== success)
    throw new AnswerRefused(
      'declined',
      `The provider answered ${status?.getAttribute('Value') ?? 'nothing'}.`,
    )
  const destination = response.getAttribute('Destination')
  if (destination && destination !== own.acsUrl) refuse(`The answer was meant for ${destination}.`)
  const issuer = Array.from(response.childNodes).find(
    (node) => (node as Element).localName === 'Issuer',
  )?.textContent
  if (issuer && issuer.trim() !== provider.entity_id) refuse(`The answer comes from ${issuer}.`)
  for (const name of ['SignatureMethod', 'DigestMethod'])
    for (const method of elements(response, signatures, name)) {
      const algorithm = method.getAttribute('Algorithm') ?? ''
      if (!strongAlgorithms.has(algorithm)) refuse(`The signature is made by ${algorithm}.`)
    }
}

/** An element as the library's reader gives it: attributes in `$`, text in `_`, children in lists. */
interface Read {
  $?: Record<string, string>
  _?: string
  [child: string]: unknown
}
const childrenOf = (node: Read | undefined, name: string): Read[] =>
  (node?.[name] as Read[] | undefined) ?? []

/** What the signed assertion must say, as far as the library leaves it to its caller. */
const checkAssertion = (
  assertion: Read,
  request: { id: string },
  provider: Provider,
  own: OwnAddresses,
): void => {
  if (assertion.$?.Version !== '2.0') refuse('The assertion is not of SAML 2.0.')
  const issuers = childrenOf(assertion, 'Issuer')
  if (issuers.length !== 1 || issuers[0]!._?.trim() !== provider.entity_id)
    refuse(`The assertion comes from ${issuers[0]?._ ?? 'nobody'}.`)
  const subjects = childrenOf(assertion, 'Subject')
  const confirmations = childrenOf(subjects[0], 'SubjectConfirmation')
  if (subjects.length !== 1 || confirmations.length !== 1 || confirmations[0]!.$?.Method !== bearer)
    refuse('The assertion does not confirm one person to whoever bears it.')
  if (childrenOf(subjects[0], 'NameID').length !== 1) refuse('The assertion has not exactly one NameID.')
  const data = childrenOf(confirmations[0], 'SubjectConfirmationData')[0]?.$ ?? {}
  if (data.InResponseTo !== request.id) refuse('The assertion belongs to another request.')
  if (data.Recipient !== own.acsUrl) refuse(`The assertion was meant for ${data.Recipient ?? 'anybody'}.`)
  if (!data.NotOnOrAfter) refuse('The assertion has no end.')
  const statements = childrenOf(assertion, 'AuthnStatement')
  if (statements.length === 0) refuse('The assertion does not say that anybody signed in.')
  const sessionEnd = statements[0]!.$?.SessionNotOnOrAfter
  if (sessionEnd && !(Date.parse(sessionEnd) + skewMs > Date.now()))
    throw new AnswerRefused('expired', 'The session at the provider has ended.')
}

const addressOf = (profile: Profile, nameId: string): string => {
  const attributes = (profile as { attributes?: Record<string, unknown> }).attributes ?? {}
  const told = addressAttributes.map((name) => attributes[name]).find((value) => value !== undefined)
  // A name of another kind may look like an address and belong to nobody's mailbox.
  const address = profile.nameIDFormat === addressFormat ? nameId : told
  return typeof address === 'string' && /^[^\s@]+@[^\s@]+$/.test(address.trim()) ? address.trim() : ''
}

/**
 * Proves an answer: signed by the provider, whole, in time, for this installation, for this request. Takes the person's name
 * from nothing but the signed part.
 *
 * @throws AnswerRefused
 */
export const verifyAnswer = async (
  samlResponse: string | undefined,
  request: { id: string; createdAt: string },
  provider: Provider,
  own: OwnAddresses,
): Promise<Claim> => {
  const { xml, response } = readXml(samlResponse)
  checkOutside(response, provider, own)
  let profile: Profile | null
  try {
    const answer = { SAMLResponse: Buffer.from(xml).toString('base64') }
    profile = (await (await samlFor(provider, own, request)).validatePostResponseAsync(answer)).profile
  } catch (error) {
    const { message } = error as Error
    throw new AnswerRefused(
      /expired|not yet valid|too old|No valid subject confirmation/.test(message) ? 'expired' : 'invalid',
      message,
    )
  }
  const assertion = (profile?.getAssertion?.() as { Assertion?: Read } | undefined)?.Assertion
  if (!profile || !assertion) return refuse('There is no assertion in the answer.')
  checkAssertion(assertion, request, provider, own)
  const nameId = (profile.nameID ?? '').normalize('NFC').trim()
  if (nameId === '' || nameId.length > longestName) refuse('The assertion names no one.')
  return {
    nameId,
    email: addressOf(profile, nameId),
    sessionIndex: (profile.sessionIndex ?? '').slice(0, longestName),
  }
}
