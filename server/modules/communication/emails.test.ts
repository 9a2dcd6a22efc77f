import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/communication/emails.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { mayOpen } from '#contract/core/pages.ts'
import { listCohorts, listStudentLevels } from '#contract/people/people.ts'
import { listSites } from '#contract/sites/sites.ts'
import { sendMail } from '#server/core/mail/mail.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let sender: MadePerson
let coordinator: Caller
let superAdmin: Caller
const received: { from: string; to: string[]; cc: string[]; subject: string; html: string }[] = []
const smtp = new SMTPServer({
  authOptional: true,
  closeTimeout: 200,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) =>
    done(
      address.startsWith('nobody')
        ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
        : null,
    ),
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', async () => {
      const { from, cc = [], subject = '', html = '' } = await PostalMime.parse(Buffer.concat(chunks))
      received.push({
        from: from?.address ?? '',
        to: session.envelope.rcptTo.map(({ address }) => address),
        cc: cc.map(({ address }) => address ?? ''),
        subject,
        html,
      })
      done()
    })
  },
})

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  installation = await startInstallation({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  superAdmin = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { email: 'super@example.org' }),
  )
})
afterAll(async () => {
  await installation?.stop()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})
beforeEach(async () => {
  received.length = 0
  await installation.owner.query('delete from mail')
  await installation.owner.query('delete from email_block')
  program = await makeProgram(installation.owner)
  sender = await makePerson(installation.owner, Level.Coord, {
    program,
    first_name: 'Dana',
    email: 'dana@example.org',
  })
  coordinator = await installation.as(sender)
})

const message = (more: object = {}) => ({
  sender: 'dana@example.org',
  subject: 'Closed on Friday',
  body: toBase64('<p>Nobody is scheduled.</p>'),
  ...more,
})
const send = (caller: Caller, more: object = {}) =>
  caller.ok(contract.sendEmails, { body: message(more) as never })
const refused = async (caller: Caller, more: object = {}) => {
  const { status, body } = await caller.call(contract.sendEmails, { body: message(more) as never })
  const { rows } = await installation.owner.query('select from mail')
  expect(rows).toHaveLength(0)
  return { status, message: (body as any).Message as string, errors: (body as any).Errors }
}
const person = (level: Level, name: string, row: object = {}, of = program) =>
  makePerson(installation.owner, level, {
    program: of,
    first_name: name,
    last_name: 'X',
    email: `${name.toLowerCase()}@example.org`,
    ...row,
  })
const names = (statuses: contract.EmailStatus[]) =>
  statuses.map(({ Recipient }) => Recipient.split(' ')[0]).toSorted()
const runOutbox = () => sendMail.work({}, installation.services)

