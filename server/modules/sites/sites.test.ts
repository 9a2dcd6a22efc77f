import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fieldMark, fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import { listDeleted } from '#contract/deleted/deleted.ts'
import { undoRemovedParts } from '#contract/sites/removed-parts.ts'
import * as contract from '#contract/sites/sites.ts'
import { fillPlaces } from '#server/core/database/places.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { pictures } from '#server/test/pictures.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})

const params = () => ({ programId: program.Id })
const at = (siteId: number) => ({ params: { programId: program.Id, siteId } })
const add = (body: contract.SiteInput) => coordinator.ok(contract.createSite, { params: params(), body })
const change = (siteId: number, body: contract.SiteInput) =>
  coordinator.call(contract.updateSite, { ...at(siteId), body })
const page = (query: object = {}, caller = coordinator) =>
  caller.ok(contract.pageSites, { params: params(), query })
const supervisorOf = async (siteIds: number[]) =>
  installation.as(await makeSupervisor(installation.owner, program, siteIds))

/** A day from now in the installation's clock, in the program's zone. */
const day = async (offset: number): Promise<string> =>
  (
    await installation.owner.query(
      "select ((now() at time zone 'America/New_York')::date + $1::integer)::text as day",
      [offset],
    )
  ).rows[0].day

const place = async (site: { Id: number }, offset: number, capacity = 4) => {
  const date = await day(offset)
  const shift = await makeShift(installation.owner, program, { site, capacity })
  const rotation = await makeRotation(installation.owner, program)
  const student = await makeStudent(installation.owner, program, { first_name: 'Ana', last_name: 'Lee' })
  await makeRow(installation.owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: site.Id,
    student_id: student.Id,
    date,
    starts_at: `${date}T12:00:00Z`,
    ends_at: `${date}T20:00:00Z`,
  })
  return { date, student }
}

describe('reading', () => {
  test('D2-155 D3-156 the site list of a program has every field of a site, its name without markup', async () => {
    const { id } = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })
    await makeSite(installation.owner, program, {
      name: '<b>Harbor</b> General',
      code: 'HGH',
      area_id: id,
      contract_name: 'Harbor Inc.',
      external_location_id: 'X1',
    })
    expect(await coordinator.ok(contract.listSites, { params: params() })).toEqual([
      {
        Id: expect.any(Number),
        AreaId: id,
        Name: 'Harbor General',
        ContractName: 'Harbor Inc.',
        AllowOvernight: true,
        AllowMulticlock: false,
        CreateDate: expect.any(String),
        ModBy: '',
        ModDate: expect.any(String),
        TimeZone: 'America/New_York',
        IsDST: true,
        Reminders: true,
        DelFlag: false,
        Latitude: 41.63,
        Longitude: -70.93,
        Precision: 150,
        Lab: false,
        Code: 'HGH',
        RejectInaccuratePins: false,
        RejectAccuracy: 200,
        ExternalLocationId: 'X1',
        ForbidCsLogclockEditing: false,
      },
    ])
  })

  test('D3-294 the sites of an area are those of the area; an area of another program does not exist', async () => {
    const { id } = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })
    const site = await makeSite(installation.owner, program, { area_id: id })
    await makeSite(installation.owner, program)
    const list = await coordinator.ok(contract.listSitesOfArea, { params: { ...params(), areaId: id } })
    expect(list.map(({ Id }) => Id)).toEqual([site.Id])
    const other = await makeProgram(installation.owner)
    const theirs = await makeRow(installation.owner, 'area', { program_id: other.Id, name: 'Theirs' })
    const refused = await coordinator.call(contract.listSitesOfArea, {
      params: { ...params(), areaId: theirs.id },
    })
    expect(refused.status).toBe(404)
  })

  test('D3-157 the reduced form has id and name of active sites only', async () => {
    const site = await makeSite(installation.owner, program, { name: 'Harbor' })
    await makeSite(installation.owner, program, { is_active: false })
    expect(await coordinator.ok(contract.listSiteNames, { params: params() })).toEqual([
      { Id: site.Id, Name: 'Harbor' },
    ])
  })

  test('choices carry code and town, packed by column, of active sites only', async () => {
    const site = await makeSite(installation.owner, program, {
      name: 'Mercy',
      code: 'M',
      city: 'Taunton',
      state: 'MA',
    })
    await makeSite(installation.owner, program, { is_active: false })
    expect(await coordinator.ok(contract.listSiteChoices, { params: params() })).toEqual({
      Ids: [site.Id],
      Names: ['Mercy'],
      Codes: ['M'],
      Places: ['Taunton, MA'],
    })
    const stranger = await supervisorOf([])
    expect((await stranger.ok(contract.listSiteChoices, { params: params() })).Ids).toEqual([])
  })

  test('a supervisor sees their sites in every list, and no other site at all', async () => {
    const mine = await makeSite(installation.owner, program, { name: 'Mine' })
    const other = await makeSite(installation.owner, program, { name: 'Other' })
    const supervisor = await supervisorOf([mine.Id])
    expect((await supervisor.ok(contract.listSites, { params: params() })).map(({ Name }) => Name)).toEqual([
      'Mine',
    ])
    expect(await supervisor.ok(contract.listSiteNames, { params: params() })).toHaveLength(1)
    expect((await page({}, supervisor)).Total).toBe(1)
    expect((await supervisor.ok(contract.mapSites, { params: params() })).Names).toEqual(['Mine'])
    expect((await supervisor.ok(contract.getSite, at(mine.Id))).Name).toBe('Mine')
    expect((await supervisor.call(contract.getSite, at(other.Id))).status).toBe(404)
    expect((await supervisor.call(contract.updateSite, { ...at(mine.Id), body: { Name: 'x' } })).status).toBe(
      403,
    )
    const file = await supervisor.send(
      'GET',
      addressOf(contract.exportSites, { params: params(), query: { Format: 'csv' } }),
    )
    expect(file.body).toMatch(/Mine/)
    expect(file.body).not.toMatch(/Other/)
  })

  test('a site of another program does not exist', async () => {
    const other = await makeProgram(installation.owner)
    const site = await makeSite(installation.owner, other)
    expect((await coordinator.call(contract.getSite, at(site.Id))).status).toBe(404)
    expect((await change(site.Id, { Name: 'Mine' })).status).toBe(404)
    expect((await coordinator.call(contract.deleteSite, at(site.Id))).status).toBe(404)
    expect((await coordinator.call(contract.restoreSite, at(site.Id))).status).toBe(404)
  })
})

