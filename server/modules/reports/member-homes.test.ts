import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/reports/member-homes.ts'
import {
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const today = new Date().toISOString().slice(0, 10)

/** A program with two sites; somebody of each level is assigned to the first. */
const start = async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const site = await makeSite(owner, program, { time_zone: 'UTC', phone: '555-0142' })
  const foreign = await makeSite(owner, program, { time_zone: 'UTC' })
  const tied = async (level: Level) => {
    const person = await makePerson(owner, level, { program })
    await owner.query('insert into supervisor_site values ($1, $2, $3)', [program.Id, person.Id, site.Id])
    return installation.as(person)
  }
  const rotation = await makeRotation(owner, program, {
    start_date: addDays(today, -60),
    end_date: addDays(today, 60),
  })
  const shifts = {
    [site.Id]: await makeShift(owner, program, { site, capacity: 9 }),
    [foreign.Id]: await makeShift(owner, program, { site: foreign, capacity: 9 }),
  }
  const place = async (studentId: number, date: string, siteId = site.Id) =>
    makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shifts[siteId]!.Id,
      site_id: siteId,
      student_id: studentId,
      date,
      starts_at: `${date}T00:01:00Z`,
      ends_at: `${date}T23:59:00Z`,
    })
  return { owner, program, site, foreign, rotation, tied, place }
}

const insertDocument = async (programId: number, siteId: number, name: string) => {
  const { owner, services } = installation
  const key = await services.files.put(Buffer.from('%PDF-1.4 rules'))
  const file = await makeRow(owner, 'stored_file', {
    program_id: programId,
    store_key: key,
    name: `${name}.pdf`,
    media_type: 'application/pdf',
    byte_count: 14,
    sha256: Buffer.alloc(32),
  })
  return makeRow(owner, 'site_file', { program_id: programId, site_id: siteId, file_id: file.id, name })
}

test('A60 somebody of a site sees who comes to the own sites today, in this week and in the next', async () => {
  const { owner, program, site, foreign, tied, place } = await start()
  const employee = await tied(Level.SiteEmployee)
  const [one, two, elsewhere] = [
    await makeStudent(owner, program),
    await makeStudent(owner, program),
    await makeStudent(owner, program),
  ]
  const shift = await place(one.Id, today)
  await place(elsewhere.Id, today, foreign.Id)
  const nextWeek = addDays(weekOf(today), 7)
  await place(two.Id, nextWeek)
  const list = (When: 'today' | 'week' | 'next', more: object = {}) =>
    employee.ok(contract.listExpectedStudents, { query: { When, ...more } })
  const now = await list('today')
  expect(now).toMatchObject({
    Total: 1,
    Items: [{ Date: today, StartTime: '00:01', EndTime: '23:59', Site: site.Name }],
  })
  expect(['awaited', 'ahead']).toContain(now.Items[0]!.State)
  await makeRow(owner, 'time_record', {
    program_id: program.Id,
    student_id: one.Id,
    site_id: site.Id,
    kind: 'in',
    occurred_at: new Date().toISOString(),
    date: today,
    assignment_id: shift.id,
  })
  expect((await list('today')).Items[0]!.State).toBe('here')
  expect((await list('week')).Total).toBe(1)
  expect((await list('next')).Items.map(({ Date: date }) => date)).toEqual([nextWeek])
  expect((await list('today', { SiteId: foreign.Id })).Total).toBe(0)
  expect((await employee.ok(contract.listOwnSites)).Items).toMatchObject([
    { Id: site.Id, PhoneNumber: '555-0142', Today: 1, Week: 1, NextWeek: 1 },
  ])
  // A second shift of the same student is one more, as it is in the list; what is over is in neither.
  await place(two.Id, addDays(nextWeek, 1))
  await place(one.Id, addDays(today, -2))
  const [own] = (await employee.ok(contract.listOwnSites)).Items
  expect([own!.Today, own!.Week, own!.NextWeek]).toEqual([
    (await list('today')).Total,
    (await list('week')).Total,
    (await list('next')).Total,
  ])
  expect(own!.NextWeek).toBe(2)
  // Who comes to a site that is no longer active is not listed, as it is not among the own ones.
  await owner.query('update site set is_active = false where id = $1', [site.Id])
  expect((await employee.ok(contract.listOwnSites)).Items).toEqual([])
  expect((await list('next')).Total).toBe(0)
  await owner.query('update site set is_active = true where id = $1', [site.Id])
  expect(
    (await employee.call(contract.listExpectedStudents, { query: { When: 'ever' as never } })).status,
  ).toBe(400)
})

