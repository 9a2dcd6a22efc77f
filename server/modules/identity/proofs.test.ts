import { globSync, readFileSync } from 'node:fs'
import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { retryScheduledEmails } from '#contract/communication/scheduled-emails.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { createRecoveryCodes, createTotpSecret, saveTotpSettings } from '#contract/identity/authenticator.ts'
import * as identity from '#contract/identity/identity.ts'
import { requestMagicLink } from '#contract/identity/passwordless.ts'
import * as proofs from '#contract/identity/proofs.ts'
import { importIntoProgram, undoImport } from '#contract/imports/imports.ts'
import { allEndpoints } from '#contract/index.ts'
import { createApiKey } from '#contract/keys/keys.ts'
import {
  deactivateUser,
  endUserSessions,
  getUser,
  inviteUser,
  mailPasswordLink,
  reactivateUser,
  searchUsers,
  updateUser,
} from '#contract/people/people.ts'
import { getProgram, updateProgram } from '#contract/programs/programs.ts'
import { createStaffCalendarFeed, getCalendar } from '#contract/scheduling/own-schedule.ts'
import { getState } from '#contract/session/session.ts'
import { exportHoursSummary } from '#contract/time/hours-summary.ts'
import { createWebhook, listWebhooks } from '#contract/webhooks/webhooks.ts'
import { newGivenProof } from '#server/core/auth/given-proof.ts'
import { hashPassword } from '#server/core/auth/password.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { transaction } from '#server/core/database/pool.ts'
import { type MadePerson, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import {
  addressOf,
  type Caller,
  callerOf as callerOfToken,
  type Installation,
  startInstallation,
} from '#server/test/installation.ts'
import { writeDigests } from '../communication/digests.jobs.ts'
import { tellOfAddresses, tellOfConfirmedAct, tellOfSignIn } from './notices.jobs.ts'

let installation: Installation
let program: { Id: number }
const password = 'Bluebird-42-harbor'
let password_hash: string
let number = 0

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  password_hash = await hashPassword(password)
})
afterAll(() => installation?.stop())
afterEach(() => void vi.useRealTimers())

const person = (level: Level, row: object = {}): Promise<MadePerson> =>
  makePerson(installation.owner, level, {
    ...(level !== Level.SuperAdmin && { program }),
    password_hash,
    email: `owner${++number}@example.org`,
    ...row,
  })
/** The session is as one that was left open. */
const leaveOpen = ({ Id }: MadePerson) =>
  installation.owner.query(
    "update session set proven_at = now() - interval '5 minutes 1 second' where account_id = $1",
    [Id],
  )
const emails = async ({
  Id,
}: {
  Id: number
}): Promise<{ label: string; recipient: string; html: string }[]> =>
  (
    await installation.owner.query(
      'select label, recipient, html from mail where account_id = $1 order by id',
      [Id],
    )
  ).rows
const tokenIn = (html: string): string => /token=([\w-]+)/.exec(html)![1]!
const emailOf = async ({ Id }: MadePerson): Promise<string> =>
  (await installation.owner.query('select email from account where id = $1', [Id])).rows[0].email
const prove = (caller: Caller, Password = password) =>
  caller.call(proofs.prove, { body: { Kind: 'password', Password } })
const login = (who: MadePerson, Password = password, headers = {}) =>
  installation.anonymous.call(
    identity.login,
    { body: { UserName: who.UserName, Password, IsShared: false } },
    {
      headers,
    },
  )

