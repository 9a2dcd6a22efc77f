import { OutsideError, readAddress } from '#server/core/runtime/outside.ts'
import { objectOf, textOf } from './lti.rules.ts'
import { OpenIdRefused } from './openid.service.ts'

const platformPart = 'https://purl.imsglobal.org/spec/lti-platform-configuration'
const toolPart = 'https://purl.imsglobal.org/spec/lti-tool-configuration'

/** What a platform tells of itself, as far as it is used. */
export interface PlatformConfiguration {
  issuer: string
  authUrl: string
  keysUrl: string
  /** '' where it gives no access to rosters. */
  tokenUrl: string
  tokenAudience: string
  registrationUrl: string
  /** Which product it is, such as `moodle`; '' where it does not say. */
  family: string
  /** The messages that it sends, each with the places where it may put them. */
  messages: { type: string; placements: string[] }[]
}

/** What it answers to a registration. */
export interface RegistrationAnswer {
  clientId: string
  /** Undefined where it deploys the tool later. */
  deploymentId: string | undefined
}

const refuse = (message: string): never => {
  throw new OpenIdRefused('invalid', message.slice(0, 300))
}

/** Hosts that Instructure’s cloud gives its configurations from, with the host of the issuer in them. */
const canvasIssuers: Readonly<Record<string, string>> = {
  'sso.canvaslms.com': 'canvas.instructure.com',
  'sso.beta.canvaslms.com': 'canvas.beta.instructure.com',
  'sso.test.canvaslms.com': 'canvas.test.instructure.com',
}

/** An address of a configuration. Whether its host may be called is checked when it is. */
const addressOf = (
  configuration: Record<string, unknown>,
  name: string,
  { allowed, longest = 2_000 }: { allowed: readonly string[]; longest?: number },
): string => {
  const text = textOf(configuration[name], longest)
  if (text === undefined) return refuse(`The configuration of the platform has no ${name}.`)
  try {
    return readAddress(text, allowed) && text
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    return refuse(`${name} in the configuration of the platform cannot be used. ${error.message}`)
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, 200).flatMap((each) => textOf(each, 200) ?? []) : []

/**
 * Reads what a platform tells of itself. The issuer must be at the host that the configuration came from (LTI Dynamic Registration
 * asks for it): else anybody could register in the name of another platform.
 *
 * @throws OpenIdRefused `invalid`
 */
export const readPlatform = (
  configuration: Record<string, unknown>,
  from: URL,
  allowed: readonly string[],
): PlatformConfiguration => {
  const issuer = addressOf(configuration, 'issuer', { allowed, longest: 1024 })
  const { host, search } = new URL(issuer)
  if (search !== '') return refuse('The issuer of the platform may hold no “?”.')
  if (host !== (canvasIssuers[from.host] ?? from.host))
    return refuse(`The configuration came from ${from.host}, but its issuer is ${issuer}.`)
  const platform = objectOf(configuration[platformPart])
  const told: unknown[] = Array.isArray(platform.messages_supported) ? platform.messages_supported : []
  if (!told.some((message) => objectOf(message).type === 'LtiResourceLinkRequest'))
    return refuse(`${from.host} does not say that it launches tools by LTI 1.3.`)
  return {
    issuer,
    authUrl: addressOf(configuration, 'authorization_endpoint', { allowed }),
    keysUrl: addressOf(configuration, 'jwks_uri', { allowed }),
    tokenUrl:
      configuration.token_endpoint === undefined
        ? ''
        : addressOf(configuration, 'token_endpoint', { allowed }),
    tokenAudience: textOf(configuration.authorization_server, 2_000) ?? '',
    registrationUrl: addressOf(configuration, 'registration_endpoint', { allowed }),
    family: textOf(platform.product_family_code, 100) ?? '',
    messages: told.slice(0, 50).map((message) => {
      const { type, placements } = objectOf(message)
      return { type: textOf(type, 100) ?? '', placements: textsOf(placements) }
    }),
  }
}

/** Where each message may be placed, by the names that platforms give such places. */
const wantedPlacements: Readonly<Record<string, readonly string[]>> = {
  LtiResourceLinkRequest: ['course_navigation'],
  LtiDeepLinkingRequest: ['ContentArea', 'link_selection', 'assignment_selection'],
}

/** What this installation registers: its addresses, and the two messages as far as the platform sends them. */
export const toolRegistration = (
  own: { home: string; login: string; launch: string; keys: string; scope: string },
  platform: PlatformConfiguration,
): Record<string, unknown> => {
  const messageOf = (type: string) =>
    platform.messages
      .filter((message) => message.type === type)
      .slice(0, 1)
      .map(({ placements }) => {
        const wanted = wantedPlacements[type]?.filter((placement) => placements.includes(placement)) ?? []
        return {
          type,
          target_link_uri: own.launch,
          label: 'Practicum',
          ...(wanted.length > 0 && { placements: wanted }),
        }
      })
  return {
    application_type: 'web',
    response_types: ['id_token'],
    grant_types: ['implicit', 'client_credentials'],
    initiate_login_uri: own.login,
    redirect_uris: [own.launch],
    client_name: 'Practicum',
    client_uri: own.home,
    jwks_uri: own.keys,
    token_endpoint_auth_method: 'private_key_jwt',
    scope: own.scope,
    [toolPart]: {
      domain: new URL(own.home).host,
      target_link_uri: own.launch,
      description: 'Schedule, clock and evaluations of clinical education',
      // Links carry their page in a parameter of their own; the tool as a whole needs none.
      custom_parameters: {},
      // Launches need the first two; some platforms give rosters no more than was asked for here.
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name', 'email'],
      ...(platform.family === 'canvas' && { 'https://canvas.instructure.com/lti/privacy_level': 'public' }),
      messages: [...messageOf('LtiResourceLinkRequest'), ...messageOf('LtiDeepLinkingRequest')],
    },
  }
}

/**
 * Reads the answer to a registration.
 *
 * @throws OpenIdRefused `invalid`
 */
export const readRegistration = (answer: Record<string, unknown>): RegistrationAnswer => {
  const clientId = textOf(answer.client_id, 255)
  if (clientId === undefined || clientId.trim() !== clientId)
    return refuse('The platform answered the registration without a client ID.')
  const deployment: unknown = objectOf(answer[toolPart]).deployment_id ?? answer.deployment_id
  // Some platforms number their deployments.
  const deploymentId = textOf(typeof deployment === 'number' ? String(deployment) : deployment, 255)
  return { clientId, deploymentId }
}