describe('the list screen', () => {
  test('D3-042 searches, filters by area, activity and map bounds, sorts and pages', async () => {
    const { id } = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })
    await makeSite(installation.owner, program, {
      name: 'Harbor General',
      code: 'HGH',
      city: 'New Bedford',
      area_id: id,
    })
    await makeSite(installation.owner, program, {
      name: 'Mercy 100%',
      code: '',
      city: 'Los Angeles',
      latitude: 34.05,
      longitude: -118.24,
    })
    await makeSite(installation.owner, program, { name: 'Closed', is_active: false })
    const namesOf = async (query: object) => (await page(query)).Items.map(({ Name }) => Name)
    expect(await namesOf({})).toEqual(['Harbor General', 'Mercy 100%'])
    expect(await namesOf({ search: 'bedford' })).toEqual(['Harbor General'])
    expect(await namesOf({ search: '100%' })).toEqual(['Mercy 100%'])
    expect(await namesOf({ search: '_' })).toEqual([])
    expect(await namesOf({ AreaIds: [id] })).toEqual(['Harbor General'])
    expect(await namesOf({ Status: 'inactive' })).toEqual(['Closed'])
    expect(await namesOf({ Status: 'all', sort: '-Name' })).toEqual([
      'Mercy 100%',
      'Harbor General',
      'Closed',
    ])
    expect(await namesOf({ South: 30, North: 40, West: -120, East: -110 })).toEqual(['Mercy 100%'])
    expect(await namesOf({ South: 30, North: 40, West: 240, East: 250 })).toEqual(['Mercy 100%'])
    expect(await page({ page: 2, pageSize: 1 })).toMatchObject({
      Items: [{ Name: 'Mercy 100%', Tag: 'M1' }],
      Total: 2,
      Page: 2,
      PageSize: 1,
      ActiveCount: 2,
      AllCount: 3,
      InactiveHidden: 1,
    })
  })

  test('shows today’s places and the state of the agreement, and filters by both', async () => {
    const full = await makeSite(installation.owner, program, { name: 'Full' })
    const free = await makeSite(installation.owner, program, { name: 'Free', capacity: 3 })
    await makeSite(installation.owner, program, { name: 'Idle' })
    await place(full, 0, 1)
    await place(free, 0, 6)
    const agreement = (site: { Id: number }, termination_date: string | null) =>
      makeRow(installation.owner, 'affiliate_agreement', {
        program_id: program.Id,
        site_id: site.Id,
        termination_date,
      })
    await agreement(full, await day(-1))
    await agreement(free, await day(20))
    const { Items } = await page({ sort: 'Name' })
    expect(Items).toMatchObject([
      { Name: 'Free', PlacedToday: 1, PlacesToday: 3, AgreementState: 'urgent', AgreementEnd: await day(20) },
      { Name: 'Full', PlacedToday: 1, PlacesToday: 1, AgreementState: 'expired' },
      { Name: 'Idle', PlacedToday: 0, PlacesToday: 0, AgreementState: 'none', AgreementEnd: null },
    ])
    const namesOf = async (query: object) => (await page(query)).Items.map(({ Name }) => Name)
    expect(await namesOf({ Places: 'full' })).toEqual(['Full'])
    expect(await namesOf({ Places: 'free' })).toEqual(['Free'])
    expect(await namesOf({ Places: 'none' })).toEqual(['Idle'])
    expect(await namesOf({ Agreement: 'expired' })).toEqual(['Full'])
    expect(await namesOf({ sort: 'Today' })).toEqual(['Full', 'Idle', 'Free'])
    expect(await namesOf({ sort: 'Agreement' })).toEqual(['Full', 'Free', 'Idle'])
    await agreement(full, null)
    expect(await namesOf({ Agreement: 'ending' })).toEqual(['Free'])
    expect(await namesOf({ Agreement: 'in-force' })).toEqual(['Free', 'Full'])
  })

  test('lists the nearest first where the college has a place', async () => {
    await installation.owner.query('update college set latitude = 41.64, longitude = -70.93 where id = $1', [
      program.CollegeId,
    ])
    await makeSite(installation.owner, program, { name: 'A far', latitude: 42.36, longitude: -71.06 })
    await makeSite(installation.owner, program, { name: 'B near' })
    await makeSite(installation.owner, program, { name: 'C nowhere', latitude: null, longitude: null })
    const { Items } = await page()
    expect(Items.map(({ Name }) => Name)).toEqual(['B near', 'A far', 'C nowhere'])
    expect(Items[0]!.DistanceMeters).toBeGreaterThan(1100)
    expect(Items[0]!.DistanceMeters).toBeLessThan(1125)
    expect(Items[2]!.DistanceMeters).toBeNull()
    const farthest = (await page({ sort: '-Distance' })).Items
    expect(farthest.map(({ Name }) => Name)).toEqual(['A far', 'B near', 'C nowhere'])
    const map = await coordinator.ok(contract.mapSites, { params: params() })
    expect(map).toMatchObject({
      Names: ['A far', 'B near'],
      Tags: expect.any(Array),
      Unplaced: 1,
      Home: { Latitude: 41.64 },
    })
    expect(map.Ids).toHaveLength(2)
  })

  test('the map marks inactive sites and expired agreements', async () => {
    await makeSite(installation.owner, program, { name: 'A', is_active: false })
    const expired = await makeSite(installation.owner, program, { name: 'B' })
    await makeRow(installation.owner, 'affiliate_agreement', {
      program_id: program.Id,
      site_id: expired.Id,
      termination_date: await day(-3),
    })
    const { States } = await coordinator.ok(contract.mapSites, { params: params(), query: { Status: 'all' } })
    expect(States).toEqual([2, 1])
  })

  test('is exported as it is filtered, as a workbook or as CSV in which formulas are text', async () => {
    await makeSite(installation.owner, program, { name: '=1+1', city: 'Taunton' })
    await makeSite(installation.owner, program, { name: 'Elsewhere', city: 'Boston' })
    const csv = await coordinator.send(
      'GET',
      addressOf(contract.exportSites, { params: params(), query: { search: 'taunton', Format: 'csv' } }),
    )
    expect(csv.headers.get('content-disposition')).toMatch(/attachment; filename="Sites.csv"/)
    const lines = csv.body.trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^'=1\+1,/)
    const xlsx = await coordinator.send('GET', addressOf(contract.exportSites, { params: params() }))
    expect(xlsx.headers.get('content-type')).toMatch(/spreadsheetml/)
    expect(xlsx.body.slice(0, 2)).toBe('PK')
  })
})

