import { may } from '#contract/core/permissions.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { OpenCall, OpenPage } from '#server/core/http/open-page.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { callOutside, readAddress } from '#server/core/runtime/outside.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { noteConnection } from './college-answers.commands.ts'
import { limitCollege, nobody, pageOf } from './college-answers.service.ts'
import { framedPage } from './lti.pages.ts'
import { explainLti, ltiAddress, parseObject, rosterScope } from './lti.service.ts'
import type { OpenedRegistration } from './lti-registration.across.ts'
import { completeRegistration, openRegistration, releaseRegistration } from './lti-registration.commands.ts'
import {
  type PlatformConfiguration,
  type RegistrationAnswer,
  readPlatform,
  readRegistration,
  toolRegistration,
} from './lti-registration.rules.ts'
import { OpenIdRefused } from './openid.service.ts'

const deadlineMs = 8_000
const maxAnswerBytes = 256 * 1024
const longestAddress = 2_000
const longestToken = 8_000

const askPlatform = async (
  { config }: Services,
  address: string,
  { token, body }: { token: string; body?: Record<string, unknown> },
): Promise<{ status: number; answer: Record<string, unknown> | undefined }> => {
  const { status, body: text } = await callOutside(address, {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      // Canvas asks for it with the configuration too.
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    deadlineMs,
    maxBytes: maxAnswerBytes,
    allowed: config.webhookAllow,
  })
  return { status, answer: parseObject(text) }
}

/**
 * Registers this installation at a platform: reads what the platform tells of itself, and posts what this installation is.
 *
 * @throws OpenIdRefused with a sentence that may be shown
 */
const register = async (
  services: Services,
  { address, token }: { address: string; token: string },
): Promise<{ platform: PlatformConfiguration; answer: RegistrationAnswer }> => {
  try {
    const { webhookAllow } = services.config
    const from = readAddress(address, webhookAllow)
    const told = await askPlatform(services, address, { token })
    if (told.status !== 200 || !told.answer)
      throw new OpenIdRefused(
        'unreachable',
        `${from.host} did not give its configuration (${told.status === 200 ? 'it is not JSON' : `status ${told.status}`}).`,
      )
    const platform = readPlatform(told.answer, from, webhookAllow)
    const registration = toolRegistration(
      {
        home: `${services.publicUrl()}${pageOf(services, '')}`,
        login: ltiAddress(services, 'login'),
        launch: ltiAddress(services, 'launch'),
        keys: ltiAddress(services, 'keys'),
        scope: platform.tokenUrl === '' ? '' : rosterScope,
      },
      platform,
    )
    const { status, answer } = await askPlatform(services, platform.registrationUrl, {
      token,
      body: registration,
    })
    if ((status === 200 || status === 201) && answer) return { platform, answer: readRegistration(answer) }
    const said = [answer?.error, answer?.error_description].filter((part) => typeof part === 'string')
    throw new OpenIdRefused(
      'declined',
      `The platform did not take the registration (${said.length > 0 ? said.join(', ') : `status ${status}`}).`.slice(
        0,
        300,
      ),
    )
  } catch (error) {
    throw explainLti(error)
  }
}

const failed = (text: string) => framedPage('Practicum was not registered', text, { status: 400 })

const again = 'Nothing was changed. The address can be opened again once this is corrected.'

/**
 * What a learning management system opens when its administrator enters a registration address (LTI Dynamic Registration 1.0). The
 * connection that it completes works only after somebody has turned it on.
 */
const registration: OpenPage = {
  method: 'GET',
  path: '/lti/register/:token',
  onFailure: (services, code) =>
    pageOf(services, `lti/problem?code=${code === 'throttled' ? code : 'registration'}`),
  answer: async (call) => {
    const { services, params, query, address } = call
    await limitCollege(services, 'college-begin', address)
    const { openid_configuration = '', registration_token: token = '' } = query
    // Somebody looks at the address: that spends nothing.
    if (openid_configuration === '')
      return failed(
        'This address is for your learning management system: enter it there, where it asks for a registration or dynamic registration URL. Opening it here did not use it up.',
      )
    const tokenHash = hashToken(params.token ?? '')
    const opened = await transaction(services.transactions, nobody, (db) => openRegistration(db, tokenHash))
    if (!opened) {
      await note(call, 'refused', { Reason: 'The address is unknown, too old, used or in use.' })
      return failed(
        'This registration address is unknown, has expired, or was used before. Ask for another one: a super admin of Practicum makes it on the page College Connections.',
      )
    }
    try {
      return await complete(call, opened, { tokenHash, token, from: openid_configuration })
    } finally {
      await transaction(services.transactions, nobody, (db) => releaseRegistration(db, opened.provider_id))
    }
  },
}

const note = (
  { services, address }: OpenCall,
  outcome: 'registered' | 'refused',
  detail: Record<string, unknown>,
): Promise<void> => {
  metrics.ltiRegistration(outcome)
  return transaction(services.transactions, nobody, (db) =>
    writeAudit(db, {
      programId: null,
      accountId: null,
      action: outcome === 'registered' ? 'LMS registered' : 'LMS registration refused',
      address,
      detail,
    }),
  )
}

const complete = async (
  call: OpenCall,
  opened: OpenedRegistration,
  { tokenHash, token, from }: { tokenHash: Buffer; token: string; from: string },
) => {
  const { services } = call
  const known = { Provider: opened.name, MadeBy: opened.created_by }
  const refuse = async (reason: string, text = `${reason} ${again}`) => {
    await noteConnection(services, opened.provider_id, reason)
    await note(call, 'refused', { ...known, Reason: reason })
    return failed(text)
  }
  const maker = { AccessLevel: opened.access_level, SuperAdminAreas: opened.super_admin_areas }
  if (!may(maker, 'saml.manage'))
    return refuse(
      'The person who made the registration address may no longer keep connections.',
      'This registration address is no longer valid. Ask for another one. Nothing was changed.',
    )
  if (from.length > longestAddress || token.length > longestToken)
    return refuse('The address of the configuration or the registration token is too long.')
  let made: Awaited<ReturnType<typeof register>>
  try {
    made = await register(services, { address: from, token })
  } catch (error) {
    return refuse(explainLti(error).message)
  }
  const { platform, answer } = made
  const outcome = await transaction(services.transactions, nobody, (db) =>
    completeRegistration(db, { providerId: opened.provider_id, tokenHash }, platform, answer),
  )
  if (outcome === 'taken')
    return refuse(`The issuer ${platform.issuer} is connected with the client ID ${answer.clientId} already.`)
  if (outcome === 'gone')
    return refuse(
      'The connection was deleted, or its address replaced, while the platform answered.',
      'This registration address was replaced or withdrawn meanwhile. Delete the registration in your learning management system, and ask for another address.',
    )
  await note(call, 'registered', {
    ...known,
    Issuer: platform.issuer,
    ClientId: answer.clientId,
    Deployment: answer.deploymentId ?? null,
  })
  return framedPage(
    'Practicum is registered',
    `${new URL(platform.issuer).host} knows Practicum now. A super admin of Practicum has yet to turn the connection on. You can close this page.`,
    { more: `<script src="${pageOf(services, 'lti/registered.js')}"></script>` },
  )
}

/** Tells the learning management system, which opened the page in a frame or a window, that nothing more comes. */
const closing: OpenPage = {
  method: 'GET',
  path: '/lti/registered.js',
  answer: async () => ({
    type: 'text/javascript; charset=utf-8',
    text: `;(window.opener ?? window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*')\n`,
  }),
}

export const ltiRegistrationPages: readonly OpenPage[] = [registration, closing]
