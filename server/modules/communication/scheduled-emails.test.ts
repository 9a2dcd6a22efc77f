import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/communication/scheduled-emails.ts'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { requestMagicLink } from '#contract/identity/passwordless.ts'
import { getOverview } from '#contract/reports/overview.ts'
import { countReads } from '#server/test/count-reads.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let superAdmin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  superAdmin = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { first_name: 'Sue', last_name: 'Per' }),
  )
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  await installation.owner.query('delete from mail')
  program = await makeProgram(installation.owner)
})

const mail = (row: object = {}) =>
  makeRow(installation.owner, 'mail', {
    program_id: program.Id,
    label: 'TIME_message',
    recipient: 'amara@example.org',
    subject: 'Hours',
    html: '<p>Your hours &amp; days</p><p>are fine.</p>',
    ...row,
  })
const today = new Date().toISOString().slice(0, 10)
const all = { FromDate: '2020-01-01', ThroughDate: '2099-12-31' }
const list = (query: object = {}) =>
  superAdmin.ok(contract.listScheduledEmails, { query: { ...all, ...query } as never })
const statusesOf = async () => {
  const { rows } = await installation.owner.query('select status from mail order by id')
  return rows.map(({ status }) => status)
}

test('D2-066 D2-180 the list shows date, addressee, subject, message and status, newest first', async () => {
  await mail({ created_at: '2026-02-01T12:00:00Z', status: 4, status_message: '550 No such mailbox' })
  await mail({ created_at: '2026-02-03T12:00:00Z', subject: 'Later', program_id: null })
  const { Items, Total, IsTotalCapped } = await list()
  expect([Total, IsTotalCapped]).toEqual([2, false])
  expect(Items.map(({ Subject }) => Subject)).toEqual(['Later', 'Hours'])
  expect(Items[1]).toEqual({
    Id: expect.any(Number),
    Date: '2026-02-01T12:00:00Z',
    To: 'amara@example.org',
    Subject: 'Hours',
    Message: 'Your hours & days are fine.',
    Status: 4,
    StatusMessage: '550 No such mailbox',
    Program: expect.stringMatching(/^College \d+ - Program \d+$/),
    IsSecret: false,
    IsBlocked: false,
    MayRetry: true,
    MayCancel: false,
  })
  expect(Items[0]).toMatchObject({ Program: null, Status: 1, MayCancel: true, MayRetry: false })
})

test('D2-102 D2-179 D2-063 the filter begins with the last thirty days of the reader', async () => {
  const { InitialStartDate, InitialEndDate } = await superAdmin.ok(contract.getDateFilter)
  const days = (Date.parse(InitialEndDate) - Date.parse(InitialStartDate)) / 86_400_000
  expect(days).toBe(30)
  expect(Math.abs(Date.parse(InitialEndDate) - Date.parse(today))).toBeLessThanOrEqual(86_400_000)
})

test('D2-063 D2-064 D2-103 days count in the reader’s zone, both included; 0 is any status', async () => {
  // 23:30 on 02/01 in New York, where a super admin without a program reads.
  await mail({ created_at: '2026-02-02T04:30:00Z', status: 2 })
  const on = async (day: string, Status = 0) =>
    (await list({ FromDate: day, ThroughDate: day, Status })).Total
  expect([await on('2026-02-01'), await on('2026-02-02')]).toEqual([1, 0])
  for (const [Status, Total] of [
    [0, 1],
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 0],
  ] as const)
    expect(await on('2026-02-01', Status)).toBe(Total)
  await mail({ status: 1 })
  await mail({ status: 3 })
  await mail({ status: 4 })
  for (const Status of [1, 2, 3, 4]) {
    const { Items } = await list({ Status })
    expect(Items.map((item) => item.Status)).toEqual([Status])
  }
})

test('D2-138 days outside 1900 to 2099 and no days at all are refused', async () => {
  await list({ FromDate: '1900-01-01', ThroughDate: '2099-12-31' })
  for (const wrong of [
    { FromDate: '1899-12-31' },
    { ThroughDate: '2100-01-01' },
    { FromDate: '2026-02-30' },
    { Status: 5 },
    { Search: 'x' },
  ]) {
    const { status } = await superAdmin.call(contract.listScheduledEmails, {
      query: { ...all, ...wrong } as never,
    })
    expect(status, JSON.stringify(wrong)).toBe(400)
  }
})

test('the list can be narrowed to one program, and is paged', async () => {
  const other = await makeProgram(installation.owner)
  for (let n = 0; n < 3; n++) await mail({ subject: `Mine ${n}` })
  await mail({ program_id: other.Id, subject: 'Theirs' })
  const page = await list({ ProgramId: program.Id, page: 2, pageSize: 2 })
  expect(page).toMatchObject({ Total: 3, Page: 2, PageSize: 2 })
  expect(page.Items.map(({ Subject }) => Subject)).toEqual(['Mine 0'])
})

