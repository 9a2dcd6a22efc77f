import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import type { Strictness } from '#contract/programs/program-options.ts'
import { getStudentProgress } from '#contract/progress/progress.ts'
import { getForecast, getMatrix } from '#contract/requirements/matrix.ts'
import { getOwnRequirements } from '#contract/requirements/own-requirements.ts'
import { getStudentRequirements } from '#contract/requirements/proof-review.ts'
import type { Rule } from '#contract/requirements/requirement-rules.ts'
import { addShiftAssignments } from '#contract/scheduling/assignments.ts'
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
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { makeRequirement } from '#server/test/requirement-proofs.ts'

let installation: Installation
let program: MadeProgram
let student: MadePerson
let staff: Caller
let site: { Id: number }
let shift: { Id: number }
let rotation: { Id: number }
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const begin = async (ComplianceRule: Strictness = 'block') => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC', options: { ComplianceRule, AgreementRule: 'off' } })
  student = await makeStudent(owner, program, { first_name: 'Ada' })
  staff = await installation.as(await makePerson(owner, Level.Coord, { program }))
  site = await makeSite(owner, program, { name: 'Bayview' })
  shift = await makeShift(owner, program, { site, start_date: '2026-01-01', end_date: '2038-12-31' })
  rotation = await makeRotation(owner, program, { start_date: '2026-01-01', end_date: '2038-12-31' })
}
beforeEach(() => begin())

const holds = (requirement: { Id: number }, row: Record<string, unknown>) =>
  makeRow(installation.owner, 'student_requirement', {
    program_id: program.Id,
    student_id: student.Id,
    requirement_id: requirement.Id,
    status: 'accepted',
    ...row,
  })
const asks = (requirement: { Id: number }, row: Record<string, unknown> = {}) =>
  makeRow(installation.owner, 'site_requirement', {
    program_id: program.Id,
    site_id: site.Id,
    requirement_id: requirement.Id,
    ...row,
  })
const place = (date: string) =>
  staff.call(addShiftAssignments, {
    params: { programId: program.Id },
    body: {
      StudentIds: [student.Id],
      SiteShiftId: shift.Id,
      RotationId: rotation.Id,
      Dates: [date],
    } as never,
  })
/** What the answer says of compliance; '' where nothing. */
const said = async (date: string): Promise<string> => {
  const text = JSON.stringify((await place(date)).body)
  return /cannot be placed on [^"]*?: ([^"]*?)\. Upload/.exec(text)?.[1] ?? ''
}

test('a placement is judged by the date of its shift', async () => {
  const cpr = await makeRequirement(installation.owner, program, { name: 'CPR' })
  expect(await said('2027-03-01')).toBe('CPR is missing')
  await holds(cpr, { expires_on: '2027-03-15' })
  expect(await said('2027-03-15')).toBe('')
  expect(await said('2027-03-16')).toBe('CPR expired 03/15/2027')
})

test('a season is asked inside it only', async () => {
  const rule: Rule = { Kind: 'season', DoseFrom: '07-01', AskedFrom: '11-01', AskedThrough: '04-30' }
  await makeRequirement(installation.owner, program, { name: 'Influenza', rule })
  expect(await said('2027-04-30')).toBe('Influenza is missing')
  expect(await said('2027-05-01')).toBe('')
  expect(await said('2027-08-02')).toBe('')
  expect(await said('2027-11-01')).toBe('Influenza is missing')
})

test('a series is in order until its next step is overdue', async () => {
  const series = await makeRequirement(installation.owner, program, { name: 'Hepatitis B' })
  await holds(series, { status: 'inProgress', expires_on: '2027-02-10' })
  expect(await said('2027-02-10')).toBe('')
  expect(await said('2027-02-11')).toBe('the next step of Hepatitis B was due 02/10/2027')
})

test('an exemption lets it pass, unless the site does not accept it', async () => {
  const cpr = await makeRequirement(installation.owner, program, { name: 'Varicella' })
  await holds(cpr, { status: 'waived', exemption: 'religious' })
  expect(await said('2027-03-01')).toBe('')
  await asks(cpr, { accepts: '{waiver,medical}' })
  expect(await said('2027-03-02')).toBe('the site does not accept the exemption from Varicella')
})

test('a site may take nothing older than some days on the first day there', async () => {
  const drug = await makeRequirement(installation.owner, program, {
    name: 'Drug screen',
    rule: { Kind: 'result' },
  })
  await holds(drug, { completed_on: '2027-01-01' })
  await asks(drug, { max_age_days: 30 })
  expect(await said('2027-02-01')).toBe(
    'Drug screen of 01/01/2027 is older than 30 days on the first day at the site, 02/01/2027',
  )
  expect(await said('2027-01-31')).toBe('')
  // The first day is in time, so later ones are as well.
  expect(await said('2027-03-01')).toBe('')
})

test('what a site asks by itself holds there alone', async () => {
  const badge = await makeRequirement(installation.owner, program, { name: 'Badge', scope: 'perSite' })
  expect(await said('2027-03-01')).toBe('')
  await asks(badge)
  expect(await said('2027-03-02')).toBe('Badge is missing')
  await holds(badge, { site_id: site.Id })
  expect(await said('2027-03-03')).toBe('')
})

test('who it does not apply to is not asked', async () => {
  await makeRequirement(installation.owner, program, { name: 'Fit test', level_ids: '{2}' })
  expect(await said('2027-03-01')).toBe('')
})

