import { Level } from '#contract/core/levels.ts'
import { identityFailures } from '#contract/identity/failures.ts'
import { makeFirstAccount } from '#contract/identity/first-account.ts'
import { beginSession } from '#server/core/auth/begin-session.ts'
import { isFirstCode } from '#server/core/auth/first-account.ts'
import { checkNewPassword, hashPassword } from '#server/core/auth/password.ts'
import { transaction } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { addFirstAccount } from './first-account.commands.ts'
import { needsEula } from './sign-in.queries.ts'

/** What belongs to no program may be written. */
const asInstallation = { accountId: null, programIds: [], isSuper: true } as const

export const firstAccountRoutes = [
  handle(makeFirstAccount, async ({ db, body, services, from, cookies }) => {
    const { pool, config } = services
    await throttle(pool, [
      { key: `first-account:address:${from.address}`, max: 10, windowSeconds: quarterHour },
      { key: 'first-account', max: 100, windowSeconds: quarterHour },
    ])
    const isRight = await isFirstCode(pool, config.secretKey, body.Code)
    if (isRight === undefined) throw fail(identityFailures.no_first_account)
    if (!isRight) throw fail(identityFailures.wrong_first_code, 'Code')
    checkNewPassword(body.Password, body.UserName)
    const passwordHash = await hashPassword(body.Password)
    // Committed by itself: a session is opened for accounts that are there.
    const accountId = await transaction(pool, asInstallation, async (own) => {
      const id = await addFirstAccount(own, {
        userName: body.UserName,
        passwordHash,
        email: body.EmailAddress,
        firstName: body.FirstName,
        lastName: body.LastName,
      })
      if (id === undefined) throw fail(identityFailures.no_first_account)
      await writeAudit(own, {
        programId: null,
        accountId: id,
        action: 'first super admin made',
        address: from.address,
        subjectId: id,
        detail: { UserName: body.UserName },
      })
      return id
    })
    const account = {
      account_id: accountId,
      program_id: null,
      access_level: Level.SuperAdmin,
      needs_eula: await needsEula(db, accountId),
      needs_authenticator: false,
      start_page: null,
    }
    return {
      RedirectTo: await beginSession({ db, services, from, cookies }, account, { how: 'first account' }),
    }
  }),
]