describe('writing', () => {
  const everything = {
    Name: 'Mercy Ridge Hospital',
    ContractName: 'Mercy Ridge Inc.',
    Code: 'MRH',
    Type: 'General acute care',
    Address: '88 Ridge Street',
    City: 'Taunton',
    State: 'MA',
    Zip: '02780',
    Phone: '(508) 555-0100',
    Website: 'https://mercyridge.example.org',
    County: 'Bristol',
    Beds: 120,
    Capacity: 6,
    Latitude: 41.9,
    Longitude: -71.09,
    Precision: 180,
    AllowOvernight: false,
    AllowMulticlock: true,
    RejectInaccuratePins: true,
    RejectAccuracy: 75,
    Lab: true,
    ForbidCsLogclockEditing: true,
    Reminders: false,
    ExternalLocationId: 'EX-9',
    Notes: 'Park at the north gate.\nAsk for Theodora.',
    IsActive: true,
    Contacts: [
      { Name: 'Theodora Lindgren-Baptiste', Role: 'Manager', Email: 'tl@example.org', Phone: '555-0101' },
    ],
    Departments: [{ Name: 'CT' }, { Name: 'MRI' }],
    Networks: [
      { Name: 'Guest', Range: '198.51.100.0/24' },
      { Name: 'Front desk', Range: '2001:db8::7' },
    ],
    Agreements: [
      {
        InitialDate: '2024-01-01',
        LastRenewalDate: '2025-01-01',
        Terms: '2 years',
        IsApproved: true,
        TerminationDate: '2028-06-30',
        Notes: '',
      },
    ],
  } satisfies contract.SiteInput

  test('D3-043 a coordinator adds a site with everything in one call and reads it back', async () => {
    const { id } = await makeRow(installation.owner, 'area', { program_id: program.Id, name: 'Imaging' })
    const site = await add({ ...everything, AreaId: id })
    const { Contacts, Departments, Networks, Agreements, ...plain } = everything
    expect(site).toMatchObject({
      ...plain,
      AreaId: id,
      AreaName: 'Imaging',
      TimeZone: 'America/New_York',
      IsDST: true,
    })
    expect(site.Contacts).toEqual([{ Id: expect.any(Number), ...Contacts[0] }])
    expect(site.Departments.map(({ Name }) => Name)).toEqual(Departments.map(({ Name }) => Name))
    expect(site.Networks.map(({ Name, Range }) => ({ Name, Range }))).toEqual([
      { Name: 'Front desk', Range: '2001:db8::7/128' },
      { Name: 'Guest', Range: '198.51.100.0/24' },
    ])
    expect(site.Agreements).toEqual([{ Id: expect.any(Number), IsActive: true, ...Agreements[0] }])
    expect(site).toMatchObject({
      AgreementState: 'in-force',
      AgreementEnd: '2028-06-30',
      ModBy: expect.stringMatching(/^First(\d+) Last\1$/),
    })
    expect(await coordinator.ok(contract.getSite, at(site.Id))).toEqual(site)
  })

  test('a website is one of the web; one that was kept before it had to be stays until it is changed', async () => {
    const site = await add({ Name: 'Harbor', Website: 'www.harbor.example' })
    expect(site.Website).toBe('www.harbor.example')
    const Website = 'javascript:alert(1)'
    const refused = await change(site.Id, { Name: 'Harbor', Website })
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({
        Errors: [{ Field: 'Website', Message: 'Website must be a web address such as www.example.org.' }],
      }),
    ])
    await installation.owner.query('update site set website = $1 where id = $2', [Website, site.Id])
    expect((await change(site.Id, { Name: 'Harbor', Website, City: 'Salem' })).status).toBe(200)
  })

  test('a name alone is enough; what is left out later stays', async () => {
    const site = await add({ Name: 'Harbor' })
    expect(site).toMatchObject({
      Precision: 150,
      RejectAccuracy: 200,
      Latitude: null,
      Contacts: [],
      AgreementState: 'none',
    })
    await change(site.Id, { Name: 'Harbor', City: 'Salem', Contacts: [{ Name: 'Ana' }] })
    const { body } = await change(site.Id, { Name: 'Harbor General' })
    expect(body).toMatchObject({ Name: 'Harbor General', City: 'Salem', Contacts: [{ Name: 'Ana' }] })
  })

  test('contacts, departments and networks that a save removed come back as they were, in their order', async () => {
    const before = await add({
      Name: 'Harbor',
      Contacts: [
        { Name: 'Zoe', Role: 'Educator', Email: 'zoe@harbor.example', Phone: '617 555 0101' },
        { Name: 'Ana' },
        { Name: 'Bo' },
      ],
      Departments: [{ Name: 'CT' }, { Name: 'MRI' }],
      Networks: [{ Name: 'Wards', Range: '10.1.0.0/16' }],
    })
    const [, ana, bo] = before.Contacts
    const { body: after } = await change(before.Id, {
      Name: 'Harbor',
      Seen: { Contacts: before.Contacts, Departments: before.Departments, Networks: before.Networks },
      Contacts: [ana!, { ...bo!, Role: 'Clerk' }, { Name: 'Cy' }],
      Departments: [before.Departments[1]!],
      Networks: [],
    })
    const removed = async () =>
      (await coordinator.ok(listDeleted, { params: params(), query: { Kind: 'site-part' } })).Items
    expect((await removed()).map(({ Name }) => Name).toSorted()).toEqual(['CT', 'Wards', 'Zoe'])
    const undo = undoRemovedParts(before, after)!
    const body = await coordinator.ok(
      contract.updateSite,
      { ...at(before.Id), body: undo },
      { basedOn: after },
    )
    expect(await removed()).toEqual([])
    const plain = (rows: readonly { Id: number }[]) => rows.map(({ Id: _, ...row }) => row)
    expect(plain(body.Contacts)).toEqual(
      plain([before.Contacts[0]!, ana!, { ...bo!, Role: 'Clerk' }, after.Contacts[2]!]),
    )
    expect(plain(body.Departments)).toEqual(plain(before.Departments))
    expect(plain(body.Networks)).toEqual(plain(before.Networks))
    expect(undoRemovedParts(before, before)).toBeUndefined()
  })

  test('contacts keep their ids when they change, go when they were seen and are left out, and foreign ids are not touched', async () => {
    const other = await add({ Name: 'Other', Contacts: [{ Name: 'Theirs' }] })
    const site = await add({ Name: 'Harbor', Contacts: [{ Name: 'Ana' }, { Name: 'Bo' }] })
    const [ana] = site.Contacts
    const { body } = await change(site.Id, {
      Name: 'Harbor',
      Seen: { Contacts: site.Contacts },
      Contacts: [
        { Id: ana!.Id, Name: 'Ana Lee' },
        { Id: other.Contacts[0]!.Id, Name: 'Stolen' },
      ],
    })
    expect(body.Contacts).toMatchObject([{ Id: ana!.Id, Name: 'Ana Lee' }, { Name: 'Stolen' }])
    expect(body.Contacts[1]!.Id).not.toBe(other.Contacts[0]!.Id)
    expect((await coordinator.ok(contract.getSite, at(other.Id))).Contacts).toEqual(other.Contacts)
  })

  test('an agreement that was seen and is left out is kept as deleted', async () => {
    const site = await add({ Name: 'Harbor', Agreements: [{ Terms: 'first' }, { Terms: 'second' }] })
    const [first, second] = site.Agreements
    await change(site.Id, {
      Name: 'Harbor',
      Seen: { Agreements: [{ Id: second!.Id }] },
      Agreements: [first!],
    })
    const { rows } = await installation.owner.query(
      'select terms, deleted_at is not null as gone from affiliate_agreement where site_id = $1 order by id',
      [site.Id],
    )
    expect(rows).toEqual([
      { terms: 'first', gone: false },
      { terms: 'second', gone: true },
    ])
  })

  describe('parts that two people change', () => {
    const open = async () => {
      const { Id } = await add({
        Name: 'Harbor',
        Contacts: [
          { Name: 'Ana', Phone: '555-0101' },
          { Name: 'Bo', Phone: '555-0102' },
        ],
        Agreements: [{ Terms: 'first' }, { Terms: 'second' }],
      })
      return coordinator.ok(contract.getSite, at(Id))
    }
    const save = (seen: contract.SiteDetail, parts: Partial<contract.SiteInput>, headers = {}) =>
      coordinator.call(
        contract.updateSite,
        { ...at(seen.Id), body: { Name: seen.Name, ...parts } },
        { headers },
      )
    const bySeen = ({ Contacts, Agreements }: contract.SiteDetail) => ({ Seen: { Contacts, Agreements } })
    const ifMatch = (seen: contract.SiteDetail) => ({ 'if-match': fingerprint(seen) })

    test('what a colleague added since the page was opened stays, whatever the save knows of it', async () => {
      const site = await open()
      const { Agreements, Contacts } = site
      await makeRow(installation.owner, 'affiliate_agreement', {
        program_id: program.Id,
        site_id: site.Id,
        terms: 'of a colleague',
      })
      const told = await save(site, { Agreements: [Agreements[0]!], ...bySeen(site) })
      expect(told.body.Agreements.map(({ Terms }) => Terms).toSorted()).toEqual(['first', 'of a colleague'])
      const old = await coordinator.ok(contract.getSite, at(site.Id))
      const unseen = await save(old, { Agreements: [Agreements[0]!], Contacts })
      expect([unseen.status, unseen.body.Agreements.length]).toEqual([200, 2])
      const { body } = await save(site, { Contacts: [] })
      expect(body.Contacts).toEqual(Contacts)
    })

    test('a caller who has shown to have seen all contacts removes those that it leaves out', async () => {
      const site = await open()
      const first = await save(site, { Contacts: [site.Contacts[0]!] }, ifMatch(site))
      expect(first.body.Contacts).toEqual([site.Contacts[0]])
      const mark = `"Contacts=${fieldMark(first.body.Contacts)}"`
      const second = await save(first.body, { Contacts: [] }, { 'if-match': mark })
      expect(second.body.Contacts).toEqual([])
    })

    test('of a row only the fields that differ from what was seen are written; the same field is a conflict', async () => {
      const site = await open()
      const [ana, bo] = site.Contacts
      await save(site, { Contacts: [{ ...ana!, Phone: '555-0199' }, bo!], ...bySeen(site) })
      const role = { Contacts: [{ ...ana!, Role: 'Manager' }, bo!], ...bySeen(site) }
      expect((await save(site, role)).body.Contacts[0]).toMatchObject({ Phone: '555-0199', Role: 'Manager' })
      const phone = await save(site, { Contacts: [{ ...ana!, Phone: '777-0100' }], ...bySeen(site) })
      expect(phone).toMatchObject({
        status: 409,
        body: { Code: 'stale', Fields: [{ Field: 'Contacts', ChangedBy: expect.stringMatching(/^First/) }] },
      })
      expect((await save(site, { Contacts: [bo!], ...bySeen(site) })).status).toBe(409)
      const now = await coordinator.ok(contract.getSite, at(site.Id))
      expect(now.Contacts).toMatchObject([{ Phone: '555-0199', Role: 'Manager' }, { Phone: '555-0102' }])
    })

    test('what a colleague removed stays removed, unless it was changed here: then it is told', async () => {
      const site = await open()
      const [ana, bo] = site.Contacts
      await save(site, { Contacts: [bo!], ...bySeen(site) })
      expect((await save(site, { Contacts: [ana!, bo!], ...bySeen(site) })).body.Contacts).toEqual([bo])
      expect(await save(site, { Contacts: [{ ...ana!, Role: 'Lead' }], ...bySeen(site) })).toMatchObject({
        status: 409,
        body: { Code: 'stale', Fields: [{ Field: 'Contacts' }] },
      })
    })

    test('a row keeps what a body does not say of it', async () => {
      const site = await open()
      const { body } = await save(site, { Contacts: [{ Id: site.Contacts[0]!.Id, Name: 'Ana Lee' }] })
      expect(body.Contacts).toMatchObject([{ Name: 'Ana Lee', Phone: '555-0101' }, { Name: 'Bo' }])
    })
  })

  test('an empty time zone is derived from the place, and follows it; one that was set stays', async () => {
    const site = await add({ Name: 'Harbor', Latitude: 34.05, Longitude: -118.24, TimeZone: '' })
    expect(site.TimeZone).toBe('America/Los_Angeles')
    const moved = (await change(site.Id, { Name: 'Harbor', Latitude: 33.45, Longitude: -112.07 })).body
    expect(moved).toMatchObject({ TimeZone: 'America/Phoenix', IsDST: false })
    await change(site.Id, { Name: 'Harbor', TimeZone: 'Europe/Paris' })
    const again = (await change(site.Id, { Name: 'Harbor', Latitude: 41.6, Longitude: -70.9 })).body
    expect(again.TimeZone).toBe('Europe/Paris')
  })

  test.each([
    ['Name', { Name: '' }],
    ['Name', { Name: '<b></b>' }],
    ['Name', { Name: 'x'.repeat(10_000) }],
    ['Code', { Name: 'a', Code: 'x'.repeat(21) }],
    ['Latitude', { Name: 'a', Latitude: 90.1, Longitude: 0 }],
    ['Longitude', { Name: 'a', Latitude: 1 }],
    ['Latitude', { Name: 'a', Longitude: 1 }],
    ['Precision', { Name: 'a', Precision: 5 }],
    ['RejectAccuracy', { Name: 'a', RejectAccuracy: 0 }],
    ['TimeZone', { Name: 'a', TimeZone: 'Mars/Olympus' }],
    ['Capacity', { Name: 'a', Capacity: -1 }],
    ['Networks.0.Range', { Name: 'a', Networks: [{ Name: 'n', Range: '10.0.0.5/24' }] }],
    ['Networks.0.Range', { Name: 'a', Networks: [{ Name: 'n', Range: '300.1.1.1' }] }],
    ['Contacts.0.Email', { Name: 'a', Contacts: [{ Name: 'n', Email: 'nobody' }] }],
    [
      'Agreements.0.TerminationDate',
      { Name: 'a', Agreements: [{ InitialDate: '2026-01-02', TerminationDate: '2026-01-01' }] },
    ],
    ['Color', { Name: 'a', Color: 'red' }],
  ])('%s is refused where it does not fit: %j', async (Field, body) => {
    const reply = await coordinator.call(contract.createSite, { params: params(), body: body as never })
    expect(reply.status).toBe(400)
    expect((reply.body as any).Errors.map((error: { Field: string }) => error.Field)).toContain(Field)
  })

  test('an external location id belongs to one site; an area must be there', async () => {
    await add({ Name: 'Harbor', ExternalLocationId: 'X' })
    const taken = await coordinator.call(contract.createSite, {
      params: params(),
      body: { Name: 'Mercy', ExternalLocationId: 'X' },
    })
    expect(taken.status).toBe(409)
    expect((taken.body as any).Message).toBe('Harbor has the external location id X. Nothing was saved.')
    const other = await makeProgram(installation.owner)
    const { id } = await makeRow(installation.owner, 'area', { program_id: other.Id, name: 'Theirs' })
    const foreign = await coordinator.call(contract.createSite, {
      params: params(),
      body: { Name: 'Mercy', AreaId: id },
    })
    expect(foreign.status).toBe(422)
  })

  test('a caller who sends the date of what they read does not write over what another person saved meanwhile', async () => {
    const site = await add({ Name: 'Harbor', Contacts: [{ Name: 'Ana' }] })
    await change(site.Id, { Name: 'Harbor General' })
    expect(await change(site.Id, { Name: 'Harbour', ModDate: site.ModDate })).toMatchObject({
      status: 409,
      body: { Code: 'stale', ChangedBy: expect.stringMatching(/^First/) },
    })
    const now = await coordinator.ok(contract.getSite, at(site.Id))
    const { body } = await change(site.Id, { Name: 'Harbour', ModDate: now.ModDate, Contacts: [] })
    expect(body).toMatchObject({ Name: 'Harbour', Contacts: [] })
  })

  test('E1 of two saves of what both have read at once one is kept', async () => {
    let site = await add({ Name: 'Harbor' })
    for (let round = 0; round < 8; round++) {
      const { ModDate } = site
      const answers = await Promise.all(
        ['North', 'South'].map((City) => change(site.Id, { Name: 'Harbor', City, ModDate })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      site = answers.find(({ status }) => status === 200)!.body
    }
  })

  test('every change is in the audit with old and new values', async () => {
    const site = await add({ Name: 'Harbor', City: 'Salem' })
    await change(site.Id, { Name: 'Harbor', City: 'Taunton' })
    const { rows } = await installation.owner.query(
      "select detail from audit where program_id = $1 and action = 'POST /programs/:programId/sites/:siteId'",
      [program.Id],
    )
    expect(rows).toMatchObject([{ detail: { Before: { City: 'Salem' }, After: { City: 'Taunton' } } }])
  })
})

