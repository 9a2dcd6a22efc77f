import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { savePreferences } from '#contract/identity/preferences.ts'
import * as contract from '#contract/push/push.ts'
import { rejectTimeRecords } from '#contract/time/approvals.ts'
import { onConnection, transaction } from '#server/core/database/pool.ts'
import { readOutsideParts } from '#server/core/runtime/installation.across.ts'
import { remindOfEvaluations } from '#server/modules/evaluations/reminders.jobs.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { setPushStage } from '#server/test/push-stage.ts'
import { claimPushes } from './push.commands.ts'
import { tellOfClockOuts, tellOfShifts, tidyPushes } from './push.jobs.ts'
import { quietUntil } from './push.queries.ts'

const { stage, add, choose, send, notify, messages, hurry, answerRequest } = setPushStage()
const owner = () => stage.installation.owner

test('nothing is told until the installation, the person and the device have each been asked', async () => {
  await stage.superAdmin.ok(contract.switchPush, { body: { IsOn: false } })
  expect(await stage.own.ok(contract.getPush)).toEqual({
    IsOn: false,
    PublicKey: '',
    Kinds: [],
    Quiet: { From: '22:00', Until: '06:00' },
    Devices: [],
  })
  const Address = stage.service.address(stage.publicKey)
  const refused = await stage.own.call(contract.addPushDevice, {
    body: { Id: randomUUID(), Name: 'Chrome, Android', Address },
  })
  expect([refused.status, refused.body]).toMatchObject([422, { Code: 'push_off' }])
  await stage.superAdmin.ok(contract.switchPush, { body: { IsOn: true } })
  await add(stage.own)
  await answerRequest()
  expect(await messages()).toEqual([])
  await choose(stage.own, ['answer'])
  await answerRequest()
  await send()
  expect(stage.service.received).toHaveLength(1)
})

test('a message arrives encrypted for the browser, signed by the installation, and says no more than a locked screen may', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  await answerRequest()
  await send()
  const [{ headers, token, payload }] = stage.service.received as [(typeof stage.service.received)[0]]
  expect(payload).toEqual({
    account: stage.student.Id,
    tag: headers.topic,
    title: 'Shift request',
    body: 'There is news about a shift request.',
    link: '/new/swaps?show=own',
  })
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'normal' })
  expect(headers.topic).toMatch(/^[\w-]{32}$/)
  expect(Number(headers.ttl)).toBeGreaterThan(2 * 86_400)
  expect(token.sub).toBe('mailto:help@college.example')
  const ahead = Number(token.exp) - Date.now() / 1_000
  expect(ahead).toBeGreaterThan(11 * 3_600)
  expect(ahead).toBeLessThan(24 * 3_600)
  expect((await stage.own.ok(contract.getPush)).Devices).toMatchObject([{ SentDate: expect.any(String) }])
  await send()
  expect(stage.service.received).toHaveLength(1)
})

test('the private key of the installation is sealed, and addresses of devices are in no answer and no audit', async () => {
  const { body, settings } = await add(stage.own)
  const { rows } = await owner().query('select private_key from push_service')
  expect(rows[0].private_key).toMatch(/^v1\./)
  const { rows: audited } = await owner().query(
    `select action, detail from audit where account_id = $1 order by id desc limit 1`,
    [stage.student.Id],
  )
  expect(audited[0].detail).toMatchObject({
    Device: 'Chrome, Android',
    Host: new URL(body.Address.Endpoint).host,
  })
  const path = new URL(body.Address.Endpoint).pathname
  const told = [settings, audited, await stage.superAdmin.ok(contract.getPushState)]
  expect(JSON.stringify(told)).not.toContain(path)
})

test('what is told of once more replaces what is still waiting, and the device shows the newest alone', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  await answerRequest()
  await answerRequest()
  await send()
  expect(await messages()).toMatchObject([
    { state: 'dropped', note: 'a newer one says it' },
    { state: 'sent' },
  ])
  await answerRequest()
  await send()
  expect(new Set(stage.service.received.map(({ headers }) => headers.topic)).size).toBe(1)
  expect(stage.service.received).toHaveLength(2)
})

