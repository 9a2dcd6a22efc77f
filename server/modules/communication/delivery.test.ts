import { createServer, type Server } from 'node:net'
import { createTransport } from 'nodemailer'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addToBlacklist } from '#contract/communication/email-blacklist.ts'
import * as contract from '#contract/communication/emails.ts'
import {
  getScheduledEmail,
  listScheduledEmails,
  retryScheduledEmails,
} from '#contract/communication/scheduled-emails.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import { transaction } from '#server/core/database/pool.ts'
import { listenForBounces } from '#server/core/mail/bounces.ts'
import { idOfReturnPath, returnPathOf, senderOf, textOfEmail } from '#server/core/mail/email-parts.ts'
import { post, sendMail } from '#server/core/mail/mail.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

interface Received {
  returnPath: string
  to: string[]
  email: Email
}

let installation: Installation
let program: MadeProgram
let dana: MadePerson
let stu: MadePerson
let coordinator: Caller
let superAdmin: Caller
let bounces: SMTPServer
let bouncePort: number
let scanner: Server
let verdict = 'stream: OK'
const received: Received[] = []
const smtp = new SMTPServer({
  authOptional: true,
  closeTimeout: 200,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', async () => {
      received.push({
        returnPath: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
        to: session.envelope.rcptTo.map(({ address }) => address),
        email: await PostalMime.parse(Buffer.concat(chunks)),
      })
      done()
    })
  },
})

const portOf = (server: { address: () => unknown }): number => (server.address() as { port: number }).port

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  // A scanner that answers what the test says once the last, empty chunk has come.
  scanner = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      bytes = Buffer.concat([bytes, data])
      if (bytes.subarray(-4).equals(Buffer.alloc(4))) socket.end(`${verdict}\0`)
    })
  })
  await new Promise<void>((resolve) => scanner.listen(0, '127.0.0.1', resolve))
  installation = await startInstallation({
    SMTP_URL: `smtp://127.0.0.1:${portOf(smtp.server)}`,
    MAIL_FROM: 'Practicum <practicum@college.example>',
    MAIL_RETURN_PATH: 'bounces@bounce.college.example',
    BOUNCE_PORT: '0',
    VIRUS_SCANNER_URL: `clamd://127.0.0.1:${portOf(scanner)}`,
  })
  bounces = await listenForBounces(installation.services)
  bouncePort = portOf(bounces.server)
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(async () => {
  await new Promise<void>((resolve) => bounces.close(() => resolve()))
  await installation?.stop()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
  scanner.close()
})
beforeEach(async () => {
  received.length = 0
  verdict = 'stream: OK'
  const { owner } = installation
  await owner.query('delete from mail')
  await owner.query('delete from email_block')
  program = await makeProgram(owner)
  dana = await makePerson(owner, Level.Coord, {
    program,
    first_name: 'Dana',
    last_name: 'Cole',
    email: 'dana@gmail.example',
  })
  stu = await makeStudent(owner, program, {
    first_name: 'Stu',
    last_name: "O'Neil",
    email: 'stu@college.example',
    is_demo: true,
  })
  coordinator = await installation.as(dana)
})

const send = (more: object = {}) =>
  coordinator.ok(contract.sendEmails, {
    body: {
      sender: 'dana@gmail.example',
      subject: 'Closed',
      body: toBase64('<p>See <a href="https://college.example/x">the plan</a>.</p><ul><li>One</li></ul>'),
      studentIds: [stu.Id],
      ...more,
    },
  } as never) as Promise<contract.EmailStatus[]>
const runOutbox = () => sendMail.work({}, installation.services)
const rows = async () =>
  (await installation.owner.query('select id, status, status_message, bounced_at from mail order by id')).rows

/** A report as mail servers write it (RFC 3464). */
const report = (recipient: string, action = 'failed') =>
  [
    'From: Mail Delivery Subsystem <mailer-daemon@mx.example>',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 The email account',
    '  does not exist',
    '',
    '--b--',
    '',
  ].join('\r\n')
const sendBack = (to: string, raw: string) =>
  createTransport(`smtp://127.0.0.1:${bouncePort}`).sendMail({ envelope: { from: '', to: [to] }, raw })

