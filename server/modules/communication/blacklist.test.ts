import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as contract from '#contract/communication/email-blacklist.ts'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { getOverview } from '#contract/reports/overview.ts'
import { transaction } from '#server/core/database/pool.ts'
import { mailJobs, post, sendMail } from '#server/core/mail/mail.ts'
import { prepareQueue, startWorker } from '#server/core/runtime/jobs.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let superAdmin: Caller
const received: { to: string[]; subject: string }[] = []
const smtp = new SMTPServer({
  authOptional: true,
  closeTimeout: 200,
  disabledCommands: ['STARTTLS'],
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', async () => {
      const { subject = '' } = await PostalMime.parse(Buffer.concat(chunks))
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), subject })
      done()
    })
  },
})

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  installation = await startInstallation({ SMTP_URL: `smtp://127.0.0.1:${port}` })
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(async () => {
  await installation?.stop()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})
beforeEach(async () => {
  received.length = 0
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})
afterEach(async () => {
  await installation.owner.query('delete from email_block')
  await installation.owner.query('delete from mail')
})

const add = (caller: Caller, ...Emails: string[]) => caller.ok(contract.addToBlacklist, { body: { Emails } })
const listed = async (caller: Caller, query: object = {}) =>
  (await caller.ok(contract.listBlacklist, { query })).Items.map(({ Email }) => Email)
const message = (recipient: string, subject: string, more: Record<string, unknown> = {}) =>
  makeRow(installation.owner, 'mail', {
    program_id: program.Id,
    recipient,
    subject,
    html: '<p>Hello</p>',
    ...more,
  })
const runOutbox = () => sendMail.work({}, installation.services)
const ledger = async () => {
  const { rows } = await installation.owner.query(
    'select recipient, status, status_message, sent_at, blocked_at is not null as blocked from mail order by id',
  )
  return rows
}

test('D1-300 D1-202 D1-152 addresses and domains are added in their plain form, many at once; doubles and nonsense are told', async () => {
  const first = await add(coordinator, '  Pat.Doe@Example.COM ', 'Ana <ana@clinic.example>', '@Spam.Example')
  expect(first.Added.map(({ Email }) => Email).toSorted()).toEqual([
    '@spam.example',
    'ana@clinic.example',
    'pat.doe@example.com',
  ])
  expect(first.Added[0]).toEqual({ Id: expect.any(Number), Email: expect.any(String) })
  const second = await add(
    coordinator,
    'PAT.DOE@example.com',
    'new@example.org',
    'nobody',
    '@',
    'new@example.org',
  )
  expect(second.Added.map(({ Email }) => Email)).toEqual(['new@example.org'])
  expect(second.Known).toEqual(['pat.doe@example.com'])
  expect(second.Refused).toEqual(['nobody', '@'])
  expect(await listed(coordinator)).toEqual([
    '@spam.example',
    'ana@clinic.example',
    'new@example.org',
    'pat.doe@example.com',
  ])
})

test('D1-247 what is no address or domain is refused, in every disguise', () => {
  const wrong = [
    '',
    'x',
    '@',
    'a@',
    'a@b',
    'a b@c.de',
    '@@c.de',
    'a@c..de',
    'a@-c.de',
    'a@c.de\n',
    `${'x'.repeat(251)}@c.de`,
    'a@c.d',
    '"a b"@c.de',
    'javascript:a@c.de',
  ]
  expect(wrong.filter((text) => contract.normalizeBlocked(text) !== undefined)).toEqual(['a@c.de\n'])
  expect(contract.normalizeBlocked('mailto:A@C.de')).toBe('a@c.de')
  expect(contract.splitPasted('a@b.de, c@d.de;e@f.de\n"G H" <g@h.de>\t@x.de  y@z.de')).toEqual([
    'a@b.de',
    'c@d.de',
    'e@f.de',
    '"G H" <g@h.de>',
    '@x.de',
    'y@z.de',
  ])
})

test('the list is searched, sorted and paged, and signs of a pattern are letters', async () => {
  await add(coordinator, 'b_1@example.com', 'a1@example.com', 'c1@other.example')
  expect(await listed(coordinator, { search: 'B_1' })).toEqual(['b_1@example.com'])
  expect(await listed(coordinator, { search: '%' })).toEqual([])
  expect(await listed(coordinator, { sort: '-Email' })).toEqual([
    'c1@other.example',
    'b_1@example.com',
    'a1@example.com',
  ])
  const page = await coordinator.ok(contract.listBlacklist, { query: { page: 2, pageSize: 2 } })
  expect(page).toMatchObject({ Total: 3, Page: 2, PageSize: 2, Items: [{ Email: 'c1@other.example' }] })
})

test('an entry is removed and put back; added anew meanwhile, the old one stays away', async () => {
  const { Added } = await add(coordinator, 'undo@example.com')
  const at = { params: { entryId: Added[0]!.Id } }
  await coordinator.ok(contract.removeFromBlacklist, at)
  expect(await listed(coordinator)).toEqual([])
  expect((await coordinator.call(contract.removeFromBlacklist, at)).status).toBe(404)
  expect(await coordinator.ok(contract.restoreToBlacklist, at)).toEqual(Added[0])
  await coordinator.ok(contract.removeFromBlacklist, at)
  await add(coordinator, 'undo@example.com')
  expect((await coordinator.call(contract.restoreToBlacklist, at)).status).toBe(409)
  expect(await listed(coordinator)).toEqual(['undo@example.com'])
})

