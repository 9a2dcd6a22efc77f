import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AdminArea, Level } from '#contract/core/levels.ts'
import * as contract from '#contract/reports/custom-reports.ts'
import { type FieldName, reportSubjects, subjectNames } from '#contract/reports/custom-reports-rules.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { mailReports } from './custom-reports.jobs.ts'

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
type Definition = Partial<contract.ReportDefinition> & Pick<contract.ReportDefinition, 'Subject'>
const whole = (definition: Definition) => ({ Columns: [], Filters: [], GroupBy: [], Sort: '', ...definition })
const preview = async (definition: Definition, caller = coordinator) =>
  caller.ok(contract.previewReport, { ...params(), body: { Definition: whole(definition) } })
const rowsOf = async (definition: Definition) => (await preview(definition)).Items
const fieldsOf = (subject: contract.ReportDefinition['Subject']) =>
  Object.keys(reportSubjects[subject].fields) as FieldName<typeof subject>[]

const makeHours = async () => {
  const { owner } = installation
  const [ada, bea] = [
    await makeStudent(owner, program, { first_name: 'Ada', last_name: 'Lind' }),
    await makeStudent(owner, program, { first_name: 'Bea', last_name: 'Moss', student_level_id: 2 }),
  ]
  const site = await makeSite(owner, program, { name: 'Harbor' })
  const add = (student: { Id: number }, date: string, minutes: number, row: object = {}) =>
    makeRow(owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      site_id: site.Id,
      kind: 'exception',
      occurred_at: `${date}T12:00:00Z`,
      date,
      minutes,
      status: 'approved',
      ...row,
    })
  await add(ada, '2026-01-05', 480)
  await add(ada, '2026-02-06', 90, { status: 'pending' })
  await add(bea, '2026-02-07', 60)
  await add(bea, '2026-02-08', 600, { deleted_at: '2026-02-09T00:00:00Z' })
}

