import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { identityFailures } from '#contract/identity/failures.ts'
import * as contract from '#contract/identity/passwordless.ts'
import { beginSession } from '#server/core/auth/begin-session.ts'
import { consumeMagicLink, insertMagicLink } from '#server/core/auth/mailed-links.ts'
import { hashCode } from '#server/core/auth/seal.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { deriveKey } from '#server/core/config/config.ts'
import { keepIf } from '#server/core/database/keep-if.ts'
import { handle } from '#server/core/http/handle.ts'
import { type Limit, quarterHour, resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findAccountsByEmail } from './accounts.across.ts'
import { magicLinkEmail } from './emails.service.ts'
import { guessesOf } from './password-proof.service.ts'
import { requireSecondFactor } from './second-factor.service.ts'
import { confirmMailbox, findLogin, findMagicLink } from './sign-in.queries.ts'

const day = 24 * 60 * 60

/**
 * The id of the mailed link, made of the one that the asking browser gets: only the server can go from one to the other, and
 * it keeps the hash alone.
 */
const linkGuid = (services: Services, publicGuid: string): string =>
  createHmac('sha256', deriveKey(services.config.secretKey, 'sign-in links'))
    .update(publicGuid)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const codeHash = (services: Services, publicGuid: string, code: string): Buffer =>
  hashCode(services.config.secretKey, `sign-in ${publicGuid}`, code)

/** Wrong codes for one address, over all the links it asked for. */
const codeLimits = (email: string): Limit[] => [
  { key: `magic-code:account:${email}`, max: 10, windowSeconds: quarterHour },
  { key: `magic-code:account-day:${email}`, max: 30, windowSeconds: day },
]

const expired = () => fail(identityFailures.link_expired, 'Guid')

export const passwordlessRoutes = [
  // Known, unknown and disabled addresses pass through the same statements; only the email is kept or undone.
  handle(contract.requestMagicLink, async ({ db, body, services, from }) => {
    const email = body.Email.toLowerCase()
    await throttle(services.pool, [
      { key: `magic-link:account:${email}`, max: 5, windowSeconds: quarterHour },
      { key: `magic-link:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const publicGuid = randomUUID()
    const guid = linkGuid(services, publicGuid)
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await insertMagicLink(db, {
      email,
      hash: hashToken(guid),
      codeHash: codeHash(services, publicGuid, code),
    })
    const [account] = await findAccountsByEmail(db, email)
    const address = `${services.publicUrl()}${services.config.appRoot}/new/auth/passwordless?id=${guid}`
    await keepIf(db, account !== undefined, () =>
      queueTemplatedEmails(db, [magicLinkEmail(account?.email ?? email, { address, code })]),
    )
    return { Sent: true, Email: body.Email, PublicGuid: publicGuid, Code: null }
  }),

  handle(contract.exchangeMagicCode, async ({ db, query, services, from }) => {
    const publicGuid = query['public-key']
    // Nothing was guessed, so nothing counts.
    if (!query.code.trim()) throw fail(identityFailures.code_missing, 'code')
    await throttle(services.pool, [
      { key: `magic-code:link:${publicGuid}`, max: 5, windowSeconds: quarterHour },
      { key: `magic-code:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const guid = linkGuid(services, publicGuid)
    const link = await findMagicLink(db, hashToken(guid))
    if (link) await throttle(services.pool, codeLimits(link.email))
    const typed = codeHash(services, publicGuid, query.code.replace(/\s/g, ''))
    if (!link || !timingSafeEqual(typed, link.code_hash)) {
      throw fail(identityFailures.wrong_code, 'code')
    }
    for (const { key } of codeLimits(link.email)) await resetThrottle(services.pool, key)
    return { Guid: guid }
  }),

  handle(contract.listMagicLinkUsers, async ({ db, params, services, from }) => {
    await throttle(services.pool, [
      { key: `magic-users:address:${from.address}`, max: 300, windowSeconds: quarterHour },
    ])
    const link = await findMagicLink(db, hashToken(params.guid))
    const accounts = link ? await findAccountsByEmail(db, link.email) : []
    if (accounts.length === 0) throw fail(identityFailures.no_link)
    return accounts.map((account) => ({
      UserId: account.account_id,
      UserName: account.user_name,
      ProgramName: account.program_name ?? '',
    }))
  }),

  handle(contract.loginByMagicLink, async ({ db, body, query, services, from, cookies }) => {
    await throttle(services.pool, [
      { key: `magic-login:address:${from.address}`, max: 300, windowSeconds: quarterHour },
    ])
    const email = await consumeMagicLink(db, hashToken(body.Guid))
    const accounts = email ? await findAccountsByEmail(db, email) : []
    const chosen = accounts.find(({ account_id }) => account_id === body.UserId)
    const login = chosen && (await findLogin(db, chosen.user_name))
    if (!chosen || !login?.is_active) throw expired()
    // The same count as at sign-in by password: two ways in do not give twice the guesses of a code.
    const guesses = guessesOf(login.user_name)
    await throttle(services.pool, guesses)
    await requireSecondFactor(db, services, login, {
      code: body.Code,
      address: from.address,
      countedAs: guesses.map(({ key }) => key),
    })
    await resetThrottle(services.pool, ...guesses.map(({ key }) => key))
    await confirmMailbox(db, chosen.email)
    return beginSession({ db, services, from, cookies }, login, {
      how: 'mailed link',
      mailbox: chosen.email,
      wanted: query.redirectTo,
    })
  }),
]