describe('deleting', () => {
  test('is refused while students are still to come, by name and date; afterwards the site can be restored', async () => {
    const site = await makeSite(installation.owner, program, { name: 'Harbor' })
    const { date } = await place(site, 3)
    const refused = await coordinator.call(contract.deleteSite, at(site.Id))
    expect(refused.status).toBe(409)
    const shown = `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`
    expect((refused.body as any).Message).toBe(
      `Harbor cannot be deleted: Ana Lee is placed here from ${shown} on (1 assignment). Remove or change these assignments first.`,
    )
    await installation.owner.query('update shift_assignment set removed_at = now() where site_id = $1', [
      site.Id,
    ])
    await coordinator.ok(contract.deleteSite, at(site.Id))
    expect(await coordinator.ok(contract.listSites, { params: params() })).toEqual([])
    expect((await coordinator.call(contract.deleteSite, at(site.Id))).status).toBe(404)
    expect((await coordinator.ok(contract.restoreSite, at(site.Id))).Name).toBe('Harbor')
    expect((await coordinator.call(contract.restoreSite, at(site.Id))).status).toBe(404)
  })

  test('past placements do not keep a site; a taken external id keeps it from coming back', async () => {
    const site = await makeSite(installation.owner, program, { name: 'Old', external_location_id: 'X' })
    await place(site, -3)
    await coordinator.ok(contract.deleteSite, at(site.Id))
    await add({ Name: 'New', ExternalLocationId: 'X' })
    const { status, body } = await coordinator.call(contract.restoreSite, at(site.Id))
    expect(status).toBe(409)
    expect((body as any).Message).toMatch(/New has its external location id X now/)
  })
})

