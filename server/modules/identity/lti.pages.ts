import { hashToken, newToken } from '#server/core/auth/session.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { OpenAnswer, OpenCall, OpenPage } from '#server/core/http/open-page.ts'
import { escaped, type PlainLink, plainPage } from '#server/core/http/plain-page.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findCollegeAccounts } from './college.across.ts'
import { insertRequest, storeAnswer } from './college.commands.ts'
import { noteConnection } from './college-answers.commands.ts'
import { limitCollege, nobody, pageOf } from './college-answers.service.ts'
import { browserCookie } from './college-browser.rules.ts'
import { insertDeepLink, insertTicket, openTicket, saveCourse } from './lti.commands.ts'
import {
  findDeepLinkAnswer,
  findFrameState,
  findLaunchRequest,
  findPlatform,
  findPlatformOfLogin,
  type LtiPlatform,
} from './lti.queries.ts'
import type { Launch } from './lti.rules.ts'
import { explainLti, getToolKeys, ltiAddress, ltiPaths, proveLaunch, rosterScope } from './lti.service.ts'

const maxFormBytes = 256 * 1024
/** Minutes that a page in a frame may be pressed, and a platform may take for its answer. */
const ticketMinutes = 10
const requestMinutes = 10

const problems: Record<string, string> = {
  unknown_platform:
    'This learning management system is not connected, or the connection is not complete. Ask its administrator to compare the issuer, the client ID and the deployment with those in Practicum.',
  expired: 'This launch took too long, was used before, or began in another browser.',
  declined: 'The learning management system did not sign you in.',
  invalid: 'The answer of the learning management system could not be accepted. The details were recorded.',
  unreachable:
    'The learning management system’s keys could not be read, so its answer could not be checked. Try again in a few minutes.',
  throttled: 'There were too many launches from your network. Try again in a few minutes.',
  registration:
    'Something went wrong on the server, and Practicum was not registered. The fault is recorded. Try again in a few minutes.',
  direct: 'This address opens from a course of your learning management system.',
}

/** A page about a launch or a registration: the platform may show it in its frame. */
export const framedPage = (
  title: string,
  text: string,
  {
    link,
    more = '',
    postsTo,
    status,
  }: { link?: PlainLink; more?: string; postsTo?: string; status?: number } = {},
): OpenAnswer => ({
  type: 'text/html; charset=utf-8',
  text: plainPage(title, text, link).replace('</main>', () => `${more}</main>`),
  framed: postsTo === undefined ? {} : { postsTo },
  ...(status !== undefined && { status }),
})

const problemPage = (problem: string): OpenAnswer => {
  const text = problems[problem] ?? 'Something went wrong on the server. The fault is recorded.'
  const next = ['direct', 'registration'].includes(problem)
    ? ''
    : ' Nothing was changed. Go back to your course and open it again.'
  return framedPage('Practicum did not open', `${text}${next}`, { status: 400 })
}

const onFailure = (services: Services, code: string): string =>
  pageOf(services, `lti/problem?code=${encodeURIComponent(code)}`)

const problem: OpenPage = {
  method: 'GET',
  path: '/lti/problem',
  answer: async ({ query }) => problemPage(query.code ?? ''),
}

/** Puts a refused launch into the audit, and says so. */
const refuse = async (
  { services, address }: OpenCall,
  name: string,
  detail: Record<string, unknown>,
): Promise<OpenAnswer> => {
  metrics.collegeSignIn('lti', name)
  await transaction(services.transactions, nobody, (db) =>
    writeAudit(db, {
      programId: null,
      accountId: null,
      action: 'sign-in refused',
      address,
      detail: { How: 'lti', Problem: name, ...detail },
    }),
  )
  return problemPage(name)
}

/** Sends the browser to the platform for its answer, and remembers that it was this one. */
const sendOn = async (
  { services, cookies }: OpenCall,
  platform: LtiPlatform,
  { state, loginHint, messageHint }: { state: string; loginHint: string; messageHint: string },
): Promise<OpenAnswer> => {
  const { name, maxAgeSeconds } = browserCookie(services)
  // Kept for further tabs: each has its own launch.
  const browser = cookies.get(name) || newToken()
  const nonce = newToken()
  await transaction(services.transactions, nobody, (db) =>
    insertRequest(db, {
      id: state,
      providerId: platform.id,
      browserHash: hashToken(browser),
      returnTo: '',
      minutes: requestMinutes,
      nonce,
    }),
  )
  cookies.set(name, browser, { maxAgeSeconds })
  const to = new URL(platform.auth_url)
  const parts = {
    scope: 'openid',
    response_type: 'id_token',
    response_mode: 'form_post',
    prompt: 'none',
    client_id: platform.client_id,
    redirect_uri: ltiAddress(services, 'launch'),
    login_hint: loginHint,
    ...(messageHint !== '' && { lti_message_hint: messageHint }),
    state,
    nonce,
  }
  for (const [part, value] of Object.entries(parts)) to.searchParams.set(part, value)
  return { redirect: to.href }
}