test('D1-211 D1-212 D2-158 D2-159 D2-093 D2-112 a coordinator writes to groups; the answer tells of each, and the emails leave', async () => {
  await person(Level.Faculty, 'Fay')
  await person(Level.Student, 'Stu', { student_level_id: 1 })
  await person(Level.Student, 'Gone', { deactivated_at: '2026-01-01' })
  await person(Level.Student, 'Silent', { email: '' })
  await person(Level.Student, 'Broken', { email: 'no address' })
  await person(Level.Student, 'Bounce', { email: 'nobody@example.org' })
  await person(Level.Supervisor, 'Sue')
  await makeRow(installation.owner, 'email_block', { program_id: null, address: 'fay@example.org' })
  const statuses = await send(coordinator, {
    individualRecipientUserId: null,
    programIds: [program.Id],
    userTypes: [2, 5],
    studentIds: [],
    studentLevelIds: [],
    siteIds: [],
    cohorts: [],
    carbonCopyRecipients: [],
    isPaymentContactsSelected: false,
  })
  const of = (name: string) => statuses.find(({ Recipient }) => Recipient.startsWith(name))!
  expect(names(statuses)).toEqual(['Bounce', 'Broken', 'Fay', 'Silent', 'Stu'])
  expect(of('Stu')).toEqual({
    Recipient: 'Stu X <stu@example.org>',
    StatusValue: 0,
    StatusMessage: 'Waits to be sent',
    Id: expect.any(Number),
  })
  expect(of('Fay')).toMatchObject({
    StatusValue: 2,
    StatusMessage: 'Blocked: fay@example.org is a blocked address. It was not sent.',
  })
  expect(of('Silent')).toMatchObject({ Recipient: 'Silent X', StatusValue: 3, Id: null })
  expect(of('Broken').StatusValue).toBe(3)
  await runOutbox()
  expect(received).toEqual([
    {
      from: 'no-reply@localhost',
      to: ['stu@example.org'],
      cc: [],
      subject: 'Closed on Friday',
      html: expect.stringContaining('<p>Nobody is scheduled.</p>'),
    },
  ])
  const Ids = statuses.flatMap(({ Id }) => Id ?? [])
  const after = await coordinator.ok(contract.listEmailStatuses, { body: { Ids } })
  const byName = Object.fromEntries(
    after.map(({ Recipient, StatusValue }) => [Recipient.split(' ')[0], StatusValue]),
  )
  expect(byName).toEqual({ Stu: 1, Bounce: 4, Fay: 2 })
  expect(after.find(({ StatusValue }) => StatusValue === 4)!.StatusMessage).toMatch(/No such mailbox/)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  expect(await stranger.ok(contract.listEmailStatuses, { body: { Ids } })).toEqual([])
  expect(await superAdmin.ok(contract.listEmailStatuses, { body: { Ids } })).toEqual([])
})

test('D2-094 D2-025 each code stands for its levels', async () => {
  const levels: [contract.UserType, Level, string][] = [
    [1, Level.Director, 'Dir'],
    [2, Level.Faculty, 'Fac'],
    [3, Level.Supervisor, 'Sup'],
    [4, Level.SiteEmployee, 'Emp'],
    [5, Level.Student, 'Stu'],
    [6, Level.GenericEmployee, 'Gen'],
    [7, Level.Alumnus, 'Alu'],
  ]
  for (const [, level, name] of levels) await person(level, name)
  await person(Level.Admin, 'Adm')
  await person(Level.Registrant, 'Reg')
  for (const [type, , name] of levels.slice(1))
    expect(names(await send(coordinator, { userTypes: [type] }))).toEqual([name])
  expect(names(await send(coordinator, { userTypes: [1] }))).toEqual(['Dana', 'Dir'])
  const all = names(await send(coordinator, { userTypes: [1, 2, 3, 4, 5, 6, 7] }))
  expect(all).not.toContain('Adm')
  expect(all).toHaveLength(8)
})

test('D2-029 D2-090 D2-028 levels narrow the students; all of them mean students without a level too', async () => {
  await person(Level.Student, 'One', { student_level_id: 1 })
  await person(Level.Student, 'Two', { student_level_id: 2 })
  await person(Level.Student, 'None')
  const levels = await coordinator.ok(listStudentLevels, { params: { programId: program.Id } })
  expect(levels.map(({ Id, Name, ProgId }) => [Id, Name, ProgId])).toEqual([
    [1, 'Level 1', program.Id],
    [2, 'Level 2', program.Id],
  ])
  const to = async (studentLevelIds: number[]) =>
    names(await send(coordinator, { userTypes: [5], studentLevelIds }))
  expect(await to([1])).toEqual(['One'])
  expect(await to([1, 2])).toEqual(['None', 'One', 'Two'])
  expect(await to([])).toEqual(['None', 'One', 'Two'])
})

test('D2-026 D2-027 D2-089 D2-156 cohorts narrow the alumni, and Not Specified means those without one', async () => {
  await person(Level.Alumnus, 'Old', { cohort: '2024' })
  await person(Level.Alumnus, 'New', { cohort: '2025' })
  await person(Level.Alumnus, 'Free')
  expect(await coordinator.ok(listCohorts, { params: { programId: program.Id } })).toEqual(['2025', '2024'])
  const to = async (cohorts: string[]) => names(await send(coordinator, { userTypes: [7], cohorts }))
  expect(await to(['2025'])).toEqual(['New'])
  expect(await to(['2024', 'Not Specified'])).toEqual(['Free', 'Old'])
  expect(await to([])).toEqual(['Free', 'New', 'Old'])
})