test.each([
  ['off', '', 1],
  ['warn', 'CPR is missing', 1],
  ['block', 'CPR is missing', 0],
] as const)('the rule is held as the program says: %s', async (strictness, text, placed) => {
  await begin(strictness)
  await makeRequirement(installation.owner, program, { name: 'CPR' })
  expect(await said('2027-03-01')).toBe(text)
  const { rows } = await installation.owner.query(
    'select count(*)::int as n from shift_assignment where program_id = $1',
    [program.Id],
  )
  expect(rows).toEqual([{ n: placed }])
})

test('the forecast says who will not be ready on the first day, and why', async () => {
  const cpr = await makeRequirement(installation.owner, program, { name: 'CPR' })
  await holds(cpr, { expires_on: '2038-01-31' })
  await place('2038-01-20')
  await installation.owner.query(
    "update student_requirement set expires_on = '2038-01-10' where program_id = $1",
    [program.Id],
  )
  expect(await staff.ok(getForecast, { params: { programId: program.Id }, query: {} })).toMatchObject({
    Items: [
      {
        Site: 'Bayview',
        FirstDate: '2038-01-20',
        Students: 1,
        Ready: 0,
        Open: [{ StudentId: student.Id, Missing: 'CPR expired 01/10/2038' }],
      },
    ],
  })
})

test('the forecast names what does not block and is not met at the site, as the page by student does', async () => {
  const { owner } = installation
  const [covid, orientation] = [
    await makeRequirement(owner, program, { name: 'COVID-19', scope: 'site', blocks_placement: false }),
    await makeRequirement(owner, program, { name: 'Orientation', scope: 'perSite', blocks_placement: false }),
  ]
  await makeRequirement(owner, program, { name: 'Advice', blocks_placement: false })
  const elsewhere = await makeSite(owner, program, { name: 'Quayside' })
  await asks(covid)
  await asks(orientation, { site_id: elsewhere.Id })
  await place('2038-01-20')
  const forecast = async () =>
    (await staff.ok(getForecast, { params: { programId: program.Id }, query: {} })).Items
  expect(await forecast()).toMatchObject([
    { Students: 1, Ready: 1, Open: [], Advised: { Students: 1, Names: ['Advice', 'COVID-19'] } },
  ])
  const { Rows } = await staff.ok(getMatrix, { params: { programId: program.Id }, query: {} })
  expect(Rows).toMatchObject([{ AtSites: [{ Name: 'COVID-19', Site: 'Bayview' }] }])
  await installation.owner.query(
    'update requirement set blocks_placement = true where program_id = $1 and id = $2',
    [program.Id, covid.Id],
  )
  expect(await forecast()).toMatchObject([
    { Ready: 0, Open: [{ Missing: 'COVID-19 is missing' }], Advised: { Names: ['Advice'] } },
  ])
})

test('what a site does not take by its age or as an exemption is not met on every page that judges it', async () => {
  const { owner } = installation
  const drug = await makeRequirement(owner, program, { name: 'Drug screen', blocks_placement: false })
  const varicella = await makeRequirement(owner, program, { name: 'Varicella', blocks_placement: false })
  await holds(drug, { completed_on: '2037-11-01' })
  await holds(varicella, { status: 'waived', exemption: 'religious' })
  await asks(drug, { max_age_days: 30 })
  await asks(varicella, { accepts: '{waiver,medical}' })
  await place('2038-01-20')
  const ofStudent = { params: { programId: program.Id, studentId: student.Id } }
  const own = await installation.as(student)
  const told = async () => {
    const [row] = (await staff.ok(getForecast, { params: { programId: program.Id }, query: {} })).Items
    const { Rows } = await staff.ok(getMatrix, {
      params: { programId: program.Id },
      query: { Show: 'notReady' },
    })
    const openOf = (
      items: { Name: string; Site: string; Standing: { State: string }; SiteRefuses: object | null }[],
    ) =>
      items.flatMap(({ Name, Site, Standing, SiteRefuses }) =>
        SiteRefuses ? [[Name, Site, Standing.State, SiteRefuses]] : [],
      )
    return {
      forecast: row?.Advised.Names,
      matrix: Rows.flatMap(({ AtSites }) => AtSites.map(({ Name, Site }) => [Name, Site])),
      student: openOf((await staff.ok(getStudentRequirements, ofStudent)).Items),
      own: openOf((await own.ok(getOwnRequirements)).Items),
      missing: (await staff.ok(getStudentProgress, ofStudent)).RequirementsMissing,
    }
  }
  const rows = [
    ['Drug screen', 'Bayview', 'missing', { FirstDay: '2038-01-20', MaxAgeDays: 30 }],
    ['Varicella', 'Bayview', 'missing', { FirstDay: '2038-01-20', MaxAgeDays: null }],
  ]
  expect(await told()).toEqual({
    forecast: ['Drug screen', 'Varicella'],
    matrix: [
      ['Drug screen', 'Bayview'],
      ['Varicella', 'Bayview'],
    ],
    student: rows,
    own: rows,
    missing: 2,
  })
  await owner.query(
    `update site_requirement set max_age_days = 90, accepts = '{religious}' where program_id = $1`,
    [program.Id],
  )
  expect(await told()).toEqual({ forecast: [], matrix: [], student: [], own: [], missing: 0 })
})
