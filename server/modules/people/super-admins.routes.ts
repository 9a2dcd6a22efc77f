import * as contract from '#contract/identity/super-admins.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import type { User } from '#server/core/auth/session.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { isUserNameTaken } from '#server/core/auth/user-names.across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { tellOwner } from '../identity/emails.service.ts'
import { endFreeze } from '../identity/sign-in.queries.ts'
import { addSuperAdmin, changeSuperAdmin, setActive } from './super-admins.commands.ts'
import { findSuperAdmin, type KnownSuperAdmin, listSuperAdmins, lockAreas } from './super-admins.queries.ts'

const seenBy =
  (reader: User) =>
  (found: KnownSuperAdmin): contract.SuperAdmin => ({
    ...found,
    CanEdit: found.Id !== reader.Id && contract.holdsAll(reader.SuperAdminAreas, found.Areas),
  })

const readOne = async (db: Db, user: User, id: number): Promise<contract.SuperAdmin> => {
  const found = await findSuperAdmin(db, id)
  if (!found) throw fail(peopleFailures.no_super_admin)
  return seenBy(user)(found)
}

/** Takes the caller's row, and others', until the call is over; answers the areas that the caller has now. */
const takeAreas = async (db: Db, user: User, ...others: number[]): Promise<number> => {
  const areas = (await lockAreas(db, [user.Id, ...others])).get(user.Id)
  if (areas === undefined) throw fail(peopleFailures.no_longer_super_admin)
  return areas
}

/** The one whom somebody changes: never oneself, nor somebody who holds more. */
const takeOne = async (
  db: Db,
  user: User,
  id: number,
): Promise<{ holds: number; before: contract.SuperAdmin }> => {
  const holds = await takeAreas(db, user, id)
  const before = await readOne(db, user, id)
  if (before.Id === user.Id) throw fail(peopleFailures.oneself)
  if (!contract.holdsAll(holds, before.Areas))
    throw fail(peopleFailures.has_other_areas, { UserName: before.UserName })
  return { holds, before }
}

const addressee = ({ Id, UserName, EmailAddress }: contract.SuperAdmin) => ({
  account_id: Id,
  program_id: null,
  user_name: UserName,
  email: EmailAddress,
})

/** Super admins and their areas: granted by those who hold them, audited, and the person is notified. */
export const superAdminRoutes = [
  handle(contract.listSuperAdmins, async ({ db, user }) => (await listSuperAdmins(db)).map(seenBy(user))),

  handle(contract.getSuperAdmin, ({ db, params, user }) => readOne(db, user, params.superAdminId)),

  handle(contract.createSuperAdmin, async ({ db, body, user, services, audit }) => {
    if (!contract.holdsAll(await takeAreas(db, user), body.Areas)) throw fail(peopleFailures.area_not_held)
    if (await isUserNameTaken(db, body.UserName))
      throw fail(peopleFailures.user_name_taken, { UserName: body.UserName }, 'UserName')
    const id = await addSuperAdmin(db, body, user.Id)
    audit.subjectId = id
    audit.detail = { UserName: body.UserName, Areas: body.Areas }
    await queueTemplatedEmails(db, [
      {
        programId: null,
        accountId: id,
        label: 'ACCOUNT_created',
        recipient: body.EmailAddress,
        values: {
          'user.firstName': body.FirstName,
          'account.userName': body.UserName,
          link: `${services.publicUrl()}${services.config.appRoot}/new/reset-password`,
        },
      },
    ])
    return readOne(db, user, id)
  }),

  handle(contract.updateSuperAdmin, async ({ db, params, body, user, services, audit }) => {
    const { holds, before } = await takeOne(db, user, params.superAdminId)
    if (!contract.mayGrant(holds, before.Areas, body.Areas)) throw fail(peopleFailures.area_not_held)
    await changeSuperAdmin(db, before.Id, body)
    const isNewAddress = body.EmailAddress.toLowerCase() !== before.EmailAddress.toLowerCase()
    audit.subjectId = before.Id
    audit.detail = {
      UserName: before.UserName,
      Areas: { Before: before.Areas, After: body.Areas },
      ...(isNewAddress && { EmailAddress: { Before: before.EmailAddress, After: body.EmailAddress } }),
    }
    if (body.Areas !== before.Areas) await tellOwner(db, services, addressee(before), 'areas')
    return readOne(db, user, before.Id)
  }),

  handle(contract.setSuperAdminActive, async ({ db, params, body, user, audit }) => {
    const { before } = await takeOne(db, user, params.superAdminId)
    audit.subjectId = before.Id
    audit.detail = { UserName: before.UserName, IsActive: body.IsActive }
    await setActive(db, before.Id, body.IsActive)
    if (body.IsActive) await endFreeze(db, before.Id)
    else await endSessionsOf(db, before.Id, 'access')
    return readOne(db, user, before.Id)
  }),
]
