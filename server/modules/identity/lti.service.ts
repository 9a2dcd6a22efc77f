import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { isLtiPage, type LtiPage, pageOfLtiLink } from '#contract/connections/lti-rules.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import { newToken } from '#server/core/auth/session.ts'
import { transaction } from '#server/core/database/pool.ts'
import { packageOnDemand } from '#server/core/runtime/on-demand.ts'
import { callOutside, OutsideError } from '#server/core/runtime/outside.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { nobody } from './college-answers.service.ts'
import { insertToolKey } from './lti.commands.ts'
import { type LtiPlatform, listToolKeys, type ToolKey } from './lti.queries.ts'
import { deepLinkClaims, type Launch, readLaunch } from './lti.rules.ts'
import { OpenIdRefused } from './openid.service.ts'

export type { LtiPlatform } from './lti.queries.ts'
export { OpenIdRefused as LtiRefused } from './openid.service.ts'

const jose = packageOnDemand<typeof import('jose')>('jose')

const deadlineMs = 8_000
const maxAnswerBytes = 256 * 1024
const longestToken = 64 * 1024
/** As for SAML and OpenID Connect. */
const toleranceSeconds = 60
/** Browsers bring the token at once. */
const maxAgeSeconds = 5 * 60
/** Signatures by a key pair: a secret that both sides know proves nothing here. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']
const ownAlgorithm = 'RS256'

/** Where platforms find this installation, by their paths below `{root}/new`. */
export const ltiPaths = {
  login: 'lti/login',
  launch: 'lti/launch',
  keys: 'lti/jwks',
} as const