describe('every call that needs a proof', () => {
  const proven = allEndpoints.filter(({ proof }) => proof)
  const knock = (caller: Caller, endpoint: AnyEndpoint) => {
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [
        name,
        name === 'programId' ? program.Id : 999_999_999,
      ]),
    )
    return caller.send(endpoint.method, addressOf(endpoint, { params }), {
      ...(endpoint.method !== 'GET' && { body: { NoSuchField: 1 } }),
    })
  }

  test('refuses a session that was left open, and goes on after the proof', async () => {
    expect(proven.length).toBeGreaterThan(50)
    const people = await Promise.all(
      [Level.SuperAdmin, Level.Admin, Level.Student, Level.Supervisor].map((level) => person(level)),
    )
    const sitting = await Promise.all(
      people.map(async (one) => ({ one, caller: await installation.as(one) })),
    )
    const callerOf = ({ may: who }: AnyEndpoint) =>
      sitting.find(
        ({ one: { AccessLevel } }) =>
          who === 'signed-in' || who === 'everyone' || may({ AccessLevel, SuperAdminAreas: null }, who),
      )!.caller
    for (const endpoint of proven)
      expect((await knock(callerOf(endpoint), endpoint)).body?.Code, endpoint.path).not.toBe('proof_required')
    for (const { one } of sitting) await leaveOpen(one)
    for (const endpoint of proven) {
      const { status, body } = await knock(callerOf(endpoint), endpoint)
      expect([status, body.Code], endpoint.path).toEqual([403, 'proof_required'])
    }
    for (const { caller } of sitting) expect((await prove(caller)).status).toBe(200)
    expect((await knock(sitting[0]!.caller, proven[0]!)).body?.Code).not.toBe('proof_required')
    // A copied cookie has nothing of what the page was given, however fresh the sign-in is.
    for (const { caller } of sitting) delete caller.headers['x-proof']
    for (const endpoint of proven) {
      const { body } = await knock(callerOf(endpoint), endpoint)
      expect(body?.Code === 'proof_required', endpoint.path).toBe(endpoint.lasts === true)
    }
  })

  test('is asked in the act by every call that makes a secret, a link or a code for others', () => {
    /** What makes such a thing and does not ask, each with the reason. */
    const otherwise: Record<string, string> = {
      'POST /user/:userId/totp-settings': 'asks in its handler',
      'POST /programs/:programId/evaluations': 'asks in its handler where it makes an anonymous link',
      'POST /deep-links/:guid/answers': 'addresses of pages that ask to sign in',
      'POST /programs/:programId/inbox/mails':
        'goes to the confirmed address of the caller, who needs its mailbox',
      'POST /programs/:programId/inbox/people/mails': 'goes to addresses of accounts, who need their mailbox',
      'POST /programs/:programId/inbox/requests/:linkId/openings':
        'opens what was mailed to the same address',
      'POST /programs/:programId/users/:userId/password-links': 'asks in its handler',
      'POST /users/invitations': 'asks in its handler',
      'POST /programs/:programId/shared-site-offers': 'takes a code of another program',
      'POST /programs/:programId/shared-site-offers/joins': 'takes a code of another program',
      'POST /programs/:programId/custom-reports/:reportId/mailing':
        'an address of the product that asks to sign in',
      'POST /scheduled-emails/retries': 'leaves emails with links and codes out',
      'POST /auth/proofs': 'is the proof',
      'POST /system-status/mail/arrivals': 'takes the code of an email to the caller',
      'POST /connections/:connectionId/programs/:programId/rosters/:rosterId':
        'ties people to names that they prove at sign-in',
      'POST /programs/:programId/documents': 'an address that staff have typed',
      'POST /programs/:programId/documents/:documentId': 'an address that staff have typed',
      'POST /programs/:programId/documents/:documentId/restoration': 'an address that staff have typed',
      'POST /programs/:programId/examiners/:examinerId': 'ties an entry to an account',
      'POST /programs/:programId/inbox/setting':
        'whether links open anything; each goes to the address of an account',
      'POST /programs/:programId/procedure-logs/verifications': 'is done by such a link',
      'POST /programs/:programId/time-records': 'is done by such a link',
      'POST /auth/proof-codes': 'goes to the confirmed address of the caller',
    }
    const secret = /^(Key|Secret|Token|Codes|Url)$/
    const makes = /\b(links?|codes?|secret)\b/i
    const ends = /^(withdraw|end|revoke|delete|take|switch|keep|leave|turn)/i
    const making = allEndpoints.filter(
      ({ method, may: who, answer, answersSecret, summary }) =>
        method === 'POST' &&
        who !== 'everyone' &&
        (answersSecret ||
          Object.keys((answer as { shape?: object } | undefined)?.shape ?? {}).some((name) =>
            secret.test(name),
          ) ||
          (makes.test(summary) && !ends.test(summary))),
    )
    const nameOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`
    expect(
      making
        .filter(({ lasts }) => !lasts)
        .map(nameOf)
        .toSorted(),
    ).toEqual(Object.keys(otherwise).toSorted())
    // Where secrets are made: whoever makes one in a new place looks whether its calls are found above.
    const byLinkOrCode = ['competencies/exam-grading.routes.ts', 'competencies/exam-decisions.commands.ts']
    const forOneExam = ['competencies/exams.queries.ts', 'competencies/exams.routes.ts']
    const opensNothing = ['system/system.routes.ts']
    const forOneShiftChange = ['shift-changes/outcomes.service.ts']
    const forAddressesOfAccounts = ['inbox/inbox.routes.ts', 'inbox/mailing.service.ts']
    const ofSignIn = [
      'authenticator.routes.ts',
      'authenticator.rules.ts',
      'college.pages.ts',
      'emails.service.ts',
      'lti.pages.ts',
      'lti.service.ts',
      'notices.jobs.ts',
      'openid.pages.ts',
      'own-address.service.ts',
      'passwordless.routes.ts',
      'proofs.routes.ts',
      'registration.routes.ts',
      'sign-in.routes.ts',
    ].map((file) => `identity/${file}`)
    const asked = [
      'competencies/supervision.routes.ts',
      'connections/lti.routes.ts',
      'connections/roster.service.ts',
      'evaluations/evaluations.routes.ts',
      'evaluations/links.commands.ts',
      'evaluations/making.routes.ts',
      'keys/keys.commands.ts',
      'links/links.service.ts',
      'people/people.routes.ts',
      'placement-lists/link-mail.service.ts',
      'provisioning/provisioning.routes.ts',
      'requirements/packets.routes.ts',
      'scheduling/calendar.routes.ts',
      'shared-sites/shared-sites.routes.ts',
      'webhooks/webhooks.routes.ts',
    ]
    const places = globSync('server/modules/**/*.ts')
      .filter((file) => !file.endsWith('.test.ts'))
      .filter((file) =>
        /\b(newToken|newCode|createLink|addLink|newSecret|randomInt)\(/.test(readFileSync(file, 'utf8')),
      )
      .map((file) => file.slice('server/modules/'.length))
    expect(places.toSorted()).toEqual(
      [
        ...byLinkOrCode,
        ...forOneExam,
        ...opensNothing,
        ...forOneShiftChange,
        ...forAddressesOfAccounts,
        ...ofSignIn,
        ...asked,
      ].toSorted(),
    )
  })

  test('exists for each way in which something would go on after the session', () => {
    const lasting = new Set(
      allEndpoints.filter(({ lasts }) => lasts).map(({ method, path }) => `${method} ${path}`),
    )
    for (const needed of [
      'POST /auth/email',
      'POST /auth/recovery-codes',
      'POST /totp-secrets',
      'DELETE /programs/:programId/users/:userId/authenticator',
      'POST /programs/:programId/api-keys',
      'POST /programs/:programId/api-keys/:keyId/rotations',
      'POST /programs/:programId/sync-keys',
      'POST /programs/:programId/webhooks',
      'POST /calendar-feed',
      'POST /programs/:programId/calendar-feed',
      'POST /own-sites/calendar-feed',
      'POST /super-admins',
      'POST /super-admins/:superAdminId',
      'POST /connections',
      'POST /saml',
      'POST /mail-templates/:templateId',
    ])
      expect(lasting, needed).toContain(needed)
  })

  test('exists for each way in which a session would last, or everybody’s data leave', () => {
    const names = new Set(proven.map(({ method, path }) => `${method} ${path}`))
    for (const needed of [
      'POST /auth/email',
      'POST /auth/recovery-codes',
      'POST /user/:userId/totp-settings',
      'POST /programs/:programId/api-keys',
      'POST /programs/:programId/webhooks/:webhookId',
      'POST /programs/:programId/webhooks/:webhookId/rotations',
      'POST /calendar-feed',
      'POST /programs/:programId/calendar-feed',
      'POST /mail-templates/:templateId',
      'POST /mail-templates/:templateId/enabled',
      'POST /programs/:programId/users/:userId/views',
      'POST /programs/copies',
      'DELETE /programs/:programId',
      'POST /saml',
      'POST /connections',
      'POST /programs/:programId/students/:studentId/clearance',
      'GET /programs/:programId/audit/export',
    ])
      expect(names, needed).toContain(needed)
  })
})

describe('a proof', () => {
  test('is the password, and counts against the limit of sign-in', async () => {
    const owner = await person(Level.Coord)
    const caller = await installation.as(owner)
    await leaveOpen(owner)
    expect(await caller.ok(proofs.getProofKinds)).toMatchObject({ Kinds: ['password'], NeedsCode: false })
    expect((await prove(caller, 'wrong')).status).toBe(422)
    expect((await caller.call(createTotpSecret)).status).toBe(403)
    // The own password is no further way to guess it.
    const change = () =>
      caller.call(identity.changePassword, { body: { OldPassword: 'wrong', Password: 'Kestrel-31-garden' } })
    expect((await change()).body).toMatchObject({ Code: 'wrong_password' })
    for (let attempt = 0; attempt < 8; attempt++) await prove(caller, 'wrong')
    expect((await prove(caller)).status).toBe(429)
    expect((await change()).status).toBe(429)
    const { rows } = await installation.owner.query(
      "select count(*)::integer as refused from audit where action = 'sign-in refused' and account_id = $1",
      [owner.Id],
    )
    expect(rows[0].refused).toBe(10)
    expect((await login(owner)).status).toBe(429)
  })

  test('is the password with the code of the authenticator where there is one', async () => {
    // In the middle of a code's half minute: the test sees no other.
    vi.setSystemTime(Date.now() - (Date.now() % 30_000) + 15_000)
    const owner = await person(Level.Coord)
    const caller = await installation.as(owner)
    const { Secret } = await caller.ok(createTotpSecret)
    const codeAt = (secret: string, steps: number) =>
      generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
    const enabled = await caller.ok(saveTotpSettings, {
      params: { userId: owner.Id },
      body: { Enable: true, Secret, Code: codeAt(Secret, -1) },
    })
    expect(enabled.Success).toBe(true)
    await leaveOpen(owner)
    // Whoever knows the password and has not the code changes neither.
    const { body: withoutCode } = await caller.call(identity.changePassword, {
      body: { OldPassword: password, Password: 'Kestrel-31-garden' },
    })
    expect(withoutCode).toMatchObject({ Code: 'proof_required' })
    expect((await prove(caller)).body).toMatchObject({ Errors: [{ Field: 'Code' }] })
    const withCode = await caller.call(proofs.prove, {
      body: { Kind: 'password', Password: password, Code: codeAt(Secret, 0) },
    })
    expect(withCode.status).toBe(200)
    expect((await caller.call(createRecoveryCodes)).status).toBe(200)
  })

  test('is a mailed code for whoever has no password, once, and never at an address that is not confirmed', async () => {
    const owner = await person(Level.Coord, { password_hash: null })
    const caller = await installation.as(owner)
    await leaveOpen(owner)
    expect((await caller.ok(proofs.getProofKinds)).Kinds).toEqual(['email'])
    await caller.ok(proofs.mailProofCode)
    const code = /<strong>(\d{6})/.exec((await emails(owner)).at(-1)!.html)![1]!
    const give = (MailedCode: string) => caller.call(proofs.prove, { body: { Kind: 'email', MailedCode } })
    expect((await give(code === '000000' ? '000001' : '000000')).status).toBe(422)
    expect((await give(code)).status).toBe(200)
    expect((await give(code)).status).toBe(422)
    expect((await caller.call(createTotpSecret)).status).toBe(200)
    const other = await person(Level.Coord, { password_hash: null, is_email_confirmed: false })
    const theirs = await installation.as(other)
    expect((await theirs.ok(proofs.getProofKinds)).Kinds).toEqual(['sign-in'])
    expect((await theirs.call(proofs.mailProofCode)).status).toBe(422)
  })

  test('is in what the page was given, and a cookie that was copied right after the sign-in has none of it', async () => {
    const [owner, other] = [await person(Level.Admin), await person(Level.Coord)]
    const signedIn = async () => {
      const line = (await login(owner)).headers
        .getSetCookie()
        .find((one) => one.startsWith('practicum_session='))!
      return callerOfToken(installation, line.split(';')[0]!.split('=')[1]!)
    }
    const [thief, mine] = [await signedIn(), await signedIn()]
    const inProgram = { params: { programId: program.Id } }
    const newKey = (caller: Caller, Name: string) =>
      caller.call(createApiKey, {
        ...inProgram,
        body: { Name, Rights: ['people.read'], ExpireDays: 90 } as never,
      })
    const invite = (caller: Caller, accessLevel: Level) =>
      caller.call(inviteUser, {
        body: {
          accessLevel,
          emailAddress: `by${++number}@example.org`,
          firstName: 'A',
          lastName: 'B',
        } as never,
      })
    const ofOther = { params: { programId: program.Id, userId: other.Id } }
    const acts: (() => Promise<{ status: number; body: unknown }>)[] = [
      () => newKey(thief, 'Stolen'),
      () => invite(thief, Level.Admin),
      () => thief.call(mailPasswordLink, ofOther),
      () => thief.call(createStaffCalendarFeed, inProgram),
      () => thief.call(identity.changeEmail, { body: { EmailAddress: 'thief7@example.org' } }),
      () => thief.call(createTotpSecret),
      () => thief.call(createRecoveryCodes),
      () =>
        thief.call(saveTotpSettings, {
          params: { userId: owner.Id },
          body: { Enable: true, Secret: 'JBSWY3DPEHPK3PXP', Code: '123456' },
        }),
    ]
    const refuseAll = async () => {
      for (const act of acts) {
        const { status, body } = await act()
        expect([status, body], String(act)).toMatchObject([403, { Code: 'proof_required' }])
      }
    }
    await refuseAll()
    // An own student's account that is made one of staff would be there after the session.
    const student = await person(Level.Student)
    const at = { params: { programId: program.Id, userId: student.Id } }
    const { Id: _, UserName: __, IsActive: ___, IsTestUser: ____, ...values } = await mine.ok(getUser, at)
    const raise = (caller: Caller) =>
      caller.call(updateUser, { ...at, body: { ...values, AccessLevel: Level.Faculty } } as never)
    const raised = await raise(thief)
    expect([raised.status, raised.body]).toMatchObject([403, { Code: 'proof_required' }])
    const given = await mine.ok(proofs.prove, { body: { Kind: 'password', Password: password } })
    mine.headers['x-proof'] = given.Proof
    expect((await newKey(mine, 'Mine')).status).toBe(200)
    expect((await raise(mine)).status).toBe(200)
    // What was given holds for the session alone that it was given to, for five minutes, and as it was given.
    const { secretKey } = installation.services.config
    const { rows } = await installation.owner.query(
      'select id from session where account_id = $1 and ended_at is null order by id',
      [owner.Id],
    )
    const sixMinutesAgo = newGivenProof(secretKey, rows[0].id, Date.now() - 6 * 60_000)
    for (const header of [
      given.Proof,
      sixMinutesAgo,
      sixMinutesAgo.replace(/^\d+/, String(Date.now())),
      'x',
    ]) {
      thief.headers['x-proof'] = header
      await refuseAll()
    }
    // Daily work goes on by the sign-in.
    for (let one = 0; one < 3; one++) expect((await invite(thief, Level.Student)).status).toBe(200)
  })

  test('of whoever has neither a password nor a mailbox is the sign-in of the last five minutes, which nothing prolongs', async () => {
    const owner = await person(Level.Coord, { password_hash: null, email: '' })
    const caller = await installation.as(owner)
    delete caller.headers['x-proof']
    const bySignIn = () => caller.call(proofs.prove, { body: { Kind: 'sign-in' } })
    expect((await caller.ok(proofs.getProofKinds)).Kinds).toEqual(['sign-in'])
    expect((await caller.call(createTotpSecret)).status).toBe(403)
    caller.headers['x-proof'] = (await bySignIn()).body.Proof
    expect((await caller.call(createTotpSecret)).status).toBe(200)
    await leaveOpen(owner)
    expect((await caller.ok(proofs.getProofKinds)).Kinds).toEqual([])
    expect((await bySignIn()).body).toMatchObject({ Code: 'wrong_proof' })
    const other = await installation.as(await person(Level.Coord))
    expect((await other.call(proofs.prove, { body: { Kind: 'sign-in' } })).body).toMatchObject({
      Code: 'wrong_proof',
    })
  })

  test('is a fresh sign-in, and never the switch from another account', async () => {
    const owner = await person(Level.Coord)
    expect((await login(owner)).status).toBe(200)
    const kept = await installation.owner.query(
      "select proven_at > now() - interval '5 minutes' as proven from session where account_id = $1",
      [owner.Id],
    )
    expect(kept.rows).toEqual([{ proven: true }])
    const email = 'two.accounts@example.org'
    const [first, second] = [await person(Level.Coord, { email }), await person(Level.Coord, { email })]
    const caller = await installation.as(first)
    await caller.ok(identity.switchAccount, { body: { UserId: second.Id } })
    const switched = await installation.owner.query('select proven_at from session where account_id = $1', [
      second.Id,
    ])
    expect(switched.rows).toEqual([{ proven_at: null }])
  })
})

describe('the address of an account', () => {
  const change = async (caller: Caller, who: MadePerson, EmailAddress: string) => {
    const at = { params: { programId: program.Id, userId: who.Id } }
    const { Id: _, UserName: __, IsActive: ___, IsTestUser: ____, ...kept } = await caller.ok(getUser, at)
    return caller.call(updateUser, {
      ...at,
      body: { ...kept, EmailAddress, PhoneNumber: '508-555-0100', ZipCode: '02740' } as never,
    })
  }

  test('changed by staff for themselves is the same as on their own page', async () => {
    const staff = await person(Level.Coord)
    const before = await emailOf(staff)
    const caller = await installation.as(staff)
    await leaveOpen(staff)
    expect((await change(caller, staff, 'thief@example.org')).body).toMatchObject({ Code: 'proof_required' })
    await prove(caller)
    expect((await change(caller, staff, 'mine.now@example.org')).status).toBe(200)
    expect(await emailOf(staff)).toBe(before)
    const told = await emails(staff)
    expect(told.map(({ label, recipient }) => [label, recipient])).toEqual([
      ['ACCOUNT_email_confirmation', 'mine.now@example.org'],
      ['ACCOUNT_notice_email', before],
    ])
    await installation.anonymous.ok(identity.confirmEmail, { body: { Token: tokenIn(told[0]!.html) } })
    expect(await emailOf(staff)).toBe('mine.now@example.org')
  })

  test('gets no link to sign in while it was changed and is not confirmed: the one before does', async () => {
    const student = await person(Level.Student)
    const before = await emailOf(student)
    const caller = await installation.as(await person(Level.Coord))
    expect((await change(caller, student, 'entered@example.org')).status).toBe(200)
    const ask = (Email: string) =>
      installation.anonymous.ok(identity.requestPasswordReset, { body: { Email } })
    await ask('entered@example.org')
    await installation.anonymous.ok(requestMagicLink, { body: { Email: 'entered@example.org' } })
    expect(await emails(student)).toEqual([])
    await installation.anonymous.ok(identity.requestPasswordReset, { body: { UserName: student.UserName } })
    expect((await emails(student)).map(({ recipient }) => recipient)).toEqual([before])
    await tellOfAddresses.work({}, installation.services)
    await tellOfAddresses.work({}, installation.services)
    const told = (await emails(student)).slice(1)
    expect(told.map(({ label, recipient }) => [label, recipient])).toEqual([
      ['ACCOUNT_notice_address', before],
      ['ACCOUNT_address_entered', 'entered@example.org'],
    ])
    await installation.anonymous.ok(identity.confirmEmail, { body: { Token: tokenIn(told[1]!.html) } })
    await ask('entered@example.org')
    expect((await emails(student)).at(-1)).toMatchObject({
      label: 'ACCOUNT_password_reset',
      recipient: 'entered@example.org',
    })
  })

  test('entered wrongly and corrected leaves its reader nothing that opens the account', async () => {
    const caller = await installation.as(await person(Level.Coord))
    const { Id } = await caller.ok(inviteUser, {
      body: {
        accessLevel: Level.Student,
        emailAddress: 'mistyped@example.org',
        firstName: 'Ana',
        lastName: 'Reyes',
      } as never,
    })
    const student = { Id } as MadePerson
    const invitation = tokenIn((await emails(student))[0]!.html)
    expect((await change(caller, student, 'right@example.org')).status).toBe(200)
    const Password = 'Stranger-11-lantern'
    const reset = await installation.anonymous.call(identity.resetPassword, {
      body: { Token: invitation, Password },
    })
    expect(reset.body).toMatchObject({ Code: 'link_expired' })
    await tellOfAddresses.work({}, installation.services)
    const notice = (await emails(student)).find(
      ({ recipient, label }) => recipient === 'mistyped@example.org' && label === 'ACCOUNT_notice_address',
    )!
    await installation.anonymous.ok(identity.sayNotMe, { body: { Token: tokenIn(notice.html) } })
    expect(await emailOf(student)).toBe('right@example.org')
  })

  test('of staff, and new staff, need the proof of whoever enters them', async () => {
    const [admin, other] = [await person(Level.Admin), await person(Level.Coord)]
    const caller = await installation.as(admin)
    await leaveOpen(admin)
    expect((await change(caller, other, 'thief2@example.org')).body).toMatchObject({ Code: 'proof_required' })
    expect(await emailOf(other)).not.toBe('thief2@example.org')
    const invited = await caller.call(inviteUser, {
      body: {
        accessLevel: Level.Coord,
        emailAddress: 'thief3@example.org',
        firstName: 'A',
        lastName: 'B',
      } as never,
    })
    expect(invited.body).toMatchObject({ Code: 'proof_required' })
  })

  test('of a student, and a link to their password, need that proof too: once for thirty', async () => {
    const [staff, student] = [await person(Level.Coord), await person(Level.Student)]
    const before = await emailOf(student)
    const caller = await installation.as(staff)
    const at = { params: { programId: program.Id, userId: student.Id } }
    const invite = () =>
      caller.call(inviteUser, {
        body: {
          accessLevel: Level.Student,
          emailAddress: `new${++number}@example.org`,
          firstName: 'Ana',
          lastName: 'Reyes',
        } as never,
      })
    const importStudents = () =>
      caller.call(
        importIntoProgram,
        { params: { programId: program.Id }, query: { Kind: 'students', SendLinks: true } },
        {
          files: [
            {
              field: 'file',
              name: 'students.csv',
              content: `First name,Last name,Email\nIda,Moved,moved${++number}@example.org\n`,
            },
          ],
        },
      )
    await leaveOpen(staff)
    const acts = [
      () => change(caller, student, 'thief8@example.org'),
      () => caller.call(mailPasswordLink, at),
      invite,
      importStudents,
    ]
    for (const act of acts) expect((await act()).body).toMatchObject({ Code: 'proof_required' })
    expect([await emailOf(student), await emails(student)]).toEqual([before, []])
    // What changes no address goes on without.
    expect((await change(caller, student, before)).status).toBe(200)
    await prove(caller)
    for (let one = 0; one < 5; one++) expect((await invite()).status).toBe(200)
    for (const act of acts) expect((await act()).status).toBeLessThan(300)
    await tellOfAddresses.work({}, installation.services)
    const notice = (await emails(student)).find(({ label }) => label === 'ACCOUNT_notice_address')!
    expect(notice.recipient).toBe(before)
    await installation.anonymous.ok(identity.sayNotMe, { body: { Token: tokenIn(notice.html) } })
    expect(await emailOf(student)).toBe(before)
  })

  test('comes with no account of staff by a file, nor by the undo of one, without that proof', async () => {
    const owner = await person(Level.Admin)
    const caller = await installation.as(owner)
    const params = { programId: program.Id }
    const send = (name: string, DryRun = false) =>
      caller.call(
        importIntoProgram,
        { params, query: { Kind: 'staff', DryRun } },
        {
          files: [
            {
              field: 'file',
              name: 'staff.csv',
              content: `First name,Last name,Email,Role\n${name},Thief,${name}@example.org,Admin\n`,
            },
          ],
        },
      )
    const { ImportId } = (await send('before')).body
    await leaveOpen(owner)
    expect((await send('stolen', true)).body.Added).toBe(1)
    expect((await send('stolen')).body).toMatchObject({ Code: 'proof_required' })
    const undo = () => caller.call(undoImport, { params: { ...params, importId: ImportId! } })
    expect((await undo()).body).toMatchObject({ Code: 'proof_required' })
    const made = "select email from account where last_name = 'Thief'"
    expect((await installation.owner.query(made)).rows).toEqual([{ email: 'before@example.org' }])
    await prove(caller)
    expect((await undo()).status).toBeLessThan(300)
  })

  test('a second factor that a program asks of its staff is given up only after a proof', async () => {
    const owner = await person(Level.SuperAdmin)
    const caller = await installation.as(owner)
    const guarded = await makeProgram(installation.owner, { requires_totp: true })
    const params = { programId: guarded.Id }
    const { Id, CollegeName, DelFlag, ...before } = await caller.ok(getProgram, { params })
    await leaveOpen(owner)
    const save = (RequiresTotp: boolean) =>
      caller.call(updateProgram, { params, body: { ...before, RequiresTotp } })
    expect((await save(true)).status).toBe(200)
    expect((await save(false)).body).toMatchObject({ Code: 'proof_required' })
    await prove(caller)
    expect((await save(false)).body.RequiresTotp).toBe(false)
  })
})

describe('what a thief has begun', () => {
  const pendingOf = async (owner: MadePerson, caller: Caller) => {
    const EmailAddress = `thief${++number}@example.org`
    await caller.ok(identity.changeEmail, { body: { EmailAddress } })
    const Token = tokenIn((await emails(owner)).findLast(({ recipient }) => recipient === EmailAddress)!.html)
    return () => installation.anonymous.call(identity.confirmEmail, { body: { Token } })
  }
  const at = (owner: MadePerson) => ({ params: { programId: program.Id, userId: owner.Id } })

  const ends: Record<string, (owner: MadePerson, caller: Caller, staff: Caller) => Promise<unknown>> = {
    'the own new password': (_owner, caller) =>
      caller.ok(identity.changePassword, { body: { OldPassword: password, Password: 'Kestrel-31-garden' } }),
    'a password set from the mailbox': async (owner) => {
      await installation.anonymous.ok(identity.requestPasswordReset, { body: { UserName: owner.UserName } })
      const { html } = (await emails(owner)).findLast(({ label }) => label === 'ACCOUNT_password_reset')!
      await installation.anonymous.ok(identity.resetPassword, {
        body: { Token: tokenIn(html), Password: 'Kestrel-31-garden' },
      })
    },
    'the end of another own session': async (owner, caller) => {
      await installation.as(owner)
      const sessions = await caller.ok(identity.listSessions)
      const { Id } = sessions.find(({ IsCurrent }) => !IsCurrent)!
      await caller.ok(identity.endOwnSession, { params: { sessionId: Id } })
    },
    'sessions ended by staff': (owner, _caller, staff) => staff.ok(endUserSessions, at(owner)),
    'access ended and given back': async (owner, _caller, staff) => {
      await staff.ok(deactivateUser, at(owner))
      await staff.ok(reactivateUser, at(owner))
    },
    freezing: async (owner, _caller, staff) => {
      const { html } = (await emails(owner)).find(({ label }) => label === 'ACCOUNT_notice_email')!
      await installation.anonymous.ok(identity.sayNotMe, { body: { Token: tokenIn(html) } })
      await staff.ok(reactivateUser, at(owner))
    },
  }
  test.each(Object.entries(ends))(
    'ends with %s: another address is not confirmed any more',
    async (_name, end) => {
      const owner = await person(Level.Student)
      const before = await emailOf(owner)
      const caller = await installation.as(owner)
      const confirm = await pendingOf(owner, caller)
      await end(owner, caller, await installation.as(await person(Level.Admin)))
      expect((await confirm()).body).toMatchObject({ Code: 'link_expired' })
      const again = await installation.as(owner)
      expect(await again.ok(identity.getOwnEmail)).toMatchObject({
        EmailAddress: before,
        PendingEmailAddress: null,
      })
    },
  )

  test('does not take with it the link that confirms the address which an account has', async () => {
    const owner = await person(Level.Student, { is_email_confirmed: false })
    const caller = await installation.as(owner)
    await caller.ok(identity.changeEmail, { body: { EmailAddress: await emailOf(owner) } })
    const Token = tokenIn((await emails(owner))[0]!.html)
    const staff = await installation.as(await person(Level.Admin))
    await staff.ok(endUserSessions, at(owner))
    expect((await installation.anonymous.call(identity.confirmEmail, { body: { Token } })).status).toBe(204)
  })

  test('by a link to the password ends with the password', async () => {
    const owner = await person(Level.Student)
    const staff = await installation.as(await person(Level.Coord))
    await staff.ok(mailPasswordLink, at(owner))
    const Token = tokenIn((await emails(owner)).at(-1)!.html)
    const caller = await installation.as(owner)
    await caller.ok(identity.changePassword, {
      body: { OldPassword: password, Password: 'Kestrel-31-garden' },
    })
    const reset = await installation.anonymous.call(identity.resetPassword, {
      body: { Token, Password: 'Thief-99-harbor' },
    })
    expect(reset.body).toMatchObject({ Code: 'link_expired' })
  })

  test('is no calendar address that comes back with the access', async () => {
    const owner = await person(Level.Coord)
    const caller = await installation.as(owner)
    const { Address } = await caller.ok(createStaffCalendarFeed, { params: { programId: program.Id } })
    const file = Address.split('/').at(-1)!
    const read = () => installation.anonymous.call(getCalendar, { params: { file } })
    expect((await read()).status).toBe(200)
    const staff = await installation.as(await person(Level.Admin))
    await staff.ok(deactivateUser, at(owner))
    await staff.ok(reactivateUser, at(owner))
    expect((await read()).status).toBe(404)
  })
})

describe('“this was not me”', () => {
  test('freezes a stolen account, brings its address back, and a new password opens it', async () => {
    const [owner, admin] = [await person(Level.Admin), await person(Level.Admin)]
    const before = await emailOf(owner)
    const thief = await installation.as(owner)
    const { Key } = await thief.ok(createApiKey, {
      params: { programId: program.Id },
      body: { Name: `Stolen ${owner.Id}`, Rights: ['people.read'], ExpireDays: 30 } as never,
    })
    await thief.ok(identity.changeEmail, { body: { EmailAddress: 'thief4@example.org' } })
    const told = await emails(owner)
    const confirmation = told.find(({ recipient }) => recipient === 'thief4@example.org')!
    await installation.anonymous.ok(identity.confirmEmail, { body: { Token: tokenIn(confirmation.html) } })
    expect(await emailOf(owner)).toBe('thief4@example.org')
    const notice = told.find(({ label }) => label === 'ACCOUNT_notice_email')!
    expect(notice.recipient).toBe(before)
    const Token = tokenIn(notice.html)
    // A scanner of mail opens the page: nothing happens by that.
    expect(await installation.anonymous.ok(identity.getNotMe, { params: { token: Token } })).toMatchObject({
      UserName: owner.UserName,
    })
    expect((await thief.call(getState)).status).toBe(200)
    const said = await Promise.all(
      [1, 2, 3].map(() => installation.anonymous.call(identity.sayNotMe, { body: { Token } })),
    )
    expect(said.map(({ status }) => status).toSorted()).toEqual([204, 422, 422])

    expect((await thief.call(getState)).status).toBe(401)
    expect(await emailOf(owner)).toBe(before)
    const byKey = async () =>
      (
        await installation.anonymous.send('GET', `/programs/${program.Id}/users/list`, {
          headers: { authorization: `Bearer ${Key}` },
        })
      ).status
    expect(await byKey()).toBe(401)
    const refused = await login(owner)
    expect([refused.status, (refused.body as any).Code]).toEqual([403, 'frozen'])
    const readers = await emails(admin)
    expect(readers.map(({ label }) => label)).toEqual(['ACCOUNT_frozen'])

    await installation.anonymous.ok(identity.requestPasswordReset, { body: { UserName: owner.UserName } })
    const reset = (await emails(owner)).at(-1)!
    expect(reset).toMatchObject({ label: 'ACCOUNT_password_reset', recipient: before })
    await installation.anonymous.ok(identity.resetPassword, {
      body: { Token: tokenIn(reset.html), Password: 'Harbor-77-bluebird' },
    })
    expect((await login(owner, 'Harbor-77-bluebird')).status).toBe(200)
    expect(await byKey()).toBe(401)
  })

  test('of a later change does not undo that of an earlier one, and staff open the account again', async () => {
    const [owner, coordinator] = [await person(Level.Student), await person(Level.Coord)]
    const before = await emailOf(owner)
    const caller = await installation.as(owner)
    await caller.ok(identity.changeEmail, { body: { EmailAddress: 'thief5@example.org' } })
    const first = await emails(owner)
    await installation.anonymous.ok(identity.confirmEmail, {
      body: { Token: tokenIn(first.find(({ recipient }) => recipient === 'thief5@example.org')!.html) },
    })
    await caller.ok(identity.changePassword, { body: { OldPassword: password, Password: 'Thief-99-harbor' } })
    const later = (await emails(owner)).find(
      ({ recipient, label }) => recipient === 'thief5@example.org' && label === 'ACCOUNT_notice_password',
    )!
    const say = (html: string) =>
      installation.anonymous.call(identity.sayNotMe, { body: { Token: tokenIn(html) } })
    expect((await say(first.find(({ label }) => label === 'ACCOUNT_notice_email')!.html)).status).toBe(204)
    expect((await say(later.html)).status).toBe(422)
    expect(await emailOf(owner)).toBe(before)
    const staff = await installation.as(coordinator)
    const at = { params: { programId: program.Id, userId: owner.Id } }
    const { Items } = await staff.ok(searchUsers, {
      params: { programId: program.Id },
      query: { search: owner.UserName } as never,
    })
    expect(Items).toMatchObject([{ IsFrozen: true }])
    await staff.ok(reactivateUser, at)
    // The thief’s password is gone with the freeze, so that opening the account does not let the thief in.
    expect((await login(owner, 'Thief-99-harbor')).status).toBe(401)
  })

  test('holds what the account has caused and is not sent yet, and ends what it has queued and mailed to others', async () => {
    const { owner: db, anonymous, as } = installation
    const [owner, student] = [await person(Level.Coord), await person(Level.Student)]
    const thief = await as(owner)
    const { Id: invited } = await thief.ok(inviteUser, {
      body: {
        firstName: 'Thief',
        lastName: 'Friend',
        emailAddress: 'friend@example.org',
        accessLevel: Level.Student,
      } as never,
    })
    const mailOf = async (accountId: number) =>
      (
        await db.query(
          'select status, status_message, cancelled_at is not null as cancelled from mail where account_id = $1 order by id',
          [accountId],
        )
      ).rows
    await makeRow(db, 'email_notice', {
      program_id: program.Id,
      account_id: student.Id,
      label: 'TIME_approved',
      subject_key: 'a',
      after: 'By the thief',
      caused_by: owner.Id,
      due_at: '2020-01-01',
    })
    await makeRow(db, 'email_notice', {
      program_id: program.Id,
      account_id: student.Id,
      label: 'TIME_approved',
      subject_key: 'b',
      after: 'By somebody else',
      due_at: '2020-01-01',
    })
    const task = await makeRow(db, 'background_task', {
      program_id: program.Id,
      account_id: owner.Id,
      kind: 'file',
      action: 'GET /x',
      input: '{}',
      address: '192.0.2.1',
      name: 'Everybody.xlsx',
    })
    await thief.ok(identity.changePassword, { body: { OldPassword: password, Password: 'Thief-99-harbor' } })
    const notice = (await emails(owner)).find(({ label }) => label === 'ACCOUNT_notice_password')!
    await anonymous.ok(identity.sayNotMe, { body: { Token: tokenIn(notice.html) } })

    const held = {
      status: 4,
      cancelled: true,
      status_message: 'Held: the account that caused it was frozen. It was not sent. Retry sends it.',
    }
    expect(await mailOf(invited)).toEqual([held])
    // What tells the owner goes out.
    expect(await mailOf(owner.Id)).toContainEqual({ status: 1, status_message: '', cancelled: false })
    const { rows: links } = await db.query(
      'select used_at is not null as used from one_time_token where account_id = $1',
      [invited],
    )
    expect(links).toEqual([{ used: true }])
    const { rows: tasks } = await db.query('select state from background_task where id = $1', [task.id])
    expect(tasks).toEqual([{ state: 'canceled' }])

    await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (one) =>
      writeDigests(one, program.Id, ''),
    )
    const { rows: digests } = await db.query(
      "select id, status, status_message, html like '%By the thief%' as of_thief, html like '%By somebody else%' as of_other from mail where account_id = $1 order by status",
      [student.Id],
    )
    expect(digests).toMatchObject([
      { status: 1, of_thief: false, of_other: true },
      { status: 4, status_message: held.status_message, of_thief: true, of_other: false },
    ])
    const superAdmin = await as(await person(Level.SuperAdmin))
    expect(await superAdmin.ok(retryScheduledEmails, { body: { Ids: [Number(digests[1].id)] } })).toEqual({
      Queued: 1,
      Skipped: 0,
    })
  })

  test('takes away whatever was made with the account since, and shuts what was on its way', async () => {
    const owner = await person(Level.Admin)
    const provider_id = (
      await makeRow(installation.owner, 'saml_provider', {
        name: 'Harbor College',
        entity_id: 'https://idp.example',
        kind: 'oidc',
        client_id: 'practicum',
      })
    ).id
    const named = { program_id: program.Id, account_id: owner.Id, provider_id }
    await makeRow(installation.owner, 'saml_user', { ...named, name_id: 'thief', created_by: owner.Id })
    const packet = await makeRow(installation.owner, 'scoped_link', {
      program_id: program.Id,
      kind: 'packet',
      subject_id: 1,
      recipient_name: 'Thief',
      recipient_email: 'thief@example.org',
      token_hash: hashToken(`packet ${owner.Id}`),
      expires_at: '2100-01-01T00:00:00Z',
      created_by: owner.Id,
    })
    const thief = await installation.as(owner)
    const inProgram = { params: { programId: program.Id } }
    const { Address } = await thief.ok(createStaffCalendarFeed, inProgram)
    const file = Address.split('/').at(-1)!
    const calendar = () => installation.anonymous.call(getCalendar, { params: { file } })
    expect((await calendar()).status).toBe(200)
    const webhook = await thief.ok(createWebhook, {
      ...inProgram,
      body: {
        Url: 'https://8.8.8.8/thief',
        Description: '',
        Events: ['time.punched'],
        IsEnabled: true,
      } as never,
    })
    const { Secret } = await thief.ok(createTotpSecret)
    await thief.ok(saveTotpSettings, {
      params: { userId: owner.Id },
      body: { Enable: true, Secret, Code: generateSync({ secret: Secret }) },
    } as never)
    const notice = (await emails(owner)).find(({ label }) => label === 'ACCOUNT_notice_authenticator_on')!
    await installation.anonymous.ok(identity.sayNotMe, { body: { Token: tokenIn(notice.html) } })

    // A sign-in and a confirmation that were on their way in that moment.
    await installation.owner.query('update session set ended_at = null where account_id = $1', [owner.Id])
    expect((await thief.call(getState)).status).toBe(401)
    const Token = 'a-confirmation-on-its-way'
    await makeRow(installation.owner, 'one_time_token', {
      kind: 'email_confirmation',
      account_id: owner.Id,
      email: 'thief6@example.org',
      token_hash: hashToken(Token),
      expires_at: '2100-01-01T00:00:00Z',
    })
    expect((await installation.anonymous.call(identity.confirmEmail, { body: { Token } })).status).toBe(422)
    await makeRow(installation.owner, 'calendar_feed', {
      program_id: program.Id,
      account_id: owner.Id,
      token_hash: hashToken(file.replace('.ics', '')),
    })
    expect((await calendar()).status).toBe(404)

    const staff = await installation.as(await person(Level.Admin))
    await staff.ok(reactivateUser, { params: { programId: program.Id, userId: owner.Id } })
    expect((await thief.call(getState)).status).toBe(401)
    expect((await login(owner)).status).toBe(200)
    expect((await staff.ok(listWebhooks, inProgram)).find(({ Id }) => Id === webhook.Id)).toMatchObject({
      IsEnabled: false,
      DisabledReason: expect.stringContaining('somebody else had their account'),
    })
    const { rows: links } = await installation.owner.query(
      'select withdrawn_by from scoped_link where program_id = $1 and id = $2',
      [program.Id, packet.id],
    )
    expect(links).toEqual([{ withdrawn_by: owner.Id }])
    const left = async (table: string) =>
      (await installation.owner.query(`select from ${table} where account_id = $1`, [owner.Id])).rowCount
    expect([await left('saml_user'), await left('recovery_code')]).toEqual([0, 0])
  })

  test('is offered when somebody signs in on a device that the account has never had', async () => {
    const owner = await person(Level.Student)
    const queued = async () =>
      (
        await installation.owner.query(
          "select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'identity:device' and (j.payload ->> 'accountId')::bigint = $1",
          [owner.Id],
        )
      ).rows
    const first = await login(owner)
    const device = first.headers.getSetCookie().find((line) => line.startsWith('practicum_device='))!
    await login(owner, password, { cookie: device.split(';')[0]! })
    expect(await queued()).toEqual([])
    await login(owner)
    const [job] = await queued()
    await tellOfSignIn.work(job!.payload, installation.services)
    expect((await emails(owner)).map(({ label }) => label)).toEqual(['ACCOUNT_notice_device'])
  })

  test('is offered to whoever downloads everybody’s records, once for all files of a while, and to whoever views as another', async () => {
    const owner = await person(Level.Admin)
    const own = await installation.as(owner)
    const params = { programId: program.Id }
    for (const Format of ['csv', 'xlsx'] as const)
      expect((await own.call(exportHoursSummary, { params, query: { Format } })).status).toBe(200)
    const { programId } = params
    const viewed = await person(Level.Student)
    expect((await own.call(identity.viewAs, { params: { programId, userId: viewed.Id } })).status).toBe(200)
    const { rows } = await installation.owner.query(
      `select j.payload, j.run_at > now() as is_later from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'identity:confirmed' and (j.payload ->> 'accountId')::bigint = $1 order by j.payload ->> 'what'`,
      [owner.Id],
    )
    expect(rows).toMatchObject([
      { payload: { what: 'file' }, is_later: true },
      { payload: { what: 'view' }, is_later: false },
    ])
    for (const { payload } of rows) await tellOfConfirmedAct.work(payload, installation.services)
    expect((await emails(owner)).map(({ label }) => label).toSorted()).toEqual([
      'ACCOUNT_notice_file',
      'ACCOUNT_notice_view',
    ])
  })
})
