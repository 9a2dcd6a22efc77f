import { identityFailures } from '#contract/identity/failures.ts'
import * as identity from '#contract/identity/identity.ts'
import { beginSession } from '#server/core/auth/begin-session.ts'
import { insertLinks, useResetToken } from '#server/core/auth/mailed-links.ts'
import { checkNewPassword, hashPassword } from '#server/core/auth/password.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { keepIf } from '#server/core/database/keep-if.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import {
  type AccountOfEmail,
  findAccountsByEmail,
  findAccountsByUserName,
  findToldAccount,
} from './accounts.across.ts'
import { passwordEmail, tellOwner } from './emails.service.ts'
import { provePassword } from './password-proof.service.ts'
import { endFreeze, setPassword } from './sign-in.queries.ts'

/** Nobody: what a request for an unknown account works on, so that it takes the time of a known one. */
const nobody = (asked: string): AccountOfEmail => ({
  account_id: 0,
  program_id: null,
  user_name: 'nobody',
  email: asked || 'nobody',
  is_email_confirmed: false,
  program_name: null,
  college_name: null,
  access_level: 0,
})

/** A page before signing in, under the public address: mailed links use nothing else. */
const pageLink = (services: Services, path: string): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/${path}`

export const signInRoutes = [
  handle(identity.login, async ({ db, body, services, from, cookies }) => {
    const found = await provePassword({ db, services, from }, body)
    return {
      RedirectTo: await beginSession({ db, services, from, cookies }, found, {
        how: 'password',
        isShared: body.IsShared,
      }),
    }
  }),

  handle(identity.requestPasswordReset, async ({ db, body, services, from }) => {
    const asked = (body.UserName ?? body.Email ?? '').trim().toLowerCase()
    await throttle(services.pool, [
      { key: `reset:account:${asked}`, max: 5, windowSeconds: quarterHour },
      { key: `reset:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const known = body.UserName
      ? await findAccountsByUserName(db, asked)
      : await findAccountsByEmail(db, asked)
    const accounts = known.length > 0 ? known : [nobody(asked)]
    const links = accounts.map((account) => ({ account, token: newToken() }))
    await keepIf(db, known.length > 0, async () => {
      await insertLinks(
        db,
        'password_reset',
        links.map(({ account, token }) => ({
          accountId: known.length > 0 ? account.account_id : null,
          hash: hashToken(token),
        })),
      )
      await queueTemplatedEmails(
        db,
        links.map(({ account, token }) =>
          passwordEmail(account, pageLink(services, `reset-password?token=${token}`)),
        ),
      )
    })
  }),

  handle(identity.resetPassword, async ({ db, body, services, from }) => {
    await throttle(services.pool, [
      { key: `reset-use:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const accountId = await useResetToken(db, hashToken(body.Token))
    const account = accountId === undefined ? undefined : await findToldAccount(db, accountId)
    if (!account) {
      throw fail(identityFailures.password_link_expired, 'Token')
    }
    checkNewPassword(body.Password, account.user_name)
    await setPassword(db, account.account_id, await hashPassword(body.Password), { isFromMailbox: true })
    await endSessionsOf(db, account.account_id, 'password')
    await endFreeze(db, account.account_id)
    const told = await findToldAccount(db, account.account_id)
    if (told) await tellOwner(db, services, told, 'password')
    await writeAudit(db, {
      programId: account.program_id,
      accountId: account.account_id,
      action: 'password reset',
      address: from.address,
      subjectId: account.account_id,
    })
  }),
]
