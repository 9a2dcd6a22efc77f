import { isLtiPage, type LtiPage } from '#contract/connections/lti-rules.ts'
import { isObject } from '#contract/core/is-object.ts'
import { OpenIdRefused } from './openid.service.ts'

const names = 'https://purl.imsglobal.org/spec/lti/claim'
const linking = 'https://purl.imsglobal.org/spec/lti-dl/claim'
const rosters = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'

/** What a platform asks for when an instructor chooses links. */
export interface DeepLinkRequest {
  returnUrl: string
  /** Sent back as it came. */
  data: string | null
  acceptsMultiple: boolean
}

/** The course that a launch came from, with the address of its roster. */
export interface LaunchCourse {
  contextId: string
  title: string
  membershipsUrl: string
}

/** What a proven launch says. */
export interface Launch {
  subject: string
  deploymentId: string
  /** The page of the link, where it names one. */
  page: LtiPage | undefined
  deepLink: DeepLinkRequest | undefined
  course: LaunchCourse | undefined
}

const refuse = (message: string): never => {
  throw new OpenIdRefused('invalid', message.slice(0, 300))
}

/** A value where it is an object, else an empty one. */
export const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

/** A value where it is a text that is not empty and not longer. */
export const textOf = (value: unknown, longest: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined

/** A platform's web address: the browser goes there with what we say. */
export const webAddress = (value: unknown): string | undefined => {
  const text = textOf(value, 2_000)
  const url = text === undefined ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? text : undefined
}

/** The page that a link leads to: by its own parameter, or by the address of its target. */
const pageOf = (custom: Record<string, unknown>, target: URL): LtiPage | undefined => {
  if (isLtiPage(custom.page)) return custom.page
  const named = target.searchParams.get('page')
  if (isLtiPage(named)) return named
  const last = target.pathname.split('/').filter(Boolean).at(-1)
  return isLtiPage(last) ? last : undefined
}

const readDeepLink = (payload: Record<string, unknown>): DeepLinkRequest => {
  const settings = objectOf(payload[`${linking}/deep_linking_settings`])
  const returnUrl = webAddress(settings.deep_link_return_url)
  if (returnUrl === undefined) return refuse('The request for links has no address to return to.')
  const types: unknown = settings.accept_types
  if (Array.isArray(types) && !types.includes('ltiResourceLink'))
    return refuse('The platform takes no links to this tool in this place.')
  return {
    returnUrl,
    data: textOf(settings.data, 20_000) ?? null,
    // Where it does not say, one is what every platform takes.
    acceptsMultiple: settings.accept_multiple === true,
  }
}

const readCourse = (payload: Record<string, unknown>): LaunchCourse | undefined => {
  const context = objectOf(payload[`${names}/context`])
  const contextId = textOf(context.id, 255)
  const membershipsUrl = webAddress(objectOf(payload[rosters]).context_memberships_url)
  if (contextId === undefined || membershipsUrl === undefined) return undefined
  const title = textOf(context.title, 500) ?? textOf(context.label, 500) ?? contextId
  return { contextId, title, membershipsUrl }
}

/**
 * Reads what an ID token says of a launch. Its signature, issuer, audience, times and nonce have been checked.
 *
 * @throws OpenIdRefused `invalid`
 */
export const readLaunch = (
  payload: Record<string, unknown>,
  { deployments, own }: { deployments: readonly string[]; own: string },
): Launch => {
  const messageType = payload[`${names}/message_type`]
  if (messageType !== 'LtiResourceLinkRequest' && messageType !== 'LtiDeepLinkingRequest')
    return refuse(`The launch is of the type ${String(messageType).slice(0, 60)}, which is not known.`)
  if (payload[`${names}/version`] !== '1.3.0')
    return refuse(
      `The launch is of the version ${String(payload[`${names}/version`]).slice(0, 20)}, not 1.3.0.`,
    )
  const deploymentId = textOf(payload[`${names}/deployment_id`], 255)
  if (deploymentId === undefined) return refuse('The launch names no deployment.')
  if (!deployments.includes(deploymentId))
    return refuse(`The deployment ${deploymentId} is not listed in this connection.`)
  const subject = textOf(payload.sub, 255)
  if (subject === undefined || subject.trim() === '') return refuse('The launch names no one.')
  const told = textOf(payload[`${names}/target_link_uri`], 2_000)
  const target = told === undefined ? null : URL.parse(told)
  if (!target) return refuse('The launch has no target.')
  const home = new URL(own)
  if (target.origin !== home.origin || !target.pathname.startsWith(home.pathname))
    return refuse(`The launch is meant for ${target.host}${target.pathname}.`)
  const isDeepLink = messageType === 'LtiDeepLinkingRequest'
  if (!isDeepLink && textOf(objectOf(payload[`${names}/resource_link`]).id, 255) === undefined)
    return refuse('The launch names no link.')
  if (!Array.isArray(payload[`${names}/roles`])) return refuse('The launch names no roles.')
  return {
    subject,
    deploymentId,
    page: pageOf(objectOf(payload[`${names}/custom`]), target),
    deepLink: isDeepLink ? readDeepLink(payload) : undefined,
    course: readCourse(payload),
  }
}

/** The claims of an answer to a request for links, beside those of every token. */
export const deepLinkClaims = (
  answer: { deploymentId: string; data: string | null },
  items: readonly object[],
): Record<string, unknown> => ({
  [`${names}/message_type`]: 'LtiDeepLinkingResponse',
  [`${names}/version`]: '1.3.0',
  [`${names}/deployment_id`]: answer.deploymentId,
  [`${linking}/content_items`]: items,
  ...(answer.data !== null && { [`${linking}/data`]: answer.data }),
})
