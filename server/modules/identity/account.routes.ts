import { sql } from 'kysely'
import { identityFailures } from '#contract/identity/failures.ts'
import * as identity from '#contract/identity/identity.ts'
import * as contractOfPreferences from '#contract/identity/preferences.ts'
import { beginSession } from '#server/core/auth/begin-session.ts'
import { localPath } from '#server/core/auth/local-path.ts'
import { checkNewPassword, hashPassword, verifyPassword } from '#server/core/auth/password.ts'
import type { User } from '#server/core/auth/session.ts'
import { changeSession, endSessionsOf } from '#server/core/auth/session-changes.ts'
import type { Db } from '#server/core/database/pool.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { handle } from '#server/core/http/handle.ts'
import { resetThrottle, throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { savePreferences } from './account.commands.ts'
import { findOpening, findPreferences, type SessionOpening } from './account.queries.ts'
import { type AccountOfEmail, findAccountsByEmail } from './accounts.across.ts'
import { tellOwner } from './emails.service.ts'
import { guessesOf } from './password-proof.service.ts'
import { requireSecondFactor, writeRefusal } from './second-factor.service.ts'
import { findLogin, setPassword } from './sign-in.queries.ts'

/** The other accounts of the mailbox, where nobody but its owner, or a college that answers for those accounts too, can have opened this one. */
const listOthersOf = async (
  db: Db,
  user: User,
  { mailbox, providerId, hasGivenPassword }: SessionOpening,
): Promise<AccountOfEmail[]> => {
  const isTheirs =
    mailbox?.toLowerCase() === user.EmailAddress.toLowerCase() || providerId !== null || !hasGivenPassword
  if (!user.IsEmailAddressConfirmed || !isTheirs) return []
  const accounts = await findAccountsByEmail(db, user.EmailAddress, providerId)
  return accounts.filter((account) => account.is_email_confirmed && account.account_id !== user.Id)
}

export const accountRoutes = [
  handle(identity.changePassword, async ({ db, body, user, session, services, from, audit }) => {
    // The same count as at sign-in, so that a session gives no further guesses.
    const guesses = guessesOf(user.UserName)
    await throttle(services.pool, guesses)
    audit.subjectId = user.Id
    const found = await findLogin(db, user.UserName)
    if (!(await verifyPassword(found?.password_hash, body.OldPassword, { isSignedIn: true }))) {
      await writeRefusal(services, found, from.address)
      throw fail(identityFailures.wrong_old_password, 'OldPassword')
    }
    if (found?.totp_secret) requireProof(session, { lasts: true })
    await resetThrottle(services.pool, ...guesses.map(({ key }) => key))
    checkNewPassword(body.Password, user.UserName)
    await setPassword(db, user.Id, await hashPassword(body.Password), { isFromMailbox: false })
    await endSessionsOf(db, user.Id, 'password', session.id)
    if (found) await tellOwner(db, services, found, 'password')
  }),

  handle(identity.listOwnAccounts, async ({ db, user, session }) =>
    (await listOthersOf(db, user, await findOpening(db, session.id))).map((account) => ({
      UserId: account.account_id,
      UserName: account.user_name,
      ProgramName: account.program_name && `${account.college_name} - ${account.program_name}`,
    })),
  ),

  handle(identity.switchAccount, async ({ db, body, user, session, services, from, cookies, audit }) => {
    const opening = await findOpening(db, session.id)
    const accounts = await listOthersOf(db, user, opening)
    const target = accounts.find(({ account_id }) => account_id === body.UserId)
    const login = target && (await findLogin(db, target.user_name))
    if (!login) throw fail(identityFailures.no_account)
    audit.subjectId = login.account_id
    // The same count as at sign-in, so that switching gives no further guesses of the code.
    const guesses = guessesOf(login.user_name)
    if (login.totp_secret) await throttle(services.pool, guesses)
    await requireSecondFactor(db, services, login, {
      code: body.Code,
      address: from.address,
      countedAs: guesses.map(({ key }) => key),
    })
    await changeSession(db, session.id, { ended_at: sql`now()` })
    return {
      RedirectTo: await beginSession({ db, services, from, cookies }, login, {
        how: 'another own account',
        isShared: session.isShared,
        mailbox: opening.mailbox,
        providerId: opening.providerId,
        collegeName: opening.collegeName,
        collegeIndex: opening.collegeIndex,
        // The code of the other account's authenticator is asked for above, its password is not.
        isProven: false,
      }),
    }
  }),

  handle(contractOfPreferences.getPreferences, ({ db, user }) => findPreferences(db, user.Id)),

  handle(contractOfPreferences.savePreferences, async ({ db, body, user, services }) => {
    if (body.StartPage !== '' && localPath(body.StartPage, services.config.appRoot) === undefined) {
      throw fail(identityFailures.start_page, 'StartPage')
    }
    const known = new Set(contractOfPreferences.mutableEmails.map(({ Label }) => Label))
    const kept = { ...body, MutedEmails: body.MutedEmails.filter((label) => known.has(label)) }
    await savePreferences(db, user.Id, kept)
    return findPreferences(db, user.Id)
  }),
]
