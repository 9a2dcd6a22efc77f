import { identityFailures } from '#contract/identity/failures.ts'
import * as contract from '#contract/saml/saml.ts'
import { beginSession, type ProvenAccount } from '#server/core/auth/begin-session.ts'
import type { Cookies } from '#server/core/auth/cookies.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findCollegeAccounts, findSignInProvider, listColleges } from './college.across.ts'
import { consumeAnswer } from './college.commands.ts'
import { type Answer, findAnswer, linkCollegeName } from './college.queries.ts'
import { browserCookie } from './college-browser.rules.ts'
import { tellOfDevice } from './emails.service.ts'
import { claimDeepLink } from './lti.commands.ts'
import { landingOf } from './lti.service.ts'
import { guessesOf, provePassword } from './password-proof.service.ts'
import { requireSecondFactor } from './second-factor.service.ts'
import { findLogin } from './sign-in.queries.ts'

const maxPerAddress = 2_000

const browserHash = (services: Services, cookies: Cookies): Buffer =>
  hashToken(cookies.get(browserCookie(services).name) ?? '')

const limit = (services: Services, what: string, address: string): Promise<void> =>
  throttle(services.pool, [
    { key: `${what}:address:${address}`, max: maxPerAddress, windowSeconds: quarterHour },
  ])

const expired = () => fail(identityFailures.sign_in_expired, 'Guid')

/** Signs the account in that an answer opens, and lets it do what a launch has come for. */
const enter = async (
  call: Parameters<typeof beginSession>[0],
  login: ProvenAccount,
  answer: Pick<Answer, 'id' | 'provider_id' | 'return_to' | 'name_id' | 'session_index'>,
): Promise<string> => {
  await claimDeepLink(call.db, answer.id, login.account_id)
  return beginSession(call, login, {
    how: 'college',
    providerId: answer.provider_id,
    collegeName: answer.name_id,
    collegeIndex: answer.session_index,
    wanted: landingOf(call.services, answer.return_to, login.access_level),
  })
}

export const collegeRoutes = [
  handle(contract.listSignInColleges, async ({ db, query, services, from }) => {
    await limit(services, 'college-list', from.address)
    return listColleges(db, query.search.trim())
  }),

  handle(contract.listCollegeAccounts, async ({ db, params, services, from, cookies }) => {
    await limit(services, 'college-users', from.address)
    const answer = await findAnswer(db, hashToken(params.guid), browserHash(services, cookies))
    const { accounts } = answer ? await findCollegeAccounts(db, answer) : { accounts: [] }
    if (accounts.length === 0) throw fail(identityFailures.no_sign_in)
    return accounts.map(({ account_id, user_name, program_name }) => ({
      UserId: account_id,
      UserName: user_name,
      ProgramName: program_name,
    }))
  }),

  handle(contract.loginByCollege, async ({ db, body, services, from, cookies }) => {
    await limit(services, 'college-login', from.address)
    const answer = await consumeAnswer(db, hashToken(body.Guid), browserHash(services, cookies))
    const { accounts } = answer ? await findCollegeAccounts(db, answer) : { accounts: [] }
    const chosen = accounts.find(({ account_id }) => account_id === body.UserId)
    const login = chosen && (await findLogin(db, chosen.user_name))
    if (!answer || !login?.is_active) throw expired()
    // The same count as at sign-in by password: two ways in do not give twice the guesses of a code.
    const guesses = guessesOf(login.user_name)
    await throttle(services.pool, guesses)
    await requireSecondFactor(db, services, login, {
      code: body.Code,
      address: from.address,
      countedAs: guesses.map(({ key }) => key),
    })
    await resetThrottle(services.pool, ...guesses.map(({ key }) => key))
    return enter({ db, services, from, cookies }, login, answer)
  }),

  handle(contract.linkCollege, async ({ db, body, services, from, cookies }) => {
    await limit(services, 'college-login', from.address)
    const keys = [hashToken(body.Guid), browserHash(services, cookies)] as const
    // Before the password is asked: what no longer leads anywhere takes no guesses.
    if (!(await findAnswer(db, ...keys))) throw expired()
    const login = await provePassword({ db, services, from }, body)
    const answer = await consumeAnswer(db, ...keys)
    if (!answer?.name_id) throw expired()
    const { provider_id: providerId, name_id: nameId } = answer
    if (!(await linkCollegeName(db, { providerId, accountId: login.account_id, nameId }))) {
      throw fail(identityFailures.not_linked, 'UserName')
    }
    await writeAudit(db, {
      programId: login.program_id,
      accountId: login.account_id,
      action: 'college sign-in linked',
      address: from.address,
      subjectId: login.account_id,
      detail: { ProviderId: providerId, NameId: nameId },
    })
    const provider = await findSignInProvider(db, providerId)
    await tellOfDevice(db, services, login, {
      what: 'a college’s sign-in that was linked to it just now',
      device: provider?.name ?? '',
    })
    return enter({ db, services, from, cookies }, login, answer)
  }),
]
