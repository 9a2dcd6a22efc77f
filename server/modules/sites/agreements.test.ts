import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/sites/agreements.ts'
import { getSite } from '#contract/sites/sites.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeSite } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { remindOfAgreements } from './agreements.jobs.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let coordinatorId: number

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

beforeEach(async () => {
  program = await makeProgram(installation.owner)
  const person = await makePerson(installation.owner, Level.Coord, { program })
  coordinatorId = person.Id
  coordinator = await installation.as(person)
})

const params = (more: object = {}) => ({ params: { programId: program.Id, ...more } as never })
const one = (agreementId: number) => params({ agreementId })

/** The program's day, so many days away. */
const day = async (days: number): Promise<string> => {
  const { rows } = await installation.owner.query(
    'select ((now() at time zone time_zone)::date + $2::integer)::text as day from program where id = $1',
    [program.Id, days],
  )
  return rows[0].day
}
const site = (name: string, row: object = {}) => makeSite(installation.owner, program, { name, ...row })
const add = async (
  agreement: Partial<contract.AgreementInput>,
  files: { field: string; name: string; content: string | Uint8Array }[] = [],
) => {
  const SiteId = agreement.SiteId ?? (await site('Harbor')).Id
  return coordinator.ok(
    contract.createAgreement,
    { ...params(), body: { agreement: { IsApproved: true, ...agreement, SiteId } } },
    { files },
  )
}
const change = (
  agreementId: number,
  agreement: contract.AgreementInput,
  files: { field: string; name: string; content: string }[] = [],
) => coordinator.call(contract.updateAgreement, { ...one(agreementId), body: { agreement } }, { files })
const list = (query: object = {}) => coordinator.ok(contract.listAgreements, { ...params(), query })
const sitesOf = async (query: object = {}) => (await list(query)).Items.map(({ Site }) => Site)
const message = (body: unknown): string => (body as { Message: string }).Message

const everything = async () => ({
  SiteId: (await site('Harbor General')).Id,
  InitialDate: '2024-01-15',
  LastRenewalDate: '2025-01-15',
  Terms: '2 years',
  IsActive: true,
  IsApproved: true,
  TerminationDate: '2099-01-15',
  Capacity: 12,
  Contacts: [{ Name: 'Ada Lind', Role: 'Legal', Email: 'ada@harbor.example', Phone: '508-555-0101' }],
  Notes: 'Signed on paper.',
})
const paper = { field: 'file', name: 'agreement.pdf', content: '%PDF-1.7\nWe agree' }

