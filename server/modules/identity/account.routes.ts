import { sql } from 'kysely'
import * as identity from '#contract/identity.ts'
import { homePath } from '#contract/session.ts'
import { notFound, ruleBroken } from '#server/core/failure.ts'
import { handle, sessionCookie } from '#server/core/handle.ts'
import { checkNewPassword, hashPassword, verifyPassword } from '#server/core/password.ts'
import { openSession } from '#server/core/session.ts'
import { throttle } from '#server/core/throttle.ts'
import { endSessionsOf, findAccountsByEmail, findLogin, setPassword } from './sign-in.queries.ts'

export const accountRoutes = [
  handle(identity.changePassword, async ({ db, body, user, session, services, audit }) => {
    await throttle(services.pool, [{ key: `password:account:${user.Id}`, most: 10, windowSeconds: 900 }])
    audit.subjectId = user.Id
    const found = await findLogin(db, user.UserName)
    if (!(await verifyPassword(found?.password_hash, body.OldPassword))) {
      throw ruleBroken(
        'wrong_password',
        'The old password is not right, so nothing was changed.',
        'OldPassword',
      )
    }
    checkNewPassword(body.Password, user.UserName)
    await setPassword(db, user.Id, await hashPassword(body.Password))
    await endSessionsOf(db, user.Id, session.id)
  }),

  handle(identity.listOwnAccounts, async ({ db, user }) => {
    if (!user.IsEmailAddressConfirmed) return []
    const accounts = await findAccountsByEmail(db, user.EmailAddress)
    return accounts
      .filter((account) => account.is_email_confirmed && account.account_id !== user.Id)
      .map((account) => ({
        UserId: account.account_id,
        UserName: account.user_name,
        ProgramName: account.program_name && `${account.college_name} - ${account.program_name}`,
      }))
  }),

  handle(identity.switchAccount, async ({ db, body, user, session, services, from, cookies, audit }) => {
    const accounts = user.IsEmailAddressConfirmed ? await findAccountsByEmail(db, user.EmailAddress) : []
    const target = accounts.find(
      (account) => account.account_id === body.UserId && account.is_email_confirmed,
    )
    const login = target && (await findLogin(db, target.user_name))
    if (!target || !login) throw notFound('This account')
    audit.subjectId = target.account_id
    await sql`update session set ended_at = now() where id = ${session.id}`.execute(db)
    const token = await openSession(services.pool, target.account_id, from)
    cookies.set(sessionCookie(services), token, { maxAgeSeconds: 24 * 60 * 60 })
    return { RedirectTo: `${services.config.appRoot}${homePath(target.access_level)}` }
  }),
]
