import { localPath } from '#server/core/auth/local-path.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { transaction } from '#server/core/database/pool.ts'
import type { OpenPage } from '#server/core/http/open-page.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import { findCollegeAccounts, findSignInProvider } from './college.across.ts'
import { insertRequest, storeAnswer } from './college.commands.ts'
import { findOpenIdRequest } from './college.queries.ts'
import { requestMinutes } from './college.rules.ts'
import { noteConnection } from './college-answers.commands.ts'
import { limitCollege, nobody, onFailure, pageOf, problemPage, refused } from './college-answers.service.ts'
import { browserCookie } from './college-browser.rules.ts'
import { beginOpenId, explainOpenId, finishOpenId, verifierContext } from './openid.service.ts'

/** Sends the browser to the college's provider (OpenID Connect, code flow with PKCE), and remembers that it was this one. */
const begin: OpenPage = {
  method: 'GET',
  path: '/oidc/:connectionId/login',
  onFailure,
  answer: async ({ params, query, services, address, cookies }) => {
    await limitCollege(services, 'college-begin', address)
    const providerId = /^\d{1,15}$/.test(params.connectionId ?? '') ? Number(params.connectionId) : 0
    const provider = await transaction(services.transactions, nobody, (db) =>
      findSignInProvider(db, providerId),
    )
    if (provider?.kind !== 'oidc') return { redirect: problemPage(services, 'unavailable') }
    let begun: Awaited<ReturnType<typeof beginOpenId>>
    try {
      begun = await beginOpenId(services, provider)
    } catch (error) {
      const { problem, message } = explainOpenId(error)
      await noteConnection(services, providerId, message)
      metrics.collegeSignIn('oidc', problem)
      const detail = { Provider: provider.name, Reason: message }
      return refused(services, address, { problem: 'unreachable', providerId, detail })
    }
    const { name, maxAgeSeconds } = browserCookie(services)
    // Kept for further tabs: each has its own request.
    const browser = cookies.get(name) || newToken()
    await transaction(services.transactions, nobody, (db) =>
      insertRequest(db, {
        id: begun.state,
        providerId,
        browserHash: hashToken(browser),
        returnTo: localPath(query.redirectTo, services.config.appRoot) ?? '',
        minutes: requestMinutes,
        nonce: begun.nonce,
        verifier: seal(services.config.secretKey, verifierContext(begun.state), begun.verifier),
      }),
    )
    cookies.set(name, browser, { maxAgeSeconds })
    return { redirect: begun.address }
  },
}

/**
 * Takes the answer of a provider, which the browser that began brings with its cookie. As with SAML it gets a code, and finishes the
 * sign-in with it; who is known there and not yet here may link an account.
 */
const consume = (path: string): OpenPage => ({
  method: 'GET',
  path,
  onFailure,
  answer: async ({ params, query, services, address, cookies }) => {
    await limitCollege(services, 'college-answer', address)
    const { state = '' } = query
    const browserHash = hashToken(cookies.get(browserCookie(services).name) ?? '')
    const asked = await transaction(services.transactions, nobody, async (db) => {
      const request = await findOpenIdRequest(db, state, browserHash)
      const provider = request && (await findSignInProvider(db, request.provider_id))
      return provider?.kind === 'oidc' && request ? { request, provider } : undefined
    })
    if (!asked) {
      const detail = { Reason: 'The request is unknown, too old, answered, or of another browser.' }
      metrics.collegeSignIn('oidc', 'expired')
      return refused(services, address, { problem: 'expired', detail })
    }
    const { provider, request } = asked
    const refuse = (problem: string, detail: Record<string, unknown>) => {
      metrics.collegeSignIn('oidc', problem)
      return refused(services, address, {
        problem,
        providerId: provider.id,
        detail: { Provider: provider.name, ...detail },
      })
    }
    // A code that another provider gave for a sign-in of this one would be told to this one.
    if ((params.connectionId ?? '') !== (provider.has_own_answer ? String(provider.id) : ''))
      return refuse('invalid', { Reason: 'The answer came to the address of another provider.' })
    let subject: string
    try {
      const verifier = unseal(services.config.secretKey, verifierContext(state), request.verifier)
      subject = await finishOpenId(services, provider, { state, nonce: request.nonce, verifier }, query)
    } catch (error) {
      const { problem, message } = explainOpenId(error)
      if (problem !== 'declined') await noteConnection(services, provider.id, message)
      return refuse(problem, { Reason: message })
    }
    const code = newToken()
    const outcome = await transaction(services.transactions, nobody, async (db) => {
      const kept = await storeAnswer(db, state, { nameId: subject, email: '', codeHash: hashToken(code) })
      if (!kept) return 'expired'
      const { accounts } = await findCollegeAccounts(db, {
        provider_id: provider.id,
        name_id: subject,
        email: '',
      })
      return accounts.length > 0 ? 'open' : 'unknown'
    })
    if (outcome === 'expired') return refuse(outcome, { NameId: subject })
    await noteConnection(services, provider.id, '')
    metrics.collegeSignIn('oidc', outcome)
    const more = outcome === 'unknown' ? `&link=true&provider=${provider.id}` : ''
    return { redirect: pageOf(services, `auth/college-answer?id=${code}${more}`) }
  },
})

export const openIdPages: readonly OpenPage[] = [
  begin,
  consume('/oidc/:connectionId/answer'),
  consume('/oidc/answer'),
]