test('A79 a person’s email comes from the installation with the person’s name, and answers go to the person', async () => {
  await send()
  await runOutbox()
  const [{ returnPath, to, email }] = received as [Received]
  expect(to).toEqual(['stu@college.example'])
  expect(email.from).toMatchObject({ name: 'Dana Cole', address: 'practicum@college.example' })
  expect(email.replyTo).toMatchObject([{ address: 'dana@gmail.example' }])
  expect(returnPath).toMatch(/^bounces\+\d+\.[0-9a-f]{20}@bounce\.college\.example$/)
  expect(email.text!.trim()).toBe('See the plan (https://college.example/x).\n\n- One')
  const names = email.headers.map(({ key }) => key)
  expect(names).not.toContain('auto-submitted')
  expect(names).not.toContain('list-unsubscribe')
})

test('A79 automatic emails say that they are, and those that can be switched off say where', async () => {
  await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    post(
      db,
      ['PLACEMENT_made', 'ACCOUNT_password_reset'].map((label) => ({
        programId: program.Id,
        accountId: stu.Id,
        label,
        recipient: 'stu@college.example',
        subject: label,
        html: '<p>Hi</p>',
      })),
    ),
  )
  await runOutbox()
  const headers = Object.fromEntries(
    received.map(({ email }) => [
      email.subject,
      Object.fromEntries(email.headers.map(({ key, value }) => [key, value])),
    ]),
  )
  expect(headers.PLACEMENT_made!['auto-submitted']).toBe('auto-generated')
  expect(headers.PLACEMENT_made!['list-unsubscribe']).toMatch(
    /^<http.*\/new\/unsubscribe\/\d+\.PLACEMENT_made\.[\w-]{43}>$/,
  )
  expect(headers.ACCOUNT_password_reset!['auto-submitted']).toBe('auto-generated')
  expect(headers.ACCOUNT_password_reset).not.toHaveProperty('list-unsubscribe')
  expect(received.every(({ email }) => email.text!.trim() === 'Hi')).toBe(true)
})

test('A79 an email that comes back is an error in the log with the reason, and the sender reads it', async () => {
  const [{ Id }] = (await send()) as [contract.EmailStatus]
  await runOutbox()
  await sendBack(received[0]!.returnPath, report('stu@college.example'))
  expect(await rows()).toMatchObject([
    {
      status: 4,
      status_message: 'Returned: 550 5.1.1 The email account does not exist',
      bounced_at: expect.anything(),
    },
  ])
  const [status] = await coordinator.ok(contract.listEmailStatuses, { body: { Ids: [Id!] } })
  expect(status).toMatchObject({ StatusValue: 4, StatusMessage: expect.stringContaining('does not exist') })
})

test('A79 delays and automatic answers change nothing, and the listener takes no other mail', async () => {
  await send()
  await runOutbox()
  const { returnPath } = received[0]!
  await sendBack(returnPath, report('stu@college.example', 'delayed'))
  await sendBack(returnPath, 'From: stu@college.example\r\nSubject: Out of office\r\n\r\nBack on Monday.\r\n')
  expect(await rows()).toMatchObject([{ status: 3, status_message: 'Sent' }])
  const forged = returnPath.replace(/\.[0-9a-f]{20}@/, `.${'0'.repeat(20)}@`)
  for (const address of ['somebody@elsewhere.example', 'bounces@bounce.college.example', forged])
    await expect(sendBack(address, report('stu@college.example'))).rejects.toThrow(/550/)
})

test('A79 a copy that comes back leaves the email sent', async () => {
  await send({ carbonCopyRecipients: ['dean@college.example'] })
  await runOutbox()
  await sendBack(received[0]!.returnPath, report('dean@college.example'))
  const [row] = await rows()
  expect(row).toMatchObject({ status: 3, bounced_at: null })
  expect(row.status_message).toMatch(/^Sent\. The copy to dean@college\.example came back: 550/)
})

test('A79 a return path names its email and nothing else', () => {
  const config = {
    mailReturnPath: 'Bounces@x.example',
    mailFrom: 'a@b.example',
    secretKey: 'k'.repeat(32),
  }
  for (const id of [1, 77, 9_007_199_254]) {
    expect(idOfReturnPath(returnPathOf(id, config).toUpperCase(), config)).toBe(id)
    expect(idOfReturnPath(returnPathOf(id, config).replace(`+${id}`, `+${id + 1}`), config)).toBeUndefined()
  }
  expect(returnPathOf(1, { mailFrom: 'P <a@b.example>', secretKey: config.secretKey })).toBe('a@b.example')
  expect(senderOf('', 'P <a@b.example>')).toEqual({ from: { name: 'P', address: 'a@b.example' } })
  expect(textOfEmail('<p>A &amp; B<br>C</p><script>x</script>')).toBe('A & B\nC')
})

