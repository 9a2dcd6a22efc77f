import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { makeCertificate } from '#server/core/auth/certificates.ts'

const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

export const makeKeys = (bits = 2048) => generateKeyPairSync('rsa', { modulusLength: bits })

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const at = (offsetSeconds: number): string => new Date(Date.now() + offsetSeconds * 1000).toISOString()

/** What a response says; everything has its right value unless given. */
export interface Saying {
  nameId?: string
  /** How the provider calls the session. */
  sessionIndex?: string
  /** The text of NameID as it is in the XML. */
  rawNameId?: string
  format?: string
  attributes?: Record<string, string | string[]>
  audience?: string
  recipient?: string
  destination?: string
  issuer?: string
  inResponseTo?: string
  status?: string
  /** Seconds from now. */
  notBefore?: number
  notOnOrAfter?: number
  issueInstant?: number
  /** What is signed; the assertion unless given. */
  signs?: 'assertion' | 'response' | 'nothing'
  signatureAlgorithm?: string
  digestAlgorithm?: string
  canonicalization?: string
  /** Leaves out a part of the assertion. */
  without?: readonly (
    | 'Conditions'
    | 'AudienceRestriction'
    | 'AuthnStatement'
    | 'InResponseTo'
    | 'NotOnOrAfter'
  )[]
  /** Changes the XML before it is signed, or afterwards. */
  before?: (xml: string) => string
  after?: (xml: string) => string
}

/** A request as a provider reads it from the address that the browser was sent to. */
export interface ReadRequest {
  id: string
  acsUrl: string
  issuer: string
  destination: string
  xml: string
}

export const readRequest = (address: string): ReadRequest => {
  const url = new URL(address)
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest')!, 'base64')).toString('utf8')
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
  return {
    id: attribute(' ID'),
    acsUrl: attribute('AssertionConsumerServiceURL'),
    destination: attribute('Destination'),
    issuer: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
    xml,
  }
}

/** An identity provider with its own key that says whatever a test wants it to say. */
export const makeIdentityProvider = (entityId = `https://idp.example/${randomBytes(4).toString('hex')}`) => {
  const keys = makeKeys()
  const certificate = makeCertificate(keys)
  const respond = (request: ReadRequest, saying: Saying): string => {
    const id = () => `_${randomBytes(16).toString('hex')}`
    const missing = new Set(saying.without)
    const issuer = `<saml:Issuer>${escaped(saying.issuer ?? entityId)}</saml:Issuer>`
    const inResponseTo = saying.inResponseTo ?? request.id
    const audience = `<saml:AudienceRestriction><saml:Audience>${escaped(saying.audience ?? request.issuer)}</saml:Audience></saml:AudienceRestriction>`
    const end = at(saying.notOnOrAfter ?? 240)
    const conditions = `<saml:Conditions NotBefore="${at(saying.notBefore ?? -30)}" NotOnOrAfter="${end}">${missing.has('AudienceRestriction') ? '' : audience}</saml:Conditions>`
    const attributes = Object.entries(saying.attributes ?? {})
      .map(
        ([name, value]) =>
          `<saml:Attribute Name="${escaped(name)}">${[value]
            .flat()
            .map((each) => `<saml:AttributeValue>${escaped(each)}</saml:AttributeValue>`)
            .join('')}</saml:Attribute>`,
      )
      .join('')
    const assertionId = id()
    const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="2.0" IssueInstant="${at(saying.issueInstant ?? 0)}">${issuer}<saml:Subject><saml:NameID Format="${saying.format ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'}">${saying.rawNameId ?? escaped(saying.nameId ?? '')}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${missing.has('NotOnOrAfter') ? '' : ` NotOnOrAfter="${end}"`} Recipient="${escaped(saying.recipient ?? request.acsUrl)}"${missing.has('InResponseTo') ? '' : ` InResponseTo="${inResponseTo}"`}/></saml:SubjectConfirmation></saml:Subject>${missing.has('Conditions') ? '' : conditions}${missing.has('AuthnStatement') ? '' : `<saml:AuthnStatement AuthnInstant="${at(0)}"${saying.sessionIndex ? ` SessionIndex="${saying.sessionIndex}"` : ''}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`}${attributes && `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`}</saml:Assertion>`
    const responseId = id()
    const response = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${responseId}" Version="2.0" IssueInstant="${at(0)}" Destination="${escaped(saying.destination ?? request.acsUrl)}" InResponseTo="${inResponseTo}">${issuer}<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${saying.status ?? 'Success'}"/></samlp:Status>${assertion}</samlp:Response>`
    const unsigned = saying.before?.(response) ?? response
    const signs = saying.signs ?? 'assertion'
    const signed =
      signs === 'nothing'
        ? unsigned
        : sign(unsigned, signs === 'assertion' ? 'Assertion' : 'Response', saying)
    return Buffer.from(saying.after?.(signed) ?? signed).toString('base64')
  }
  const sign = (xml: string, name: string, saying: Saying): string => {
    const canonicalization = saying.canonicalization ?? exclusive
    const signature = new SignedXml({
      privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      signatureAlgorithm: (saying.signatureAlgorithm ?? rsaSha256) as never,
      canonicalizationAlgorithm: canonicalization as never,
    })
    const xpath = `//*[local-name(.)='${name}']`
    signature.addReference({
      xpath,
      transforms: [enveloped, canonicalization],
      digestAlgorithm: (saying.digestAlgorithm ?? sha256) as never,
    })
    signature.computeSignature(xml, {
      location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
    })
    return signature.getSignedXml()
  }
  return { entityId, certificate, keys, ssoUrl: 'https://idp.example/sso', respond }
}
export type IdentityProvider = ReturnType<typeof makeIdentityProvider>
