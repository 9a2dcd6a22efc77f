import type { Configuration, CustomFetch } from 'openid-client'
import { unseal } from '#server/core/auth/seal.ts'
import { callOutside, OutsideError } from '#server/core/runtime/outside.ts'
import type { Services } from '#server/core/runtime/services.ts'

/** What is known of an OpenID Connect provider. */
export interface OpenIdProvider {
  id: number
  /** The issuer. */
  entity_id: string
  client_id: string
  /** Sealed for `secretContext`; null for a public client. */
  client_secret: string | null
  subject_claim: string
  /** False for one that was connected while all had one address, until its administrator has entered the own one. */
  has_own_answer: boolean
}

/** A sign-in through OpenID Connect that ends here. The message is for staff and the audit; people get the page of the problem. */
export class OpenIdRefused extends Error {
  override name = 'OpenIdRefused'
  readonly problem: 'invalid' | 'expired' | 'declined' | 'unreachable'
  constructor(problem: OpenIdRefused['problem'], message: string) {
    super(message)
    this.problem = problem
  }
}

/** Under which the client secret of a connection is sealed. */
export const secretContext = (providerId: number): string => `openid client ${providerId}`
/** Under which the verifier of a sign-in on its way is sealed. */
export const verifierContext = (state: string): string => `openid verifier ${state}`

/**
 * Where a provider sends browsers back to: the redirect URI that its administrator enters. Each has its own, so that what one provider
 * answered is never told to another (RFC 9700, 4.4).
 */