describe('D1-170 custom reports show', () => {
  test.each(subjectNames)('every column of %s, each filtered, sorted and grouped by', async (Subject) => {
    await makeHours()
    const Columns = fieldsOf(Subject)
    expect((await preview({ Subject, Columns })).Columns.map(({ Name }) => Name)).toEqual(Columns)
    const subjects = await coordinator.ok(contract.listReportSubjects, params())
    for (const { Name, Kind, Choices } of subjects.find((each) => each.Subject === Subject)!.Fields) {
      const Value = {
        text: 'a',
        choice: Choices[0]?.Value ?? '',
        flag: 'true',
        number: '1',
        minutes: '1.5',
        date: '2026-01-01',
      }[Kind]
      const Operator = Kind === 'text' ? 'contains' : Kind === 'choice' || Kind === 'flag' ? 'is' : 'at-least'
      const Filters = [{ Field: Name, Operator, Value } as const]
      await preview({ Subject, Columns: [Name], Filters, Sort: `-${Name}` })
      await preview({ Subject, Columns, GroupBy: [Name], Filters, Sort: '-Count' })
    }
  })

  test('rows with filters and an order', async () => {
    await makeHours()
    const Columns = ['Date', 'LastName', 'Hours', 'Status']
    expect(await rowsOf({ Subject: 'hours', Columns })).toEqual([
      ['2026-02-07', 'Moss', 60, 'Approved'],
      ['2026-02-06', 'Lind', 90, 'Pending'],
      ['2026-01-05', 'Lind', 480, 'Approved'],
    ])
    const filtered = (Filters: contract.ReportDefinition['Filters']) =>
      rowsOf({ Subject: 'hours', Columns: ['Hours'], Filters, Sort: 'Hours' })
    expect(await filtered([{ Field: 'LastName', Operator: 'contains', Value: 'LIN' }])).toEqual([[90], [480]])
    expect(await filtered([{ Field: 'LastName', Operator: 'contains', Value: '%' }])).toEqual([])
    expect(await filtered([{ Field: 'Status', Operator: 'is', Value: 'approved' }])).toEqual([[60], [480]])
    expect(await filtered([{ Field: 'Hours', Operator: 'at-least', Value: '1.5' }])).toEqual([[90], [480]])
    expect(
      await filtered([
        { Field: 'Date', Operator: 'at-least', Value: '2026-02-01' },
        { Field: 'Date', Operator: 'at-most', Value: '2026-02-06' },
      ]),
    ).toEqual([[90]])
  })

  test('groups with counts and sums, in pages', async () => {
    await makeHours()
    const grouped = { Subject: 'hours', Columns: ['Hours', 'Date'], GroupBy: ['LastName'] } as const
    const answer = await preview({ ...grouped, Columns: [...grouped.Columns], GroupBy: ['LastName'] })
    expect(answer.Columns.map(({ Name }) => Name)).toEqual(['LastName', 'Count', 'Hours'])
    expect(answer.Items).toEqual([
      ['Lind', 2, 570],
      ['Moss', 1, 60],
    ])
    const second = await coordinator.ok(contract.previewReport, {
      ...params(),
      body: {
        Definition: whole({
          Subject: 'hours',
          Columns: ['Hours'],
          GroupBy: ['LastName', 'Month'],
          Sort: '-Hours',
        }),
        page: 2,
        pageSize: 1,
      },
    })
    expect([second.Total, second.Items]).toEqual([3, [['Lind', '2026-02', 1, 90]]])
  })

  test('only what the program has, and text that looks like SQL as text', async () => {
    await makeHours()
    const other = await makeProgram(installation.owner)
    const foreign = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: other }),
    )
    const body = { Definition: whole({ Subject: 'students', Columns: ['LastName'] }) }
    expect((await foreign.call(contract.previewReport, { ...params(), body })).status).toBe(404)
    expect(
      (await foreign.ok(contract.previewReport, { params: { programId: other.Id }, body })).Items,
    ).toEqual([])
    const Filters = [{ Field: 'LastName', Operator: 'is' as const, Value: "x' or '1'='1" }]
    expect(await rowsOf({ Subject: 'students', Columns: ['LastName'], Filters })).toEqual([])
    for (const bad of [
      { Columns: ['u.password_hash'] },
      { Columns: ['LastName; drop table account'] },
      { Columns: ['LastName'], Sort: '1; drop table account' },
      { Columns: ['LastName'], GroupBy: ['constructor'] },
      { Columns: [] },
    ]) {
      const { status } = await coordinator.call(contract.previewReport, {
        ...params(),
        body: { Definition: whole({ Subject: 'students', ...bad }) },
      })
      expect(status, JSON.stringify(bad)).toBe(400)
    }
  })

  test('nothing of an anonymous evaluation that tells who, when or how', async () => {
    const { owner } = installation
    const make = async (title: string, isAnonymous: boolean) => {
      const template = await makeRow(owner, 'evaluation_template', {
        program_id: program.Id,
        title,
        evaluator_role: 'student',
        subject_role: 'program',
        is_anonymous: isAnonymous,
      })
      const form = await makeRow(owner, 'evaluation_form', {
        program_id: program.Id,
        template_id: template.id,
        hash: Buffer.from(title),
        content: '{}',
      })
      await makeRow(owner, 'evaluation', {
        program_id: program.Id,
        template_id: template.id,
        evaluator_id: coordinatorId,
        date: '2026-02-01',
        is_completed: true,
        form_id: form.id,
        submitted_at: '2026-02-02T12:00:00Z',
        total_score: 3.5,
      })
    }
    await make('Anonymous', true)
    await make('Named', false)
    const Columns = ['Title', 'Evaluator', 'SubmittedOn', 'Score']
    expect(await rowsOf({ Subject: 'evaluations', Columns, Sort: 'Title' })).toEqual([
      ['Anonymous', null, null, null],
      ['Named', expect.stringContaining(', '), '2026-02-02', 3.5],
    ])
    const Filters = [{ Field: 'Score', Operator: 'at-least' as const, Value: '1' }]
    expect(await rowsOf({ Subject: 'evaluations', Columns: ['Title'], Filters })).toEqual([['Named']])
  })

  test('E9 days of moments are days where the program is', async () => {
    await installation.owner.query("update program set time_zone = 'America/Los_Angeles' where id = $1", [
      program.Id,
    ])
    await makeStudent(installation.owner, program, { created_at: '2026-03-02T05:00:00Z' })
    expect(await rowsOf({ Subject: 'students', Columns: ['AddedOn'] })).toEqual([['2026-03-01']])
  })

  test('all rows as CSV and XLSX, with hours as hours and no formulas', async () => {
    await makeHours()
    await makeStudent(installation.owner, program, { last_name: '=1+1' })
    const file = (definition: Definition, Format: 'csv' | 'xlsx') =>
      coordinator.send(
        'GET',
        addressOf(contract.exportReport, {
          ...params(),
          query: { Name: 'Hours: March/April', Format, Definition: JSON.stringify(whole(definition)) },
        }),
      )
    const hours = await file({ Subject: 'hours', Columns: ['Date', 'Hours'], Sort: 'Date' }, 'csv')
    expect(hours.body).toBe(
      'Date,Hours,Hours (minutes)\r\n01/05/2026,8,480\r\n02/06/2026,1.5,90\r\n02/07/2026,1,60\r\nTotal,10.5,630\r\n',
    )
    expect(hours.headers.get('content-disposition')).toContain('Hours  March April.csv')
    const students = await file({ Subject: 'students', Columns: ['LastName'] }, 'csv')
    expect(students.body).toContain("'=1+1")
    expect((await file({ Subject: 'students', Columns: ['LastName'] }, 'xlsx')).body).toMatch(/^PK/)
    expect((await file({ Subject: 'students', Columns: ['Nothing'] }, 'csv')).status).toBe(400)
    const path = addressOf(contract.exportReport, { ...params(), query: { Definition: '{' } })
    expect((await coordinator.send('GET', path)).status).toBe(400)
  })
})

