import { Level } from '#contract/core/levels.ts'
import * as authenticator from '#contract/identity/authenticator.ts'
import * as identity from '#contract/identity/identity.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { homePath } from '#contract/session/session.ts'
import { changeSession, endSessionsOf } from '#server/core/auth/session-changes.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { setAuthenticator } from '../identity/authenticator.commands.ts'
import { tellOwner } from '../identity/emails.service.ts'
import { getChangeable } from './changeable.service.ts'

/** What staff do with the sign-in of other people. */
export const personRoutes = [
  handle(
    authenticator.removeAuthenticator,
    async ({ db, params: { programId, userId }, user, services, audit }) => {
      const person = await getChangeable(db, programId, user, userId)
      audit.subjectId = userId
      if (!(await setAuthenticator(db, userId, null))) {
        throw fail(peopleFailures.no_authenticator, {
          FirstName: person.FirstName,
          LastName: person.LastName,
        })
      }
      await endSessionsOf(db, userId, 'authenticator')
      const account = {
        account_id: userId,
        program_id: programId,
        user_name: person.UserName,
        email: person.EmailAddress,
      }
      await tellOwner(db, services, account, 'authenticator_off')
    },
  ),

  // Never upwards: a super admin's screens show all programs, whatever program the account is in.
  handle(identity.viewAs, async ({ db, params: { programId, userId }, user, session, services, audit }) => {
    const person = await getChangeable(db, programId, user, userId)
    const name = `${person.FirstName} ${person.LastName}`
    audit.subjectId = userId
    if (person.AccessLevel === Level.SuperAdmin) throw fail(peopleFailures.no_person)
    if (userId === user.Id) throw fail(peopleFailures.view_as_oneself)
    if (!person.IsActive) throw fail(peopleFailures.no_access, { Name: name })
    await changeSession(db, session.id, { viewed_account_id: userId })
    return { RedirectTo: `${services.config.appRoot}${homePath(person.AccessLevel)}` }
  }),

  handle(identity.stopViewing, async ({ db, session, user, services, audit }) => {
    audit.subjectId = user.Id
    await changeSession(db, session.id, { viewed_account_id: null })
    return { RedirectTo: `${services.config.appRoot}/new/admin/manage-users` }
  }),
]