const openIdAnswerAddress = (services: Services, { id, has_own_answer }: OpenIdProvider): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/oidc/${has_own_answer ? `${id}/` : ''}answer`

const deadlineMs = 8_000
const maxAnswerBytes = 256 * 1024
const longestSubject = 1024
/** As for SAML: clocks of servers are set by the network, and more is a fault to be fixed there. */
const toleranceSeconds = 60
/** Signatures by a key pair. A secret that both sides know proves nothing here, and `none` nothing at all. */
const algorithms = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/

/** The library comes with the first sign-in of its kind: many installations never have one. */
const library = () => import('openid-client')

/** `fetch` for addresses that a provider tells: by the one guarded way out. */
const outsideFetch =
  (allowed: readonly string[]): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await callOutside(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body: String(body) }),
      deadlineMs,
      maxBytes: maxAnswerBytes,
      allowed,
    })
    const told = answer.headers['content-type']
    return new Response(answer.body === '' ? null : answer.body, {
      status: answer.status,
      headers: told === undefined ? {} : { 'content-type': told },
    })
  }

const known: Record<string, readonly [OpenIdRefused['problem'], string]> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: ['expired', 'The ID token is out of time: a clock may be wrong.'],
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: ['invalid', 'The ID token is not for this sign-in'],
  OAUTH_KEY_SELECTION_FAILED: ['invalid', 'The ID token is signed by no key of the provider.'],
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: [
    'invalid',
    'The provider’s description is of another issuer than the one entered.',
  ],
  OAUTH_RESPONSE_IS_NOT_CONFORM: ['unreachable', 'The provider’s answer is not the one of OpenID Connect.'],
  OAUTH_RESPONSE_IS_NOT_JSON: ['unreachable', 'The provider’s answer is not JSON.'],
}
const tokenErrors: Record<string, readonly [OpenIdRefused['problem'], string]> = {
  invalid_grant: ['expired', 'The provider says that the code has expired or was used.'],
  invalid_client: ['invalid', 'The provider does not know the client ID, or the client secret is wrong.'],
  unauthorized_client: ['invalid', 'The provider does not let this client sign people in.'],
}

/** Every failure of the library in words, with what happened outside where that is behind it. */
export const explainOpenId = (error: unknown): OpenIdRefused => {
  let code = ''
  let message = ''
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof OpenIdRefused) return at
    if (at instanceof OutsideError) return new OpenIdRefused('unreachable', at.message)
    const said = at as Error & { code?: unknown; error?: unknown; error_description?: unknown }
    if (typeof said.error === 'string') {
      const [problem, words] = tokenErrors[said.error] ?? [
        said.code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' ? 'declined' : 'invalid',
        'The provider refused.',
      ]
      const more = typeof said.error_description === 'string' ? `, ${said.error_description}` : ''
      return new OpenIdRefused(problem, `${words} (${said.error}${more})`.slice(0, 300))
    }
    if (typeof said.code === 'string' && known[said.code]) code = said.code
    message = at.message
  }
  const [problem, words] = known[code] ?? ['invalid', 'The provider’s answer could not be proven.']
  return new OpenIdRefused(problem, `${words} (${message})`.slice(0, 300))
}

interface Kept {
  made: Promise<Configuration>
  until: number
}
/** Descriptions of providers, for some minutes: each sign-in would ask for them, and a whole class signs in at once. */
const descriptions = new Map<string, Kept>()
const keptMs = 5 * 60_000
const mostKept = 500

const describe = async (services: Services, provider: OpenIdProvider): Promise<Configuration> => {
  const { webhookAllow, secretKey } = services.config
  const client = await library()
  const secret =
    provider.client_secret === null
      ? undefined
      : unseal(secretKey, secretContext(provider.id), provider.client_secret)
  const config = await client.discovery(
    new URL(provider.entity_id),
    provider.client_id,
    { [client.clockTolerance]: toleranceSeconds },
    secret === undefined
      ? client.None()
      : (server, of, body, headers) => {
          const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
          const way = ways.includes('client_secret_basic')
            ? client.ClientSecretBasic
            : client.ClientSecretPost
          return way(secret)(server, of, body, headers)
        },
    {
      [client.customFetch]: outsideFetch(webhookAllow),
      // Without TLS only where the operator lists networks: the way out refuses every other such address.
      execute: [
        ...(webhookAllow.length > 0 ? [client.allowInsecureRequests] : []),
        client.enableNonRepudiationChecks,
      ],
    },
  )
  return config
}

/** A provider's description, read within the last minutes unless `isFresh` asks for it anew. */
const configurationOf = async (
  services: Services,
  provider: OpenIdProvider,
  isFresh = false,
): Promise<Configuration> => {
  const { id, entity_id, client_id, client_secret } = provider
  const key = JSON.stringify([services.publicUrl(), id, entity_id, client_id, client_secret])
  const found = descriptions.get(key)
  if (found && found.until > performance.now() && !isFresh) return found.made
  if (descriptions.size >= mostKept) descriptions.clear()
  const made = describe(services, provider)
  descriptions.set(key, { made, until: performance.now() + keptMs })
  try {
    return await made
  } catch (error) {
    descriptions.delete(key)
    throw explainOpenId(error)
  }
}

/** What a sign-in keeps between its beginning and its answer. */
export interface Pending {
  state: string
  nonce: string
  verifier: string
}

/**
 * Begins a sign-in: the provider's address to send the browser to, and what to keep until it comes back.
 *
 * @throws OpenIdRefused `unreachable` or `invalid` when the provider's description cannot be read
 */
export const beginOpenId = async (
  services: Services,
  provider: OpenIdProvider,
): Promise<Pending & { address: string }> => {
  const client = await library()
  const config = await configurationOf(services, provider)
  const pending = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: openIdAnswerAddress(services, provider),
    scope: 'openid email profile',
    response_type: 'code',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  })
  return { ...pending, address: address.href }
}

/**
 * Exchanges the code that a browser brought for an ID token, proves the token, and answers how the provider names the person. The
 * email address is not asked: an address belongs to nobody for good.
 *
 * @throws OpenIdRefused
 */
export const finishOpenId = async (
  services: Services,
  provider: OpenIdProvider,
  { state, nonce, verifier }: Pending,
  query: Record<string, string>,
): Promise<string> => {
  const client = await library()
  const config = await configurationOf(services, provider)
  const address = new URL(openIdAnswerAddress(services, provider))
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  try {
    const tokens = await client.authorizationCodeGrant(config, address, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const [header = ''] = (tokens.id_token ?? '').split('.')
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { alg?: unknown }
    if (typeof alg !== 'string' || !algorithms.test(alg))
      throw new OpenIdRefused('invalid', `The ID token is signed by ${String(alg).slice(0, 20)}.`)
    const subject = tokens.claims()?.[provider.subject_claim]
    if (typeof subject !== 'string' || subject.trim() === '' || subject.length > longestSubject)
      throw new OpenIdRefused('invalid', `The ID token names no one by ${provider.subject_claim}.`)
    return subject
  } catch (error) {
    throw explainOpenId(error)
  }
}

/** A step of a test, in the order in which they are made. */
export interface TestStep {
  name: 'description' | 'keys' | 'client'
  isOk: boolean
  detail: string
}

/** Tries a provider: reads its description and its keys, and asks the token endpoint with a code that cannot be right. */
export const tryOpenId = async (services: Services, provider: OpenIdProvider): Promise<TestStep[]> => {
  const client = await library()
  const steps: TestStep[] = []
  const step = async (name: TestStep['name'], work: () => Promise<string>): Promise<boolean> => {
    try {
      steps.push({ name, isOk: true, detail: await work() })
      return true
    } catch (error) {
      steps.push({ name, isOk: false, detail: explainOpenId(error).message })
      return false
    }
  }
  let config: Configuration | undefined
  const isDescribed = await step('description', async () => {
    config = await configurationOf(services, provider, true)
    return `${config.serverMetadata().issuer} sends browsers to ${config.serverMetadata().authorization_endpoint ?? '?'}`
  })
  if (!isDescribed || !config) return steps
  const server = config.serverMetadata()
  const { webhookAllow } = services.config
  await step('keys', async () => {
    if (!server.jwks_uri) throw new OpenIdRefused('invalid', 'The description names no keys.')
    const call = { deadlineMs, maxBytes: maxAnswerBytes, allowed: webhookAllow }
    const { body } = await callOutside(server.jwks_uri, call)
    const { keys } = JSON.parse(body) as { keys: { kid?: string }[] }
    if (keys.length === 0) throw new OpenIdRefused('invalid', 'The provider has no keys.')
    return keys
      .map(({ kid = '?' }) => kid)
      .join(', ')
      .slice(0, 300)
  })
  await step('client', async () => {
    const made = config
    if (!made) return ''
    try {
      const address = new URL(`${openIdAnswerAddress(services, provider)}?code=test-of-the-connection`)
      if (server.authorization_response_iss_parameter_supported)
        address.searchParams.set('iss', server.issuer)
      await client.authorizationCodeGrant(made, address, {
        pkceCodeVerifier: client.randomPKCECodeVerifier(),
      })
    } catch (error) {
      const { message } = explainOpenId(error)
      // A client that is known is told that its code is wrong.
      if (!/\(invalid_grant/.test(message)) throw error
    }
    return provider.client_id
  })
  return steps
}
