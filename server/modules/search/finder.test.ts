import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { searchUsers } from '#contract/people/people.ts'
import { getMatrix } from '#contract/requirements/matrix.ts'
import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { getScheduleGrid } from '#contract/scheduling/schedule-grid.ts'
import { find } from '#contract/search/finder.ts'
import * as session from '#contract/session/session.ts'
import { listSiteNames, listSites, pageSites } from '#contract/sites/sites.ts'
import { getHoursSummary } from '#contract/time/hours-summary.ts'
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
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { nasty } from '#server/test/nasty-names.ts'

let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const makeBoth = async (name: string) => {
  const program = await makeProgram(installation.owner)
  const student = await makeStudent(installation.owner, program, { first_name: name, last_name: 'Okafor' })
  const site = await makeSite(installation.owner, program, { name: `${name} General`, city: 'Salem' })
  return { program, student, site }
}

test('a coordinator finds people and sites of their program by a part of the name, and no others', async () => {
  const { program, student, site } = await makeBoth('Quill')
  await makeBoth('Quill')
  const caller = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  expect(await caller.ok(find, { query: { search: 'uill' } })).toEqual({
    People: [{ Id: student.Id, Name: 'Quill Okafor', AccessLevel: 39, Detail: student.UserName }],
    Sites: [{ Id: site.Id, Name: 'Quill General', Detail: expect.stringContaining('Salem') }],
  })
  expect(await caller.ok(find, { query: { search: '%' } })).toEqual({ People: [], Sites: [] })
})

test('a supervisor finds only their own sites, a student nothing', async () => {
  const { program, site, student } = await makeBoth('Zephyr')
  await makeSite(installation.owner, program, { name: 'Zephyr East' })
  const supervisor = await installation.as(await makeSupervisor(installation.owner, program, [site.Id]))
  const found = await supervisor.ok(find, { query: { search: 'zephyr' } })
  expect(found).toMatchObject({ People: [], Sites: [{ Id: site.Id }] })
  const own = await installation.as(student)
  expect(await own.ok(find, { query: { search: 'zephyr' } })).toEqual({ People: [], Sites: [] })
})

test('at most six of each come, those who left not at all', async () => {
  const { program } = await makeBoth('Marlow')
  for (let n = 0; n < 8; n += 1)
    await makeStudent(installation.owner, program, { first_name: 'Marlow', last_name: `A${n}` })
  await makeStudent(installation.owner, program, {
    first_name: 'Marlow',
    last_name: 'A',
    deactivated_at: '2026-01-01',
  })
  const caller = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  const { People } = await caller.ok(find, { query: { search: 'marlow' } })
  expect(People.map(({ Name }) => Name)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `Marlow A${n}`))
  expect((await caller.call(find, { query: { search: ' ' } })).status).toBe(400)
})

test('a super admin searches the program they have chosen, and nothing without one', async () => {
  const { program, site } = await makeBoth('Indigo')
  const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
  expect(await admin.ok(find, { query: { search: 'indigo' } })).toEqual({ People: [], Sites: [] })
  await admin.ok(session.saveState, { body: { ProgramId: program.Id } })
  expect((await admin.ok(find, { query: { search: 'indigo' } })).Sites).toMatchObject([{ Id: site.Id }])
})

let program: MadeProgram
let coordinator: Awaited<ReturnType<Installation['as']>>
const firstNames = ['Ana', 'ámbar', 'Óscar', 'Zoë', "D'Angelo", 'Łucja']
const date = '2026-10-05'

beforeAll(async () => {
  const { owner } = installation
  program = await makeProgram(owner)
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program, last_name: 'Zz' }))
  const rotation = await makeRotation(owner, program)
  // In no order at all: neither of their names nor of their ids.
  const mixed = nasty.map((_, index) => nasty[(index * 17) % nasty.length]!)
  expect(new Set(mixed).size).toBe(nasty.length)
  for (const [index, name] of mixed.entries()) {
    const site = await makeSite(owner, program, { name })
    const shift = await makeShift(owner, program, { site })
    const student = await makeStudent(owner, program, {
      last_name: name,
      first_name: firstNames[index % firstNames.length],
    })
    await makeRow(owner, 'shift_assignment', {
      program_id: program.Id,
      rotation_id: rotation.Id,
      site_shift_id: shift.Id,
      site_id: site.Id,
      student_id: student.Id,
      date,
      starts_at: `${date}T11:00Z`,
      ends_at: `${date}T19:30Z`,
    })
  }
})
/** The judge: what JavaScript's own collation says of the names, whatever their case. `-` in front turns it around. */
const collator = new Intl.Collator('en-US', { numeric: true })
const expectOrder = (names: readonly string[], isDown = false): void => {
  expect(names.toSorted()).toEqual(nasty.toSorted())
  for (const [index, name] of names.slice(1).entries()) {
    const before = names[index]!
    const order = collator.compare(before.toLowerCase(), name.toLowerCase())
    expect(isDown ? -order : order, `${before} before ${name}`).toBeLessThanOrEqual(0)
  }
}
const lastName = (name: string): string => name.split(', ')[0]!
const params = () => ({ programId: program.Id })

