import { afterAll, beforeAll, expect, test } from 'vitest'
import { listScheduledEmails } from '#contract/communication/scheduled-emails.ts'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { listSyncLogs } from '#contract/imports/sync.ts'
import { getOverview, listActivePrograms } from '#contract/reports/overview.ts'
import { getAdminData } from '#contract/session/session.ts'
import { makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

test('D1-167 A60 the overview tells the installation: people, emails, jobs, storage and versions', async () => {
  const program = await makeProgram(installation.owner)
  await makeStudent(installation.owner, program)
  const before = await admin.ok(getOverview)
  const mail = (row: object) =>
    makeRow(installation.owner, 'mail', { recipient: 'a@example.org', subject: 'S', html: 'T', ...row })
  await mail({ status: 4 })
  await mail({ status: 4, blocked_at: new Date().toISOString() })
  await mail({ status: 4, created_at: new Date(Date.now() - 60 * 86_400_000).toISOString() })
  await mail({ status: 1 })
  const after = await admin.ok(getOverview)
  expect(after.Mail.Failed).toBe(before.Mail.Failed + 1)
  expect(after.Mail.Queued).toBe(before.Mail.Queued + 1)
  expect(after.Students).toBe(before.Students)
  expect(after.Students).toBeGreaterThan(0)
  expect(after.Days).toHaveLength(14)
  expect(after.Days.at(-1)).toMatchObject({ Date: after.Today })
  expect(after.Days.at(-1)!.People).toBeGreaterThan(0)
  expect(after.Storage.DatabaseBytes).toBeGreaterThan(1_000_000)
  expect(after.Versions.PostgreSql).toMatch(/^\d+(\.\d+)?/)
  expect(after.Versions.Node).toBe(process.versions.node)
  expect(after.Versions.Migration).toMatch(/^\d{4}/)
})

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

test('A60 failures of the last 24 hours and 7 days are told, with the lists behind them', async () => {
  const { owner } = installation
  const program = await makeProgram(owner)
  const before = (await admin.ok(getOverview)).Failures
  const mail = (row: object) =>
    makeRow(owner, 'mail', { recipient: 'a@example.org', subject: 'S', html: 'T', ...row })
  for (const hours of [1, 30, 200]) {
    await mail({ status: 4, created_at: hoursAgo(hours) })
    // On the day that was 7 days ago, but before the moment: neither counted nor listed.
    await mail({ status: 4, created_at: hoursAgo(7 * 24 + 0.1) })
    await mail({ status: 3, created_at: hoursAgo(300), bounced_at: hoursAgo(hours) })
    for (const How of ['college', 'password'])
      await makeRow(owner, 'audit', { action: 'sign-in refused', detail: { How }, at: hoursAgo(hours) })
    for (const Success of [true, false])
      await makeRow(owner, 'sync_log', {
        program_id: program.Id,
        module_id: 1,
        event: { Success },
        created_at: hoursAgo(hours),
      })
    for (const [kind, name] of [
      ['server', 'GET /slow'],
      ['job', 'mail:send'],
    ])
      await makeRow(owner, 'failure_hour', { kind, name, hour: hoursAgo(hours), number: 3 })
  }
  await mail({ status: 4, cancelled_at: hoursAgo(1) })
  const { Failures: after, WeekBegan, Today } = await admin.ok(getOverview)
  const added = (name: keyof typeof after) => ({
    Day: after[name].Day - before[name].Day,
    Week: after[name].Week - before[name].Week,
  })
  for (const name of ['Emails', 'ReturnedEmails', 'CollegeSignIns', 'DataSync'] as const)
    expect([name, added(name)]).toEqual([name, { Day: 1, Week: 2 }])
  for (const name of ['Server', 'Jobs'] as const)
    expect([name, added(name)]).toEqual([name, { Day: 3, Week: 6 }])
  expect(after.Server.Causes).toContainEqual({ Name: 'GET /slow', Week: 6 })
  expect(after.Jobs.Causes).toContainEqual({ Name: 'mail:send', Week: 6 })

  const emails = await admin.ok(listScheduledEmails, {
    query: {
      FromDate: addDays(Today, -8),
      ThroughDate: Today,
      Status: 4,
      FailedOnly: true,
      Since: WeekBegan,
    },
  })
  expect(emails.Total).toBe(after.Emails.Week)
  const latest = await admin.ok(listSyncLogs, { query: { FailedOnly: true, Since: WeekBegan } })
  expect(latest.Total).toBe(after.DataSync.Week)
  const runs = await admin.ok(listSyncLogs, { query: { ProgramId: program.Id, FailedOnly: true } })
  expect(runs.Items.map(({ Event }) => Event.Success)).toEqual([false, false, false])
  expect((await admin.ok(listSyncLogs, { query: { ProgramId: program.Id } })).Total).toBe(6)
})

test('A34 online are those of the last 15 minutes; signed in today counts all day and never falls', async () => {
  const { owner } = installation
  const person = await makePerson(owner, Level.Faculty)
  await installation.as(person)
  const read = async () => {
    const { OnlineUsers, DailyUsers } = await admin.ok(getAdminData)
    return { online: OnlineUsers!, today: DailyUsers! }
  }
  const signedIn = await read()
  await owner.query("update session set last_seen_at = now() - interval '20 minutes' where account_id = $1", [
    person.Id,
  ])
  const idle = await read()
  expect(idle).toEqual({ online: signedIn.online - 1, today: signedIn.today })
  await owner.query('update session set ended_at = now() where account_id = $1', [person.Id])
  expect(await read()).toEqual(idle)
  expect((await admin.ok(getOverview)).SignedInToday).toBe(idle.today)
})

test('A60 programs come by their last activity, and quiet ones are found', async () => {
  const { owner } = installation
  const [busy, quiet] = [
    await makeProgram(owner, { name: 'Busy A60' }),
    await makeProgram(owner, { name: 'Quiet A60' }),
  ]
  const student = await makeStudent(owner, busy)
  await installation.as(student)
  const idler = await makeStudent(owner, quiet)
  await installation.as(idler)
  await owner.query(
    "update account_seen set last_seen_at = now() - interval '40 days' where account_id = $1",
    [idler.Id],
  )
  await makeRow(owner, 'time_record', {
    program_id: busy.Id,
    student_id: student.Id,
    kind: 'exception',
    occurred_at: new Date(Date.now() - 20 * 3_600_000).toISOString(),
    date: new Date(Date.now() - 20 * 3_600_000).toISOString().slice(0, 10),
    minutes: 300,
  })
  const list = (query: object) => admin.ok(listActivePrograms, { query: { search: 'A60', ...query } })
  const all = await list({})
  expect(all.Items).toMatchObject([
    { Name: 'Busy A60', PeopleWeek: 1, PeopleMonth: 1, Students: 1, RecordedMinutes: 300, IsQuiet: false },
    { Name: 'Quiet A60', PeopleWeek: 0, PeopleMonth: 0, IsQuiet: true },
  ])
  expect((await list({ sort: 'LastSeenAt' })).Items[0]!.Name).toBe('Quiet A60')
  expect((await list({ Quiet: true })).Items.map(({ Name }) => Name)).toEqual(['Quiet A60'])
  expect(await list({ page: 2, pageSize: 1 })).toMatchObject({ Total: 2, Items: [{ Name: 'Quiet A60' }] })
  expect((await admin.call(listActivePrograms, { query: { sort: 'Password' as never } })).status).toBe(400)
})

test('the installation is for super admins alone', async () => {
  const director = await installation.as(await makePerson(installation.owner, Level.Admin))
  for (const endpoint of [getOverview, listActivePrograms])
    expect((await director.call(endpoint, {} as never)).status).toBe(403)
})