describe('D1-170 saved reports', () => {
  const Definition = whole({ Subject: 'students', Columns: ['LastName'] })
  const save = (Name: string, IsShared = false, caller = coordinator) =>
    caller.ok(contract.createCustomReport, { ...params(), body: { Name, Definition, IsShared } })
  const one = (reportId: number) => params({ reportId })
  const list = async (caller = coordinator, query: object = {}) =>
    (await caller.ok(contract.listCustomReports, { ...params(), query })).Items.map(({ Name }) => Name)

  test('are kept, changed, deleted and restored by their owner', async () => {
    const made = await save('Roster')
    expect(made).toEqual({
      Id: expect.any(Number),
      Name: 'Roster',
      Definition,
      IsShared: false,
      IsOwn: true,
      Owner: expect.stringMatching(/^First/),
      ModDate: expect.any(String),
      Mailing: 'none',
      NextMailOn: null,
    })
    const body = { Name: 'Roster 2', Definition: { ...Definition, Columns: ['Email'] } }
    expect(await coordinator.ok(contract.updateCustomReport, { ...one(made.Id), body })).toMatchObject(body)
    await coordinator.ok(contract.deleteCustomReport, one(made.Id))
    expect(await list()).toEqual([])
    expect((await coordinator.call(contract.getCustomReport, one(made.Id))).status).toBe(404)
    await coordinator.ok(contract.restoreCustomReport, one(made.Id))
    expect(await list()).toEqual(['Roster 2'])
    expect(
      (await coordinator.call(contract.createCustomReport, { ...params(), body: { Name: '', Definition } }))
        .status,
    ).toBe(400)
  })

  test('are seen by others of the program only when shared, and changed by nobody else', async () => {
    const [own, shared] = [await save('Own'), await save('Shared', true)]
    const other = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
    expect(await list(other)).toEqual(['Shared'])
    expect(await list(other, { search: 'sha' })).toEqual(['Shared'])
    expect((await other.call(contract.getCustomReport, one(own.Id))).status).toBe(404)
    expect(await other.ok(contract.getCustomReport, one(shared.Id))).toMatchObject({ IsOwn: false })
    for (const [endpoint, more] of [
      [contract.updateCustomReport, { body: { Name: 'Mine', Definition } }],
      [contract.deleteCustomReport, {}],
    ] as const)
      expect((await other.call(endpoint, { ...one(shared.Id), ...more } as never)).status).toBe(409)
    program = await makeProgram(installation.owner)
    const foreign = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
    expect((await foreign.call(contract.getCustomReport, one(shared.Id))).status).toBe(404)
    const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
    expect((await faculty.call(contract.listCustomReports, params())).status).toBe(403)
  })

  test('are mailed as a link every week or month to who ordered them, once a day', async () => {
    const { owner, services } = installation
    const made = await save('Roster <1>', true)
    const superAdmin = await installation.as(
      await makePerson(owner, Level.SuperAdmin, {
        super_admin_areas: AdminArea.CustomReports,
        email: `super${program.Id}@example.org`,
      }),
    )
    const order = (caller: Caller, Mailing: 'none' | 'weekly' | 'monthly') =>
      caller.ok(contract.setReportMailing, { ...one(made.Id), body: { Mailing } })
    const first = await order(coordinator, 'weekly')
    expect(first).toMatchObject({ Mailing: 'weekly', NextMailOn: expect.any(String) })
    await order(superAdmin, 'monthly')
    const messages = async () => {
      await mailReports.work({}, services)
      const { rows } = await owner.query(
        "select recipient, subject, html from mail where program_id = $1 and label = 'CUSTOM_report' order by recipient",
        [program.Id],
      )
      return rows
    }
    expect(await messages()).toEqual([])
    await owner.query('update custom_report_email set next_on = next_on - 40 where program_id = $1', [
      program.Id,
    ])
    const sent = await messages()
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Your weekly report: Roster <1>',
      'Your monthly report: Roster <1>',
    ])
    expect(sent[0].html).toContain(`/new/admin/custom-reports/edit?id=${made.Id}"`)
    expect(sent[0].html).toContain('Roster &lt;1&gt;')
    expect(await messages()).toHaveLength(2)
    expect((await coordinator.ok(contract.getCustomReport, one(made.Id))).NextMailOn).toBe(first.NextMailOn)

    expect(await order(coordinator, 'none')).toMatchObject({ Mailing: 'none', NextMailOn: null })
    const { Name, IsShared: _was, ...rest } = made
    await coordinator.ok(contract.updateCustomReport, {
      ...one(made.Id),
      body: { Name, Definition: rest.Definition, IsShared: false },
    })
    await owner.query('update custom_report_email set next_on = next_on - 40 where program_id = $1', [
      program.Id,
    ])
    expect(await messages()).toHaveLength(2)
  })
})
