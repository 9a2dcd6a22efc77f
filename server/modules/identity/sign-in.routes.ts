import * as identity from '#contract/identity.ts'
import { homePath } from '#contract/session.ts'
import { writeAudit } from '#server/core/audit.ts'
import { transaction } from '#server/core/database/pool.ts'
import { Failure, ruleBroken } from '#server/core/failure.ts'
import { handle, sessionCookie } from '#server/core/handle.ts'
import { escapeHtml, post } from '#server/core/mail.ts'
import { checkNewPassword, hashPassword, verifyPassword } from '#server/core/password.ts'
import { hashToken, newToken, openSession } from '#server/core/session.ts'
import { forgive, throttle } from '#server/core/throttle.ts'
import {
  endSessionsOf,
  findAccountsByEmail,
  findAccountsByUserName,
  findLogin,
  keepResetToken,
  setPassword,
  useResetToken,
} from './sign-in.queries.ts'

const quarterHour = 15 * 60
const cookieSeconds = 24 * 60 * 60

/** Local paths only: an address that leaves this installation is dropped. */
export const localPath = (path: string | undefined, appRoot: string): string | undefined =>
  path && /^\/(?![/\\])[^\s\\]*$/.test(path) && path.startsWith(`${appRoot}/new`) ? path : undefined

export const signInRoutes = [
  handle(identity.login, async ({ db, body, services, from, cookies }) => {
    const name = body.UserName.trim().toLowerCase()
    const accountKey = `sign-in:account:${name}`
    await throttle(services.pool, [
      { key: accountKey, most: 10, windowSeconds: quarterHour },
      { key: `sign-in:address:${from.address}`, most: 300, windowSeconds: quarterHour },
    ])
    const found = await findLogin(db, name)
    const isRight = await verifyPassword(found?.password_hash, body.Password)
    if (!found || !isRight || !found.is_active) {
      // In a transaction of its own: the call's own one is rolled back by the refusal.
      await transaction(services.pool, { accountId: null, programIds: [] }, (own) =>
        writeAudit(own, {
          programId: found?.program_id ?? null,
          accountId: found?.account_id ?? null,
          action: 'sign-in refused',
          address: from.address,
          detail: { UserName: name.slice(0, 50) },
        }),
      )
      throw new Failure(
        401,
        'wrong_credentials',
        'User name or password is not right. Check both and try again.',
      )
    }
    await forgive(services.pool, accountKey)
    const token = await openSession(services.pool, found.account_id, from)
    cookies.set(sessionCookie(services), token, { maxAgeSeconds: cookieSeconds })
    await writeAudit(db, {
      programId: found.program_id,
      accountId: found.account_id,
      action: 'signed in',
      address: from.address,
      subjectId: found.account_id,
    })
    const wanted = localPath(cookies.get('practicum_redirect'), services.config.appRoot)
    cookies.clear('practicum_redirect')
    return { RedirectTo: wanted ?? `${services.config.appRoot}${homePath(found.access_level)}` }
  }),

  handle(identity.requestPasswordReset, async ({ db, body, services, from }) => {
    const asked = (body.UserName ?? body.Email ?? '').trim().toLowerCase()
    await throttle(services.pool, [
      { key: `reset:account:${asked}`, most: 5, windowSeconds: quarterHour },
      { key: `reset:address:${from.address}`, most: 60, windowSeconds: quarterHour },
    ])
    const accounts = body.UserName
      ? await findAccountsByUserName(db, asked)
      : await findAccountsByEmail(db, asked)
    for (const account of accounts) {
      const token = newToken()
      await keepResetToken(db, account.account_id, hashToken(token))
      const link = `${services.publicUrl()}${services.config.appRoot}/new/reset-password?token=${token}`
      await post(db, [
        {
          programId: account.program_id,
          accountId: account.account_id,
          label: 'ACCOUNT_password_reset',
          recipient: account.email,
          subject: 'Set a new password',
          html: `<p>Somebody, probably you, asked for a new password for the user name <b>${escapeHtml(account.user_name)}</b>${
            account.program_name ? ` (${escapeHtml(account.program_name)})` : ''
          }.</p><p><a href="${escapeHtml(link)}">Set a new password</a></p><p>The link works once, for 10 minutes. If it was not you, do nothing: your password stays as it is.</p>`,
        },
      ])
    }
  }),

  handle(identity.resetPassword, async ({ db, body, services, from }) => {
    await throttle(services.pool, [
      { key: `reset-use:address:${from.address}`, most: 60, windowSeconds: quarterHour },
    ])
    const account = await useResetToken(db, hashToken(body.Token))
    if (!account) {
      throw ruleBroken(
        'link_expired',
        'This link has expired or was used before. Ask for a new one; your password is unchanged.',
        'Token',
      )
    }
    checkNewPassword(body.Password, account.user_name)
    await setPassword(db, account.account_id, await hashPassword(body.Password))
    await endSessionsOf(db, account.account_id)
    await writeAudit(db, {
      programId: account.program_id,
      accountId: account.account_id,
      action: 'password reset',
      address: from.address,
      subjectId: account.account_id,
    })
  }),
]