test('A58 security emails go to blocked addresses, others do not', async () => {
  await installation.owner.query(
    "insert into email_block (program_id, address) values ($1, '@college.example')",
    [program.Id],
  )
  await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    post(
      db,
      ['ACCOUNT_password_reset', 'TIME_missed', 'ACCOUNT_created'].map((label) => ({
        programId: program.Id,
        label,
        recipient: 'stu@college.example',
        subject: label,
        html: '<p>Hi</p>',
      })),
    ),
  )
  await runOutbox()
  expect(received.map(({ email }) => email.subject)).toEqual(['ACCOUNT_password_reset'])
})

test('A58 the own address and a domain of the program’s people are only blocked after a question', async () => {
  const block = (Emails: string[], IsConfirmed = false) =>
    coordinator.call(addToBlacklist, { body: { Emails, IsConfirmed } })
  const domain = await block(['@College.example', 'x@elsewhere.example'])
  expect([domain.status, (domain.body as unknown as { Code: string }).Code]).toEqual([409, 'own_domain'])
  const own = await block(['Dana@gmail.example'])
  expect([own.status, (own.body as unknown as { Code: string }).Code]).toEqual([409, 'own_address'])
  const { rows: none } = await installation.owner.query('select from email_block')
  expect(none).toHaveLength(0)
  expect((await block(['@college.example'], true)).body.Added).toHaveLength(1)
  expect((await block(['@nobody.example'])).status).toBe(200)
})

test('A82 an email to a blocked address cannot be sent again', async () => {
  await installation.owner.query("insert into email_block (address) values ('stu@college.example')")
  await send()
  const { Items } = await superAdmin.ok(listScheduledEmails, {
    query: { FromDate: '2000-01-01', ThroughDate: '2099-12-31' },
  } as never)
  expect(Items).toMatchObject([{ IsBlocked: true, MayRetry: false, Status: 4 }])
  const again = await superAdmin.ok(retryScheduledEmails, { body: { Ids: [Items[0]!.Id] } })
  expect(again).toEqual({ Queued: 0, Skipped: 1 })
})

const attach = (name: string, content: string | Uint8Array, by = coordinator) =>
  by.call(contract.addEmailAttachment, {}, { files: [{ field: 'file', name, content }] })

test('an email is sent with its files, under the type of their content', async () => {
  const { body: pdf } = await attach('plan.pdf', '%PDF-1.7 plan')
  const { body: note } = await attach('note.txt', 'Bring your badge.')
  await send({ attachmentIds: [pdf.Id, note.Id] })
  await runOutbox()
  expect(
    received[0]!.email.attachments.map(({ filename, mimeType, content }) => [
      filename,
      mimeType,
      Buffer.from(content as ArrayBuffer).toString(),
    ]),
  ).toEqual([
    ['plan.pdf', 'application/pdf', '%PDF-1.7 plan'],
    ['note.txt', 'text/plain', 'Bring your badge.'],
  ])
})

test('files of others, unknown types, viruses and more than 20 MB are refused', async () => {
  expect((await attach('x.exe', new Uint8Array([0x4d, 0x5a, 0, 0]))).status).toBe(415)
  verdict = 'stream: Eicar-Test-Signature FOUND'
  const infected = await attach('note.txt', 'X5O!P%@AP')
  expect([infected.status, (infected.body as unknown as { Message: string }).Message]).toEqual([
    422,
    'note.txt contains a virus (Eicar-Test-Signature). Nothing was kept.',
  ])
  verdict = 'ERROR'
  expect((await attach('note.txt', 'hello')).status).toBe(503)
  verdict = 'stream: OK'
  const other = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const { body: foreign } = await attach('note.txt', 'mine', other)
  const big = new Uint8Array(11 * 1024 * 1024).fill(0x61)
  const { body: one } = await attach('one.txt', big)
  const { body: two } = await attach('two.txt', big)
  const tried = async (attachmentIds: number[]) =>
    (
      await coordinator.call(contract.sendEmails, {
        body: { sender: 'dana@gmail.example', subject: 'S', studentIds: [stu.Id], attachmentIds },
      } as never)
    ).status
  expect([await tried([foreign.Id]), await tried([one.Id, two.Id])]).toEqual([404, 422])
  expect(await rows()).toEqual([])
})

