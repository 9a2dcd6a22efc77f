import { afterAll, beforeAll, expect, test } from 'vitest'
import { weekOf } from '#contract/core/calendar.ts'
import { AdminArea, Level } from '#contract/core/levels.ts'
import { exportWeeklyReport, getWeeklyReport } from '#contract/reports/weekly-reports.ts'
import { makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(
    await makePerson(installation.owner, Level.SuperAdmin, { super_admin_areas: AdminArea.CustomReports }),
  )
})
afterAll(() => installation?.stop())

test('the first day of a week, also over the end of a year', () => {
  expect(['2026-03-01', '2026-03-07', '2026-03-08', '2027-01-01'].map((day) => weekOf(day))).toEqual([
    '2026-03-01',
    '2026-03-01',
    '2026-03-08',
    '2026-12-27',
  ])
})

test('D1-171 the figures of a week by program, from Sunday to Saturday in its own time zone', async () => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'America/Los_Angeles' })
  const student = await makeStudent(owner, program)
  const other = await makeStudent(owner, program)
  const acts = (person: { Id: number }, at: string, action = 'signed in') =>
    makeRow(owner, 'audit', { program_id: program.Id, account_id: person.Id, action, at })
  // Sunday 2026-03-08 begins at 08:00 UTC there, and ends on Sunday 2026-03-15 at 07:00, after the clocks have changed.
  await acts(student, '2026-03-08T07:59:00Z')
  await acts(student, '2026-03-08T08:00:00Z')
  await acts(student, '2026-03-11T12:00:00Z')
  await acts(other, '2026-03-15T06:59:00Z', 'POST /clock/punches')
  await acts(other, '2026-03-15T07:00:00Z')
  const worked = (date: string, row: object = {}) =>
    makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      kind: 'exception',
      occurred_at: `${date}T20:00:00Z`,
      date,
      minutes: 60,
      status: 'approved',
      ...row,
    })
  await worked('2026-03-07')
  await worked('2026-03-08')
  await worked('2026-03-14', { status: 'pending', minutes: 45 })
  await worked('2026-03-10', { status: 'rejected' })
  await worked('2026-03-10', { kind: 'absence' })
  await worked('2026-03-15', { status: 'pending' })
  const template = await makeRow(owner, 'evaluation_template', {
    program_id: program.Id,
    title: 'Weekly',
    evaluator_role: 'faculty',
    subject_role: 'student',
  })
  for (const end_date of ['2026-03-07', '2026-03-09', '2026-03-14', '2026-03-15'])
    await makeRow(owner, 'evaluation', {
      program_id: program.Id,
      template_id: template.id,
      date: '2026-02-01',
      end_date,
    })
  const query = { search: program.Name, Week: '2026-03-10' }
  const answer = await admin.ok(getWeeklyReport, { query })
  expect([answer.Week, answer.Monday]).toEqual(['2026-03-08', '2026-03-09'])
  expect(answer.Items.find(({ ProgramId }) => ProgramId === program.Id)).toEqual({
    ProgramId: program.Id,
    College: expect.any(String),
    Program: program.Name,
    ActivePeople: 2,
    SignIns: 2,
    RecordedMinutes: 105,
    ApprovedMinutes: 60,
    Waiting: 1,
    EvaluationsCompleted: 0,
    EvaluationsLate: 2,
  })
  const file = await admin.send('GET', addressOf(exportWeeklyReport, { query: { ...query, Format: 'csv' } }))
  expect(file.body).toContain('Week of,College,Program,People active')
  expect(file.body).toContain(`${program.Name},2,2,1.75,105,1,60,1,0,2`)
  const xlsx = await admin.send('GET', addressOf(exportWeeklyReport, { query }))
  expect(xlsx.headers.get('content-disposition')).toContain('Weekly report 2026-03-08.xlsx')
})

test('D1-171 shows the week before this one unless another is asked, in pages and both orders', async () => {
  const names: string[] = []
  for (const letter of ['a', 'b', 'c'])
    names.push((await makeProgram(installation.owner, { name: `Paged ${letter}` })).Name)
  const read = (query: object) => admin.ok(getWeeklyReport, { query: { search: 'Paged', ...query } })
  const first = await read({ sort: 'Program', pageSize: 2 })
  expect(first.Items.map(({ Program }) => Program)).toEqual(names.slice(0, 2))
  expect(first.Total).toBe(3)
  const age = (Date.now() - Date.parse(`${first.Week}T00:00:00Z`)) / 86_400_000
  expect(age).toBeGreaterThan(6)
  expect(age).toBeLessThan(15)
  const last = await read({ sort: '-Program', pageSize: 2 })
  expect(last.Items.map(({ Program }) => Program)).toEqual([names[2], names[1]])
  expect((await read({ page: 9 })).Items).toEqual([])
})

test('D1-168 Weekly Reports are for super admins with the area only', async () => {
  const person = await makePerson(installation.owner, Level.Admin)
  expect((await (await installation.as(person)).call(getWeeklyReport)).status).toBe(403)
  const mailer = await makePerson(installation.owner, Level.SuperAdmin, {
    super_admin_areas: AdminArea.Email,
  })
  expect((await (await installation.as(mailer)).call(getWeeklyReport)).status).toBe(403)
})