/** The address of one of them. */
export const ltiAddress = (services: Services, path: keyof typeof ltiPaths): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/${ltiPaths[path]}`

/** Every failure in words, with what happened outside where that is behind it. */
export const explainLti = (error: unknown): OpenIdRefused => {
  if (error instanceof OpenIdRefused) return error
  if (error instanceof OutsideError) return new OpenIdRefused('unreachable', error.message)
  if (error instanceof jose().errors.JWTExpired)
    return new OpenIdRefused('expired', 'The ID token is out of time: a clock may be wrong.')
  if (error instanceof jose().errors.JWTClaimValidationFailed)
    return new OpenIdRefused(
      ['nbf', 'iat'].includes(error.claim) && error.reason === 'check_failed' ? 'expired' : 'invalid',
      `The ID token is not for this launch (${error.message}).`,
    )
  if (
    error instanceof jose().errors.JWKSNoMatchingKey ||
    error instanceof jose().errors.JWKSMultipleMatchingKeys
  )
    return new OpenIdRefused('invalid', 'The ID token is signed by no key of the platform.')
  if (error instanceof jose().errors.JOSEError)
    return new OpenIdRefused('invalid', `The ID token could not be proven (${error.message}).`.slice(0, 300))
  throw error
}

interface KeptKeys {
  read: Promise<JWTVerifyGetKey>
  until: number
}
/** Key sets of platforms, for some minutes: a whole class launches at once. */
const keySets = new Map<string, KeptKeys>()
/** When a set was read anew for a key that was not in it. */
const rereads = new Map<string, number[]>()
const keptMs = 5 * 60_000
const mostKept = 500
/** Whoever sends tokens of unknown keys makes us ask the platform no more often than this in a minute. */
const mostRereads = 6

const readKeySet = async (services: Services, url: string): Promise<JSONWebKeySet> => {
  const { body, status } = await callOutside(url, {
    headers: { accept: 'application/json' },
    deadlineMs,
    maxBytes: maxAnswerBytes,
    allowed: services.config.webhookAllow,
  })
  if (status !== 200) throw new OpenIdRefused('unreachable', `The key set answered ${status}.`)
  let found: unknown
  try {
    found = JSON.parse(body)
  } catch {
    throw new OpenIdRefused('unreachable', 'The key set is not JSON.')
  }
  const { keys } = (found ?? {}) as Partial<JSONWebKeySet>
  if (!Array.isArray(keys) || keys.length === 0)
    throw new OpenIdRefused('unreachable', 'There are no keys in the key set.')
  return { keys }
}

const keySetOf = async (services: Services, url: string, isFresh = false): Promise<JWTVerifyGetKey> => {
  const found = keySets.get(url)
  if (found && found.until > performance.now() && !isFresh) return found.read
  if (keySets.size >= mostKept) keySets.clear()
  const read = readKeySet(services, url).then((set) => jose().createLocalJWKSet(set))
  keySets.set(url, { read, until: performance.now() + keptMs })
  try {
    return await read
  } catch (error) {
    keySets.delete(url)
    throw error
  }
}

const mayReread = (url: string): boolean => {
  const now = performance.now()
  const recent = (rereads.get(url) ?? []).filter((at) => at > now - 60_000)
  if (recent.length >= mostRereads) return false
  if (rereads.size >= mostKept) rereads.clear()
  rereads.set(url, [...recent, now])
  return true
}

const proveToken = async (services: Services, platform: LtiPlatform, token: string): Promise<JWTPayload> => {
  const prove = async (keys: JWTVerifyGetKey): Promise<JWTPayload> =>
    (
      await jose().jwtVerify(token, keys, {
        algorithms,
        issuer: platform.entity_id,
        audience: platform.client_id,
        clockTolerance: toleranceSeconds,
        maxTokenAge: maxAgeSeconds,
        requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      })
    ).payload
  try {
    return await prove(await keySetOf(services, platform.keys_url))
  } catch (error) {
    // The platform may have changed its keys meanwhile.
    if (!(error instanceof jose().errors.JWKSNoMatchingKey) || !mayReread(platform.keys_url)) throw error
    return prove(await keySetOf(services, platform.keys_url, true))
  }
}

/**
 * Proves the ID token of a launch: signed by a key of the platform, for this client, in time, for this sign-in. Answers what it says.
 *
 * @throws OpenIdRefused
 */
export const proveLaunch = async (
  services: Services,
  platform: LtiPlatform,
  { token, nonce }: { token: string; nonce: string },
): Promise<Launch> => {
  try {
    if (token === '' || token.length > longestToken)
      throw new OpenIdRefused('invalid', 'There is no ID token in the form.')
    const payload = await proveToken(services, platform, token)
    if (payload.nonce !== nonce) throw new OpenIdRefused('invalid', 'The ID token is of another sign-in.')
    const isForMore = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((payload.azp !== undefined || isForMore) && payload.azp !== platform.client_id)
      throw new OpenIdRefused('invalid', 'The ID token was made for another client.')
    const own = `${services.publicUrl()}${services.config.appRoot}/new`
    return readLaunch(payload, { deployments: platform.deployments, own })
  } catch (error) {
    throw explainLti(error)
  }
}

/** Whose private key is sealed. */
export const ltiKeyContext = (kid: string): string => `lti key ${kid}`

/** A new pair of keys, the private one sealed. */
export const newToolKey = async (
  services: Services,
): Promise<{ kid: string; publicJwk: ToolKey['public_jwk']; sealedPrivate: string }> => {
  const { publicKey, privateKey } = await jose().generateKeyPair(ownAlgorithm, {
    extractable: true,
    modulusLength: 2048,
  })
  const jwk = await jose().exportJWK(publicKey)
  const kid = await jose().calculateJwkThumbprint(jwk)
  return {
    kid,
    publicJwk: { ...jwk, kid, alg: ownAlgorithm, use: 'sig' },
    sealedPrivate: seal(services.config.secretKey, ltiKeyContext(kid), await jose().exportPKCS8(privateKey)),
  }
}

/** The keys of this installation, newest first. The first is made when somebody asks for them. */
export const getToolKeys = async (services: Services): Promise<ToolKey[]> => {
  const read = () => transaction(services.transactions, nobody, listToolKeys)
  const known = await read()
  if (known.length > 0) return known
  const made = await newToolKey(services)
  await transaction(services.transactions, nobody, (db) => insertToolKey(db, made, true))
  return read()
}

/** Signs something for a platform, valid for five minutes. */
export const signForPlatform = async (
  services: Services,
  claims: Record<string, unknown>,
  { issuer, audience, subject }: { issuer: string; audience: string; subject?: string },
): Promise<string> => {
  const keys = await getToolKeys(services)
  const key = keys.find(({ is_proven }) => is_proven) ?? keys.at(-1)
  if (!key) throw new Error('There is no key to sign with.')
  const { kid, sealed_private } = key
  const secret = await jose().importPKCS8(
    unseal(services.config.secretKey, ltiKeyContext(kid), sealed_private),
    ownAlgorithm,
  )
  const token = new (jose().SignJWT)({ ...claims, nonce: newToken() })
    .setProtectedHeader({ alg: ownAlgorithm, typ: 'JWT', kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(newToken())
    .setIssuedAt()
    .setExpirationTime('5m')
  if (subject !== undefined) token.setSubject(subject)
  return token.sign(secret)
}

/** For reading rosters, and no more. */
export const rosterScope = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly'

/**
 * Asks a platform for access by a signed assertion (client credentials).
 *
 * @throws OpenIdRefused
 */
export const askAccess = async (
  services: Services,
  platform: LtiPlatform,
  scope: string,
): Promise<string> => {
  try {
    const assertion = await signForPlatform(
      services,
      {},
      {
        issuer: platform.client_id,
        subject: platform.client_id,
        audience: platform.token_audience || platform.token_url,
      },
    )
    const { status, body } = await callOutside(platform.token_url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
        scope,
      }).toString(),
      deadlineMs,
      maxBytes: maxAnswerBytes,
      allowed: services.config.webhookAllow,
    })
    const answer = parseObject(body)
    if (status === 200 && typeof answer?.access_token === 'string') return answer.access_token
    const said = [answer?.error, answer?.error_description].filter((part) => typeof part === 'string')
    throw new OpenIdRefused(
      'invalid',
      `The platform gave no access (${said.length > 0 ? said.join(', ') : `status ${status}`}).`.slice(
        0,
        300,
      ),
    )
  } catch (error) {
    throw explainLti(error)
  }
}

/** An answer’s JSON where it is an object. */
export const parseObject = (body: string): Record<string, unknown> | undefined => {
  try {
    const found: unknown = JSON.parse(body)
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A step of a test, in the order in which they are made. */
export interface LtiTestStep {
  name: 'keys' | 'access'
  isOk: boolean
  detail: string
}

/** Tries a platform: reads its key set, and asks for access to rosters where an address for that is entered. */
export const tryLti = async (services: Services, platform: LtiPlatform): Promise<LtiTestStep[]> => {
  const steps: LtiTestStep[] = []
  const step = async (name: LtiTestStep['name'], work: () => Promise<string>): Promise<void> => {
    try {
      steps.push({ name, isOk: true, detail: await work() })
    } catch (error) {
      steps.push({ name, isOk: false, detail: explainLti(error).message })
    }
  }
  await step('keys', async () => {
    keySets.delete(platform.keys_url)
    const { keys } = await readKeySet(services, platform.keys_url)
    return keys
      .map(({ kid = '?' }) => kid)
      .join(', ')
      .slice(0, 300)
  })
  if (platform.token_url)
    await step('access', async () => {
      await askAccess(services, platform, rosterScope)
      return platform.client_id
    })
  return steps
}

const pageNames = { schedule: 'Schedule', clock: 'Clock', evaluations: 'Evaluations' } as const

/** A page as a link that an instructor places in a course. */
const contentItem = (services: Services, name: LtiPage) => ({
  type: 'ltiResourceLink',
  title: `Practicum: ${pageNames[name]}`,
  url: `${ltiAddress(services, 'launch')}?page=${name}`,
  custom: { page: name },
  window: { targetName: '_blank' },
})

/** The signed answer to a platform’s request for links, which the browser takes back: these pages, or none where nothing was chosen. */
export const signDeepLinks = (
  services: Services,
  platform: LtiPlatform,
  request: { deploymentId: string; data: string | null },
  pages: readonly LtiPage[],
): Promise<string> =>
  signForPlatform(
    services,
    deepLinkClaims(
      request,
      pages.map((name) => contentItem(services, name)),
    ),
    { issuer: platform.client_id, audience: platform.entity_id },
  )

/** The page that a launch or another sign-in of a college wanted, for somebody of a level. */
export const landingOf = ({ config }: Services, wanted: string, level: number): string => {
  if (wanted.startsWith('deep-links/')) return `${config.appRoot}/new/${wanted}`
  const page = wanted.startsWith('lti:') ? wanted.slice('lti:'.length) : ''
  if (!isLtiPage(page)) return wanted
  const path = pageOfLtiLink(page, level)
  return path === undefined ? '' : `${config.appRoot}${path}`
}
