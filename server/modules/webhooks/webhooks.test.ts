import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { addTimeRecord } from '#contract/time/time-records.ts'
import * as contract from '#contract/webhooks/webhooks.ts'
import { transaction } from '#server/core/database/pool.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { makeRequirement } from '#server/test/requirement-proofs.ts'
import { bodyOf, headersOf, newSecret, retrySeconds, waitAfter } from './signing.rules.ts'
import { claimDeliveries } from './webhooks.commands.ts'
import { sendDue, tellExpired } from './webhooks.jobs.ts'

let installation: Installation
/** One whose operator lists no networks. */
let strict: Installation
let program: MadeProgram
let admin: Caller
beforeAll(async () => {
  installation = await startInstallation({ WEBHOOK_ALLOW: '127.0.0.0/8' })
  strict = await startInstallation()
})
afterAll(async () => {
  await installation?.stop()
  await strict?.stop()
})

interface Received {
  headers: Record<string, string>
  body: string
  event: any
}
let receiver: http.Server
let received: Received[]
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => unknown
let url: string
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  received = []
  answer = (_request, response) => response.writeHead(204).end()
  receiver = http.createServer(async (request, response) => {
    const body = await text(request)
    received.push({ headers: request.headers as Record<string, string>, body, event: JSON.parse(body) })
    answer(request, response, body)
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterEach(() => {
  receiver.closeAllConnections()
  receiver.close()
})

const inProgram = () => ({ params: { programId: program.Id } })
const at = (webhookId: number) => ({ params: { programId: program.Id, webhookId } })
const make = (Events: contract.WebhookEvent[] = ['person.created'], Url = url) =>
  admin.ok(contract.createWebhook, { ...inProgram(), body: { Url, Events } })
const send = async () => {
  await installation.hear()
  await sendDue(installation.services, program.Id)
}
/** As another process does. */
const sendElsewhere = () => sendDue({ ...installation.services }, program.Id)
const log = async (webhookId: number) =>
  (await admin.ok(contract.listWebhookDeliveries, { ...at(webhookId), query: {} })).Items
const person = () => makePerson(installation.owner, Level.Faculty, { program })
const change = (id: number, email: string) =>
  installation.owner.query('update account set email = $2 where id = $1', [id, email])
/** As if the time had come. */
const hurry = () =>
  installation.owner.query('update webhook_delivery set next_at = now() where program_id = $1', [program.Id])

test('an event arrives as Standard Webhooks says, and that project’s own library accepts it', async () => {
  const { Secret, Id } = await make()
  expect(Secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const { Id: personId } = await person()
  await send()
  expect(received).toHaveLength(1)
  const [{ headers, body }] = received as [Received]
  expect(new Webhook(Secret).verify(body, headers)).toEqual({
    type: 'person.created',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    data: { PersonId: personId, AccessLevel: Level.Faculty, StudentNumber: null, IsActive: true },
    subject: `person/${personId}`,
    number: 1,
  })
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(Secret).verify(`${body} `, headers)).toThrow()
  expect(await log(Id)).toMatchObject([
    { Type: 'person.created', State: 'delivered', Status: 204, Attempts: 1, Body: body },
  ])
})

test('whatever is signed verifies, and with two secrets either does', () => {
  fc.assert(
    fc.property(fc.string(), fc.uuid(), (body, id) => {
      const secrets = [newSecret(), newSecret()]
      const headers = headersOf(
        { id, timestamp: Math.floor(Date.now() / 1_000), body: JSON.stringify(body) },
        secrets,
      )
      for (const secret of secrets)
        expect(new Webhook(secret).verify(JSON.stringify(body), headers)).toEqual(body)
    }),
    { numRuns: 30 },
  )
})

test('while a secret is rotated both are valid, and after a day the last one alone', async () => {
  const { Secret, Id } = await make()
  const next = await admin.ok(contract.rotateWebhookSecret, at(Id))
  await person()
  await send()
  for (const secret of [Secret, next.Secret])
    new Webhook(secret).verify(received[0]!.body, received[0]!.headers)
  await installation.owner.query('update webhook_endpoint set previous_until = now() where program_id = $1', [
    program.Id,
  ])
  await person()
  await send()
  new Webhook(next.Secret).verify(received[1]!.body, received[1]!.headers)
  expect(() => new Webhook(Secret).verify(received[1]!.body, received[1]!.headers)).toThrow()
})

test('secrets are sealed, shown once, and in no list, log or audit', async () => {
  const { Secret } = await make()
  const { rows } = await installation.owner.query('select * from webhook_endpoint where program_id = $1', [
    program.Id,
  ])
  const { rows: audited } = await installation.owner.query('select detail from audit where program_id = $1', [
    program.Id,
  ])
  const listed = await admin.ok(contract.listWebhooks, inProgram())
  expect(JSON.stringify([rows, audited, listed])).not.toContain(Secret.slice(6, 30))
})

test('what a transaction takes back is not told', async () => {
  const { Id } = await make()
  const failed = transaction(
    installation.services.transactions,
    { accountId: null, programIds: [program.Id] },
    async (db) => {
      await db
        .insertInto('account')
        .values({ program_id: program.Id, user_name: `gone${program.Id}`, access_level: 59 } as never)
        .execute()
      throw new Error('taken back')
    },
  )
  await expect(failed).rejects.toThrow('taken back')
  await send()
  expect([received, await log(Id)]).toEqual([[], []])
})

test('only chosen events of the own program are told, and nothing while an endpoint is off', async () => {
  const { Id } = await make(['person.deactivated'])
  const other = await makeProgram(installation.owner)
  await makePerson(installation.owner, Level.Faculty, { program: other })
  const { Id: personId } = await person()
  await send()
  expect(received).toEqual([])
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [personId])
  await send()
  expect(received.map(({ event }) => event.type)).toEqual(['person.deactivated'])
  await admin.ok(contract.updateWebhook, {
    ...at(Id),
    body: { Url: url, Events: ['person.created'], IsEnabled: false },
  })
  await person()
  await send()
  expect(received).toHaveLength(1)
})

test('a punch by staff is told with its record, and an approval after it', async () => {
  await make(['time.punched', 'time.approved', 'time.rejected'])
  const site = await makeSite(installation.owner, program)
  const student = await makeStudent(installation.owner, program)
  const record = await admin.ok(addTimeRecord, {
    ...inProgram(),
    body: { StudentId: student.Id, Kind: 'in', SiteId: site.Id, Date: '2026-10-05', Time: '07:00' },
  })
  await installation.owner.query("update time_record set status = 'rejected' where id = $1", [record.Id])
  await send()
  expect(received.map(({ event }) => [event.type, event.number, event.data.RecordId])).toEqual([
    ['time.punched', 1, record.Id],
    ['time.rejected', 2, record.Id],
  ])
})

test('the events of a subject keep their order: later ones wait while one is refused, and others do not', async () => {
  await make(['person.created', 'person.changed'])
  const [one, other] = [await person(), await person()]
  await change(one.Id, 'second@example.org')
  await change(one.Id, 'third@example.org')
  answer = (_request, response, body) =>
    response.writeHead(JSON.parse(body).subject === `person/${one.Id}` ? 500 : 200).end()
  await send()
  await hurry()
  await send()
  const of = (id: number) => received.filter(({ event }) => event.subject === `person/${id}`)
  expect(of(one.Id).map(({ event }) => event.number)).toEqual([1, 1])
  expect(of(other.Id).map(({ event }) => event.number)).toEqual([1])
  answer = (_request, response) => response.writeHead(200).end()
  await hurry()
  await send()
  expect(of(one.Id).map(({ event }) => event.number)).toEqual([1, 1, 1, 2, 3])
  // The same event keeps its id over retries.
  expect(
    new Set(
      of(one.Id)
        .slice(0, 3)
        .map(({ headers }) => headers['webhook-id']),
    ).size,
  ).toBe(1)
})

test('many who change one subject at once: its numbers have no gap and arrive in order', async () => {
  await make(['person.changed'])
  const { Id } = await person()
  await Promise.all(Array.from({ length: 10 }, (_each, index) => change(Id, `mail${index}@example.org`)))
  await Promise.all([send(), send()])
  await send()
  expect(received.map(({ event }) => event.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a process that dies with an event in its hands leaves it to the next one; what it says later counts for nothing', async () => {
  const { Id } = await make()
  await person()
  await installation.hear()
  const tenant = { accountId: null, programIds: [program.Id] }
  const claim = () => transaction(installation.services.pool, tenant, (db) => claimDeliveries(db, program.Id))
  expect(await claim()).toHaveLength(1)
  await send()
  expect(received).toEqual([])
  await installation.owner.query(
    "update webhook_delivery set claimed_until = now() - interval '1 second' where program_id = $1",
    [program.Id],
  )
  await send()
  expect(received).toHaveLength(1)
  expect(await log(Id)).toMatchObject([{ State: 'delivered', Attempts: 2 }])
})

test('what a process finds out after another has taken its event over is not kept, and disables nothing', async () => {
  const { Id } = await make()
  await person()
  answer = async (_request, response) => {
    answer = (_second, taken) => taken.writeHead(200).end()
    await installation.owner.query(
      "update webhook_delivery set claimed_until = now() - interval '1 second' where program_id = $1",
      [program.Id],
    )
    await sendElsewhere()
    response.writeHead(410).end('gone')
  }
  await send()
  expect(received).toHaveLength(2)
  expect(await log(Id)).toMatchObject([{ State: 'delivered', Status: 200, Attempts: 2 }])
  expect(await admin.ok(contract.listWebhooks, inProgram())).toMatchObject([
    { IsEnabled: true, LastError: '' },
  ])
})

test('a receiver that keeps its callers waiting holds up no other, nor what is told meanwhile', async () => {
  await make(['person.created'], `${url}/slow`)
  await make()
  const held: ServerResponse[] = []
  const quick = (count: number) =>
    new Promise<void>((resolve) => {
      let left = count
      answer = (request, response) => {
        if (request.url!.endsWith('/slow')) held.push(response)
        else {
          response.writeHead(204).end()
          if (--left === 0) resolve()
        }
      }
    })
  const first = quick(8)
  for (let count = 0; count < 8; count++) await person()
  const over = send()
  await first
  const more = quick(1)
  await person()
  await send()
  await more
  expect(held).toHaveLength(5)
  answer = (_request, response) => response.writeHead(204).end()
  for (const response of held) response.writeHead(204).end()
  await over
  expect(received).toHaveLength(18)
})

test('two workers send an event once', async () => {
  await make()
  for (let count = 0; count < 8; count++) await person()
  await Promise.all([send(), sendElsewhere(), sendElsewhere()])
  expect(received.length).toBe(8)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(8)
})

test('it is tried for three days, then the endpoint is off and the administrators have a mail; on again, it goes on', async () => {
  const { Id } = await make(['person.created', 'person.changed'])
  const { Id: personId } = await person()
  await change(personId, 'later@example.org')
  answer = (_request, response) => response.writeHead(503).end('busy')
  for (let attempt = 0; attempt <= retrySeconds.length; attempt++) {
    await hurry()
    await send()
  }
  expect(received).toHaveLength(10)
  const [webhook] = await admin.ok(contract.listWebhooks, inProgram())
  expect(webhook).toMatchObject({
    IsEnabled: false,
    LastError: 'The endpoint answered 503.',
    WaitingCount: 1,
  })
  expect(webhook!.DisabledReason).toMatch(/three days/)
  const { rows } = await installation.owner.query(
    "select label, html from mail where program_id = $1 and label like 'WEBHOOK%'",
    [program.Id],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].html).toContain('127.0.0.1')
  expect(await log(Id)).toMatchObject([
    { State: 'waiting', Number: 2, Attempts: 0 },
    { State: 'failed', Number: 1, Attempts: 10, Answer: 'busy' },
  ])
  answer = (_request, response) => response.writeHead(200).end()
  await admin.ok(contract.updateWebhook, {
    ...at(Id),
    body: { Url: url, Events: ['person.created', 'person.changed'], IsEnabled: true },
  })
  await send()
  expect(received.slice(10).map(({ event }) => event.number)).toEqual([1, 2])
})

test('410 says that the receiver is gone for good', async () => {
  await make()
  answer = (_request, response) => response.writeHead(410).end()
  await person()
  await send()
  expect(await admin.ok(contract.listWebhooks, inProgram())).toMatchObject([{ IsEnabled: false }])
})

test('waits grow, differ a little, last three days in all, and follow a receiver that asks for more', () => {
  const total = retrySeconds.reduce((sum, each) => sum + each, 0)
  expect(total / 86_400).toBeGreaterThan(3)
  expect(waitAfter(1, 0)).toBe(5)
  expect(waitAfter(3, 0.5)).toBe(1_800)
  expect(waitAfter(retrySeconds.length + 1, 0.5)).toBeUndefined()
  expect(waitAfter(1, 0.5, '120')).toBe(120)
  expect(waitAfter(1, 0.5, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(5)
  expect(waitAfter(1, 0.5, '99999999')).toBe(86_400)
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: retrySeconds.length }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempts, random) => {
        const wait = waitAfter(attempts, random)!
        expect(wait / retrySeconds[attempts - 1]!).toBeGreaterThan(0.79)
        expect(wait / retrySeconds[attempts - 1]!).toBeLessThan(1.21)
      },
    ),
  )
})