test('D2-088 sites are written to by their contacts; a site without an address says so', async () => {
  const { owner } = installation
  const harbor = await makeSite(owner, program, { name: 'Harbor' })
  const quiet = await makeSite(owner, program, { name: 'Quiet' })
  await makeSite(owner, program)
  for (const [name, email] of [
    ['Lee', 'lee@harbor.example'],
    ['Mute', ''],
  ])
    await makeRow(owner, 'site_contact', { program_id: program.Id, site_id: harbor.Id, name, email })
  const statuses = await send(coordinator, { siteIds: [harbor.Id, quiet.Id] })
  expect(statuses.map(({ Recipient, StatusValue }) => [Recipient, StatusValue])).toEqual([
    ['Lee <lee@harbor.example>', 0],
    ['Quiet', 3],
  ])
  expect((await coordinator.ok(listSites, { params: { programId: program.Id } }))[0]).toMatchObject({
    Id: harbor.Id,
    Name: 'Harbor',
  })
  const foreign = await makeSite(owner, await makeProgram(owner))
  expect(
    (await coordinator.call(contract.sendEmails, { body: message({ siteIds: [foreign.Id] }) as never }))
      .status,
  ).toBe(404)
})

test('D2-030 D2-120 picked people get the email, and an address is written to once', async () => {
  const stu = await person(Level.Student, 'Stu')
  const twin = await person(Level.Faculty, 'Twin', { email: 'STU@example.org' })
  const other = await person(Level.Registrant, 'Other')
  const body = { userTypes: [5] as contract.UserType[], studentIds: [stu.Id, twin.Id, other.Id] }
  const counted = await coordinator.ok(contract.countEmails, { body })
  expect(counted).toEqual({ Emails: 2, IsTooMany: false, Blocked: 0, WithoutAddress: 0, Twice: 2 })
  expect(names(await send(coordinator, body))).toEqual(['Other', 'Stu'])
})

test('D2-024 recipients come from the own program only', async () => {
  const elsewhere = await makeProgram(installation.owner)
  const stranger = await person(Level.Student, 'Stranger', {}, elsewhere)
  await person(Level.Student, 'Own')
  for (const more of [
    { programIds: [elsewhere.Id], userTypes: [5] },
    { programIds: [program.Id, elsewhere.Id], userTypes: [5] },
    { studentIds: [stranger.Id] },
    { individualRecipientUserId: stranger.Id },
    { studentIds: [999_999_999] },
  ])
    expect((await refused(coordinator, more)).status, JSON.stringify(more)).toBe(404)
  expect(names(await send(coordinator, { userTypes: [5] }))).toEqual(['Own'])
})

test('D2-120 D2-121 without a program and a picked person nothing is sent, and the message says what to select', async () => {
  const text = 'Please select a program or individual users.'
  for (const [caller, more] of [
    [coordinator, {}],
    [superAdmin, { userTypes: [1] }],
    [superAdmin, {}],
  ] as const) {
    const answer = await refused(caller, more)
    expect(answer).toEqual({
      status: 400,
      message: text,
      errors: [{ Field: 'programIds', Message: text }],
    })
  }
})

test('D2-118 D2-119 D2-122 D2-123 sender, subject and copies are checked', async () => {
  const cases: [object, string, string][] = [
    [{ sender: 'nobody' }, 'sender', 'Please specify a valid email for the "From" field.'],
    [{ sender: '' }, 'sender', 'Please specify a valid email for the "From" field.'],
    [{ subject: '  ' }, 'subject', 'Please specify a subject.'],
    [{ subject: 'x'.repeat(256) }, 'subject', 'Subject can have at most 255 characters.'],
    [
      { subject: 'a\r\nBcc: all@example.org' },
      'subject',
      'Subject must be one line without control characters.',
    ],
    [
      { carbonCopyRecipients: ['a@b.example', 'nobody'] },
      'carbonCopyRecipients',
      'Please specify valid emails separated by commas for the "CC" field.',
    ],
  ]
  for (const [more, Field, Message] of cases) {
    const { status, errors } = await refused(coordinator, { userTypes: [1], ...more })
    expect(status).toBe(400)
    expect(errors).toEqual([{ Field, Message }])
  }
  for (const more of [{ body: 'no base64!' }, { userTypes: [8] }, { userTypes: ['5'] }, { To: 'x@y.z' }])
    expect((await refused(coordinator, more)).status, JSON.stringify(more)).toBe(400)
})