describe('names are in the order of a dictionary', () => {
  test.each(['LastName', '-LastName'] as const)('in people by %s, page by page', async (sort) => {
    const names: string[] = []
    for (let page = 1; names.length < nasty.length; page++) {
      const { Items } = await coordinator.ok(searchUsers, {
        params: params(),
        query: { sort, page, pageSize: 10, AccessLevels: [Level.Student] },
      })
      expect(Items.length).toBeGreaterThan(0)
      names.push(...Items.map(({ LastName }) => LastName))
    }
    expectOrder(names, sort.startsWith('-'))
  })

  test.each([
    ['LastName', 'LastName'],
    ['-LastName', 'LastName'],
    ['Site', 'Site'],
    ['-Site', 'Site'],
  ] as const)('in assignments by %s, by the cursor of every page', async (sort, field) => {
    const names: string[] = []
    let cursor: string | null | undefined
    do {
      const page: { Items: Record<typeof field, string>[]; NextCursor: string | null } = await coordinator.ok(
        listShiftAssignments,
        {
          params: params(),
          query: { sort, pageSize: 7, ...(cursor && { cursor }) },
        },
      )
      names.push(...page.Items.map((row) => row[field]))
      cursor = page.NextCursor
    } while (cursor)
    expectOrder(names, sort.startsWith('-'))
  })

  test('in what waits for requirements, by what each page says of the next', async () => {
    const names: string[] = []
    let After: string | null | undefined
    do {
      const { Rows, Next } = await coordinator.ok(getMatrix, {
        params: params(),
        query: After ? { After } : {},
      })
      names.push(...Rows.map(({ Student }) => lastName(Student)))
      After = Next
    } while (After)
    expectOrder(names)
  })

  test('in sites, the schedule, hours and an export', async () => {
    const sites = await coordinator.ok(listSites, { params: params() })
    expectOrder(sites.map(({ Name }) => Name))
    expectOrder((await coordinator.ok(listSiteNames, { params: params() })).map(({ Name }) => Name))
    const pageSize = nasty.length
    const page = await coordinator.ok(pageSites, { params: params(), query: { sort: '-Name', pageSize } })
    expectOrder(
      page.Items.map(({ Name }) => Name),
      true,
    )
    const grid = await coordinator.ok(getScheduleGrid, {
      params: params(),
      query: { FromDate: date, ThroughDate: date },
    })
    expectOrder(grid.Students.LastName)
    const hours = await coordinator.ok(getHoursSummary, {
      params: params(),
      query: { sort: 'Student', pageSize },
    })
    expectOrder(hours.Items.map(({ Student }) => lastName(Student)))
    const file = await coordinator.send(
      'GET',
      `/programs/${program.Id}/shift-assignments/export?Format=csv&sort=LastName`,
    )
    const [head, ...rows] = parse(file.body, { bom: true }) as string[][]
    const at = head!.findIndex((title) => /^last ?name$/i.test(title))
    expectOrder(rows.map((row) => row[at]!))
  })
})

test.each([
  ['alvarez, ana', 'Álvarez'],
  ['oconnor', 'O’Connor'],
  ["O'Connor", 'O’Connor'],
  ['Reyes Montoya', 'Reyes-Montoya'],
  ['nunez', 'Ñúñez'],
  ['STRASSE', 'Straße'],
  ['lukasz', 'Łukasz'],
  ['ostergaard', 'Østergaard'],
  ['aegir', 'Ægir'],
  ['محمد', 'محمد'],
])('%j finds %j wherever people and sites are searched', async (search, name) => {
  const { rows } = await installation.owner.query(
    'update account set first_name = $3 where program_id = $1 and last_name = $2 returning id',
    [program.Id, name, 'Ana'],
  )
  const id = rows[0].id
  const ids = (items: readonly { Id: number }[]) => items.map(({ Id }) => Id)
  const people = await coordinator.ok(searchUsers, { params: params(), query: { search, pageSize: 100 } })
  expect(ids(people.Items)).toContain(id)
  const assigned = await coordinator.ok(listShiftAssignments, {
    params: params(),
    query: { search, pageSize: 100 },
  })
  expect(assigned.Items.map(({ LastName }) => LastName)).toContain(name)
  const matrix = await coordinator.ok(getMatrix, { params: params(), query: { search } })
  expect(ids(matrix.Rows)).toContain(id)
  expect(ids((await coordinator.ok(find, { query: { search } })).People)).toContain(id)
  const site = search.replace(', ana', '')
  const sites = await coordinator.ok(pageSites, { params: params(), query: { search: site, pageSize: 100 } })
  expect(sites.Items.map(({ Name }) => Name)).toContain(name)
  expect((await coordinator.ok(find, { query: { search: site } })).Sites.map(({ Name }) => Name)).toContain(
    name,
  )
})
