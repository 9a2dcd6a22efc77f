import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { Level } from '#contract/core/levels.ts'
import * as links from '#contract/links/links.ts'
import * as contract from '#contract/requirements/packets.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement } from '#server/test/requirement-proofs.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let ada: MadePerson
let ben: MadePerson
let site: { Id: number; Name: string }
let cpr: { Id: number; Name: string }
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  await owner.query('delete from throttle')
  program = await makeProgram(owner, { time_zone: 'UTC' })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  ada = await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Adams' })
  ben = await makeStudent(owner, program, { first_name: 'Ben', last_name: 'Baker' })
  site = await makeSite(owner, program, { name: 'Bayview' })
  const shift = await makeShift(owner, program, { site })
  const rotation = await makeRotation(owner, program, { start_date: dayFromNow(-30) })
  for (const student of [ada, ben])
    await makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      student_id: student.Id,
      site_id: site.Id,
      site_shift_id: shift.Id,
      rotation_id: rotation.Id,
      date: dayFromNow(10),
      starts_at: `${dayFromNow(10)}T12:00:00Z`,
      ends_at: `${dayFromNow(10)}T20:00:00Z`,
    })
  cpr = await makeRequirement(owner, program, { name: 'CPR' })
  await makeRow(owner, 'student_requirement', {
    program_id: program.Id,
    student_id: ada.Id,
    requirement_id: cpr.Id,
    status: 'accepted',
    completed_on: dayFromNow(-100),
    expires_on: dayFromNow(200),
  })
})

const inProgram = () => ({ programId: program.Id })
const at = () => ({ params: { programId: program.Id, siteId: site.Id } })
const rules = async (body: Record<string, unknown>, who = coordinator) => {
  const { Requirements } = await coordinator.ok(contract.getSiteRules, at())
  return who.call(contract.saveSiteRules, {
    ...at(),
    body: {
      Basis: 'schoolOfficial',
      NoticeOn: '2026-08-15',
      AgreementOn: '2026-06-01',
      Requirements: Requirements.map(({ Name: _n, Kind: _k, Scope: _s, ...row }) => row),
      ...body,
    } as never,
  })
}
const share = (body: Record<string, unknown> = {}, who = coordinator) =>
  who.call(contract.createPacket, {
    params: inProgram(),
    body: {
      SiteId: site.Id,
      StudentIds: [ada.Id, ben.Id],
      RecipientName: 'Grace Sample',
      RecipientEmail: `grace${program.Id}@bayview.example`,
      ...body,
    } as never,
  })
const mailed = async (label: string): Promise<{ recipient: string; subject: string; html: string }> =>
  (
    await installation.owner.query(
      'select recipient, subject, html from mail where program_id = $1 and label = $2 order by id desc limit 1',
      [program.Id, label],
    )
  ).rows[0]
const tokenOf = async (): Promise<string> =>
  /packet\/([\w-]+)/.exec((await mailed('PACKET_shared')).html)![1]!
/** Opens the packet as its recipient; answers what its calls carry. */
const opened = async (token: string): Promise<Record<string, string>> => {
  const { Key } = await installation.anonymous.ok(links.mailLinkCode, { params: { token } })
  const Code = /\d{6}/.exec((await mailed('LINK_code')).subject)![0]
  const reply = await installation.anonymous.call(links.openLink, { params: { token }, body: { Key, Code } })
  return { cookie: reply.headers.get('set-cookie')!.split(';')[0]! }
}
const read = (token: string, headers: Record<string, string> = {}) =>
  installation.anonymous.call(contract.openPacket, { params: { token } }, { headers })

