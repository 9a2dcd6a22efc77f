import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { endOwnSession, listSessions, logout } from '#contract/identity/identity.ts'
import { deactivateUser, endUserSessions } from '#contract/people/people.ts'
import * as contract from '#contract/push/push.ts'
import { makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Caller, startInstallation } from '#server/test/installation.ts'
import { setPushStage } from '#server/test/push-stage.ts'
import { sendDuePushes } from './sending.service.ts'

const { stage, add, choose, send, notify, messages, answerRequest } = setPushStage()
const owner = () => stage.installation.owner

test('messages end with the session: signed out here, ended from elsewhere, by staff, or with the account', async () => {
  const isTold = async (of = stage.student) => {
    const before = stage.service.received.length
    await notify('schedule', '/new/swaps', of.Id)
    await send()
    return stage.service.received.length > before
  }
  const begin = async () => {
    const caller = await stage.installation.as(stage.student)
    const { body } = await add(caller)
    await choose(caller, ['answer'])
    expect(await isTold()).toBe(true)
    return { caller, body }
  }
  const coordinator = await stage.installation.as(
    await makePerson(owner(), Level.Coord, { program: stage.program }),
  )
  const first = await begin()
  await first.caller.ok(logout)
  expect(await isTold()).toBe(false)

  const second = await begin()
  const current = (await second.caller.ok(listSessions)).find(({ IsCurrent }) => IsCurrent)!
  await stage.own.ok(endOwnSession, { params: { sessionId: current.Id } })
  expect(await isTold()).toBe(false)
  // Whoever signs in again there is told again, without being asked once more; the browser says so itself.
  const again = await stage.installation.as(stage.student)
  const { settings } = await add(again, { ...second.body, Name: 'Browser', IsRenewal: true })
  expect(settings.Devices).toMatchObject([{ Name: 'Chrome, Android', IsOfSession: true }])
  expect(await isTold()).toBe(true)
  await coordinator.ok(endUserSessions, { params: { programId: stage.program.Id, userId: stage.student.Id } })
  expect(await isTold()).toBe(false)

  await begin()
  await coordinator.ok(deactivateUser, { params: { programId: stage.program.Id, userId: stage.student.Id } })
  expect(await isTold()).toBe(false)
  const { rows } = await owner().query(
    `select count(*)::int as count from push_device where program_id = $1 and ended_at is null`,
    [stage.program.Id],
  )
  expect(rows).toEqual([{ count: 0 }])
  // By a directory, by a provider, by hand: whatever closes the account.
  const other = await makeStudent(owner(), stage.program)
  const caller = await stage.installation.as(other)
  await add(caller)
  await choose(caller, ['answer'])
  await owner().query('update account set deactivated_at = now() where id = $1', [other.Id])
  expect(await isTold(other)).toBe(false)
})

test('a session that ran out by time ends nothing, and the next one takes the device over', async () => {
  const { body } = await add(stage.own)
  await choose(stage.own, ['answer'])
  await owner().query(`update session set expires_at = now() - interval '1 hour' where account_id = $1`, [
    stage.student.Id,
  ])
  await answerRequest()
  await send()
  expect(stage.service.received).toHaveLength(1)
  const next = await stage.installation.as(stage.student)
  expect((await next.ok(contract.getPush)).Devices).toMatchObject([{ Id: body.Id, IsOfSession: false }])
  await add(next, { ...body, IsRenewal: true })
  await next.ok(logout)
  await answerRequest()
  await send()
  expect(stage.service.received).toHaveLength(1)
})

test('a phone that several share tells the one who brought its address last, in whichever program', async () => {
  const { body } = await add(stage.own)
  await choose(stage.own, ['answer'])
  const elsewhere = await makeProgram(owner(), { time_zone: 'UTC' })
  const second = await makeStudent(owner(), elsewhere)
  const other = await stage.installation.as(second)
  await choose(other, ['answer'])
  await add(other, { Id: randomUUID(), Address: body.Address })
  expect((await stage.own.ok(contract.getPush)).Devices).toEqual([])
  await answerRequest()
  await notify('schedule', '/new/swaps', second.Id, elsewhere)
  await send()
  await send(elsewhere)
  expect(stage.service.received.map(({ payload }) => payload.account)).toEqual([second.Id])
  // And back again.
  await add(stage.own, { ...body, IsRenewal: true })
  expect((await other.ok(contract.getPush)).Devices).toEqual([])
})

