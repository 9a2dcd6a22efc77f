import type { z } from 'zod'
import { Level, levelLabel, levels } from '#contract/core/levels.ts'
import type { DirectoryField } from '#contract/people/directory-fields.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import * as contract from '#contract/people/people.ts'
import { highestManageableLevel } from '#server/core/auth/api-key.ts'
import { insertInvitation, insertResetToken } from '#server/core/auth/mailed-links.ts'
import { checkNewPassword, hashPassword } from '#server/core/auth/password.ts'
import { hashToken, newToken, type Session, type User } from '#server/core/auth/session.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { isUserNameTaken } from '#server/core/auth/user-names.across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { requireProof } from '#server/core/http/guard.ts'
import { handle } from '#server/core/http/handle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { findAccountsByUserName } from '../identity/accounts.across.ts'
import { saveKeptFields } from '../identity/directory.commands.ts'
import { askForOwnAddress } from '../identity/own-address.service.ts'
import { getPlacingProgram } from '../scheduling/placement.queries.ts'
import { setSupervisorSites } from '../sites/supervisors.commands.ts'
import { setAccess } from './access.commands.ts'
import { getChangeable, getUser, refuseMerged, refuseTestUser } from './changeable.service.ts'
import { findLeft } from './leaving.queries.ts'
import { comeBack, giveBack, leave } from './leaving.service.ts'
import { addAccount, changeAccount, insertNamed } from './people.commands.ts'
import {
  findStudentByNumber,
  listCohorts,
  listStudentLevels,
  listUsers,
  searchUsers,
} from './people.queries.ts'

const refuseLevel = (user: User, level: number, field: string, mayGive = contract.mayGiveLevel): void => {
  if (
    !levels.some(({ Id }) => Id === level) ||
    level > highestManageableLevel(user) ||
    !mayGive(user.AccessLevel, level)
  ) {
    throw fail(peopleFailures.level_not_given, { Level: levelLabel(level) }, field)
  }
}

const refuseForeignArea = async (db: Db, programId: number, areaId: number, field: string): Promise<void> => {
  const area = await db
    .selectFrom('area')
    .select('id')
    .where('program_id', '=', programId)
    .where('id', '=', areaId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!area) throw fail(peopleFailures.area_gone, field)
}

/** The row of a new person, however the person gets in. */
const accountOf = (programId: number, body: z.output<typeof contract.InvitedUser>, by: User) => ({
  program_id: programId,
  access_level: body.accessLevel,
  email: body.emailAddress,
  first_name: body.firstName,
  middle_name: body.middleName,
  last_name: body.lastName,
  suffix: body.suffix,
  institution: body.institution,
  zip: body.zipCode,
  phone: body.phoneNumber,
  area_id: body.areaId,
  created_by: by.Id,
})

/**
 * Whoever makes an account, changes its address or has a link to its password mailed could open it themselves, so they prove who they
 * are; for all but students and alumni, whose accounts open what others have, in the act itself. Keys reach none of those.
 */
const requireProofFor = (user: User, session: Session, accessLevel: number): void => {
  if (!user.key) requireProof(session, { lasts: accessLevel > Level.Student })
}

const fieldWords: Readonly<Record<DirectoryField, string>> = {
  FirstName: 'first name',
  MiddleName: 'middle name',
  LastName: 'last name',
  Suffix: 'suffix',
  EmailAddress: 'email address',
  PhoneNumber: 'phone number',
  StudentNumber: 'student ID',
}

/**
 * Keeps which fields of the directory staff write from now on.
 *
 * @throws Failure 409 for another value of one that stays the directory's
 */
const refuseOfDirectory = async (
  db: Db,
  programId: number,
  before: contract.UserDetail,
  body: Pick<contract.UserDetail, DirectoryField> & {
    KeptFields?: DirectoryField[] | undefined
  },
): Promise<void> => {
  if (!before.Directory) return
  const { Name, Fields, Kept } = before.Directory
  const kept = (body.KeptFields ?? Kept).filter((field) => Fields.includes(field))
  const foreign = Fields.find(
    (field) => !kept.includes(field) && (body[field] ?? '') !== (before[field] ?? ''),
  )
  if (foreign) throw fail(peopleFailures.of_directory, { Field: fieldWords[foreign], Name }, foreign)
  if (kept.toSorted().join() !== Kept.toSorted().join()) await saveKeptFields(db, programId, before.Id, kept)
}