test('a packet is mailed as a link to its recipient, who opens it by a code until it is withdrawn', async () => {
  await rules({})
  const { status, body: packet } = await share()
  expect([status, packet]).toMatchObject([
    200,
    { Students: 2, Site: 'Bayview', Openings: 0, IsOpenable: true },
  ])
  const email = await mailed('PACKET_shared')
  expect(email).toMatchObject({ recipient: `grace${program.Id}@bayview.example` })
  expect(email.html).toContain('FERPA')
  const token = await tokenOf()
  expect((await read(token)).status).toBe(401)
  const headers = await opened(token)
  expect((await read(token, headers)).body).toMatchObject({
    Site: 'Bayview',
    Students: [
      { Name: 'Adams, Ada', Lines: [{ Name: 'CPR', IsMet: true, ValidTo: dayFromNow(200) }] },
      { Name: 'Baker, Ben', Lines: [{ Name: 'CPR', IsMet: false, ValidTo: null }] },
    ],
  })
  const pdf = await installation.anonymous.call(
    contract.downloadPacketByLink,
    { params: { token } },
    { headers },
  )
  expect([pdf.status, String(pdf.body).slice(0, 5)]).toEqual([200, '%PDF-'])
  const list = await coordinator.ok(contract.listPackets, { params: inProgram(), query: {} })
  expect(list).toMatchObject({ Total: 1, Items: [{ Openings: 1, RecipientName: 'Grace Sample' }] })
  await coordinator.ok(contract.withdrawPacket, { params: { ...inProgram(), packetId: packet.Id } })
  expect((await read(token, headers)).status).toBe(404)
  expect(
    (await coordinator.call(contract.withdrawPacket, { params: { ...inProgram(), packetId: packet.Id } }))
      .status,
  ).toBe(409)
  const { rows } = await installation.owner.query(
    "select action, account_id from audit where program_id = $1 and action like 'link:%' order by id",
    [program.Id],
  )
  expect(rows).toEqual([
    { action: 'link: packet opened', account_id: null },
    { action: 'link: packet downloaded', account_id: null },
  ])
})

test('a packet of several students is a ZIP with a PDF for each, for staff and behind the link', async () => {
  await rules({})
  const { body: packet } = await share()
  const params = { ...inProgram(), packetId: packet.Id }
  const token = await tokenOf()
  const refused = await installation.anonymous.call(contract.downloadPacketZipByLink, { params: { token } })
  expect(refused.status).toBe(401)
  const headers = await opened(token)
  const filesAt = async (address: string, own: Record<string, string>) => {
    const reply = await fetch(`${installation.url}/new/api${address}`, { headers: own })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const zip = await fromBufferPromise(Buffer.from(await reply.arrayBuffer()))
    const found: string[] = []
    for await (const entry of zip.eachEntry()) {
      const parts: Buffer[] = []
      for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer)
      found.push(`${entry.fileName} ${Buffer.concat(parts).toString('latin1', 0, 5)}`)
    }
    return found
  }
  const both = ['Adams, Ada.pdf %PDF-', 'Baker, Ben.pdf %PDF-']
  expect(await filesAt(addressOf(contract.downloadPacketZip, { params }), coordinator.headers)).toEqual(both)
  expect(await filesAt(addressOf(contract.downloadPacketZipByLink, { params: { token } }), headers)).toEqual(
    both,
  )
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(contract.downloadPacketZip, { params })).status).toBe(403)
  // A download's audit row is written once all of the file has been sent.
  const downloads = async () => {
    const { rows } = await installation.owner.query(
      `select action, detail ->> 'PacketId' as packet from audit
        where program_id = $1 and (action like '%zip%' or action = 'link: packet downloaded') order by action`,
      [program.Id],
    )
    return rows
  }
  await expect
    .poll(downloads, { timeout: 30_000 })
    .toMatchObject([{ packet: String(packet.Id) }, { action: 'link: packet downloaded' }])
  await coordinator.ok(contract.withdrawPacket, { params })
  expect(
    (await installation.anonymous.call(contract.downloadPacketZipByLink, { params: { token } }, { headers }))
      .status,
  ).toBe(404)
})

test('what was told stays what it was, and the student sees every disclosure', async () => {
  await rules({})
  await share()
  await installation.owner.query(
    'update student_requirement set expires_on = current_date - 5 where program_id = $1',
    [program.Id],
  )
  const token = await tokenOf()
  const { body } = await read(token, await opened(token))
  expect(body.Students[0]!.Lines[0]!.IsMet).toBe(true)
  const student = await installation.as(ada)
  expect(await student.ok(contract.getOwnDisclosures)).toMatchObject({
    Consents: [],
    Disclosures: [
      {
        Site: 'Bayview',
        Basis: 'schoolOfficial',
        Recipient: expect.stringContaining('Grace'),
        IsWithdrawn: false,
      },
    ],
  })
  const other = await installation.as(await makeStudent(installation.owner, program))
  expect((await other.ok(contract.getOwnDisclosures)).Disclosures).toEqual([])
})