test('what a transaction takes back is not told, and nobody is told of what they did themselves', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  const tell = async (accountId: number | null, isKept: boolean) => {
    const told = transaction(
      stage.installation.services.pool,
      { accountId, programIds: [stage.program.Id] },
      async (db) => {
        await db
          .insertInto('notification')
          .values({
            program_id: stage.program.Id,
            account_id: stage.student.Id,
            kind: 'schedule',
            text: 'News',
            link: '/new/swaps',
          })
          .execute()
        if (!isKept) throw new Error('taken back')
      },
    )
    await told.catch(() => {})
  }
  await tell(null, false)
  await tell(stage.student.Id, true)
  expect(await messages()).toEqual([])
  await tell(null, true)
  expect(await messages()).toMatchObject([{ kind: 'answer', state: 'waiting' }])
})

test('tomorrow’s shift is told from 18:00 of the program on, once, as it is when it is sent, and not when it was taken away', async () => {
  // A zone in which it is evening now, and one in which it is morning.
  const zoneAt = (hour: number) => {
    const offset = ((hour - new Date().getUTCHours() + 36) % 24) - 12
    return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
  }
  const place = async (zone: string) => {
    const of = await makeProgram(owner(), { time_zone: zone })
    const person = await makeStudent(owner(), of)
    const caller = await stage.installation.as(person)
    await add(caller)
    await choose(caller, ['shift'])
    const site = await makeSite(owner(), of, { time_zone: zone })
    const rotation = await makeRotation(owner(), of, { start_date: '2020-01-01', end_date: '2099-12-31' })
    const shift = await makeShift(owner(), of, { site, start_date: '2020-01-01', end_date: '2099-12-31' })
    const tomorrow = Temporal.Now.plainDateISO(zone).add({ days: 1 })
    const at = (time: string) =>
      tomorrow.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant().toString()
    const { id } = await makeRow(owner(), 'shift_assignment', {
      program_id: of.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: person.Id,
      date: tomorrow.toString(),
      starts_at: at('07:00'),
      ends_at: at('15:30'),
    })
    return { of, id, tomorrow, at }
  }
  const [evening, taken, morning] = [await place(zoneAt(19)), await place(zoneAt(19)), await place(zoneAt(9))]
  await tellOfShifts.work({}, stage.installation.services)
  await tellOfShifts.work({}, stage.installation.services)
  const count = async (of: MadeProgram) => (await messages(of)).length
  expect([await count(evening.of), await count(taken.of), await count(morning.of)]).toEqual([1, 1, 0])
  await owner().query('update shift_assignment set removed_at = now() where program_id = $1', [taken.of.Id])
  // Moved since it was queued.
  await owner().query('update shift_assignment set starts_at = $2 where program_id = $1', [
    evening.of.Id,
    evening.at('08:15'),
  ])
  await send(evening.of)
  await send(taken.of)
  expect(await messages(taken.of)).toMatchObject([{ state: 'dropped', note: 'no longer so' }])
  const [year, month, day] = evening.tomorrow.toString().split('-')
  const weekday = evening.tomorrow.toLocaleString('en-US', { weekday: 'short' })
  expect(stage.service.received.map(({ payload }) => payload.body)).toEqual([
    `${weekday} ${month}/${day}/${year}, 08:15–15:30`,
  ])
  expect(stage.service.received[0]!.payload.link).toBe('/new/schedule')
})