test('D2-124 D2-122 copies are trimmed, separated by commas', () => {
  expect(contract.splitCopies(' a@b.example ,c@d.example,, ')).toEqual(['a@b.example', 'c@d.example'])
  expect(contract.splitCopies('')).toEqual([])
  expect(contract.splitCopies('a@b.example; c@d.example')).toBeUndefined()
})

test('D2-010 D2-124 a copy is in the head of an email to one person; of many emails each copy is one of its own', async () => {
  const stu = await person(Level.Student, 'Stu')
  const single = await send(coordinator, {
    individualRecipientUserId: stu.Id,
    carbonCopyRecipients: ['  head@example.org '],
  })
  expect(single.map(({ Recipient }) => Recipient)).toEqual([
    'Stu X <stu@example.org>',
    'head@example.org (CC)',
  ])
  await person(Level.Student, 'Two')
  await send(coordinator, { userTypes: [5], carbonCopyRecipients: ['head@example.org', 'HEAD@example.org'] })
  await runOutbox()
  const to = (address: string) => received.filter((each) => each.to.includes(address))
  expect(to('head@example.org')).toHaveLength(2)
  expect(received.find(({ cc }) => cc.length > 0)).toMatchObject({
    to: ['stu@example.org', 'head@example.org'],
    cc: ['head@example.org'],
  })
  expect(to('head@example.org').find(({ to: all }) => all.length === 1)!.html).toContain(
    'Copy of an email to 2 people.',
  )
  expect(to('stu@example.org')).toHaveLength(2)
})

test('D2-015 D2-023 people of a program send from their own address only; super admins from any', async () => {
  const stu = await person(Level.Student, 'Stu')
  const forged = await refused(coordinator, { sender: 'dean@example.org', studentIds: [stu.Id] })
  expect(forged).toMatchObject({ status: 403, message: expect.stringContaining('your own address') })
  await send(coordinator, { sender: 'DANA@example.org', studentIds: [stu.Id] })
  await send(superAdmin, { sender: 'news@practicum.example', studentIds: [stu.Id] })
  const { rows } = await installation.owner.query('select sender, created_by from mail order by id')
  expect(rows.map((row) => row.sender)).toEqual([
    expect.stringMatching(/^Dana .*<DANA@example.org>$/),
    expect.stringMatching(/<news@practicum.example>$/),
  ])
  expect(rows[0].created_by).toBe(sender.Id)
})

test('D2-016 D2-021 D2-095 super admins write to programs of their choice, to Email Notifications and to Payment Contacts', async () => {
  const { owner } = installation
  const other = await makeProgram(owner, { is_payment_enabled: true })
  const third = await makeProgram(owner)
  await person(Level.Director, 'First')
  await person(Level.Director, 'Payer', {}, other)
  await person(Level.Director, 'Third', {}, third)
  const copied = await person(Level.Faculty, 'Copied')
  await makeRow(owner, 'notification_copy', { program_id: program.Id, account_id: copied.Id })
  const programIds = [program.Id, other.Id]
  expect(names(await send(superAdmin, { programIds, userTypes: [1] }))).toEqual(['Dana', 'First', 'Payer'])
  expect(names(await send(superAdmin, { programIds, userTypes: [0] }))).toEqual(['Copied'])
  expect(names(await send(superAdmin, { programIds, isPaymentContactsSelected: true }))).toEqual(['Payer'])
  await owner.query('delete from mail')
  expect((await refused(coordinator, { userTypes: [0] })).status).toBe(403)
  expect((await refused(coordinator, { userTypes: [1], isPaymentContactsSelected: true })).status).toBe(403)
  expect((await refused(superAdmin, { programIds: [999_999_999], userTypes: [1] })).status).toBe(404)
})

