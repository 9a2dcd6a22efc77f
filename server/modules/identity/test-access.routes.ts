import { coreFailures } from '#contract/core/failures.ts'
import { identityFailures } from '#contract/identity/failures.ts'
import * as contract from '#contract/identity/test-access.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { setAuthenticator } from './authenticator.commands.ts'
import { findTestAccess, listTestAccess } from './test-access.across.ts'
import { addTestUser, handOver, revokeAccess } from './test-access.commands.ts'
import { findTestUser, lockProgram } from './test-access.queries.ts'

export const testAccessRoutes = [
  handle(contract.listTestAccess, ({ db, query }) => listTestAccess(db, query.search)),

  handle(contract.toggleTestAccess, async ({ db, params: { programId }, query: { mode }, user, audit }) => {
    await lockProgram(db, programId)
    if (!(await findTestAccess(db, programId))) throw fail(coreFailures.no_program)
    const found = await findTestUser(db, programId, mode)
    const opens = !found?.IsAdmitted
    if (opens && !(user.EmailAddress && user.IsEmailAddressConfirmed)) {
      throw fail(identityFailures.email_not_confirmed)
    }
    audit.detail = { Mode: mode, IsOpen: opens }
    if (found) {
      audit.subjectId = found.Id
      await endSessionsOf(db, found.Id, 'access')
      if (opens) {
        await setAuthenticator(db, found.Id, null)
        await handOver(db, programId, found.Id, mode, user)
      } else await revokeAccess(db, programId, found.Id)
    } else audit.subjectId = await addTestUser(db, programId, mode, user)
    // The program was read above, and its access goes with it.
    return (await findTestAccess(db, programId))!
  }),
]
