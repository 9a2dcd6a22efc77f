import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/links/links.ts'
import { transaction, workOn } from '#server/core/database/pool.ts'
import { type MadePerson, type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { withdrawLinks } from './links.commands.ts'
import { listLinks } from './links.queries.ts'
import { auditByLink, createLink, type LinkCall, openedLink } from './links.service.ts'

let installation: Installation
let program: MadeProgram
let coordinator: MadePerson
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await makePerson(installation.owner, Level.Coord, { program })
  await installation.owner.query('delete from throttle')
})

const inProgram = <T>(work: (db: LinkCall['db']) => Promise<T>): Promise<T> =>
  transaction(installation.services.transactions, { accountId: null, programIds: [] }, async (db) => {
    await workOn(db, [program.Id])
    return work(db)
  })

const make = async (more: { expiresAt?: string; email?: string } = {}) => {
  const { id, address } = await inProgram((db) =>
    createLink(db, installation.services, {
      programId: program.Id,
      kind: 'packet',
      subjectId: 7,
      recipientName: 'Grace Sample',
      recipientEmail: more.email ?? `grace${program.Id}@hospital.example`,
      expiresAt: more.expiresAt ?? new Date(Date.now() + 86_400_000).toISOString(),
      createdBy: coordinator.Id,
    }),
  )
  return { id, token: address.split('/').at(-1)!, address }
}
const get = (token: string, cookie = '') =>
  installation.anonymous.call(contract.getLink, { params: { token } }, { headers: { cookie } })
const mailCode = async (token: string) => {
  const { Key } = await installation.anonymous.ok(contract.mailLinkCode, { params: { token } })
  const { rows } = await installation.owner.query(
    "select subject, recipient from mail where program_id = $1 and label = 'LINK_code' order by id desc limit 1",
    [program.Id],
  )
  expect(rows[0].recipient).toBe(`grace${program.Id}@hospital.example`)
  return { Key, Code: /\d{6}/.exec(rows[0].subject)![0] }
}
const open = (token: string, body: { Key?: string; Code?: string } = {}, cookie = '') =>
  installation.anonymous.call(contract.openLink, { params: { token }, body }, { headers: { cookie } })
const cookieOf = (reply: { headers: Headers }): string => reply.headers.get('set-cookie')?.split(';')[0] ?? ''
const audited = async () =>
  (
    await installation.owner.query(
      'select action, account_id, detail, address from audit where program_id = $1 order by id',
      [program.Id],
    )
  ).rows
/** What a call behind the link would find. */
const behind = (token: string, cookie: string, kind: contract.LinkKind = 'packet') =>
  transaction(installation.services.transactions, { accountId: null, programIds: [] }, (db) => {
    const [name = '', value = ''] = cookie.split('=')
    const cookies = {
      get: (asked: string) => (asked === name ? value : undefined),
      all: () => ({ [name]: value }),
      set() {},
      clear() {},
    }
    return openedLink({ db, services: installation.services, cookies, from: { address: '::1' } }, token, kind)
  })
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('a link is opened by a code that is mailed to its recipient, and on the same device without one', async () => {
  const { id, token, address } = await make()
  expect(address).toBe(`${installation.url}/new/packet/${token}`)
  const { rows } = await installation.owner.query('select token_hash::text from scoped_link where id = $1', [
    id,
  ])
  expect(JSON.stringify(rows)).not.toContain(token)
  expect((await get(token)).body).toMatchObject({
    Kind: 'packet',
    Program: program.Name,
    RecipientName: 'Grace Sample',
    RecipientEmail: 'g…@hospital.example',
    IsKnownDevice: false,
  })
  await expect(behind(token, '')).rejects.toMatchObject({ status: 401, code: 'link_code' })
  expect(await open(token)).toMatchObject({ status: 401, body: { Code: 'link_code' } })
  const { Key, Code } = await mailCode(token)
  const opened = await open(token, { Key, Code })
  expect(opened).toMatchObject({ status: 200, body: { IsKnownDevice: true } })
  expect(opened.headers.get('set-cookie')).toMatch(/HttpOnly/)
  const cookie = cookieOf(opened)
  expect(await behind(token, cookie)).toMatchObject({ programId: program.Id, id, subjectId: 7 })
  expect((await get(token, cookie)).body.IsKnownDevice).toBe(true)
  expect((await open(token, {}, cookie)).status).toBe(200)
  expect(await audited()).toMatchObject([
    {
      action: 'link: packet opened',
      account_id: null,
      detail: { Link: id, Recipient: expect.stringContaining('Grace Sample') },
    },
    { action: 'link: packet opened' },
  ])
})

test('scanners of mail use nothing up and open nothing', async () => {
  const { token } = await make()
  for (let count = 0; count < 5; count++) expect((await get(token)).status).toBe(200)
  expect(await audited()).toEqual([])
  const { rows } = await installation.owner.query(
    'select count(*)::int as n from mail where program_id = $1',
    [program.Id],
  )
  expect(rows).toEqual([{ n: 0 }])
})