describe('documents', () => {
  const pdf = Buffer.from('%PDF-1.7\nA contract')
  const upload = (
    siteId: number,
    content: string | Uint8Array,
    name = 'contract.pdf',
    caller = coordinator,
  ) => caller.call(contract.addSiteDocument, at(siteId), { files: [{ field: 'file', name, content }] })

  test('are added, downloaded as an attachment, removed and restored, each on the record', async () => {
    const site = await makeSite(installation.owner, program)
    const { body } = await upload(site.Id, pdf, '../../contract (1).pdf')
    expect(body).toMatchObject({
      Name: 'contract (1).pdf',
      MediaType: 'application/pdf',
      ByteCount: pdf.length,
    })
    const one = { params: { programId: program.Id, siteId: site.Id, documentId: body.Id } }
    const file = await coordinator.send('GET', addressOf(contract.downloadSiteDocument, one))
    expect(file.body).toBe(pdf.toString())
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await coordinator.ok(contract.getSite, at(site.Id))).Documents).toMatchObject([{ Id: body.Id }])
    await coordinator.ok(contract.removeSiteDocument, one)
    expect((await coordinator.call(contract.downloadSiteDocument, one)).status).toBe(404)
    await coordinator.ok(contract.restoreSiteDocument, one)
    expect((await coordinator.ok(contract.getSite, at(site.Id))).Documents).toHaveLength(1)
    // A download's audit row is written once all of the file has been sent.
    const written = async () => {
      const { rows } = await installation.owner.query(
        "select split_part(action, ' ', 1) as method from audit where program_id = $1 and action like '%documents%' order by 1",
        [program.Id],
      )
      return rows.map(({ method }) => method)
    }
    await expect.poll(written, { timeout: 30_000 }).toEqual(['DELETE', 'GET', 'POST', 'POST'])
  })

  test('are known by their content, whatever their name', async () => {
    const site = await makeSite(installation.owner, program)
    expect((await upload(site.Id, Buffer.from('4d5a9000030000000400', 'hex'))).status).toBe(415)
    expect((await upload(site.Id, '<html><script>alert(1)</script></html>', 'note.txt')).status).toBe(415)
    expect((await upload(site.Id, '')).status).toBe(415)
    expect((await upload(site.Id, pictures.png, 'x.exe')).body).toMatchObject({
      MediaType: 'image/png',
    })
    expect((await upload(site.Id, 'Plain words', 'a.txt')).body).toMatchObject({ MediaType: 'text/plain' })
  })

  test('of more than 20 MiB are refused', async () => {
    const site = await makeSite(installation.owner, program)
    const large = Buffer.alloc(20 * 1024 * 1024 + 1, 'a')
    expect((await upload(site.Id, large)).status).toBe(413)
  })

  test('of a site that is not theirs are not there for a supervisor', async () => {
    const site = await makeSite(installation.owner, program)
    const { body } = await upload(site.Id, pdf)
    const elsewhere = await supervisorOf([])
    const one = { params: { programId: program.Id, siteId: site.Id, documentId: body.Id } }
    expect((await elsewhere.call(contract.downloadSiteDocument, one)).status).toBe(404)
    const supervisor = await supervisorOf([site.Id])
    expect((await supervisor.call(contract.downloadSiteDocument, one)).status).toBe(200)
    expect((await supervisor.call(contract.removeSiteDocument, one)).status).toBe(403)
  })
})