test('a supervisor sees who comes tomorrow and on the days after to the own sites alone, and whom to call', async () => {
  const { owner, program, foreign, tied, place } = await start()
  const supervisor = await tied(Level.Supervisor)
  const coordinator = await makePerson(owner, Level.Coord, { program })
  const student = await makeStudent(owner, program)
  await place(student.Id, addDays(today, 1))
  await place((await makeStudent(owner, program)).Id, addDays(today, 6))
  await place((await makeStudent(owner, program)).Id, addDays(today, 7))
  await place((await makeStudent(owner, program)).Id, addDays(today, 1), foreign.Id)
  const coming = await supervisor.ok(contract.listExpectedStudents, { query: { When: 'days' } })
  expect(coming.Items.map(({ Date: date }) => date)).toEqual([addDays(today, 1), addDays(today, 6)])
  expect(coming.Items[0]).toMatchObject({ State: 'ahead', StudentId: student.Id })
  const { Contacts } = await supervisor.ok(contract.getMemberHome)
  expect(Contacts.map(({ Id }) => Id)).toEqual([coordinator.Id])
})

test('A60 papers of the own sites: documents to download, and the end of the agreements', async () => {
  const { owner, program, site, foreign, tied } = await start()
  const employee = await tied(Level.SiteEmployee)
  const own = await insertDocument(program.Id, site.Id, 'Parking')
  const other = await insertDocument(program.Id, foreign.Id, 'Other')
  await makeRow(owner, 'affiliate_agreement', {
    program_id: program.Id,
    site_id: site.Id,
    termination_date: addDays(today, 20),
    is_approved: true,
  })
  const papers = await employee.ok(contract.getOwnSitePapers)
  expect(papers.Agreements).toEqual([
    { SiteId: site.Id, Site: site.Name, EndDate: addDays(today, 20), State: 'urgent' },
  ])
  expect(papers.Documents.map(({ Name }) => Name)).toEqual(['Parking'])
  const download = (siteId: number, documentId: number) =>
    employee.call(contract.downloadOwnSiteDocument, { params: { siteId, documentId } })
  expect((await download(site.Id, own.id)).status).toBe(200)
  expect((await download(foreign.Id, other.id)).status).toBe(404)
  expect((await download(site.Id, other.id)).status).toBe(404)
})

test('A60 employees see how many come to their sites, and no names', async () => {
  const { owner, program, site, tied, place } = await start()
  const employee = await tied(Level.GenericEmployee)
  await place((await makeStudent(owner, program)).Id, today)
  expect((await employee.ok(contract.listOwnSites)).Items).toMatchObject([{ Id: site.Id, Today: 1 }])
  expect((await employee.call(contract.listExpectedStudents)).status).toBe(403)
  expect((await employee.call(contract.getOwnSitePapers)).status).toBe(403)
})

test('A60 members reach their own program: coordinators before directors, nobody of another one', async () => {
  const { owner, program } = await start()
  const director = await makePerson(owner, Level.Director, { program, phone: '555-0100' })
  const coordinator = await makePerson(owner, Level.Coord, { program })
  await makePerson(owner, Level.Coord, { program, deactivated_at: new Date().toISOString() })
  await makePerson(owner, Level.Faculty, { program })
  await makePerson(owner, Level.Coord)
  for (const level of [Level.SiteEmployee, Level.GenericEmployee, Level.Alumnus]) {
    const member = await installation.as(await makePerson(owner, level, { program }))
    const home = await member.ok(contract.getMemberHome)
    expect(home.Program).toBe(program.Name)
    expect(home.Contacts.map(({ Id }) => Id)).toEqual([coordinator.Id, director.Id])
    expect(home.Contacts[1]!.PhoneNumber).toBe('555-0100')
  }
})