test('a delivery can be sent once more, and a test event goes to its endpoint alone', async () => {
  const { Id } = await make()
  const other = await make(['person.created'])
  await person()
  await send()
  const [delivery] = await log(Id)
  await admin.ok(contract.resendWebhook, { params: { ...at(Id).params, eventId: delivery!.EventId } })
  await send()
  expect(received).toHaveLength(3)
  await admin.ok(contract.testWebhook, at(Id))
  await send()
  expect(received[3]!.event).toMatchObject({ type: 'practicum.test', data: { Message: 'It works.' } })
  expect(received).toHaveLength(4)
  expect(await log(other.Id)).toHaveLength(1)
  await admin.ok(contract.deleteWebhook, at(Id))
  expect((await admin.call(contract.testWebhook, at(Id))).status).toBe(404)
})

test('attack: an answer of a gigabyte is cut, redirects are not followed', async () => {
  const { Id } = await make(['person.created'])
  answer = (_request, response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  await person()
  await send()
  expect((await log(Id))[0]!.Answer).toHaveLength(2_000)
  answer = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  await person()
  await send()
  expect((await log(Id))[0]).toMatchObject({
    State: 'waiting',
    Status: null,
    Error: expect.stringContaining('not followed'),
  })
})

test('attack: addresses inside are refused when they are entered, and again when they are called', async () => {
  const inside = await makeProgram(strict.owner)
  const caller = await strict.as(await makePerson(strict.owner, Level.Admin, { program: inside }))
  const attempt = (Url: string) =>
    caller.call(contract.createWebhook, {
      params: { programId: inside.Id },
      body: { Url, Events: ['person.created'] },
    })
  for (const Url of [
    url,
    'http://example.org/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://user:pass@example.org/',
    'ftp://example.org/',
    'nonsense',
  ])
    expect((await attempt(Url)).status, Url).toBe(422)
  const { Id } = (await attempt('https://localhost/')).body
  await makePerson(strict.owner, Level.Faculty, { program: inside })
  await strict.hear()
  await sendDue(strict.services, inside.Id)
  const { Items } = await caller.ok(contract.listWebhookDeliveries, {
    params: { programId: inside.Id, webhookId: Id },
    query: {},
  })
  expect(Items[0]!.Error).toContain('not in the public internet')
})

test('administrators alone see and change webhooks, those of their own program', async () => {
  const { Id } = await make()
  const stranger = await installation.as(await makePerson(installation.owner, Level.Admin))
  expect((await stranger.call(contract.listWebhooks, inProgram())).status).toBe(404)
  const foreign = await makeProgram(installation.owner)
  const other = await installation.as(await makePerson(installation.owner, Level.Admin, { program: foreign }))
  expect(
    (await other.call(contract.rotateWebhookSecret, { params: { programId: foreign.Id, webhookId: Id } }))
      .status,
  ).toBe(404)
  const director = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
  expect((await director.call(contract.listWebhooks, inProgram())).status).toBe(403)
  for (const broken of [`${url}\r\nx-evil: 1`, `${url}\r\n`, `\n${url}`])
    expect(
      (
        await admin.call(contract.createWebhook, {
          ...inProgram(),
          body: { Url: broken, Events: ['time.punched'] },
        })
      ).body,
    ).toMatchObject({ Code: 'invalid', Errors: [{ Field: 'Url' }] })
  for (const Events of [[], ['no.such']])
    expect(
      (
        await admin.call(contract.createWebhook, {
          ...inProgram(),
          body: { Url: url, Events: Events as never },
        })
      ).status,
    ).toBe(400)
})

test('a requirement that expires by the calendar is told once', async () => {
  await make(['requirement.expired'])
  const student = await makeStudent(installation.owner, program)
  const requirement = await makeRequirement(installation.owner, program)
  await installation.owner.query(
    `insert into student_requirement (program_id, student_id, requirement_id, status, expires_on)
     values ($1, $2, $3, 'accepted', (now() at time zone 'America/New_York')::date - 1)
     on conflict (program_id, student_id, requirement_id, site_id) do update set expires_on = excluded.expires_on`,
    [program.Id, student.Id, requirement.Id],
  )
  for (let run = 0; run < 2; run++) await tellExpired.work({}, installation.services)
  await send()
  expect(received.map(({ event }) => [event.type, event.data.StudentId])).toEqual([
    ['requirement.expired', student.Id],
  ])
})

test('what is sent is what is shown', () => {
  expect(
    JSON.parse(bodyOf({ type: 'a', at: '2026-01-01T00:00:00Z', data: { A: 1 }, subject: 'x/1', number: 2 })),
  ).toEqual({
    type: 'a',
    timestamp: '2026-01-01T00:00:00Z',
    data: { A: 1 },
    subject: 'x/1',
    number: 2,
  })
})