test('a device that its person removed does not come back by itself, and nobody removes or tests another person’s', async () => {
  const { body } = await add(stage.own)
  const classmate = await stage.installation.as(await makeStudent(owner(), stage.program))
  const stranger = await stage.installation.as(await makeStudent(owner()))
  for (const caller of [classmate, stranger]) {
    const at = { params: { deviceId: body.Id } }
    expect((await caller.call(contract.removePushDevice, at)).status).toBe(404)
    expect((await caller.call(contract.testPushDevice, at)).status).toBe(404)
    expect((await caller.ok(contract.getPush)).Devices).toEqual([])
  }
  const copied = await classmate.call(contract.addPushDevice, { body: { ...body, IsRenewal: false } })
  expect(copied.status).toBe(409)
  await stage.own.ok(contract.removePushDevice, { params: { deviceId: body.Id } })
  const renewed = await stage.own.call(contract.addPushDevice, { body: { ...body, IsRenewal: true } })
  expect([renewed.status, renewed.body]).toMatchObject([409, { Code: 'push_removed' }])
  const unknown = await stage.own.call(contract.addPushDevice, {
    body: { ...body, Id: randomUUID(), IsRenewal: true },
  })
  expect(unknown.status).toBe(409)
  expect((await stage.own.call(contract.removePushDevice, { params: { deviceId: body.Id } })).status).toBe(
    404,
  )
  const { settings } = await add(stage.own, body)
  expect(settings.Devices).toHaveLength(1)
})

test('an account has ten devices at most, also when they come at once', async () => {
  const bodies = Array.from({ length: 12 }, () => ({
    Id: randomUUID(),
    Name: 'Chrome, Android',
    Address: stage.service.address(stage.publicKey),
  }))
  const answers = await Promise.all(bodies.map((body) => stage.own.call(contract.addPushDevice, { body })))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 422, 422])
  expect((await stage.own.ok(contract.getPush)).Devices).toHaveLength(contract.maxPushDevices)
})

test('addresses inside, without TLS, or of no browser are refused, and so are kinds and hours that make no sense', async () => {
  const strict = await startInstallation()
  try {
    const admin = await strict.as(await makePerson(strict.owner, Level.SuperAdmin))
    const key = (await admin.ok(contract.switchPush, { body: { IsOn: true } })).PublicKey
    const person = await strict.as(await makeStudent(strict.owner))
    const address = stage.service.address(key)
    const attempt = async (more: Partial<contract.PushAddress>) => {
      const Address = { ...address, Endpoint: 'https://push.example.org/send/1', ...more }
      return (
        await person.call(contract.addPushDevice, { body: { Id: randomUUID(), Name: 'Phone', Address } })
      ).status
    }
    expect(await attempt({})).toBe(200)
    await strict.owner.query(`update push_device set ended_at = now(), end_reason = 'removed'`)
    for (const Endpoint of [
      'http://push.example.org/send/1',
      'https://127.0.0.1/send/1',
      'https://[::1]/send/1',
      'https://169.254.169.254/latest/meta-data',
      'https://user:secret@push.example.org/send/1',
      'file:///etc/passwd',
      'nowhere',
    ])
      expect(await attempt({ Endpoint })).toBe(422)
    expect(await attempt({ P256dh: `B${'A'.repeat(86)}` })).toBe(422)
    expect(await attempt({ PublicKey: address.P256dh })).toBe(409)
    expect(await attempt({ Auth: 'short' })).toBe(400)
    // A name that leads inside is found out when it is called: the device is ended, and nothing was sent.
    expect(await attempt({ Endpoint: 'https://localhost/send/1' })).toBe(200)
    await person.ok(contract.savePush, { body: { Kinds: ['answer'], Quiet: null } })
    await strict.owner.query(
      `insert into notification (program_id, account_id, kind, text, link)
        select program_id, account_id, 'schedule', 'News', '/new/swaps' from push_device where endpoint like '%localhost%'`,
    )
    const { rows: programs } = await strict.owner.query<{ program_id: number }>(
      'select program_id from push_device limit 1',
    )
    await strict.hear()
    await sendDuePushes(strict.services, programs[0]!.program_id)
    const { rows } = await strict.owner.query(
      `select m.state, m.note, d.end_reason from push_message m join push_device d on d.id = m.device_id
        where d.endpoint like '%localhost%'`,
    )
    expect(rows).toEqual([
      { state: 'dropped', note: expect.stringContaining('not in the public internet'), end_reason: 'gone' },
    ])
  } finally {
    await strict.stop()
  }
  const save = async (caller: Caller, body: object) =>
    (await caller.call(contract.savePush, { body } as never)).status
  expect(await save(stage.own, { Kinds: ['answer'], Quiet: { From: '22:00', Until: '22:00' } })).toBe(422)
  expect(await save(stage.own, { Kinds: ['gossip'], Quiet: null })).toBe(400)
  expect(await save(stage.own, { Kinds: [], Quiet: { From: '25:00', Until: '06:00' } })).toBe(400)
  const faculty = await stage.installation.as(
    await makePerson(owner(), Level.Faculty, { program: stage.program }),
  )
  expect(await save(faculty, { Kinds: ['shift'], Quiet: null })).toBe(422)
  expect(await save(faculty, { Kinds: ['evaluation'], Quiet: null })).toBe(200)
  // Super admins are told nothing: what happens in programs is others' business.
  expect(await save(stage.superAdmin, { Kinds: ['evaluation'], Quiet: null })).toBe(422)
  const address = stage.service.address(stage.publicKey)
  const body = { Id: randomUUID(), Name: 'Phone', Address: address }
  expect((await stage.superAdmin.call(contract.addPushDevice, { body })).status).toBe(422)
  const graduate = await stage.installation.as(
    await makePerson(owner(), Level.Alumnus, { program: stage.program }),
  )
  expect(await save(graduate, { Kinds: ['evaluation'], Quiet: null })).toBe(422)
  expect((await stage.installation.anonymous.call(contract.getPush)).status).toBe(401)
})

