import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { bodyOf } from './openid-provider.ts'
import { makeSigner, type Signing, timesOf } from './signed-tokens.ts'

const lti = 'https://purl.imsglobal.org/spec/lti/claim'
const dl = 'https://purl.imsglobal.org/spec/lti-dl/claim'
const nrps = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'

/** What a launch says and how it is signed; everything has its right value unless given. */
export interface LaunchSaying extends Signing {
  subject?: string
  issuer?: string
  audience?: string | string[]
  nonce?: string
  deployment?: string
  messageType?: string
  version?: string
  target?: string
  roles?: string[]
  custom?: Record<string, unknown>
  context?: { id: string; title: string }
  deepLink?: Record<string, unknown>
  claims?: Record<string, unknown>
  /** Claims that are left out, by their whole or last name. */
  without?: readonly string[]
  after?: (token: string) => string
}

/** A person of a course, as a roster tells. */
export interface RosterPerson {
  user_id: string
  roles?: string[]
  status?: string
  name?: string
  given_name?: string
  family_name?: string
  email?: string
}

/** The parts of a launch that a platform reads from the address that the browser was sent to. */
export const readLaunchRequest = (address: string) => {
  const { searchParams, origin, pathname } = new URL(address)
  const of = (name: string) => searchParams.get(name) ?? ''
  return {
    endpoint: `${origin}${pathname}`,
    state: of('state'),
    nonce: of('nonce'),
    clientId: of('client_id'),
    redirectUri: of('redirect_uri'),
    loginHint: of('login_hint'),
    messageHint: of('lti_message_hint'),
    responseMode: of('response_mode'),
    responseType: of('response_type'),
    prompt: of('prompt'),
    scope: of('scope'),
  }
}
export type LaunchRequest = ReturnType<typeof readLaunchRequest>

const attribute = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;')
const hidden = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${attribute(value)}">`)
    .join('')

/**
 * A learning management system of LTI 1.3 with its own key that says whatever a test wants it to say. It listens on this machine;
 * its pages are at `host`, which may be another name of it, so that the product is on another site for a browser.
 */