test('a code works once, in the browser that asked, while it is the newest and for ten minutes', async () => {
  const { token, id } = await make()
  const first = await mailCode(token)
  const second = await mailCode(token)
  expect((await open(token, first)).body).toMatchObject({ Code: 'wrong_code' })
  expect((await open(token, { Key: first.Key, Code: second.Code })).status).toBe(422)
  expect((await open(token, { Key: second.Key, Code: wrong(second.Code) })).status).toBe(422)
  expect(
    (await open(token, { Key: second.Key, Code: ` ${second.Code.slice(0, 3)} ${second.Code.slice(3)}` }))
      .status,
  ).toBe(200)
  expect((await open(token, { Key: second.Key, Code: second.Code })).status).toBe(422)
  const third = await mailCode(token)
  await installation.owner.query(
    "update scoped_link set code_expires_at = now() - interval '1 second' where id = $1",
    [id],
  )
  expect((await open(token, third)).status).toBe(422)
})

test('of many who type a code at once, one gets in', async () => {
  const { token } = await make()
  const { Key, Code } = await mailCode(token)
  const replies = await Promise.all(Array.from({ length: 5 }, () => open(token, { Key, Code })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
})

test('tries and codes are limited', async () => {
  const { token } = await make()
  const { Key, Code } = await mailCode(token)
  for (let count = 0; count < 5; count++)
    expect((await open(token, { Key, Code: wrong(Code) })).status).toBe(422)
  expect((await open(token, { Key, Code })).status).toBe(429)
  for (let count = 0; count < 4; count++) await mailCode(token)
  expect((await installation.anonymous.call(contract.mailLinkCode, { params: { token } })).status).toBe(429)
})

test('tokens that open nothing are limited by address, and keep nobody there from a link that does', async () => {
  const { token } = await make()
  const unknown = 'x'.repeat(token.length)
  expect((await get(unknown)).status).toBe(404)
  await installation.owner.query("update throttle set count = 600 where key like 'link:address:%'")
  expect((await get(unknown)).status).toBe(429)
  expect((await get(token)).status).toBe(200)
})

test('a withdrawn or expired link, and one that never was, answer alike; a device that has it open learns it at once', async () => {
  const { token, id } = await make()
  const cookie = cookieOf(await open(token, await mailCode(token)))
  const names = await inProgram((db) =>
    withdrawLinks(db, {
      programId: program.Id,
      kind: 'packet',
      subjectId: 7,
      linkId: id,
      by: coordinator.Id,
    }),
  )
  expect(names).toEqual(['Grace Sample'])
  await expect(behind(token, cookie)).rejects.toMatchObject({ status: 404 })
  const expired = await make({ expiresAt: new Date(Date.now() - 1_000).toISOString() })
  const answers = await Promise.all(
    [token, expired.token, 'x'.repeat(43)].flatMap((each) => [get(each, cookie), open(each, {}, cookie)]),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${(body as any).Message}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(404)
})

test('an opening lasts an hour, and a cookie opens its own link only', async () => {
  const { token, id } = await make()
  const other = await make()
  const cookie = cookieOf(await open(token, await mailCode(token)))
  await expect(behind(other.token, cookie)).rejects.toMatchObject({ code: 'link_code' })
  const moved = cookie.replace(/_\d+=/, `_${other.id}=`)
  await expect(behind(other.token, moved)).rejects.toMatchObject({ code: 'link_code' })
  await installation.owner.query(
    "update scoped_link_device set opened_at = now() - interval '61 minutes' where link_id = $1",
    [id],
  )
  await expect(behind(token, cookie)).rejects.toMatchObject({ code: 'link_code' })
  await open(token, {}, cookie)
  await expect(behind(token, cookie)).resolves.toMatchObject({ id })
})

test('the thing’s page lists its links with their openings; uses name the recipient in the audit', async () => {
  const { token, id } = await make()
  const cookie = cookieOf(await open(token, await mailCode(token)))
  const link = await behind(token, cookie)
  await inProgram((db) =>
    auditByLink({ db, from: { address: '10.0.0.9' } }, link, 'downloaded', {
      subjectId: coordinator.Id,
      Files: 2,
    }),
  )
  const rows = await inProgram((db) => listLinks(db, program.Id, 'packet', [7]))
  expect(rows).toMatchObject([{ Id: id, Openings: 1, IsOpenable: true, RecipientName: 'Grace Sample' }])
  expect((await audited()).at(-1)).toMatchObject({
    action: 'link: packet downloaded',
    address: '10.0.0.9',
    detail: { Files: 2, Subject: 7 },
  })
})

test('whatever is typed as a key or code is answered as wrong', async () => {
  const { token } = await make()
  const { Code } = await mailCode(token)
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 40 }),
      fc.string({ minLength: 1, maxLength: 20 }),
      async (Key, typed) => {
        fc.pre(typed.replace(/\s/g, '') !== '' && typed !== Code)
        await installation.owner.query('delete from throttle')
        expect([400, 422]).toContain((await open(token, { Key, Code: typed })).status)
      },
    ),
    { numRuns: 30 },
  )
})