test('on a ward computer nobody turns notifications on', async () => {
  await owner().query('update session set is_shared = true where account_id = $1', [stage.student.Id])
  const answer = await stage.own.call(contract.addPushDevice, {
    body: { Id: randomUUID(), Name: 'Ward', Address: stage.service.address(stage.publicKey) },
  })
  expect([answer.status, answer.body]).toMatchObject([422, { Code: 'shared' }])
})

test('super admins see how it goes, test their own browser at once, and make new keys, which ends all devices', async () => {
  await add(stage.own)
  const before = await stage.superAdmin.ok(contract.getPushState)
  expect(before).toMatchObject({
    IsOn: true,
    PublicKey: stage.publicKey,
    Contact: 'mailto:help@college.example',
    Problems: [],
  })
  expect(before.Hosts).toContainEqual({
    Host: new URL(stage.service.address(stage.publicKey).Endpoint).host,
    DeviceCount: 1,
  })
  const tried = await stage.superAdmin.ok(contract.testPush, {
    body: { Address: stage.service.address(stage.publicKey) },
  })
  expect(tried).toMatchObject({ IsOk: true, Steps: [{ IsOk: true }, { IsOk: true }] })
  expect(stage.service.received.map(({ payload }) => payload.account)).toEqual([0])
  stage.service.answerBy((_request, response) => response.writeHead(403).end('BadJwtToken'))
  const failed = await stage.superAdmin.ok(contract.testPush, {
    body: { Address: stage.service.address(stage.publicKey) },
  })
  expect(failed).toMatchObject({
    IsOk: false,
    Steps: [{ IsOk: true }, { IsOk: false, Detail: expect.stringContaining('answered 403: BadJwtToken') }],
  })
  expect((await stage.superAdmin.ok(contract.getPushState)).LastError).toContain('BadJwtToken')

  const after = await stage.superAdmin.ok(contract.renewPushKeys)
  expect(after).toMatchObject({ DeviceCount: 0, LastError: '' })
  expect(after.PublicKey).not.toBe(stage.publicKey)
  const old = await stage.own.call(contract.addPushDevice, {
    body: { Id: randomUUID(), Name: 'Phone', Address: stage.service.address(stage.publicKey) },
  })
  expect([old.status, old.body]).toMatchObject([409, { Code: 'push_keys' }])
  for (const level of [Level.Admin, Level.Student]) {
    const caller = await stage.installation.as(await makePerson(owner(), level, { program: stage.program }))
    expect((await caller.call(contract.getPushState)).status).toBe(403)
    expect((await caller.call(contract.switchPush, { body: { IsOn: true } })).status).toBe(403)
    expect((await caller.call(contract.renewPushKeys)).status).toBe(403)
  }
})

test('under another SECRET_KEY nothing is sent, the page says why, and new keys help', async () => {
  await add(stage.own)
  await choose(stage.own, ['answer'])
  await answerRequest()
  const services = {
    ...stage.installation.services,
    config: { ...stage.installation.services.config, secretKey: 'another key, also long enough to be one' },
  }
  await stage.installation.hear()
  await sendDuePushes(services, stage.program.Id)
  expect(stage.service.received).toHaveLength(0)
  expect(await messages()).toMatchObject([{ state: 'waiting', attempts: 0 }])
  expect((await stage.superAdmin.ok(contract.getPushState)).LastError).toContain('SECRET_KEY has changed')
  await stage.superAdmin.ok(contract.renewPushKeys)
})

test('a person tests a device ten times in a quarter of an hour', async () => {
  const { body } = await add(stage.own)
  const at = { params: { deviceId: body.Id } }
  for (let count = 0; count < 10; count++) await stage.own.ok(contract.testPushDevice, at)
  expect((await stage.own.call(contract.testPushDevice, at)).status).toBe(429)
})