test('D2-195 D2-215 D2-113 5,000 emails are sent at once; one more is refused with 422, and nothing is sent', async () => {
  await installation.owner.query(
    `insert into account (program_id, user_name, access_level, first_name, last_name, email)
      select $1::bigint, 'bulk' || $1::text || 'n' || n, 39, 'Bulk', 'B', 'bulk' || n || '@example.org' from generate_series(1, 5001) n`,
    [program.Id],
  )
  const text =
    'Your selections would result in too many emails being sent at once. Please change your selections to ensure that 5,000 emails or fewer are sent.'
  expect(await refused(coordinator, { userTypes: [5] })).toMatchObject({ status: 422, message: text })
  const counted = await coordinator.ok(contract.countEmails, { body: { userTypes: [5] } })
  expect(counted).toMatchObject({ Emails: 5001, IsTooMany: true })
  await installation.owner.query('update account set deleted_at = now() where user_name = $1', [
    `bulk${program.Id}n7`,
  ])
  expect(
    await refused(coordinator, {
      userTypes: [5],
      carbonCopyRecipients: ['one@more.example'],
    }),
  ).toMatchObject({ status: 422 })
  expect(await send(coordinator, { userTypes: [5] })).toHaveLength(5000)
  const { rows } = await installation.owner.query('select count(*) as count from mail')
  expect(rows[0].count).toBe(5000)
})

test('the same Idempotency-Key sends once', async () => {
  const stu = await person(Level.Student, 'Stu')
  const body = message({ studentIds: [stu.Id] }) as never
  const once = () =>
    coordinator.ok(contract.sendEmails, { body }, { headers: { 'idempotency-key': 'send-1234-once' } })
  expect(await once()).toEqual(await once())
  const { rows } = await installation.owner.query('select from mail')
  expect(rows).toHaveLength(1)
})

test('D2-007 D2-008 D2-091 D2-154 the individual recipient has a name and an address, in the own program', async () => {
  const stu = await person(Level.Student, 'Stu')
  const at = { params: { userId: stu.Id } }
  const fields = { Name: 'Stu X', EmailAddress: 'stu@example.org' }
  expect(await coordinator.ok(contract.getEmailFields, at)).toEqual(fields)
  expect(await superAdmin.ok(contract.getEmailFields, at)).toEqual(fields)
  const stranger = await makeStudent(installation.owner)
  expect((await coordinator.call(contract.getEmailFields, { params: { userId: stranger.Id } })).status).toBe(
    404,
  )
  expect(names(await send(coordinator, { individualRecipientUserId: stu.Id, userTypes: [1] }))).toEqual([
    'Stu',
  ])
})

test('D2-092 D2-125 D2-157 people are found by at least three characters, above a level, a page at a time', async () => {
  for (let n = 0; n < 25; n++) await person(Level.Student, `Lindgren${String(n).padStart(2, '0')}`)
  await person(Level.Alumnus, 'Lindgrena')
  await person(Level.Student, 'Lindgrenz', {}, await makeProgram(installation.owner))
  const found = async (query: object) =>
    (await coordinator.ok(contract.pickUsers, { query: query as never })).aaData
  const first = await found({ search: ' lindgren ', usertype_more_than: Level.Alumnus })
  expect(first).toHaveLength(20)
  expect(first[0]).toEqual({
    ID: expect.any(Number),
    FullName: 'Lindgren00 X',
    EmailAddress: 'lindgren00@example.org',
    AccessLevel: 39,
    Program: null,
  })
  expect(await found({ search: 'lindgren', usertype_more_than: Level.Alumnus, page: 2 })).toHaveLength(5)
  expect((await found({ search: 'lindgrena' })).map(({ FullName }) => FullName)).toEqual(['Lindgrena X'])
  expect(await found({ search: 'li%x' })).toEqual([])
  for (const search of ['', 'li', '  l  '])
    expect((await coordinator.call(contract.pickUsers, { query: { search } })).status).toBe(400)
  const everywhere = (await superAdmin.ok(contract.pickUsers, { query: { search: 'lindgrenz' } })).aaData
  expect(everywhere[0]!.Program).toMatch(/^College \d+ - Program \d+$/)
})

