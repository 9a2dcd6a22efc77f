import { sessionCookie } from '#server/core/auth/cookies.ts'
import { localPath } from '#server/core/auth/local-path.ts'
import { findSession, hashToken, newToken } from '#server/core/auth/session.ts'
import { endCollegeSessions } from '#server/core/auth/session-changes.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { OpenPage } from '#server/core/http/open-page.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findCollegeAccounts, findSignInProvider } from './college.across.ts'
import { insertRequest, storeAnswer } from './college.commands.ts'
import { findRequest, findSamlIssuer, type SamlFound } from './college.queries.ts'
import {
  AnswerRefused,
  metadataOf,
  type OwnAddresses,
  readOutline,
  requestAddress,
  requestMinutes,
  verifyAnswer,
} from './college.rules.ts'
import { noteConnection } from './college-answers.commands.ts'
import {
  limitCollege,
  nobody,
  onFailure,
  pageOf,
  problemPage,
  type Refusal,
  refused,
} from './college-answers.service.ts'
import { browserCookie } from './college-browser.rules.ts'
import { leavingCookie, noteSignedOut, openLeaving } from './college-leaving.service.ts'
import {
  type LogoutMessage,
  logoutAddress,
  logoutAnswerAddress,
  readIssuer,
  type SignedOut,
  verifyLogout,
} from './college-logout.rules.ts'
import { samlCertificateOf, samlSignerOf } from './saml-key.service.ts'

const maxFormBytes = 256 * 1024
/** As the standard allows. */
const longestRelayState = 80

const ownAddresses = (services: Services): OwnAddresses => {
  const saml = `${services.publicUrl()}${pageOf(services, 'saml')}`
  return { entityId: `${saml}/metadata`, acsUrl: `${saml}/acs`, logoutUrl: `${saml}/logout` }
}

const metadata: OpenPage = {
  method: 'GET',
  path: '/saml/metadata',
  onFailure,
  answer: async ({ services }) => ({
    type: 'application/samlmetadata+xml; charset=utf-8',
    text: await metadataOf(ownAddresses(services), await samlCertificateOf(services)),
  }),
}

/** Counts a refused answer, and leads to the page that says why. */
const refuseAnswer = (services: Services, address: string, refusal: Refusal) => {
  metrics.collegeSignIn('saml', refusal.problem)
  return refused(services, address, refusal)
}

const explain = (error: unknown): AnswerRefused => {
  if (error instanceof AnswerRefused) return error
  throw error
}

/**
 * Where a provider sends the browser when somebody signs out there: what it says by its signature ends the sessions that it has opened,
 * whatever cookies come with it, and nothing else does. An answer to what was asked here ends nothing that has not ended.
 */
const logout = (method: 'GET' | 'POST'): OpenPage => ({
  method,
  path: '/saml/logout',
  formLimit: maxFormBytes,
  onFailure,
  answer: async ({ query, rawQuery, form, services, address, cookies }) => {
    await limitCollege(services, 'college-logout', address)
    const given = method === 'GET' ? query : form
    if (given.SAMLRequest === undefined) return { redirect: pageOf(services, 'login') }
    const message: LogoutMessage =
      method === 'GET' ? { way: 'redirect', rawQuery } : { way: 'post', message: given.SAMLRequest }
    const own = ownAddresses(services)
    let provider: SamlFound | undefined
    let out: SignedOut
    try {
      const issuer = readIssuer(message)
      provider = await transaction(services.transactions, nobody, (db) => findSamlIssuer(db, issuer))
      if (!provider) throw new AnswerRefused('invalid', 'No provider has this name.')
      out = await verifyLogout(message, provider, own)
    } catch (error) {
      const detail = {
        ...(provider && { Provider: provider.name }),
        Reason: explain(error).message.slice(0, 200),
      }
      return refuseAnswer(services, address, { problem: 'sign-out', detail })
    }
    const { id: providerId } = provider
    const ended = await transaction(services.transactions, nobody, async (db) => {
      const accounts = await endCollegeSessions(db, providerId, out)
      for (const accountId of new Set(accounts)) await noteSignedOut(db, accountId, address)
      return accounts.length
    })
    const cookie = sessionCookie(services)
    const token = cookies.get(cookie)
    if (ended > 0 && token && !(await findSession(services.pool, token, { isActivity: false })))
      cookies.clear(cookie)
    metrics.collegeSignIn('saml', 'signed-out')
    if (provider.slo_url === '') return { redirect: pageOf(services, 'login') }
    const relayState = (given.RelayState ?? '').slice(0, longestRelayState)
    const answer = { id: out.id, relayState }
    return { redirect: await logoutAnswerAddress(provider, own, await samlSignerOf(services), answer) }
  },
})

