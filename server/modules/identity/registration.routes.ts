import { identityFailures } from '#contract/identity/failures.ts'
import * as contract from '#contract/identity/registration.ts'
import { insertLinks } from '#server/core/auth/mailed-links.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { endSessionsOf } from '#server/core/auth/session-changes.ts'
import { findFreeUserName } from '#server/core/auth/user-names.across.ts'
import { keepIf } from '#server/core/database/keep-if.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { writeAudit } from '#server/core/runtime/audit.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { changeProgram } from '../programs/programs.commands.ts'
import { approvedEmail, declinedEmail, knownEmail, registeredEmail } from './emails.service.ts'
import { addRegistrant, endAccess, makeStudent } from './registration.commands.ts'
import {
  findByEmail,
  findProgramByToken,
  findRegistrant,
  findToken,
  hasStudentLevel,
  lockRegistrations,
  type RegistrantRow,
  type RegistrationProgram,
} from './registration.queries.ts'

const hour = 60 * 60

const page = (services: Services, path: string): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/${path}`

const asLink = (services: Services, token: string | null): { Link: string | null } => ({
  Link: token && page(services, `register/${token}`),
})

const getProgram = async (db: Db, token: string): Promise<RegistrationProgram> => {
  const program = await findProgramByToken(db, token)
  if (!program) throw fail(identityFailures.no_registration_link)
  return program
}

const getRegistrant = async (db: Db, programId: number, userId: number): Promise<RegistrantRow> => {
  const found = await findRegistrant(db, programId, userId)
  if (!found) throw fail(identityFailures.no_registrant)
  return found
}

export const registrationRoutes = [
  handle(contract.getRegistrationLink, async ({ db, params, services }) =>
    asLink(services, await findToken(db, params.programId)),
  ),

  handle(contract.makeRegistrationLink, async ({ db, params, services }) => {
    const token = newToken()
    await changeProgram(db, params.programId, { registration_token: token })
    return asLink(services, token)
  }),

  handle(contract.removeRegistrationLink, ({ db, params }) =>
    changeProgram(db, params.programId, { registration_token: null }),
  ),

  handle(contract.getRegistration, async ({ db, params, services, from }) => {
    await throttle(services.pool, [
      { key: `register-read:address:${from.address}`, max: 300, windowSeconds: quarterHour },
    ])
    const { ProgramName, CollegeName } = await getProgram(db, params.token)
    return { ProgramName, CollegeName }
  }),

  // A new address, one that registers again and one that is known pass through the same statements; what does not apply is
  // undone. Only the email tells them apart.
  handle(contract.register, async ({ db, params, body, services, from }) => {
    const email = body.EmailAddress
    await throttle(services.pool, [
      { key: `register:account:${email.toLowerCase()}`, max: 5, windowSeconds: quarterHour },
      { key: `register:address:${from.address}`, max: 60, windowSeconds: hour },
    ])
    const program = await getProgram(db, params.token)
    await workOn(db, [program.Id])
    await lockRegistrations(db)
    const known = await findByEmail(db, program.Id, email)
    const userName = await findFreeUserName(db, {
      firstName: body.FirstName,
      lastName: body.LastName,
      email,
    })
    const id = await keepIf(db, known === undefined, () =>
      addRegistrant(db, program.Id, {
        userName,
        firstName: body.FirstName,
        lastName: body.LastName,
        email,
        phone: body.PhoneNumber,
        zip: body.ZipCode,
      }),
    )
    const account = {
      account_id: known?.id ?? id,
      program_id: program.Id,
      user_name: known?.user_name ?? userName,
      email: known?.email ?? email,
      program_name: program.ProgramName,
    }
    const token = newToken()
    const isOpen = known === undefined || known.is_unfinished
    await keepIf(db, isOpen, () =>
      insertLinks(db, 'email_confirmation', [
        { accountId: account.account_id, hash: hashToken(token), email: account.email },
      ]),
    )
    await queueTemplatedEmails(db, [
      isOpen
        ? registeredEmail(account, page(services, `confirm-email?token=${token}`))
        : knownEmail(account, page(services, 'login')),
    ])
    await writeAudit(db, {
      programId: program.Id,
      accountId: account.account_id,
      action: 'registered',
      address: from.address,
      subjectId: account.account_id,
      detail: { IsNew: known === undefined },
    })
  }),

  handle(contract.approveRegistrant, async ({ db, params, body, services, audit }) => {
    const { programId, userId } = params
    const registrant = await getRegistrant(db, programId, userId)
    const name = `${registrant.first_name} ${registrant.last_name}`
    if (!registrant.is_email_confirmed) {
      throw fail(identityFailures.not_confirmed, { Name: name })
    }
    if (body.StudentLevelId !== null && !(await hasStudentLevel(db, programId, body.StudentLevelId))) {
      throw fail(identityFailures.student_level_gone, 'StudentLevelId')
    }
    audit.subjectId = userId
    await makeStudent(db, programId, userId, {
      studentLevelId: body.StudentLevelId,
      cohort: body.Cohort || null,
    })
    if (registrant.email) await queueTemplatedEmails(db, [approvedEmail(registrant, page(services, 'login'))])
  }),

  handle(contract.declineRegistrant, async ({ db, params, body, audit }) => {
    const { programId, userId } = params
    const registrant = await getRegistrant(db, programId, userId)
    audit.subjectId = userId
    await endAccess(db, programId, userId)
    await endSessionsOf(db, userId, 'access')
    if (registrant.email) await queueTemplatedEmails(db, [declinedEmail(registrant, body.Reason)])
  }),
]