/**
 * Where platforms begin a launch, by GET or POST. In a window it goes on at once. In a frame browsers keep no cookies of ours, and no
 * page of the product shows there: one button opens a window, by a ticket that is good for one browser, once.
 */
const login = (method: 'GET' | 'POST'): OpenPage => ({
  method,
  path: `/${ltiPaths.login}`,
  formLimit: maxFormBytes,
  onFailure,
  answer: async (call) => {
    const { services, query, form, address, destination } = call
    await limitCollege(services, 'college-begin', address)
    const given = { ...query, ...form }
    const { iss = '', client_id = '', login_hint = '', lti_message_hint = '', lti_deployment_id = '' } = given
    const platform = await transaction(services.transactions, nobody, (db) =>
      findPlatformOfLogin(db, { issuer: iss, clientId: client_id, deployment: lti_deployment_id }),
    )
    if (!platform || login_hint === '')
      return refuse(call, 'unknown_platform', {
        Reason: `A launch of ${iss.slice(0, 200)} for the client ${client_id.slice(0, 100)} is of no connection.`,
      })
    const hints = { loginHint: login_hint.slice(0, 8_000), messageHint: lti_message_hint.slice(0, 16_000) }
    if (destination === 'document') return sendOn(call, platform, { state: newToken(), ...hints })
    const [ticket, frame] = [newToken(), newToken()]
    await transaction(services.transactions, nobody, (db) =>
      insertTicket(db, {
        ticketHash: hashToken(ticket),
        frameHash: hashToken(frame),
        providerId: platform.id,
        ...hints,
        minutes: ticketMinutes,
      }),
    )
    const script = `<p id="more" role="status" hidden></p><script src="${pageOf(services, 'lti/frame.js')}" data-frame="${frame}"></script>`
    return framedPage('Practicum', 'Your schedule, clock and evaluations open in a window of their own.', {
      link: { label: 'Open Practicum', href: pageOf(services, `lti/open?ticket=${ticket}`) },
      more: script,
    })
  },
})

/** Opens the ticket of a frame in a window of its own. */
const open: OpenPage = {
  method: 'GET',
  path: '/lti/open',
  onFailure,
  answer: async (call) => {
    const { services, query, address } = call
    await limitCollege(services, 'college-begin', address)
    const state = newToken()
    const opened = await transaction(services.transactions, nobody, async (db) => {
      const ticket = await openTicket(db, hashToken(query.ticket ?? ''), state)
      const platform = ticket && (await findPlatform(db, ticket.provider_id))
      return ticket && platform ? { ticket, platform } : undefined
    })
    if (!opened)
      return refuse(call, 'expired', { Reason: 'The ticket is unknown, too old, or was opened before.' })
    const { ticket, platform } = opened
    return sendOn(call, platform, {
      state,
      loginHint: ticket.login_hint,
      messageHint: ticket.message_hint,
    })
  },
}

/** The page that a launch opens: of an instructor who chooses links, or the one that the link names. */
const wantedOf = (launch: Launch, linkToken: string): string => {
  if (launch.deepLink) return `deep-links/${linkToken}`
  return launch.page ? `lti:${launch.page}` : ''
}

/**
 * Takes the answer of a platform, which comes as a form from its pages, so that no cookie of ours comes with it. As with SAML whoever
 * brings it gets a code; the sign-in is finished with the code by the browser that began.
 */
const launch: OpenPage = {
  method: 'POST',
  path: `/${ltiPaths.launch}`,
  formLimit: maxFormBytes,
  onFailure,
  answer: async (call) => {
    const { services, form, address } = call
    await limitCollege(services, 'college-answer', address)
    const { state = '', id_token: token = '' } = form
    const asked = await transaction(services.transactions, nobody, async (db) => {
      const request = await findLaunchRequest(db, state)
      const platform = request && (await findPlatform(db, request.provider_id))
      return request && platform ? { request, platform } : undefined
    })
    if (!asked) return refuse(call, 'expired', { Reason: 'The launch is unknown, too old or answered.' })
    const { platform, request } = asked
    const refuseOf = (name: string, detail: Record<string, unknown>) =>
      refuse(call, name, { Provider: platform.name, ...detail })
    if (form.error)
      return refuseOf('declined', { Reason: `${form.error} ${form.error_description ?? ''}`.slice(0, 200) })
    let told: Launch
    try {
      told = await proveLaunch(services, platform, { token, nonce: request.nonce })
    } catch (error) {
      const { problem: name, message } = explainLti(error)
      await noteConnection(services, platform.id, message)
      return refuseOf(name, { Reason: message })
    }
    const [code, linkToken] = [newToken(), newToken()]
    const outcome = await transaction(services.transactions, nobody, async (db) => {
      const returnTo = wantedOf(told, linkToken)
      const answer = { nameId: told.subject, email: '', codeHash: hashToken(code), returnTo }
      if (!(await storeAnswer(db, state, answer))) return 'expired'
      if (told.course) await saveCourse(db, platform.id, told.course)
      if (told.deepLink)
        await insertDeepLink(db, {
          ...told.deepLink,
          tokenHash: hashToken(linkToken),
          requestId: state,
          providerId: platform.id,
          deploymentId: told.deploymentId,
        })
      const { accounts } = await findCollegeAccounts(db, {
        provider_id: platform.id,
        name_id: told.subject,
        email: '',
      })
      return accounts.length > 0 ? 'open' : 'unknown'
    })
    if (outcome === 'expired') return refuseOf(outcome, { NameId: told.subject })
    await noteConnection(services, platform.id, '')
    metrics.collegeSignIn('lti', outcome)
    return {
      redirect: pageOf(
        services,
        `auth/college-answer?id=${code}&lms=true${outcome === 'unknown' ? '&link=true' : ''}`,
      ),
    }
  },
}