describe('supervisors and their sites', () => {
  test('D1-035 D3-133 a coordinator ties a supervisor to exactly the ticked sites', async () => {
    const [a, b, c] = [
      await makeSite(installation.owner, program),
      await makeSite(installation.owner, program),
      await makeSite(installation.owner, program),
    ]
    const supervisor = await makeSupervisor(installation.owner, program, [a.Id])
    const of = { params: { programId: program.Id, userId: supervisor.Id } }
    expect(
      await coordinator.ok(contract.saveSupervisorSites, { ...of, body: { SiteIds: [b.Id, c.Id, c.Id] } }),
    ).toEqual({ Added: 2, Removed: 1 })
    expect(await coordinator.ok(contract.getSupervisorSites, of)).toEqual({ SiteIds: [b.Id, c.Id] })
    const { Supervisors } = await coordinator.ok(contract.getSite, at(b.Id))
    expect(Supervisors.map(({ Id }) => Id)).toEqual([supervisor.Id])
  })

  test('a coordinator ties exactly the ticked people to a site', async () => {
    const site = await makeSite(installation.owner, program)
    const first = await makeSupervisor(installation.owner, program, [site.Id])
    const second = await makePerson(installation.owner, Level.SiteEmployee, { program })
    expect(
      await coordinator.ok(contract.saveSiteSupervisors, { ...at(site.Id), body: { UserIds: [second.Id] } }),
    ).toEqual({ Added: 1, Removed: 1 })
    expect(await coordinator.ok(contract.getSiteSupervisors, at(site.Id))).toEqual({ UserIds: [second.Id] })
    expect(first.Id).not.toBe(second.Id)
  })

  test('only supervisors, site employees and generic employees are offered, searched and counted', async () => {
    const site = await makeSite(installation.owner, program)
    const supervisor = await makeSupervisor(installation.owner, program, [site.Id])
    const employee = await makePerson(installation.owner, Level.GenericEmployee, {
      program,
      last_name: 'Zimmer',
    })
    await makeStudent(installation.owner, program)
    const all = await coordinator.ok(contract.listSupervisors, { params: params() })
    expect(all.Items.map(({ Id, SiteCount }) => [Id, SiteCount])).toEqual([
      [supervisor.Id, 1],
      [employee.Id, 0],
    ])
    const found = await coordinator.ok(contract.listSupervisors, {
      params: params(),
      query: { search: 'zimm' },
    })
    expect(found).toMatchObject({ Total: 1, Items: [{ Id: employee.Id }] })
    const without = await coordinator.ok(contract.listSupervisors, {
      params: params(),
      query: { WithoutSites: true },
    })
    expect(without.Items.map(({ Id }) => Id)).toEqual([employee.Id])
  })

  test('foreign sites and people are refused, and students cannot be tied', async () => {
    const other = await makeProgram(installation.owner)
    const theirs = await makeSite(installation.owner, other)
    const site = await makeSite(installation.owner, program)
    const supervisor = await makeSupervisor(installation.owner, program)
    const student = await makeStudent(installation.owner, program)
    const stranger = await makeSupervisor(installation.owner, other)
    const save = (userId: number, SiteIds: number[]) =>
      coordinator.call(contract.saveSupervisorSites, {
        params: { programId: program.Id, userId },
        body: { SiteIds },
      })
    expect((await save(supervisor.Id, [theirs.Id])).status).toBe(422)
    expect((await save(student.Id, [site.Id])).status).toBe(404)
    expect((await save(stranger.Id, [site.Id])).status).toBe(404)
    const people = await coordinator.call(contract.saveSiteSupervisors, {
      ...at(site.Id),
      body: { UserIds: [student.Id] },
    })
    expect(people.status).toBe(422)
    expect((await coordinator.call(contract.getSiteSupervisors, at(theirs.Id))).status).toBe(404)
  })

  test('faculty and supervisors do not tie anybody', async () => {
    const supervisor = await makeSupervisor(installation.owner, program)
    for (const caller of [
      await installation.as(supervisor),
      await installation.as(await makePerson(installation.owner, Level.Faculty, { program })),
    ]) {
      const reply = await caller.call(contract.saveSupervisorSites, {
        params: { programId: program.Id, userId: supervisor.Id },
        body: { SiteIds: [] },
      })
      expect(reply.status).toBe(403)
    }
  })
})