describe('agreements', () => {
  test('D3-131 D3-132 D3-174 hold site, dates, terms, flags, document, contacts, capacity and notes', async () => {
    const input = await everything()
    const { File, ...plain } = await add(input, [paper])
    expect(plain).toEqual({
      ...input,
      Id: expect.any(Number),
      Site: 'Harbor General',
      Area: null,
      Standing: 'in-force',
      Days: expect.any(Number),
      ModDate: expect.any(String),
      ModBy: expect.stringMatching(/^First(\d+) Last\1$/),
    })
    expect(File).toEqual({
      Name: 'agreement.pdf',
      MediaType: 'application/pdf',
      ByteCount: paper.content.length,
      Date: expect.any(String),
      Url: `/new/api/programs/${program.Id}/affiliate-agreements/${plain.Id}/file`,
    })
    expect(await coordinator.ok(contract.getAgreement, one(plain.Id))).toEqual({ ...plain, File })
    const file = await coordinator.send('GET', addressOf(contract.downloadAgreement, one(plain.Id)))
    expect(file.body).toBe(paper.content)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/)
    // The site shows the same agreement, and saving the site leaves what only this screen has.
    const { Agreements } = await coordinator.ok(getSite, params({ siteId: input.SiteId }))
    expect(Agreements).toMatchObject([{ Id: plain.Id, Terms: '2 years', TerminationDate: '2099-01-15' }])
  })

  test('are changed; a file stays until it is replaced or removed', async () => {
    const input = await everything()
    const { Id } = await add(input, [paper])
    const Seen = { Contacts: input.Contacts }
    const { body } = await change(Id, { ...input, Notes: 'Scanned.', Contacts: [], Seen })
    expect(body).toMatchObject({ Notes: 'Scanned.', Contacts: [], File: { Name: 'agreement.pdf' } })
    const other = await change(Id, input, [{ field: 'file', name: 'b.txt', content: 'Plain' }])
    expect(other.body.File).toMatchObject({ Name: 'b.txt', MediaType: 'text/plain' })
    expect((await change(Id, { ...input, RemovesFile: true })).body.File).toBeNull()
    const gone = await coordinator.call(contract.downloadAgreement, one(Id))
    expect([gone.status, message(gone.body)]).toEqual([
      404,
      'The document of this agreement does not exist, or you do not have access to it.',
    ])
    const { rows } = await installation.owner.query(
      "select detail from audit where program_id = $1 and action like 'POST %/affiliate-agreements/:agreementId' order by id",
      [program.Id],
    )
    expect(rows[2].detail).toMatchObject({ Before: { File: 'b.txt' }, After: { File: null } })
  })

  test('refuse dates that contradict each other, a site that does not exist and a file of a wrong type', async () => {
    const { Id: SiteId } = await site('Harbor')
    const call = (agreement: contract.AgreementInput, content = '') =>
      coordinator.call(
        contract.createAgreement,
        { ...params(), body: { agreement } },
        { files: content ? [{ field: 'file', name: 'a.pdf', content }] : [] },
      )
    const ends = await call({ SiteId, InitialDate: '2026-02-01', TerminationDate: '2026-01-31' })
    expect(ends.status).toBe(400)
    expect((ends.body as any).Errors).toEqual([
      {
        Field: 'agreement.TerminationDate',
        Message: 'Termination date must not be before the initial date.',
      },
    ])
    const renewed = await call({ SiteId, InitialDate: '2026-02-01', LastRenewalDate: '2026-01-31' })
    expect((renewed.body as any).Errors[0].Field).toBe('agreement.LastRenewalDate')
    expect((await call({ SiteId, Capacity: -1 })).status).toBe(400)
    expect((await call({ SiteId, Contacts: [{ Name: '' }] })).status).toBe(400)
    const foreign = await makeSite(installation.owner, await makeProgram(installation.owner))
    expect((await call({ SiteId: foreign.Id })).status).toBe(422)
    expect((await call({ SiteId }, '<script>1</script>')).status).toBe(415)
    expect((await list()).Total).toBe(0)
  })

  test('D3-128 are filtered by area, state and words, sorted and paged', async () => {
    const area = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })
    const [a, b, c, d] = [
      await site('Alpha', { area_id: area.id }),
      await site('Bravo'),
      await site('charlie'),
      await site('Delta'),
    ]
    await add({ SiteId: a.Id, TerminationDate: await day(20), Terms: '3 years' })
    await add({ SiteId: b.Id, TerminationDate: await day(80), Notes: 'Three signatures' })
    await add({ SiteId: c.Id, TerminationDate: await day(-1) })
    await add({ SiteId: c.Id, IsActive: false })
    await add({ SiteId: d.Id, IsApproved: false })
    expect(await sitesOf()).toEqual(['Alpha', 'Bravo', 'charlie', 'charlie', 'Delta'])
    expect(await sitesOf({ AreaIds: String(area.id) })).toEqual(['Alpha'])
    expect(await sitesOf({ Standing: 'in-force' })).toEqual(['Alpha', 'Bravo'])
    expect(await sitesOf({ Standing: 'ending' })).toEqual(['Alpha', 'Bravo'])
    expect(await sitesOf({ Standing: 'urgent' })).toEqual(['Alpha'])
    expect(await sitesOf({ Standing: 'expired' })).toEqual(['charlie'])
    expect(await sitesOf({ Standing: 'inactive' })).toEqual(['charlie'])
    expect(await sitesOf({ Standing: 'unapproved' })).toEqual(['Delta'])
    expect(await sitesOf({ search: 'three' })).toEqual(['Bravo'])
    expect(await sitesOf({ SiteId: c.Id })).toEqual(['charlie', 'charlie'])
    expect(await sitesOf({ SiteIds: `${a.Id},${c.Id}` })).toEqual(['Alpha', 'charlie', 'charlie'])
    expect(await sitesOf({ SiteIds: `${a.Id},${c.Id}`, Standing: 'expired' })).toEqual(['charlie'])
    expect((await sitesOf({ sort: '-TerminationDate' })).slice(0, 3)).toEqual(['Bravo', 'Alpha', 'charlie'])
    expect(await list({ page: 2, pageSize: 2 })).toMatchObject({ Total: 5, Page: 2, PageSize: 2 })
    const [first] = (await list({ Standing: 'urgent' })).Items
    expect(first).toMatchObject({ Area: 'Imaging', Days: 20, Standing: 'urgent' })
    await installation.owner.query('update site set deleted_at = now() where id = $1', [a.Id])
    expect(await sitesOf({ Standing: 'urgent' })).toEqual([])
  })

  test('D3-130 are downloaded as Excel, CSV and PDF, with the filter of the list', async () => {
    await add(await everything())
    await add({ SiteId: (await site('=Bayview')).Id, TerminationDate: await day(-3) })
    const fetch = (query: object) =>
      fetch_(addressOf(contract.exportAgreements, { ...(params() as object), query } as never))
    const csv = await fetch({ Format: 'csv' })
    expect(csv).toContain('Termination Date')
    expect(csv).toContain('"Ada Lind, Legal, ada@harbor.example, 508-555-0101"')
    // Text never acts as a formula.
    expect(csv).toContain("'=Bayview")
    expect(await fetch({ Format: 'csv', Standing: 'expired' })).not.toContain('Harbor General')
    const xlsx = unzipSync(new Uint8Array(await bytesOf({ Format: 'xlsx' })))
    expect(strFromU8(xlsx['xl/sharedStrings.xml']!)).toContain('Harbor General')
    const pdf = Buffer.from(await bytesOf({ Format: 'pdf', Standing: 'expired' }))
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })
  const fetch_ = async (path: string): Promise<string> => (await coordinator.send('GET', path)).body
  const bytesOf = async (query: object): Promise<ArrayBuffer> => {
    const { token } = await signedIn()
    const path = addressOf(contract.exportAgreements, { ...(params() as object), query } as never)
    const response = await fetch(`${installation.url}/new/api${path}`, { headers: { cookie: token } })
    expect(response.headers.get('content-disposition')).toContain('Affiliate agreements.')
    return response.arrayBuffer()
  }
  const signedIn = async () => {
    const { openSession } = await import('#server/core/auth/session.ts')
    const { pool } = installation.services
    return {
      token: `practicum_session=${await openSession(pool, coordinatorId, { address: '127.0.0.1', agent: 'test' })}`,
    }
  }

  test('D3-131 renew: the dates move by the term, or to the days given, and it is active again', async () => {
    const { Id } = await add({
      InitialDate: '2020-01-01',
      Terms: '3 years',
      TerminationDate: '2090-06-30',
      IsActive: false,
    })
    const today = await day(0)
    const renewed = await coordinator.ok(contract.renewAgreement, { ...one(Id), body: {} })
    expect(renewed).toMatchObject({
      InitialDate: '2020-01-01',
      LastRenewalDate: today,
      TerminationDate: '2093-06-30',
      IsActive: true,
    })
    const again = await coordinator.ok(contract.renewAgreement, {
      ...one(Id),
      body: { LastRenewalDate: '2026-01-01', TerminationDate: '2095-01-01' },
    })
    expect(again).toMatchObject({ LastRenewalDate: '2026-01-01', TerminationDate: '2095-01-01' })
    const back = (body: object) => coordinator.call(contract.renewAgreement, { ...one(Id), body })
    const earlier = await back({ TerminationDate: '2095-01-01' })
    expect([earlier.status, message(earlier.body)]).toEqual([
      422,
      'The new end must be after 01/01/2095, the old one. Nothing was changed.',
    ])
    expect((await back({ LastRenewalDate: '2019-12-31', TerminationDate: '2096-01-01' })).status).toBe(422)
    expect((await back({ LastRenewalDate: '2097-01-01', TerminationDate: '2096-01-01' })).status).toBe(422)
    expect(await coordinator.ok(contract.getAgreement, one(Id))).toMatchObject({
      TerminationDate: '2095-01-01',
    })
  })

  test('a deleted one is gone and comes back', async () => {
    const { Id } = await add({})
    await coordinator.ok(contract.deleteAgreement, one(Id))
    expect((await list()).Total).toBe(0)
    expect((await coordinator.call(contract.getAgreement, one(Id))).status).toBe(404)
    expect((await coordinator.call(contract.deleteAgreement, one(Id))).status).toBe(404)
    expect((await coordinator.ok(contract.restoreAgreement, one(Id))).Id).toBe(Id)
    expect((await coordinator.call(contract.restoreAgreement, one(Id))).status).toBe(404)
    expect((await list()).Total).toBe(1)
  })

  test('D3-132 belong to coordinators and above, in their own program', async () => {
    const { Id, SiteId } = await add({}, [paper])
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(contract.listAgreements, params())).status).toBe(403)
    expect((await faculty.call(contract.downloadAgreement, one(Id))).status).toBe(403)
    const other = await makeProgram(installation.owner)
    const theirs = await installation.as(
      await makePerson(installation.owner, Level.Admin, { program: other }),
    )
    const at = { params: { programId: other.Id, agreementId: Id } }
    for (const { status } of [
      await theirs.call(contract.getAgreement, at),
      await theirs.call(contract.downloadAgreement, at),
      await theirs.call(contract.renewAgreement, { ...at, body: {} }),
      await theirs.call(contract.updateAgreement, { ...at, body: { agreement: { SiteId } } }, { files: [] }),
      await theirs.call(contract.deleteAgreement, at),
      await theirs.call(contract.restoreAgreement, at),
    ])
      expect(status).toBe(404)
  })
})