test('without a legal basis nothing is told', async () => {
  const refused = await share()
  expect([refused.status, (refused.body as any).Code]).toEqual([422, 'basis'])
  expect((await rules({ NoticeOn: null })).status).toBe(422)
  expect((await rules({ Basis: 'consent', Purpose: '' })).status).toBe(422)
  expect(await mailed('PACKET_shared')).toBeUndefined()
})

test('a consent is signed by the student, covers them alone, and its revocation withdraws what rests on it', async () => {
  await rules({ Basis: 'consent', Purpose: 'Placement at Bayview' })
  const student = await installation.as(ada)
  const { Consents } = await student.ok(contract.getOwnDisclosures)
  expect(Consents).toMatchObject([{ SiteId: site.Id, SignedAt: null }])
  expect(Consents[0]!.Text).toMatch(/CPR.*Purpose: Placement at Bayview.*Recipient: staff of Bayview/)
  const sign = (Name: string) =>
    student.call(contract.giveConsent, { params: { siteId: site.Id }, body: { Name } })
  expect((await sign('Ben Baker')).status).toBe(422)
  const signed = await Promise.all([sign('Ada Adams'), sign('Ada Adams')])
  expect(signed.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const refused = await share()
  expect([refused.status, (refused.body as any).Message]).toEqual([
    422,
    expect.stringContaining('Baker, Ben'),
  ])
  const draft = await coordinator.ok(contract.getPacketDraft, {
    params: inProgram(),
    query: { SiteId: site.Id },
  })
  expect(draft.Students).toMatchObject([
    { Student: 'Adams, Ada', IsCovered: true, OpenCount: 0 },
    { Student: 'Baker, Ben', IsCovered: false, OpenCount: 1 },
  ])
  expect((await share({ StudentIds: [ada.Id] })).status).toBe(200)
  const token = await tokenOf()
  const headers = await opened(token)
  await student.ok(contract.revokeConsent, { params: { siteId: site.Id } })
  expect((await read(token, headers)).status).toBe(404)
  expect((await student.call(contract.revokeConsent, { params: { siteId: site.Id } })).status).toBe(404)
  expect((await share({ StudentIds: [ada.Id] })).status).toBe(422)
})

test('what a site asks besides, and leaves out, is in its packets', async () => {
  const { owner } = installation
  const drug = await makeRequirement(owner, program, { name: 'Drug screen', rule: { Kind: 'result' } })
  const badge = await makeRequirement(owner, program, { name: 'Badge', scope: 'perSite' })
  for (const student of [ada, ben])
    await makeRow(owner, 'student_requirement', {
      program_id: program.Id,
      student_id: student.Id,
      requirement_id: drug.Id,
      status: 'accepted',
      completed_on: dayFromNow(-40),
    })
  const { Requirements } = await coordinator.ok(contract.getSiteRules, at())
  const part: Record<number, object> = {
    [cpr.Id]: { IsInPacket: false },
    [drug.Id]: { MaxAgeDays: 30 },
    [badge.Id]: { IsAsked: true },
  }
  const saved = await rules({
    Requirements: Requirements.map(({ Name: _n, Kind: _k, Scope: _s, ...row }) => ({
      ...row,
      ...part[row.RequirementId],
    })),
  })
  expect(saved.status).toBe(200)
  await share({ StudentIds: [ada.Id] })
  const token = await tokenOf()
  const { body } = await read(token, await opened(token))
  expect(body.Students[0]!.Lines.map(({ Name, IsMet }) => [Name, IsMet]).toSorted()).toEqual([
    ['Badge', false],
    ['Drug screen', false],
  ])
  expect(
    await coordinator.ok(contract.listSiteRules, { params: inProgram(), query: { search: 'bay' } }),
  ).toMatchObject({
    Items: [{ RuleCount: 3, Basis: 'schoolOfficial', PacketCount: 1 }],
  })
})

test('only staff with the right share, and only of their own program and site', async () => {
  await rules({})
  const { owner } = installation
  const faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
  expect((await share({}, faculty)).status).toBe(403)
  const foreign = await makeStudent(owner)
  expect((await share({ StudentIds: [ada.Id, foreign.Id] })).status).toBe(404)
  const elsewhere = await makeStudent(owner, program)
  expect((await share({ StudentIds: [elsewhere.Id] })).status).toBe(404)
  const otherSite = await makeSite(owner, await makeProgram(owner))
  expect((await share({ SiteId: otherSite.Id })).status).toBe(404)
  expect((await share({ RecipientEmail: 'nobody' })).status).toBe(400)
})