describe('places', () => {
  const look = async (search: string) =>
    (await coordinator.ok(contract.findPlaces, { query: { search } })).Items

  test('are found by the beginning of a ZIP code', async () => {
    const [place, ...others] = await look('02115')
    expect(others).toEqual([])
    expect(place).toMatchObject({ Zip: '02115', City: 'Boston', State: 'MA', County: 'Suffolk' })
    expect(place!.Latitude).toBeCloseTo(42.34, 1)
    expect(place!.Longitude).toBeCloseTo(-71.1, 1)
    expect(await look('021')).toHaveLength(20)
    expect((await look('02115-1234')).map(({ Zip }) => Zip)).toEqual(['02115'])
  })

  test('are found by town, the largest first, and by town and state', async () => {
    const portlands = await look('portland')
    expect(portlands[0]).toMatchObject({ City: 'Portland', State: 'OR', Zip: '' })
    expect(portlands.filter(({ City }) => City === 'Portland').length).toBeGreaterThan(3)
    expect(await look('Portland, me')).toEqual([expect.objectContaining({ City: 'Portland', State: 'ME' })])
    expect((await look('la')).length).toBe(20)
  })

  test('an unknown place, signs of patterns and no text find nothing', async () => {
    expect(await look('nowhere at all')).toEqual([])
    expect(await look('%')).toEqual([])
    expect((await coordinator.call(contract.findPlaces, { query: { search: ' ' } })).status).toBe(400)
  })

  test('are filled in once, also by processes that start together', async () => {
    const count = async () =>
      (await installation.owner.query('select count(*)::int as n from place')).rows[0].n
    expect(await count()).toBeGreaterThan(41_000)
    await installation.owner.query('delete from place')
    await Promise.all([1, 2].map(() => fillPlaces(installation.owner.options.connectionString!)))
    expect(await count()).toBeGreaterThan(41_000)
  })
})

test('a coordinate is not cleared without the other one', async () => {
  const site = await add({ Name: 'Harbor Clinic', Latitude: 41.6, Longitude: -70.9 })
  for (const body of [{ Latitude: null }, { Longitude: null }]) {
    const refused = await change(site.Id, { Name: site.Name, ...body })
    expect([refused.status, (refused.body as unknown as { Code: string }).Code]).toEqual([422, 'half_place'])
  }
  const cleared = await change(site.Id, { Name: site.Name, Latitude: null, Longitude: null })
  expect(cleared.body).toMatchObject({ Latitude: null, Longitude: null })
})