/** Where the browser goes that has just signed out here: on to the provider that had opened the session, once. */
const leave: OpenPage = {
  method: 'GET',
  path: '/saml/leave',
  onFailure: (services) => pageOf(services, 'login'),
  answer: async ({ services, address, cookies }) => {
    await limitCollege(services, 'college-logout', address)
    const { name } = leavingCookie(services)
    const left = openLeaving(services, cookies.get(name))
    cookies.clear(name)
    const provider =
      left &&
      (await transaction(services.transactions, nobody, (db) => findSignInProvider(db, left.providerId)))
    if (!left || provider?.kind !== 'saml' || provider.slo_url === '')
      return { redirect: pageOf(services, 'login') }
    return {
      redirect: await logoutAddress(provider, ownAddresses(services), await samlSignerOf(services), left),
    }
  },
}

/** Sends the browser to the college's provider, and remembers that it was this one. Pages know one address for every protocol. */
const begin: OpenPage = {
  method: 'GET',
  path: '/saml/:samlId/login',
  onFailure,
  answer: async ({ params, query, services, address, cookies }) => {
    await limitCollege(services, 'college-begin', address)
    const providerId = /^\d{1,15}$/.test(params.samlId ?? '') ? Number(params.samlId) : 0
    const id = `_${newToken()}`
    const { name, maxAgeSeconds } = browserCookie(services)
    // Kept for further tabs: each has its own request.
    const browser = cookies.get(name) || newToken()
    const provider = await transaction(services.transactions, nobody, async (db) => {
      const found = await findSignInProvider(db, providerId)
      if (found?.kind !== 'saml') return found
      await insertRequest(db, {
        id,
        providerId: found.id,
        browserHash: hashToken(browser),
        returnTo: localPath(query.redirectTo, services.config.appRoot) ?? '',
        minutes: requestMinutes,
      })
      return found
    })
    if (!provider) return { redirect: problemPage(services, 'unavailable') }
    if (provider.kind !== 'saml') {
      const wanted = query.redirectTo ? `?redirectTo=${encodeURIComponent(query.redirectTo)}` : ''
      return { redirect: pageOf(services, `oidc/${provider.id}/login${wanted}`) }
    }
    cookies.set(name, browser, { maxAgeSeconds })
    return { redirect: await requestAddress(provider, ownAddresses(services), id) }
  },
}

/**
 * Takes the answer of a provider, which comes as a form from its pages, so that no cookie of ours comes with it. Whoever
 * brings it gets a code; the sign-in is finished with the code by the browser that began.
 */
const consume: OpenPage = {
  method: 'POST',
  path: '/saml/acs',
  formLimit: maxFormBytes,
  onFailure,
  answer: async ({ form, services, address }) => {
    await limitCollege(services, 'college-answer', address)
    let inResponseTo: string
    try {
      ;({ inResponseTo } = readOutline(form.SAMLResponse))
    } catch (error) {
      const { code, message } = explain(error)
      return refuseAnswer(services, address, { problem: code, detail: { Reason: message.slice(0, 200) } })
    }
    const asked = await transaction(services.transactions, nobody, async (db) => {
      const request = await findRequest(db, inResponseTo)
      const provider = request && (await findSignInProvider(db, request.provider_id))
      return request && provider?.kind === 'saml' ? { createdAt: request.created_at, provider } : undefined
    })
    if (!asked) {
      const detail = { Reason: 'The request is unknown, too old or answered.' }
      return refuseAnswer(services, address, { problem: 'expired', detail })
    }
    const { provider, createdAt } = asked
    const refuse = (problem: string, detail: Record<string, unknown>) =>
      refuseAnswer(services, address, {
        problem,
        providerId: provider.id,
        detail: { Provider: provider.name, ...detail },
      })
    const request = { id: inResponseTo, createdAt }
    let claim: Awaited<ReturnType<typeof verifyAnswer>>
    try {
      claim = await verifyAnswer(form.SAMLResponse, request, provider, ownAddresses(services))
    } catch (error) {
      const { code, message } = explain(error)
      await noteConnection(services, provider.id, message)
      return refuse(code, { Reason: message.slice(0, 200) })
    }
    await noteConnection(services, provider.id, '')
    const code = newToken()
    const outcome = await transaction(services.transactions, nobody, async (db) => {
      const kept = await storeAnswer(db, inResponseTo, { ...claim, codeHash: hashToken(code) })
      if (!kept) return 'expired'
      const { accounts, isAmbiguous } = await findCollegeAccounts(db, {
        provider_id: provider.id,
        name_id: claim.nameId,
        email: claim.email,
      })
      if (isAmbiguous) return 'ambiguous'
      return accounts.length > 0 ? 'open' : 'unknown'
    })
    if (outcome !== 'open') return refuse(outcome, { NameId: claim.nameId, Email: claim.email })
    metrics.collegeSignIn('saml', outcome)
    return { redirect: pageOf(services, `auth/college-answer?id=${code}`) }
  },
}

export const collegePages: readonly OpenPage[] = [
  metadata,
  begin,
  consume,
  logout('GET'),
  logout('POST'),
  leave,
]
