import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeSigner, type Signing, timesOf } from './signed-tokens.ts'

/** What an ID token says and how it is signed; everything has its right value unless given. */
export interface IdTokenSaying extends Signing {
  subject?: string
  issuer?: string
  audience?: string | string[]
  nonce?: string | undefined
  claims?: Record<string, unknown>
  without?: readonly ('nonce' | 'sub' | 'aud' | 'exp' | 'id_token')[]
  /** Changes the token afterwards. */
  after?: (token: string) => string
}

/** The parts of a sign-in that a provider reads from the address that the browser was sent to. */
export const readOpenIdRequest = (address: string) => {
  const { searchParams, origin, pathname } = new URL(address)
  const of = (name: string) => searchParams.get(name) ?? ''
  return {
    endpoint: `${origin}${pathname}`,
    state: of('state'),
    nonce: of('nonce'),
    challenge: of('code_challenge'),
    method: of('code_challenge_method'),
    clientId: of('client_id'),
    redirectUri: of('redirect_uri'),
    scope: of('scope'),
    responseType: of('response_type'),
  }
}
export type OpenIdRequest = ReturnType<typeof readOpenIdRequest>

/** The fields of a form that a request posts. */
export const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}

/** An OpenID Connect provider with its own key that says whatever a test wants it to say. It listens on this machine. */
export const startOpenIdProvider = async ({
  clientId = 'practicum',
  clientSecret = 'a secret of tests',
} = {}) => {
  const signer = await makeSigner('key-1', clientSecret)
  const asked: string[] = []
  const grants = new Map<string, { request: OpenIdRequest; saying: IdTokenSaying }>()
  /** Changes what the provider answers, by path. */
  const answers = new Map<string, () => { status?: number; body: unknown }>()
  let issuer = ''

  const idToken = async (request: OpenIdRequest, saying: IdTokenSaying): Promise<string> => {
    const missing = new Set(saying.without)
    const { exp, ...times } = timesOf(saying)
    const payload = {
      iss: saying.issuer ?? issuer,
      ...(!missing.has('sub') && { sub: saying.subject ?? 'somebody' }),
      ...(!missing.has('aud') && { aud: saying.audience ?? clientId }),
      ...(!missing.has('nonce') && { nonce: saying.nonce ?? request.nonce }),
      ...times,
      ...(!missing.has('exp') && { exp }),
      ...saying.claims,
    }
    return signer.sign(payload, saying)
  }

  const token = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const form = await bodyOf(request)
    const [name = '', secret = ''] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (name !== clientId || secret !== clientSecret)
      return { status: 401, body: { error: 'invalid_client' } }
    const grant = grants.get(form.get('code') ?? '')
    // Each code once, for whoever knows the verifier.
    grants.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (
      !grant ||
      challenge !== grant.request.challenge ||
      form.get('redirect_uri') !== grant.request.redirectUri
    )
      return { status: 400, body: { error: 'invalid_grant' } }
    const made = await idToken(grant.request, grant.saying)
    const isLeftOut = grant.saying.without?.includes('id_token')
    return {
      status: 200,
      body: {
        access_token: randomBytes(8).toString('hex'),
        token_type: 'Bearer',
        expires_in: 300,
        ...(!isLeftOut && { id_token: grant.saying.after?.(made) ?? made }),
      },
    }
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    asked.push(pathname)
    const send = ({ status = 200, body }: { status?: number; body: unknown }) =>
      response
        .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body))
    const given = answers.get(pathname)
    if (given) return send(given())
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return send({
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            // Also the weak ones, as an attacker’s description would: they must not be taken.
            id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
          },
        })
      case '/jwks':
        return send({ body: { keys: [signer.jwk] } })
      case '/token':
        return send(await token(request))
      case '/authorize': {
        // A page with a button, as people see one.
        const wanted = readOpenIdRequest(`${issuer}/authorize?${searchParams}`)
        const back = `${wanted.redirectUri}?code=${grant(wanted, page)}&state=${encodeURIComponent(wanted.state)}`
        return send({
          body: `<title>College</title><a href="${back.replaceAll('&', '&amp;')}">Yes, it is me</a>`,
        })
      }
    }
    return send({ status: 404, body: {} })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Who the page of the provider says it is. */
  const page: IdTokenSaying = {}
  /** A code for a request, which the token endpoint exchanges for a token that says this. */
  const grant = (request: OpenIdRequest, saying: IdTokenSaying): string => {
    const code = randomBytes(16).toString('hex')
    grants.set(code, { request, saying })
    return code
  }
  return {
    issuer,
    clientId,
    clientSecret,
    jwk: signer.jwk,
    asked,
    answers,
    page,
    grant,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type OpenIdTestProvider = Awaited<ReturnType<typeof startOpenIdProvider>>