export const peopleRoutes = [
  handle(contract.listAccessLevels, async ({ query, user }) => {
    const { min = 0, max = user.isSuperAdmin ? Level.SuperAdmin : user.AccessLevel } = query
    const top = user.isSuperAdmin ? max : Math.min(max, Level.Admin)
    return levels.filter(({ Id }) => Id >= min && Id <= top).map(({ Id, Name }) => ({ Id, Name }))
  }),

  handle(contract.listStudentLevels, ({ db, params }) => listStudentLevels(db, params.programId)),
  handle(contract.listCohorts, ({ db, params }) => listCohorts(db, params.programId)),
  handle(contract.listUsers, ({ db, params, query, user }) =>
    listUsers(db, params.programId, user, query.AccessLevel),
  ),
  handle(contract.searchUsers, ({ db, params, query, user }) =>
    searchUsers(db, params.programId, user, query),
  ),
  handle(contract.getUser, ({ db, params, user }) => getUser(db, params.programId, user, params.userId)),

  handle(contract.createUser, async ({ db, body, user, session, audit }) => {
    const { programId } = session
    if (!programId) throw fail(peopleFailures.no_program)
    refuseLevel(user, body.accessLevel, 'accessLevel', contract.mayAddLevel)
    // Whoever chooses the password can sign in with it.
    if (!user.key) requireProof(session, { lasts: true })
    await refuseForeignArea(db, programId, body.areaId, 'areaId')
    if (await isUserNameTaken(db, body.username)) {
      throw fail(peopleFailures.user_name_taken, { UserName: body.username }, 'username')
    }
    checkNewPassword(body.password, body.username, 'password')
    const id = await addAccount(db, {
      ...accountOf(programId, body, user),
      user_name: body.username,
      password_hash: await hashPassword(body.password),
      has_given_password: true,
    })
    if (contract.hasAssignedSites(body.accessLevel))
      await setSupervisorSites(db, programId, id, body.supervisorSiteIds)
    audit.subjectId = id
    audit.detail = { UserName: body.username, AccessLevel: body.accessLevel }
    return { Id: id }
  }),

  handle(contract.inviteUser, async ({ db, body, user, session, services, audit }) => {
    const { programId } = session
    if (!programId) throw fail(peopleFailures.no_program)
    refuseLevel(user, body.accessLevel, 'accessLevel', contract.mayAddLevel)
    requireProofFor(user, session, body.accessLevel)
    if (body.areaId !== null) await refuseForeignArea(db, programId, body.areaId, 'areaId')
    const { id, userName } = await insertNamed(db, accountOf(programId, body, user))
    if (contract.hasAssignedSites(body.accessLevel))
      await setSupervisorSites(db, programId, id, body.supervisorSiteIds)
    audit.subjectId = id
    audit.detail = { UserName: userName, AccessLevel: body.accessLevel }
    const token = newToken()
    await insertInvitation(db, id, hashToken(token))
    await queueTemplatedEmails(db, [
      {
        programId,
        accountId: id,
        label: 'ACCOUNT_invited',
        recipient: body.emailAddress,
        values: {
          'user.firstName': body.firstName,
          'sender.name': user.Name,
          'account.userName': userName,
          link: `${services.publicUrl()}${services.config.appRoot}/new/reset-password?token=${token}`,
        },
      },
    ])
    return { Id: id, UserName: userName }
  }),

  handle(contract.updateUser, async (call) => {
    const {
      db,
      params: { programId, userId },
      body,
      user,
      session,
      audit,
    } = call
    const before = await getChangeable(db, programId, user, userId)
    if (body.AccessLevel !== before.AccessLevel) {
      refuseTestUser(before)
      refuseLevel(user, body.AccessLevel, 'AccessLevel')
    }
    // Whoever came without an address may stay so; nobody loses one.
    if (body.EmailAddress === '' && before.EmailAddress !== '')
      throw fail(peopleFailures.email_required, 'EmailAddress')
    if (body.AreaId !== null && body.AreaId !== before.AreaId)
      await refuseForeignArea(db, programId, body.AreaId, 'AreaId')
    const number = body.StudentNumber || null
    if (number && body.AccessLevel === Level.Student && !body.AllowsSharedStudentNumber) {
      const other = await findStudentByNumber(db, programId, number, userId)
      if (other) {
        const name = `${other.first_name} ${other.last_name}`
        throw fail(peopleFailures.student_number, { Name: name, Number: number }, 'StudentNumber')
      }
    }
    await refuseOfDirectory(db, programId, before, body)
    const isMoved = body.EmailAddress.toLowerCase() !== before.EmailAddress.toLowerCase()
    if (isMoved) requireProofFor(user, session, before.AccessLevel)
    if (body.AccessLevel > before.AccessLevel && body.AccessLevel >= Level.Faculty)
      requireProofFor(user, session, body.AccessLevel)
    audit.subjectId = userId
    audit.detail = { Before: before, After: body }
    const isOwnMoved = isMoved && userId === user.Id
    if (isOwnMoved) await askForOwnAddress(call, body.EmailAddress)
    // Another level has freed the shifts to come; whoever is a student again gets them back as by coming back.
    const isAgain = body.AccessLevel === Level.Student && before.AccessLevel !== Level.Student
    const left = isAgain && before.IsActive ? await findLeft(db, { programId, userId }) : undefined
    await changeAccount(
      db,
      { programId, id: userId },
      {
        first_name: body.FirstName,
        middle_name: body.MiddleName,
        last_name: body.LastName,
        suffix: body.Suffix,
        institution: body.Institution,
        zip: body.ZipCode,
        phone: body.PhoneNumber,
        // The own one is another one when the mailed link was opened.
        email: isOwnMoved ? before.EmailAddress : body.EmailAddress,
        ...(isMoved && !isOwnMoved && { is_email_confirmed: false }),
        area_id: body.AreaId,
        access_level: body.AccessLevel,
        student_number: number,
        student_level_id: body.StudentLevelId,
        cohort: body.Cohort || null,
      },
    )
    await setSupervisorSites(
      db,
      programId,
      userId,
      contract.hasAssignedSites(body.AccessLevel) ? body.SupervisorSiteIds : [],
    )
    if (left) await giveBack(db, { programId, userId }, left)
    return getUser(db, programId, user, userId)
  }),

  handle(contract.deactivateUser, async ({ db, params: { programId, userId }, user, audit }) => {
    if (userId === user.Id) throw fail(peopleFailures.own_access)
    const person = await getChangeable(db, programId, user, userId)
    refuseTestUser(person)
    audit.subjectId = userId
    if (!person.IsActive) return
    const { TimeZone } = await getPlacingProgram(db, programId)
    audit.detail = await leave(db, programId, person, { LastDay: todayIn(TimeZone), HandToId: null })
  }),

  handle(contract.reactivateUser, async ({ db, params: { programId, userId }, user, audit }) => {
    const person = await getChangeable(db, programId, user, userId)
    refuseTestUser(person)
    await refuseMerged(db, programId, person.Id)
    audit.subjectId = userId
    if (person.IsActive) return setAccess(db, programId, userId, true)
    const { Shifts, Evaluations, Refused } = await comeBack(db, programId, userId)
    audit.detail = { Shifts, Evaluations, Refused: Refused.length }
  }),

  handle(contract.endUserSessions, async ({ db, params: { programId, userId }, user, audit }) => {
    await getChangeable(db, programId, user, userId)
    audit.subjectId = userId
    await endSessionsOf(db, userId, 'ended')
  }),

  handle(
    contract.mailPasswordLink,
    async ({ db, params: { programId, userId }, user, session, services, audit }) => {
      const person = await getChangeable(db, programId, user, userId)
      requireProofFor(user, session, person.AccessLevel)
      if (!person.EmailAddress)
        throw fail(peopleFailures.no_email, { FirstName: person.FirstName, LastName: person.LastName })
      audit.subjectId = userId
      // An address that was changed and not confirmed gets no such link: the one before does.
      const [login] = await findAccountsByUserName(db, person.UserName)
      const token = newToken()
      await insertResetToken(db, userId, hashToken(token))
      const link = `${services.publicUrl()}${services.config.appRoot}/new/reset-password?token=${token}`
      await queueTemplatedEmails(db, [
        {
          programId,
          accountId: userId,
          label: 'ACCOUNT_password_link',
          recipient: login?.email ?? person.EmailAddress,
          values: { 'sender.name': user.Name, 'account.userName': person.UserName, link },
        },
      ])
    },
  ),
]
