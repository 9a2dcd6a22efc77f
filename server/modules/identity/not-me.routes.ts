import { identityFailures } from '#contract/identity/failures.ts'
import * as identity from '#contract/identity/identity.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findNotMe, listFreezeReaders } from './accounts.across.ts'
import { frozenEmail } from './emails.service.ts'
import { useNotMe } from './sign-in.queries.ts'

/** What whoever reads a notice does when the change was not theirs. */
export const notMeRoutes = [
  handle(identity.getNotMe, async ({ db, params, services, from }) => {
    await throttle(services.pool, [
      { key: `not-me-read:address:${from.address}`, max: 300, windowSeconds: quarterHour },
    ])
    const found = await findNotMe(db, hashToken(params.token))
    if (!found) throw fail(identityFailures.no_link)
    return { UserName: found.user_name, ProgramName: found.program_name ?? '' }
  }),

  handle(identity.sayNotMe, async ({ db, body, services, from }) => {
    await throttle(services.pool, [
      { key: `not-me-use:address:${from.address}`, max: 60, windowSeconds: quarterHour },
    ])
    const account = await useNotMe(db, hashToken(body.Token))
    if (!account) throw fail(identityFailures.not_me_link_expired, 'Token')
    const readers = await listFreezeReaders(db, account.account_id)
    await queueTemplatedEmails(
      db,
      readers.map((reader) => frozenEmail(reader, account, account.name || account.user_name)),
    )
    await writeAudit(db, {
      programId: account.program_id,
      accountId: account.account_id,
      action: 'account frozen',
      address: from.address,
      subjectId: account.account_id,
      detail: { Told: readers.length },
    })
  }),
]