test('an email can be scheduled, found in the own list and canceled before it goes', async () => {
  const sendAfter = new Date(Date.now() + 3_600_000).toISOString()
  const [status] = await send({ sendAfter })
  expect(status!.StatusMessage).toBe('Waits for the time you chose')
  await runOutbox()
  expect(received).toEqual([])
  const { Items } = await coordinator.ok(contract.listSentEmails, { query: { search: 'closed' } } as never)
  expect(Items).toMatchObject([{ Subject: 'Closed', StatusValue: 0, MayCancel: true, Attachments: 0 }])
  expect(Date.parse(Items[0]!.SendAfter!)).toBe(Date.parse(sendAfter))
  const other = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  expect((await other.ok(contract.listSentEmails, { query: {} } as never)).Items).toEqual([])
  const Ids = [Items[0]!.Id]
  expect(await other.ok(contract.cancelSentEmails, { body: { Ids } })).toEqual({ Cancelled: 0, Skipped: 1 })
  expect(await coordinator.ok(contract.cancelSentEmails, { body: { Ids } })).toEqual({
    Cancelled: 1,
    Skipped: 0,
  })
  await installation.owner.query('update mail set send_after = now()')
  await runOutbox()
  expect(received).toEqual([])
  const past = await coordinator.call(contract.sendEmails, {
    body: {
      sender: 'dana@gmail.example',
      subject: 'S',
      studentIds: [stu.Id],
      sendAfter: '2020-01-01T00:00:00Z',
    },
  } as never)
  expect(past.status).toBe(422)
})

test('names are where {{name}} and {{firstName}} are, as text', async () => {
  await installation.owner.query("update account set last_name = '<b>{{firstName}}</b>' where id = $1", [
    stu.Id,
  ])
  await send({ subject: 'For {{ firstName }}', body: toBase64('<p>Dear {{name}}, {other}</p>') })
  const { rows: kept } = await installation.owner.query('select subject, html from mail')
  expect(kept).toEqual([
    { subject: 'For Stu', html: '<p>Dear Stu &lt;b&gt;{{firstName}}&lt;/b&gt;, {other}</p>' },
  ])
})

test('A78 A20 without a mail server the demo says so and shows the emails of its own people', async () => {
  const demo = await startInstallation({ DEMO: '1' })
  try {
    const owner = demo.owner
    const there = await makeStudent(owner, await makeProgram(owner), {
      is_demo: true,
      email: 'ada@demo.example',
    })
    const real = await makeStudent(owner, await makeProgram(owner), { email: 'real@demo.example' })
    const admin = await demo.as(await makePerson(owner, Level.SuperAdmin))
    expect(await admin.ok(contract.getMailServer)).toEqual({ IsSet: false })
    for (const person of [there, real])
      await transaction(demo.services.pool, { accountId: null, programIds: [person.ProgramId!] }, (db) =>
        post(db, [
          {
            programId: person.ProgramId,
            accountId: person.Id,
            label: 'ACCOUNT_sign_in_link',
            recipient: 'x@demo.example',
            subject: 'Sign in',
            html: '<p><a href="http://localhost/new/auth/passwordless?token=abc">Sign in</a></p>',
          },
        ]),
      )
    const { Items } = await admin.ok(listScheduledEmails, {
      query: { FromDate: '2000-01-01', ThroughDate: '2099-12-31' },
    } as never)
    expect(Items.map(({ IsSecret }) => IsSecret)).toEqual([true, false])
    const shown = await admin.ok(getScheduledEmail, { params: { emailId: Items[1]!.Id } })
    expect(shown.Html).toContain('token=abc')
    const hidden = await admin.ok(getScheduledEmail, { params: { emailId: Items[0]!.Id } })
    expect(hidden.Html).toBe('')
  } finally {
    await demo.stop()
  }
})

test('A20 where a mail server is set, sign-in emails are shown to nobody', async () => {
  expect(await superAdmin.ok(contract.getMailServer)).toEqual({ IsSet: true })
  await transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    post(db, [
      {
        programId: program.Id,
        accountId: stu.Id,
        label: 'ACCOUNT_sign_in_link',
        recipient: 'stu@college.example',
        subject: 'Sign in',
        html: '<p>secret</p>',
      },
    ]),
  )
  const { Items } = await superAdmin.ok(listScheduledEmails, {
    query: { FromDate: '2000-01-01', ThroughDate: '2099-12-31' },
  } as never)
  expect(Items).toMatchObject([{ IsSecret: true, Message: '' }])
})