test('people see what their program keeps of them and whom to ask for a change, and nobody else of it', async () => {
  const { owner, program } = await start()
  const coordinator = await makePerson(owner, Level.Coord, { program, phone: '555-0111' })
  const details = {
    first_name: 'Ana',
    last_name: 'Reyes',
    phone: '555-0123',
    zip: '02740',
    student_number: 'S-7',
  }
  const own = async (level: Level) =>
    (await installation.as(await makePerson(owner, level, { program, ...details }))).ok(
      contract.getOwnDetails,
    )
  const known = { Name: 'Ana Reyes', PhoneNumber: '555-0123', Zip: '02740' }
  const student = await own(Level.Student)
  expect(student).toMatchObject({ ...known, StudentNumber: 'S-7' })
  expect(student.Contacts.map(({ Id, PhoneNumber }) => [Id, PhoneNumber])).toEqual([
    [coordinator.Id, '555-0111'],
  ])
  expect(await own(Level.Supervisor)).toMatchObject({ ...known, StudentNumber: null })
  const admin = await installation.as(await makePerson(owner, Level.SuperAdmin, { program: null } as never))
  expect((await admin.ok(contract.getOwnDetails)).Contacts).toEqual([])
})

test('A60 an alumnus keeps the own hours by rotation, also as a PDF; nobody else has them', async () => {
  const { owner, program, site, rotation } = await start()
  const alumnus = await makePerson(owner, Level.Alumnus, { program, cohort: '2025' })
  const record = (row: object) =>
    makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: alumnus.Id,
      site_id: site.Id,
      rotation_id: rotation.Id,
      kind: 'exception',
      occurred_at: `${addDays(today, -20)}T07:00:00Z`,
      date: addDays(today, -20),
      minutes: 480,
      status: 'approved',
      ...row,
    })
  await record({})
  await record({
    occurred_at: `${addDays(today, -19)}T07:00:00Z`,
    date: addDays(today, -19),
    status: 'pending',
  })
  const caller = await installation.as(alumnus)
  expect(await caller.ok(contract.getHoursRecord)).toMatchObject({
    Cohort: '2025',
    ApprovedMinutes: 480,
    TargetMinutes: 340 * 60,
    Rotations: [{ Name: rotation.Name, Sites: [site.Name], ApprovedMinutes: 480 }],
  })
  const pdf = await caller.call(contract.exportHoursRecord)
  expect(pdf.status).toBe(200)
  const another = await installation.as(await makePerson(owner, Level.Alumnus, { program }))
  expect((await another.ok(contract.getHoursRecord)).Rotations).toEqual([])
})

test('pages of members are refused to every other level', async () => {
  const { owner, program } = await start()
  const levels = [
    Level.Director,
    Level.Coord,
    Level.Faculty,
    Level.Supervisor,
    Level.SiteEmployee,
    Level.GenericEmployee,
    Level.Student,
    Level.Registrant,
    Level.Alumnus,
  ]
  const allowed = [
    [contract.getMemberHome, [Level.Supervisor, Level.SiteEmployee, Level.GenericEmployee, Level.Alumnus]],
    [contract.listOwnSites, [Level.SiteEmployee, Level.GenericEmployee]],
    [contract.getOwnSitePapers, [Level.Supervisor, Level.SiteEmployee]],
    [contract.listExpectedStudents, [Level.Supervisor, Level.SiteEmployee]],
    [contract.getHoursRecord, [Level.Student, Level.Alumnus]],
  ] as const
  for (const level of levels) {
    const caller = await installation.as(await makePerson(owner, level, { program }))
    for (const [endpoint, who] of allowed)
      expect(
        (await caller.call(endpoint as typeof contract.getMemberHome)).status,
        `${level} ${endpoint.path}`,
      ).toBe((who as readonly number[]).includes(level) ? 200 : 403)
  }
})