test('a forgotten clock-out is told once half an hour after the shift, urgently, and not to whoever clocked out meanwhile', async () => {
  const { rows } = await owner().query<{ day: string }>(
    "select (now() - interval '8 hours')::date::text as day",
  )
  const clockIn = async (of: number) =>
    makeRow(owner(), 'time_record', {
      program_id: stage.program.Id,
      student_id: of,
      kind: 'in',
      occurred_at: new Date(Date.now() - 13 * 3_600_000).toISOString(),
      date: rows[0]!.day,
    })
  const other = await makeStudent(owner(), stage.program)
  const callers = [stage.own, await stage.installation.as(other)]
  for (const caller of callers) {
    await add(caller)
    await choose(caller, ['clock-out'])
  }
  await clockIn(stage.student.Id)
  const { id } = await clockIn(other.Id)
  const fresh = await makeRow(owner(), 'time_record', {
    program_id: stage.program.Id,
    student_id: stage.student.Id,
    kind: 'in',
    occurred_at: new Date(Date.now() - 3_600_000).toISOString(),
    date: rows[0]!.day,
  })
  await tellOfClockOuts.work({}, stage.installation.services)
  await tellOfClockOuts.work({}, stage.installation.services)
  expect(await messages()).toHaveLength(2)
  await owner().query('update time_record set partner_id = $2 where program_id = $1 and id = $3', [
    stage.program.Id,
    fresh.id,
    id,
  ])
  await send()
  expect(
    stage.service.received.map(({ payload, headers }) => [payload.account, payload.title, headers.urgency]),
  ).toEqual([[stage.student.Id, 'You are still clocked in', 'high']])
  expect((await messages()).map(({ state }) => state).sort()).toEqual(['dropped', 'sent'])
})

test('evaluations are told of by their number, to supervisors too, in the language of the person', async () => {
  const template = await makeRow(owner(), 'evaluation_template', {
    program_id: stage.program.Id,
    title: 'Clinical evaluation of a named student',
    evaluator_role: 'supervisor',
    subject_role: 'student',
  })
  const supervisor = await makePerson(owner(), Level.Supervisor, { program: stage.program })
  const caller = await stage.installation.as(supervisor)
  await caller.ok(savePreferences, {
    body: { StartPage: '', IsMenuShown: false, MutedEmails: [], Language: 'es' },
  })
  const today = new Date().toISOString().slice(0, 10)
  for (let count = 0; count < 2; count++)
    await makeRow(owner(), 'evaluation', {
      program_id: stage.program.Id,
      template_id: template.id,
      evaluator_id: supervisor.Id,
      subject_id: stage.student.Id,
      date: '2026-01-01',
      end_date: today,
    })
  await add(caller)
  await choose(caller, ['evaluation'])
  await remindOfEvaluations.work({}, stage.installation.services)
  await send()
  expect(stage.service.received.map(({ payload }) => [payload.title, payload.body, payload.link])).toEqual([
    ['Evaluaciones', '2 evaluaciones por completar.', '/new/evaluate'],
  ])
  // Coordinators are told of the same inside the product, on a page of staff: that is none to fill.
  await notify('evaluation_late', '/new/admin/evaluations/status', supervisor.Id)
  await owner().query('update evaluation set stopped_at = now() where program_id = $1', [stage.program.Id])
  await notify('evaluation_due', '/new/evaluate', supervisor.Id)
  await send()
  expect(stage.service.received).toHaveLength(1)
})

test('a record that staff reject is told to the student, and leads to the hours', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  const { id } = await makeRow(owner(), 'time_record', {
    program_id: stage.program.Id,
    student_id: stage.student.Id,
    kind: 'absence',
    occurred_at: '2026-03-02T12:00:00Z',
    date: '2026-03-02',
    reason: 'A private reason',
  })
  const coordinator = await stage.installation.as(
    await makePerson(owner(), Level.Coord, { program: stage.program }),
  )
  await coordinator.ok(rejectTimeRecords, {
    params: { programId: stage.program.Id },
    body: { Ids: [id], Reason: 'Not excused' },
  })
  await send()
  expect(stage.service.received.map(({ payload }) => [payload.body, payload.link])).toEqual([
    ['Your program reviewed a time record.', '/new/hours'],
  ])
})

test('a device that is gone is ended, and is not asked again', async () => {
  for (const status of [404, 410]) {
    await add(stage.own)
    await choose(stage.own, ['answer'])
    stage.service.answerBy((_request, response) => response.writeHead(status).end())
    await answerRequest()
    await send()
    expect((await stage.own.ok(contract.getPush)).Devices).toEqual([])
  }
  await answerRequest()
  await send()
  expect(stage.service.received).toHaveLength(2)
  // It is the way of devices, not an error of the installation.
  expect(await stage.superAdmin.ok(contract.getPushState)).toMatchObject({ LastError: '' })
})