export const startLtiPlatform = async ({ clientId = 'practicum-tool', host = '127.0.0.1' } = {}) => {
  let signer = await makeSigner('platform-1')
  const asked: string[] = []
  const rosterCalls: { accept: string; authorization: string }[] = []
  /** Of access tokens, as they came. */
  const assertions: { header: Record<string, unknown>; payload: Record<string, unknown> }[] = []
  const answers = new Map<
    string,
    () => { status?: number; body: unknown; headers?: Record<string, string> }
  >()
  /** Registrations of tools, as they came. */
  const registrations: { authorization: string; body: Record<string, unknown> }[] = []
  /** What a course’s page launches, and what came back. */
  const page: { tool: string; saying: LaunchSaying; returned: Record<string, unknown>[] } = {
    tool: '',
    saying: {},
    returned: [],
  }
  let roster: RosterPerson[] = []
  let pageSize = 1_000
  let elsewhere: string | undefined
  let origin = ''
  /** For calls of servers, which a name of this machine does not lead to. */
  let direct = ''

  const idToken = async (request: LaunchRequest, saying: LaunchSaying): Promise<string> => {
    const context = saying.context ?? { id: 'course-1', title: 'Clinical practice' }
    const isDeepLink = saying.deepLink !== undefined
    const all: Record<string, unknown> = {
      iss: saying.issuer ?? origin,
      sub: saying.subject ?? 'somebody',
      aud: saying.audience ?? clientId,
      nonce: saying.nonce ?? request.nonce,
      ...timesOf(saying),
      [`${lti}/message_type`]:
        saying.messageType ?? (isDeepLink ? 'LtiDeepLinkingRequest' : 'LtiResourceLinkRequest'),
      [`${lti}/version`]: saying.version ?? '1.3.0',
      [`${lti}/deployment_id`]: saying.deployment ?? 'deployment-1',
      [`${lti}/target_link_uri`]: saying.target ?? request.redirectUri,
      [`${lti}/resource_link`]: { id: 'link-1' },
      [`${lti}/roles`]: saying.roles ?? ['http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'],
      [`${lti}/context`]: context,
      ...(saying.custom && { [`${lti}/custom`]: saying.custom }),
      [nrps]: {
        context_memberships_url: `${direct}/courses/${context.id}/memberships`,
        service_versions: ['2.0'],
      },
      ...(isDeepLink && {
        [`${dl}/deep_linking_settings`]: {
          deep_link_return_url: `${origin}/return`,
          accept_types: ['link', 'ltiResourceLink'],
          accept_presentation_document_targets: ['iframe', 'window'],
          accept_multiple: true,
          data: 'what the platform wants back',
          ...saying.deepLink,
        },
      }),
      ...saying.claims,
    }
    const without = saying.without ?? []
    const payload = Object.fromEntries(
      Object.entries(all).filter(
        ([name]) => !without.some((left) => name === left || name.endsWith(`/${left}`)),
      ),
    )
    const token = await signer.sign(payload, saying)
    return saying.after?.(token) ?? token
  }

  /** The tool’s key set, as a platform reads it. */
  const toolKeys = async () => {
    const answer = await fetch(page.tool.replace(/lti\/login$/, 'lti/jwks'))
    return createLocalJWKSet((await answer.json()) as JSONWebKeySet)
  }

  const token = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const form = await bodyOf(request)
    try {
      const { payload, protectedHeader } = await jwtVerify(
        form.get('client_assertion') ?? '',
        await toolKeys(),
        { issuer: clientId, subject: clientId, audience: `${direct}/token`, maxTokenAge: 60 },
      )
      assertions.push({ header: { ...protectedHeader }, payload })
      if (form.get('grant_type') !== 'client_credentials') throw new Error('grant')
    } catch {
      return { status: 400, body: { error: 'invalid_client', error_description: 'no such client' } }
    }
    return {
      status: 200,
      body: {
        access_token: 'an access token',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: form.get('scope'),
      },
    }
  }

  /** What the platform tells of itself to a tool that registers. */
  const configuration = (): Record<string, unknown> => ({
    issuer: origin,
    authorization_endpoint: `${origin}/auth`,
    token_endpoint: `${direct}/token`,
    jwks_uri: `${direct}/jwks`,
    registration_endpoint: `${direct}/registrations`,
    scopes_supported: ['openid'],
    response_types_supported: ['id_token'],
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['public'],
    'https://purl.imsglobal.org/spec/lti-platform-configuration': {
      product_family_code: 'tests',
      version: '1',
      messages_supported: [
        { type: 'LtiResourceLinkRequest', placements: ['course_navigation'] },
        { type: 'LtiDeepLinkingRequest', placements: ['ContentArea', 'somewhere'] },
      ],
    },
  })

  const takeRegistration = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
    const body = JSON.parse(await text(request))
    registrations.push({ authorization: request.headers.authorization ?? '', body })
    return {
      ...body,
      client_id: clientId,
      'https://purl.imsglobal.org/spec/lti-tool-configuration': {
        ...body['https://purl.imsglobal.org/spec/lti-tool-configuration'],
        deployment_id: 'deployment-1',
      },
    }
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    asked.push(pathname)
    const send = ({
      status = 200,
      body,
      headers = {},
    }: {
      status?: number
      body: unknown
      headers?: Record<string, string>
    }) =>
      response
        .writeHead(status, {
          'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
          ...headers,
        })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    const given = answers.get(pathname)
    if (given) return send(given())
    if (/^\/courses\/[^/]+\/memberships$/.test(pathname)) {
      rosterCalls.push({
        accept: request.headers.accept ?? '',
        authorization: request.headers.authorization ?? '',
      })
      const at = Number(searchParams.get('page') ?? 0)
      const members = roster.slice(at * pageSize, (at + 1) * pageSize)
      const isMore = (at + 1) * pageSize < roster.length
      const next = `${elsewhere ?? direct}${pathname}?page=${at + 1}`
      return send({
        body: { id: next, context: { id: 'course-1' }, members },
        headers: isMore
          ? { link: `<${direct}${pathname}?diff=1>; rel="differences", <${next}>; rel="next"` }
          : {},
      })
    }
    switch (pathname) {
      case '/jwks':
        return send({ body: { keys: [signer.jwk] } })
      case '/token':
        return send(await token(request))
      case '/.well-known/openid-configuration':
        return send({ body: configuration() })
      case '/registrations':
        return send({ body: await takeRegistration(request) })
      case '/registering': {
        // Where an administrator has entered the address of a tool: in a frame, until the tool says that it is done.
        const address = new URL(searchParams.get('tool') ?? '')
        address.searchParams.set('openid_configuration', `${origin}/.well-known/openid-configuration`)
        address.searchParams.set('registration_token', 'a registration token')
        return send({
          body: `<title>Tools</title><h1>Tools</h1>
            <iframe src="${attribute(address.href)}" title="Tool" width="700" height="400"></iframe>
            <script>addEventListener('message', ({ data }) => {
              if (data.subject === 'org.imsglobal.lti.close') document.querySelector('h1').textContent = 'The tool is registered'
            })</script>`,
        })
      }
      case '/course':
        // A page of a course, with the tool in its frame.
        return send({
          body: `<title>Course</title><h1>Course</h1>
            <form method="post" target="tool" action="${page.tool}">${hidden({
              iss: origin,
              login_hint: 'the person',
              lti_message_hint: 'the link',
              client_id: clientId,
              lti_deployment_id: 'deployment-1',
              target_link_uri: page.tool.replace('login', 'launch'),
            })}<button>Open the tool</button></form>
            <iframe name="tool" title="Tool" width="700" height="400"></iframe>`,
        })
      case '/auth': {
        const wanted = readLaunchRequest(`${origin}/auth?${searchParams}`)
        const form = hidden({ id_token: await idToken(wanted, page.saying), state: wanted.state })
        return send({
          body: `<title>Signing in</title><form method="post" action="${attribute(wanted.redirectUri)}">${form}</form><script>document.forms[0].submit()</script>`,
        })
      }
      case '/return': {
        const form = await bodyOf(request)
        const { payload } = await jwtVerify(form.get('JWT') ?? '', await toolKeys(), {
          issuer: clientId,
          audience: origin,
        })
        page.returned.push(payload)
        return send({ body: '<title>Course</title><p>The links are in the course.</p>' })
      }
    }
    return send({ status: 404, body: {} })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://${host}:${port}`
  direct = `http://127.0.0.1:${port}`

  return {
    issuer: origin,
    clientId,
    authUrl: `${origin}/auth`,
    keysUrl: `${direct}/jwks`,
    tokenUrl: `${direct}/token`,
    asked,
    rosterCalls,
    assertions,
    answers,
    registrations,
    configuration,
    configurationUrl: `${origin}/.well-known/openid-configuration`,
    page,
    idToken,
    /** Another key in the place of the last one. */
    rotate: async () => {
      signer = await makeSigner(`platform-${randomBytes(4).toString('hex')}`)
    },
    tell: (people: RosterPerson[], options: { pageSize?: number; elsewhere?: string } = {}) => {
      roster = people
      pageSize = options.pageSize ?? 1_000
      elsewhere = options.elsewhere
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type LtiTestPlatform = Awaited<ReturnType<typeof startLtiPlatform>>