/** Somebody opened the address of launches without one. */
const direct: OpenPage = {
  method: 'GET',
  path: `/${ltiPaths.launch}`,
  answer: async () => problemPage('direct'),
}

const json = (value: unknown): OpenAnswer => ({
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
})

const keys: OpenPage = {
  method: 'GET',
  path: `/${ltiPaths.keys}`,
  answer: async ({ services }) =>
    json({ keys: (await getToolKeys(services)).map(({ public_jwk }) => public_jwk) }),
}

/** What an administrator of Canvas enters as the address of a configuration, or pastes. */
const canvas: OpenPage = {
  method: 'GET',
  path: '/lti/canvas.json',
  answer: async ({ services }) => {
    const target = ltiAddress(services, 'launch')
    const { hostname } = new URL(target)
    return json({
      title: 'Practicum',
      description: 'Schedule, clock and evaluations of clinical education',
      oidc_initiation_url: ltiAddress(services, 'login'),
      target_link_uri: target,
      public_jwk_url: ltiAddress(services, 'keys'),
      scopes: [rosterScope],
      custom_fields: {},
      extensions: [
        {
          platform: 'canvas.instructure.com',
          domain: hostname,
          tool_id: hostname,
          privacy_level: 'public',
          settings: {
            text: 'Practicum',
            placements: [
              {
                placement: 'course_navigation',
                message_type: 'LtiResourceLinkRequest',
                target_link_uri: target,
                text: 'Practicum',
                windowTarget: '_blank',
              },
              ...['link_selection', 'assignment_selection'].map((placement) => ({
                placement,
                message_type: 'LtiDeepLinkingRequest',
                target_link_uri: target,
                text: 'Practicum',
              })),
            ],
          },
        },
      ],
    })
  },
}

/**
 * The script of the page in the frame: tells how the launch goes on in the other window, and brings the chosen links back. On the page
 * that returns them it sends the form.
 */
const frameScript = `const form = document.querySelector('form[data-return]')
if (form) form.submit()
const { frame } = document.currentScript.dataset
const link = document.querySelector('.link')
const more = document.getElementById('more')
const said = {
  open: 'Opening in the other window …',
  choosing: 'Choose in the other window. This page goes on when you are done.',
  done: 'Practicum is in the other window. To open it again, load this page again.',
}
const ask = async () => {
  let state = 'waiting'
  try {
    const answer = await fetch('state?frame=' + encodeURIComponent(frame))
    if (answer.ok) state = (await answer.json()).State
  } catch {}
  if (state === 'chosen') return location.replace('return?id=' + encodeURIComponent(frame))
  if (said[state]) {
    more.textContent = said[state]
    more.hidden = false
    document.querySelector('main > p').hidden = link.hidden = true
  }
  if (state !== 'done') setTimeout(ask, 2000)
}
if (frame && link) link.addEventListener('click', () => setTimeout(ask, 1500), { once: true })
`

const script: OpenPage = {
  method: 'GET',
  path: '/lti/frame.js',
  answer: async () => ({ type: 'text/javascript; charset=utf-8', text: frameScript }),
}

const frameState: OpenPage = {
  method: 'GET',
  path: '/lti/state',
  answer: async ({ services, query }) =>
    json({
      State: await transaction(services.transactions, nobody, (db) =>
        findFrameState(db, hashToken(query.frame ?? '')),
      ),
    }),
}

/** Brings the chosen links to the platform, by a form that the browser sends. */
const giveBack: OpenPage = {
  method: 'GET',
  path: '/lti/return',
  onFailure,
  answer: async ({ services, query }) => {
    const answer = await transaction(services.transactions, nobody, (db) =>
      findDeepLinkAnswer(db, hashToken(query.id ?? '')),
    )
    if (!answer) return problemPage('expired')
    const { return_url: to, response } = answer
    const form = `<form method="post" action="${escaped(to)}" data-return><input type="hidden" name="JWT" value="${escaped(response)}"><button>Continue</button></form>`
    return framedPage('Returning to your course', 'The links are sent to your learning management system.', {
      more: `${form}<script src="${pageOf(services, 'lti/frame.js')}"></script>`,
      // The platform may send the browser on to another of its hosts.
      postsTo: `${new URL(to).origin} https:`,
    })
  },
}

export const ltiOpenPages: readonly OpenPage[] = [
  login('GET'),
  login('POST'),
  open,
  launch,
  direct,
  problem,
  keys,
  canvas,
  script,
  frameState,
  giveBack,
]