test('emails with a link or a code for an account show neither subject nor text, to nobody', async () => {
  const person = await makePerson(installation.owner, Level.Coord, { program, email: 'secret@example.org' })
  await installation.anonymous.call(requestMagicLink, { body: { Email: 'secret@example.org' } })
  for (const label of [
    'ACCOUNT_password_reset',
    'ACCOUNT_email_confirmation',
    'ACCOUNT_created',
    'ACCOUNT_new',
  ])
    await mail({
      label,
      account_id: person.Id,
      subject: 'Code 424242',
      html: '<p>424242 https://x.example/?token=s3cret</p>',
      status: 4,
    })
  const { rows } = await installation.owner.query('select id, subject, label from mail order by id')
  expect(rows).toHaveLength(5)
  const code = /\d{6}/.exec(rows[0].subject)![0]
  const answers = [await list()] as unknown[]
  for (const { id } of rows) {
    const email = await superAdmin.ok(contract.getScheduledEmail, { params: { emailId: id } })
    expect(email).toMatchObject({ Html: '', Message: '', IsSecret: true, MayRetry: false })
    answers.push(email)
  }
  for (const secret of [code, '424242', 's3cret', 'token'])
    expect(JSON.stringify(answers)).not.toContain(secret)
  expect((await list()).Items.map(({ Subject }) => Subject)).toEqual([
    'About an account',
    'A new account',
    'Link to confirm an address',
    'Link to set a password',
    'Sign-in link and code',
  ])
  const retried = await superAdmin.ok(contract.retryScheduledEmails, {
    body: { Ids: rows.map(({ id }) => id) },
  })
  expect(retried).toEqual({ Queued: 0, Skipped: 5 })
})

test('one email is shown with its text, cleaned', async () => {
  const { id } = await mail({
    sender: 'dana@example.org',
    carbon_copy: ['head@example.org'],
    html: '<p>Fine</p><script>alert(1)</script>',
    attempts: 2,
  })
  expect(await superAdmin.ok(contract.getScheduledEmail, { params: { emailId: id } })).toMatchObject({
    From: 'dana@example.org',
    CarbonCopy: ['head@example.org'],
    Html: '<p>Fine</p>',
    Attempts: 2,
    SentAt: null,
  })
  const missing = await superAdmin.call(contract.getScheduledEmail, { params: { emailId: 999_999_999 } })
  expect(missing.status).toBe(404)
})

test('failed emails are queued once more; what is sent, waits or is not wanted is left out', async () => {
  const failed = await mail({ status: 4, attempts: 8, status_message: '550 No' })
  const sent = await mail({ status: 3 })
  const muted = await mail({ status: 4, status_message: 'Switched off by the recipient' })
  const Ids = [failed.id, sent.id, muted.id, 999_999_999]
  expect(await superAdmin.ok(contract.retryScheduledEmails, { body: { Ids } })).toEqual({
    Queued: 1,
    Skipped: 3,
  })
  const { rows } = await installation.owner.query('select * from mail where id = $1', [failed.id])
  expect(rows[0]).toMatchObject({ status: 1, attempts: 0, status_message: '' })
  expect(await statusesOf()).toEqual([1, 3, 4])
  expect((await superAdmin.call(contract.retryScheduledEmails, { body: { Ids: [] } })).status).toBe(400)
})

test('waiting emails are canceled by name and in the audit, and are no failure; those being sent are left', async () => {
  const waiting = await mail({ status: 1 })
  const going = await mail({ status: 2 })
  const before = (await superAdmin.ok(getOverview)).Mail.Failed
  const Ids = [waiting.id, going.id]
  expect(await superAdmin.ok(contract.cancelScheduledEmails, { body: { Ids } })).toEqual({
    Cancelled: 1,
    Skipped: 1,
  })
  expect((await list({ Status: 4 })).Items[0]).toMatchObject({
    StatusMessage: 'Canceled by Sue Per. It was not sent.',
    MayRetry: true,
  })
  expect((await superAdmin.ok(getOverview)).Mail.Failed).toBe(before)
  const { rows } = await installation.owner.query(
    "select detail from audit where action = 'POST /scheduled-emails/cancellations' order by id desc limit 1",
  )
  expect(rows[0].detail).toMatchObject({ Cancelled: 1, Ids })
})

test('D2-146 D2-147 D2-152 scheduled emails are for super admins with the Email area: more than areas and sites ask for', async () => {
  const status = async (level: Level, row: object = {}) => {
    const caller = await installation.as(
      await makePerson(installation.owner, level, { ...(level !== Level.SuperAdmin && { program }), ...row }),
    )
    return (await caller.call(contract.listScheduledEmails, { query: all })).status
  }
  for (const level of [Level.Coord, Level.Director, Level.Admin, Level.Student])
    expect(await status(level)).toBe(403)
  expect(await status(Level.SuperAdmin, { super_admin_areas: AdminArea.Email })).toBe(200)
  expect(await status(Level.SuperAdmin, { super_admin_areas: AdminArea.Roles })).toBe(403)
})

test('among 60,000 emails no page reads the ledger from end to end, and counting stops', async () => {
  await installation.owner.query(
    `insert into mail (program_id, recipient, subject, html, status, created_at)
      select $1, 'n' || n || '@example.org', 's', '<p>x</p>', case when n % 5000 = 0 then 4 else 3 end,
        now() - n * interval '10 minutes' from generate_series(1, 60000) n`,
    [program.Id],
  )
  await installation.owner.query('analyze mail')
  const reads = async () => {
    await countReads(installation)
    const { rows } = await installation.owner.query(
      "select sum(seq_tup_read) as count from pg_stat_user_tables where schemaname = 'partition' and relname like 'mail_%'",
    )
    return rows[0].count
  }
  const before = await reads()
  const { InitialStartDate, InitialEndDate } = await superAdmin.ok(contract.getDateFilter)
  const month = { FromDate: InitialStartDate, ThroughDate: InitialEndDate }
  expect((await list({ ...month, page: 80, pageSize: 50 })).Items).toHaveLength(50)
  expect((await list({ ...month, ProgramId: program.Id, pageSize: 50 })).Items).toHaveLength(50)
  expect((await list({ Status: 4 })).Total).toBe(12)
  expect((await list({ Status: 4, ProgramId: program.Id })).Total).toBe(12)
  // What the tests before it read of a table of a few rows may be counted late.
  expect((await reads()) - before).toBeLessThan(10_000)
  expect(await list()).toMatchObject({ Total: contract.maxEmailsCounted, IsTotalCapped: true })
})
