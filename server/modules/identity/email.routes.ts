import { identityFailures } from '#contract/identity/failures.ts'
import * as identity from '#contract/identity/identity.ts'
import { checkNewPassword, hashPassword, verifyPassword } from '#server/core/auth/password.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { receivedEmail } from './emails.service.ts'
import { askForOwnAddress } from './own-address.service.ts'
import { notifyOfRegistrant } from './registration.commands.ts'
import {
  consumeEmailConfirmation,
  findEmailConfirmation,
  findLogin,
  findPendingEmail,
  setPassword,
} from './sign-in.queries.ts'

export const emailRoutes = [
  handle(identity.getOwnEmail, async ({ db, user }) => {
    const pending = await findPendingEmail(db, user.Id)
    const isNew = pending !== null && !(pending === user.EmailAddress && user.IsEmailAddressConfirmed)
    return {
      EmailAddress: user.EmailAddress,
      IsConfirmed: user.IsEmailAddressConfirmed,
      PendingEmailAddress: isNew ? pending : null,
      HasPassword: Boolean((await findLogin(db, user.UserName))?.password_hash),
    }
  }),

  handle(identity.changeEmail, async ({ db, body, user, services, audit }) => {
    await throttle(services.pool, [{ key: `email:account:${user.Id}`, max: 10, windowSeconds: quarterHour }])
    audit.subjectId = user.Id
    if (user.IsDemo) {
      throw fail(identityFailures.demo_email)
    }
    const login = await findLogin(db, user.UserName)
    // The proof that the call needs is enough; a password that is sent all the same has to be right.
    if (
      body.Password !== '' &&
      !(await verifyPassword(login?.password_hash, body.Password, { isSignedIn: true }))
    ) {
      throw fail(identityFailures.wrong_password, 'Password')
    }
    await askForOwnAddress({ db, services, user }, body.EmailAddress)
  }),

  handle(identity.getEmailConfirmation, async ({ db, params, services, from }) => {
    await throttle(services.pool, [
      { key: `email-read:address:${from.address}`, max: 300, windowSeconds: quarterHour },
    ])
    const found = await findEmailConfirmation(db, hashToken(params.token))
    if (!found) throw fail(identityFailures.no_link)
    return {
      EmailAddress: found.new_email,
      UserName: found.user_name,
      ProgramName: found.program_name ?? '',
      NeedsPassword: found.needs_password,
    }
  }),

  handle(identity.confirmEmail, async ({ db, body, services, from }) => {
    await throttle(services.pool, [
      { key: `email-use:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const hash = hashToken(body.Token)
    const found = await findEmailConfirmation(db, hash)
    if (!found || !(await consumeEmailConfirmation(db, hash))) {
      throw fail(identityFailures.email_link_expired, 'Token')
    }
    if (found.needs_password) {
      if (!body.Password) throw fail(identityFailures.password_required, 'Password')
      checkNewPassword(body.Password, found.user_name)
      await setPassword(db, found.account_id, await hashPassword(body.Password), { isFromMailbox: true })
      // Whoever registers does so with a program.
      await workOn(db, [found.program_id!])
      await notifyOfRegistrant(db, found.program_id!, found.account_id)
      await queueTemplatedEmails(db, [receivedEmail({ ...found, email: found.new_email })])
    }
    await writeAudit(db, {
      programId: found.program_id,
      accountId: found.account_id,
      action: 'email confirmed',
      address: from.address,
      subjectId: found.account_id,
      detail: { EmailAddress: found.new_email },
    })
  }),
]