test('the list is downloaded as CSV, and no address acts as a formula', async () => {
  await add(coordinator, '@example.com', '=cmd@example.org')
  const { body, headers } = await coordinator.call(contract.exportBlacklist)
  expect(headers.get('content-disposition')).toContain('Blacklist Emails.csv')
  expect(body).toMatch(
    /^Id,Email Address\r\n\d+,'=cmd@example.org\r\n\d+,'@example.com\r\n$|^Id,Email Address\r\n\d+,'@example.com\r\n\d+,'=cmd@example.org\r\n$/,
  )
})

test('D1-257 staff keep the list of their program, super admins with the Roles or the Email area the installation’s', async () => {
  const { owner } = installation
  const caller = async (level: Level, row: object = {}) =>
    installation.as(
      await makePerson(owner, level, { ...row, ...(level !== Level.SuperAdmin && { program }) }),
    )
  for (const area of [AdminArea.Roles, AdminArea.Email])
    expect(await listed(await caller(Level.SuperAdmin, { super_admin_areas: area }))).toEqual([])
  const payments = await caller(Level.SuperAdmin, { super_admin_areas: AdminArea.Payments })
  expect((await payments.call(contract.listBlacklist)).status).toBe(403)
  expect((await (await caller(Level.Supervisor)).call(contract.listBlacklist)).status).toBe(403)
  await add(await caller(Level.Faculty), 'ours@example.com')
  await add(superAdmin, 'everywhere@example.com')
  expect(await listed(coordinator)).toEqual(['ours@example.com'])
  expect(await listed(superAdmin)).toEqual(['everywhere@example.com'])
  const stranger = await installation.as(await makePerson(owner, Level.Coord))
  expect(await listed(stranger)).toEqual([])
  const { rows } = await owner.query("select id from email_block where address = 'ours@example.com'")
  expect(
    (await stranger.call(contract.removeFromBlacklist, { params: { entryId: rows[0].id } })).status,
  ).toBe(404)
})

test('D1-153 blocked addresses and domains are never written to, also by emails queued before; the ledger says why', async () => {
  await message('pat@example.com', 'queued before')
  await message('Any One <ANY@Spam.Example>', 'by domain')
  await message('fine@example.com', 'goes out', { carbon_copy: ['pat@example.com', 'copy@example.com'] })
  await message('any@sub.spam.example', 'another domain')
  await add(coordinator, 'PAT@example.com', '@spam.example')
  await message('pat@example.com', 'queued after')
  await runOutbox()
  expect(received.map(({ subject }) => subject).toSorted()).toEqual(['another domain', 'goes out'])
  expect(received.find(({ subject }) => subject === 'goes out')!.to).toEqual([
    'fine@example.com',
    'copy@example.com',
  ])
  const reason = (entry: string) => `Blocked: ${entry} is a blocked address. It was not sent.`
  expect(await ledger()).toMatchObject([
    { status: 4, status_message: reason('pat@example.com'), sent_at: null, blocked: true },
    { status: 4, status_message: reason('@spam.example'), blocked: true },
    { status: 3, status_message: 'Sent', blocked: false },
    { status: 3 },
    { status: 4, status_message: reason('pat@example.com'), blocked: true },
  ])
})

test('a program’s entry blocks its own mail only, the installation’s all; a removed one nothing', async () => {
  const other = await makeProgram(installation.owner)
  await add(coordinator, 'one@example.com')
  await add(superAdmin, 'all@example.com')
  const { Added } = await add(coordinator, 'gone@example.com')
  await coordinator.ok(contract.removeFromBlacklist, { params: { entryId: Added[0]!.Id } })
  for (const recipient of ['one@example.com', 'all@example.com', 'gone@example.com']) {
    await message(recipient, `own ${recipient}`)
    await message(recipient, `other ${recipient}`, { program_id: other.Id })
    await message(recipient, `none ${recipient}`, { program_id: null })
  }
  await runOutbox()
  expect(received.map(({ subject }) => subject).toSorted()).toEqual([
    'none gone@example.com',
    'none one@example.com',
    'other gone@example.com',
    'other one@example.com',
    'own gone@example.com',
  ])
})

test('an email for later is blocked when it is due, and what is blocked is no failure of the mail', async () => {
  await add(coordinator, 'later@example.com')
  await message('later@example.com', 'later', { send_after: new Date(Date.now() + 60_000).toISOString() })
  await runOutbox()
  expect(await ledger()).toMatchObject([{ status: 1, blocked: false }])
  await installation.owner.query('update mail set send_after = now()')
  await runOutbox()
  expect(await ledger()).toMatchObject([{ status: 4, blocked: true }])
  expect((await superAdmin.ok(getOverview)).Mail.Failed).toBe(0)
})

test('the worker of the real queue blocks what a call has posted', async () => {
  const { services, owner } = installation
  await prepareQueue((owner as unknown as { options: { connectionString: string } }).options.connectionString)
  const runner = await startWorker(mailJobs, services, services.pool)
  try {
    await add(coordinator, '@blocked.example')
    await transaction(services.transactions, { accountId: null, programIds: [program.Id] }, (db) =>
      post(
        db,
        ['who@blocked.example', 'free@example.com'].map((recipient) => ({
          programId: program.Id,
          label: 'OTHER_test',
          recipient,
          subject: recipient,
          html: '<p>Hello</p>',
        })),
      ),
    )
    await vi.waitFor(async () => expect(await ledger()).toMatchObject([{ blocked: true }, { status: 3 }]), {
      timeout: 50_000,
      interval: 100,
    })
    expect(received.map(({ subject }) => subject)).toEqual(['free@example.com'])
  } finally {
    await runner.stop()
  }
})