describe('reminders', () => {
  const remind = () => remindOfAgreements.work({}, installation.services)
  const emails = async () => {
    const { rows } = await installation.owner.query<{ recipient: string; subject: string; html: string }>(
      "select recipient, subject, html from mail where program_id = $1 and label = 'AGREEMENT_expiring' order by id",
      [program.Id],
    )
    return rows
  }
  const move = async (id: number, days: number) =>
    installation.owner.query('update affiliate_agreement set termination_date = $2 where id = $1', [
      id,
      await day(days),
    ])

  test('go to the coordinators 90, 60 and 30 days before the end, each once', async () => {
    const second = await makePerson(installation.owner, Level.Coord, { program })
    await makePerson(installation.owner, Level.Director, { program })
    const { Id: SiteId } = await site('Harbor & Sons')
    const soon = await add({ SiteId, TerminationDate: await day(90) })
    await add({ SiteId, TerminationDate: await day(91) })
    await add({ SiteId, TerminationDate: await day(-1) })
    await add({ SiteId, TerminationDate: await day(10), IsActive: false })
    await remind()
    await remind()
    expect((await emails()).map(({ recipient }) => recipient)).toHaveLength(2)
    const [email] = await emails()
    expect(email!.subject).toBe('The affiliation agreement with Harbor & Sons ends in 90 days')
    expect(email!.html).toContain('Harbor &amp; Sons')
    expect(email!.html).toContain('/new/admin/affiliate-agreements?standing=ending')
    const { rows: told } = await installation.owner.query(
      'select account_id, text from notification where program_id = $1 order by account_id',
      [program.Id],
    )
    expect(told).toEqual(
      [coordinatorId, second.Id].map((account_id) => ({
        account_id,
        text: 'The affiliation agreement with Harbor & Sons ends soon.',
      })),
    )
    // The days go by: the end stays, only today moves, which the reminders that were sent tell by the step.
    const { rows } = await installation.owner.query(
      'select step from agreement_reminder where program_id = $1 and agreement_id = $2',
      [program.Id, soon.Id],
    )
    expect(rows).toEqual([{ step: 90 }])
    await installation.owner.query(
      'update agreement_reminder set termination_date = $2 where agreement_id = $1',
      [soon.Id, await day(60)],
    )
    await move(soon.Id, 60)
    await remind()
    await remind()
    expect(await emails()).toHaveLength(4)
  })

  test('one that comes late gets one reminder, and a renewal begins anew', async () => {
    const { Id } = await add({ TerminationDate: await day(12) })
    await remind()
    await remind()
    expect(await emails()).toHaveLength(1)
    await coordinator.ok(contract.renewAgreement, { ...one(Id), body: {} })
    await remind()
    expect(await emails()).toHaveLength(1)
    await move(Id, 25)
    await remind()
    expect(await emails()).toHaveLength(2)
  })

  test('several come in one email, the soonest first; without coordinators they go to the directors', async () => {
    await installation.owner.query('update account set deactivated_at = now() where id = $1', [coordinatorId])
    const director = await makePerson(installation.owner, Level.Director, { program })
    coordinator = await installation.as(director)
    await add({ SiteId: (await site('Later')).Id, TerminationDate: await day(45) })
    await add({ SiteId: (await site('Sooner')).Id, TerminationDate: await day(1) })
    await remind()
    const all = await emails()
    expect(all).toHaveLength(1)
    expect(all[0]!.subject).toBe('2 affiliation agreements end soon, the first tomorrow')
    expect(all[0]!.html.indexOf('Sooner')).toBeLessThan(all[0]!.html.indexOf('Later'))
  })
})