test('the body is cleaned: the preview shows what is sent', async () => {
  const body = toBase64('<p onclick="x()">Hello</p><script>alert(1)</script>')
  expect(await coordinator.ok(contract.cleanEmail, { body: { body } })).toMatchObject({
    Html: '<p>Hello</p>',
  })
  const stu = await person(Level.Student, 'Stu')
  await send(coordinator, { studentIds: [stu.Id], body })
  const { rows } = await installation.owner.query('select html from mail')
  expect(rows).toEqual([{ html: '<p>Hello</p>' }])
})

test('a name with signs of an address stays one recipient', async () => {
  await person(Level.Faculty, 'Fay', { last_name: 'Doe, <evil@x.example>; "A"' })
  const [status] = await send(coordinator, { userTypes: [2] })
  expect(status!.Recipient).toBe('Fay Doe evil x.example A <fay@example.org>')
  await runOutbox()
  expect(received.map(({ to }) => to)).toEqual([['fay@example.org']])
})

test('D2-001 D2-003 D2-004 D2-142 D2-143 D2-152 coordinators and above write emails, and super admins with the Email area; nobody below', async () => {
  const { owner } = installation
  const status = async (level: Level, row: object = {}) => {
    const caller = await installation.as(
      await makePerson(owner, level, { ...(level !== Level.SuperAdmin && { program }), ...row }),
    )
    return (await caller.call(contract.countEmails, { body: { userTypes: [2], programIds: [program.Id] } }))
      .status
  }
  for (const level of [Level.Coord, Level.Director, Level.Admin]) expect(await status(level)).toBe(200)
  for (const level of [Level.Faculty, Level.Supervisor, Level.SiteEmployee, Level.Student, Level.Alumnus])
    expect(await status(level)).toBe(403)
  expect(await status(Level.SuperAdmin, { super_admin_areas: AdminArea.Email })).toBe(200)
  expect(await status(Level.SuperAdmin, { super_admin_areas: AdminArea.Roles | AdminArea.Payments })).toBe(
    403,
  )
  const admin = (areas: number) => ({ AccessLevel: Level.SuperAdmin, SuperAdminAreas: areas })
  for (const page of ['emails', 'emails?i=1', 'emails/preview', 'emails/send-status', 'scheduled-emails']) {
    expect(mayOpen(admin(AdminArea.Email), `/new/admin/${page}`), page).toBe(true)
    expect(mayOpen(admin(AdminArea.AdminNews), `/new/admin/${page}`), page).toBe(false)
    expect(mayOpen({ AccessLevel: Level.Faculty, SuperAdminAreas: null }, `/new/admin/${page}`)).toBe(false)
    expect(mayOpen({ AccessLevel: Level.Alumnus, SuperAdminAreas: null }, `/new/admin/${page}`)).toBe(false)
  }
  const screens = ['emails', 'scheduled-emails', 'eula', 'geo-ip', 'global-settings', 'announcements']
  for (const page of screens)
    expect(mayOpen({ AccessLevel: Level.Student, SuperAdminAreas: null }, `/new/admin/${page}`)).toBe(false)
})

test('every send is in the audit, without its text', async () => {
  const stu = await person(Level.Student, 'Stu')
  await send(coordinator, { studentIds: [stu.Id] })
  const { rows } = await installation.owner.query(
    "select detail from audit where program_id = $1 and action = 'POST /emails'",
    [program.Id],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].detail).toMatchObject({ Subject: 'Closed on Friday', Recipients: 1 })
  expect(JSON.stringify(rows[0].detail)).not.toContain('scheduled')
})