const failing = async () =>
  (await readOutsideParts(stage.installation.services.pool)).failing.find(({ part }) => part === 'push')
    ?.failing

test('whatever else a push service answers is tried again later, as late as it asks, until it is worth nothing', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  stage.service.answerBy((_request, response) =>
    response.writeHead(429, { 'retry-after': '7200' }).end('slow\n down'),
  )
  await answerRequest()
  await send()
  const wait = async () =>
    (
      await owner().query<{ seconds: number }>(
        `select round(extract(epoch from next_at - now()))::int as seconds from push_message where program_id = $1`,
        [stage.program.Id],
      )
    ).rows[0]!.seconds
  expect(await messages()).toMatchObject([
    { state: 'waiting', attempts: 1, note: expect.stringContaining('answered 429: slow down') },
  ])
  expect(await wait()).toBeGreaterThan(7_100)
  expect(await stage.superAdmin.ok(contract.getPushState)).toMatchObject({
    LastError: expect.stringContaining('answered 429'),
    WaitingCount: expect.any(Number),
  })
  expect(await failing()).toBe(1)
  stage.service.answerBy((_request, response) => response.writeHead(503).end())
  for (let attempt = 2; attempt < 8; attempt++) {
    await hurry()
    await send()
  }
  expect(await messages()).toMatchObject([{ state: 'waiting', attempts: 7 }])
  await hurry()
  await send()
  expect(await messages()).toMatchObject([{ state: 'failed', attempts: 8 }])
  stage.service.answerBy((_request, response) => response.writeHead(201).end())
  await answerRequest()
  await send()
  expect(await stage.superAdmin.ok(contract.getPushState)).toMatchObject({
    LastSuccessDate: expect.any(String),
  })
  expect(await failing()).toBe(0)
})

test('a push service that redirects ends the device, one that breaks off or says too much is survived', async () => {
  await choose(stage.own, ['answer'])
  await add(stage.own)
  stage.service.answerBy((_request, response) => {
    response.writeHead(500)
    response.write('x'.repeat(5_000_000))
    response.end()
  })
  await answerRequest()
  await send()
  expect((await messages())[0]).toMatchObject({ state: 'waiting' })
  stage.service.answerBy((_request, response) => response.destroy())
  await hurry()
  await send()
  expect((await messages())[0]).toMatchObject({ state: 'waiting', note: expect.stringContaining('broke') })
  stage.service.answerBy((_request, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1/' }).end(),
  )
  await hurry()
  await send()
  expect((await messages())[0]).toMatchObject({
    state: 'dropped',
    note: expect.stringContaining('not followed'),
  })
  expect((await stage.own.ok(contract.getPush)).Devices).toEqual([])
})

test('a sender that died leaves its messages to the next one, and one that comes back too late changes nothing', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  await answerRequest()
  await stage.installation.hear()
  const claim = () =>
    transaction(stage.installation.services.pool, { accountId: null, programIds: [stage.program.Id] }, (db) =>
      claimPushes(db, stage.program.Id),
    )
  expect(await claim()).toHaveLength(1)
  expect(await claim()).toHaveLength(0)
  await send()
  expect(stage.service.received).toHaveLength(0)
  await owner().query(
    `update push_message set claimed_until = now() - interval '1 second' where program_id = $1`,
    [stage.program.Id],
  )
  await Promise.all([send(), send(), send()])
  expect(stage.service.received).toHaveLength(1)
  expect(await messages()).toMatchObject([{ state: 'sent', attempts: 2 }])
})

test('in quiet hours nothing is sent; what is no longer so afterward is not told', async () => {
  const { rows } = await owner().query<{ from: string; until: string }>(
    `select to_char(now() at time zone 'UTC' - interval '1 hour', 'HH24:MI') as from,
       to_char(now() at time zone 'UTC' + interval '1 hour', 'HH24:MI') as until`,
  )
  const { from, until } = rows[0]!
  await add(stage.own)
  await choose(stage.own, ['answer'], { From: from, Until: until })
  await answerRequest()
  await send()
  expect(stage.service.received).toHaveLength(0)
  const { rows: put } = await owner().query<{ minutes: number }>(
    `select extract(epoch from next_at - now()) / 60 as minutes from push_message where program_id = $1`,
    [stage.program.Id],
  )
  expect(Number(put[0]!.minutes)).toBeGreaterThan(58)
  expect(Number(put[0]!.minutes)).toBeLessThanOrEqual(60)
  // Whoever presses for a test is awake.
  const { Devices } = await stage.own.ok(contract.getPush)
  await stage.own.ok(contract.testPushDevice, { params: { deviceId: Devices[0]!.Id } })
  await send()
  expect(stage.service.received.map(({ payload }) => payload.body)).toEqual([
    'Notifications work on this device.',
  ])
  await choose(stage.own, [])
  await hurry()
  await send()
  expect((await messages())[0]).toMatchObject({ state: 'dropped', note: 'no longer wanted' })
  expect(stage.service.received).toHaveLength(1)
})

test('quiet hours end by the clock of the zone, also on the nights in which clocks change', async () => {
  const until = async (at: string, from: string, to: string, zone = 'America/New_York') => {
    const told = [sql`${at}::timestamptz`, sql`${zone}::text`, sql`${from}`, sql`${to}`] as const
    const client = await owner().connect()
    const { rows } = await sql<{ until: string | null }>`select ${quietUntil(...told)} as until`.execute(
      onConnection(client),
    )
    client.release()
    const found = rows[0]?.until
    return found ? new Date(found).toISOString() : null
  }
  // Spring, 2027-03-14: the hour from 2:00 is skipped. Autumn, 2027-11-07: the hour from 1:00 comes twice.
  expect(await until('2027-03-14T03:30:00Z', '22:00', '06:00')).toBe('2027-03-14T10:00:00.000Z')
  expect(await until('2027-03-13T03:30:00Z', '22:00', '06:00')).toBe('2027-03-13T11:00:00.000Z')
  expect(await until('2027-11-07T02:30:00Z', '22:00', '06:00')).toBe('2027-11-07T11:00:00.000Z')
  expect(await until('2027-11-06T02:30:00Z', '22:00', '06:00')).toBe('2027-11-06T10:00:00.000Z')
  // They end in the hour that is skipped, and in the one that comes twice.
  expect(await until('2027-03-14T06:30:00Z', '22:00', '02:30')).toBe('2027-03-14T07:30:00.000Z')
  expect(await until('2027-11-07T05:10:00Z', '22:00', '01:15')).toBe('2027-11-07T06:15:00.000Z')
  expect(await until('2027-01-14T20:00:00Z', '22:00', '06:00')).toBeNull()
  expect(await until('2027-01-14T20:00:00Z', '14:00', '16:00')).toBe('2027-01-14T21:00:00.000Z')
  const minute = fc.integer({ min: 0, max: 1_439 })
  const timeOf = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  await fc.assert(
    fc.asyncProperty(
      fc.date({ min: new Date('2027-03-12'), max: new Date('2027-11-09'), noInvalidDate: true }),
      minute,
      minute,
      async (at, from, to) => {
        const end = await until(at.toISOString(), timeOf(from), timeOf(to))
        if (end === null) return
        const wait = Date.parse(end) - at.getTime()
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(25 * 3_600_000)
      },
    ),
    { numRuns: 60 },
  )
})

test('what is old is forgotten, and devices that nobody opens any longer end', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  await answerRequest()
  await send()
  await owner().query(
    `update push_message set queued_at = now() - interval '31 days' where program_id = $1`,
    [stage.program.Id],
  )
  await owner().query(`update push_device set seen_at = now() - interval '91 days' where program_id = $1`, [
    stage.program.Id,
  ])
  await tidyPushes.work({}, stage.installation.services)
  expect(await messages()).toEqual([])
  expect((await stage.own.ok(contract.getPush)).Devices).toEqual([])
})
