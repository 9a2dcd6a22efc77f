import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/evaluations/evaluation-making.ts'
import {
  createEvaluationTemplate,
  getAnswers,
  listOwnEvaluations,
  saveAnswers,
  searchEvaluations,
  type TemplateInput,
  TemplateRule,
  updateEvaluationTemplate,
} from '#contract/evaluations/evaluations.ts'
import { transaction } from '#server/core/database/pool.ts'
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
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { makeDueEvaluations } from './making.commands.ts'
import { makeEvaluations, remindOfEvaluations } from './reminders.jobs.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let boss: MadePerson
let site: { Id: number; Name: string }
let supervisor: MadePerson
let student: MadePerson
let rotation: { Id: number }
let shift: { Id: number; SiteId: number }

/** The program's day; its zone is UTC. */
const day = (offset: number): string => addDays(new Date().toISOString().slice(0, 10), offset)

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  boss = await makePerson(owner, Level.Coord, { program })
  coordinator = await installation.as(boss)
  site = await makeSite(owner, program)
  supervisor = await makeSupervisor(owner, program, [site.Id])
  student = await makeStudent(owner, program)
  rotation = await makeRotation(owner, program, { start_date: day(-60), end_date: day(20) })
  shift = await makeShift(owner, program, { site, start_date: day(-90), end_date: day(90) })
})

const params = () => ({ programId: program.Id })
const inProgram = () => ({ params: params() })
const template = (more: Partial<TemplateInput> = {}): TemplateInput => ({
  Title: 'After the shift',
  EvaluatorRole: 'supervisor',
  SubjectRole: 'student',
  DueRule: 'after_shift',
  DueDays: 7,
  IsAutomatic: true,
  AutomaticFrom: day(-10),
  MakeOn: 'shift',
  MakeEach: 'shift',
  ScoreTypes: [{ Title: '1–3', Values: [1, 2, 3].map((Value) => ({ Label: `Score ${Value}`, Value })) }],
  Categories: [{ Name: 'Care' }],
  Items: [{ Category: 0, Text: 'Verifies the patient', ScoreType: 0, IsMandatory: true }],
  ...more,
})
const create = (more: Partial<TemplateInput> = {}) =>
  coordinator.ok(createEvaluationTemplate, { ...inProgram(), body: template(more) })
type Made = Awaited<ReturnType<typeof create>>
const settingsOf = (made: Made) => {
  const {
    Id: _id,
    EvaluationCount: _count,
    ScoreTypes: _s,
    Groups: _g,
    Categories: _c,
    Items: _i,
    ...rest
  } = made
  return rest
}
/** A shift that ended on a day before today, or takes place later. */
const place = (offset: number, more: Record<string, unknown> = {}) =>
  makeRow(installation.owner, 'shift_assignment', {
    program_id: program.Id,
    rotation_id: rotation.Id,
    site_shift_id: shift.Id,
    site_id: shift.SiteId,
    student_id: student.Id,
    date: day(offset),
    starts_at: `${day(offset)}T07:00:00Z`,
    ends_at: `${day(offset)}T15:30:00Z`,
    ...more,
  })
const run = () => makeEvaluations.work({}, installation.services)
const rows = async () =>
  (await coordinator.ok(searchEvaluations, { ...inProgram(), query: { sort: 'Date', pageSize: 500 } })).Items
const removeShift = (id: number) =>
  installation.owner.query(
    'update shift_assignment set removed_at = now() where program_id = $1 and id = $2',
    [program.Id, id],
  )
const ruleOf = (made: Made) =>
  Object.fromEntries(
    Object.keys(TemplateRule.shape).map((name) => [name, made[name as keyof Made]]),
  ) as TemplateRule
const preview = async (settings: Made, query: object = {}) =>
  coordinator.ok(contract.previewAutomatic, {
    ...inProgram(),
    query,
    body: { TemplateId: null, Rule: ruleOf(settings) },
  })

test('evaluations make themselves after each shift: once, from the first day on, for shifts that took place', async () => {
  await create()
  await place(-20)
  await place(-2)
  await place(-1)
  await place(3)
  const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  await place(0, {
    student_id: (await makeStudent(installation.owner, program)).Id,
    starts_at: minutesFromNow(-60),
    ends_at: minutesFromNow(60),
  })
  await run()
  await run()
  expect(
    (await rows()).map((row) => [row.Date, row.EndDate, row.EvaluatorId, row.SubjectId, row.SiteId]),
  ).toEqual([
    [day(-2), day(5), supervisor.Id, student.Id, site.Id],
    [day(-1), day(6), supervisor.Id, student.Id, site.Id],
  ])
  const caller = await installation.as(supervisor)
  expect((await caller.ok(listNotifications)).map(({ Text }) => Text)).toEqual([
    '2 new evaluations to complete',
  ])
})

test('evaluations make themselves once on two machines at the same time', async () => {
  await create()
  for (const offset of [-4, -3, -2]) await place(offset)
  const once = () =>
    transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
      makeDueEvaluations(db, program.Id),
    )
  const made = await Promise.all([once(), once(), once()])
  expect(made.reduce((sum, each) => sum + each.made, 0)).toBe(3)
  expect(await rows()).toHaveLength(3)
})

test('evaluations make themselves for the students and people of the rule: levels, active students, all supervisors of the site', async () => {
  const { owner } = installation
  const second = await makeSupervisor(owner, program, [site.Id])
  const other = await makeStudent(owner, program, { student_level_id: 2 })
  const gone = await makeStudent(owner, program, { deactivated_at: new Date().toISOString() })
  await create({ StudentLevelIds: [1] })
  for (const student_id of [student.Id, other.Id, gone.Id]) await place(-1, { student_id })
  await run()
  expect((await rows()).map(({ EvaluatorId, SubjectId }) => [EvaluatorId, SubjectId]).toSorted()).toEqual(
    [
      [supervisor.Id, student.Id],
      [second.Id, student.Id],
    ].toSorted(),
  )
})

test('evaluations make themselves at the end of a rotation, once or for each site, and on a fixed day', async () => {
  const { owner } = installation
  const elsewhere = await makeShift(owner, program)
  const early = await makeRotation(owner, program, { start_date: day(-60), end_date: day(-1) })
  const at = { rotation_id: early.Id }
  await place(-9, at)
  await place(-8, { ...at, site_shift_id: elsewhere.Id, site_id: elsewhere.SiteId })
  const faculty = await makePerson(owner, Level.Faculty, { program })
  await create({
    Title: 'Rotation',
    EvaluatorRole: 'faculty',
    MakePersonIds: [faculty.Id],
    MakeOn: 'rotation_end',
    MakeEach: 'rotation',
    DueRule: 'rotation_end',
    DueDays: 5,
  })
  await create({
    Title: 'Sites',
    EvaluatorRole: 'student',
    SubjectRole: 'site',
    MakeOn: 'rotation_end',
    MakeEach: 'site',
    DueRule: 'none',
  })
  await create({
    Title: 'Before its end',
    EvaluatorRole: 'student',
    SubjectRole: 'program',
    MakeOn: 'rotation_end',
    MakeEach: 'rotation',
    MakeDays: -7,
  })
  await create({
    Title: 'Day',
    EvaluatorRole: 'self',
    SubjectRole: 'self',
    MakeOn: 'fixed',
    MakeEach: 'student',
    MakeDate: day(-1),
  })
  await create({
    Title: 'Later',
    EvaluatorRole: 'self',
    SubjectRole: 'self',
    MakeOn: 'fixed',
    MakeEach: 'student',
    MakeDate: day(1),
  })
  await run()
  await run()
  const made = (await rows()).map(({ Template, EndDate, EvaluatorId, SubjectId, SiteId }) => [
    Template,
    EndDate,
    EvaluatorId,
    SubjectId,
    SiteId,
  ])
  expect(made.toSorted()).toEqual(
    [
      ['Rotation', day(4), faculty.Id, student.Id, elsewhere.SiteId],
      ['Sites', null, student.Id, null, site.Id],
      ['Sites', null, student.Id, null, elsewhere.SiteId],
      ['Before its end', day(0), student.Id, null, null],
      ['Day', day(6), student.Id, student.Id, null],
    ].toSorted(),
  )
})

test('evaluations make themselves once for a rotation after its last shift, whatever is added to the schedule later', async () => {
  await create({ MakeEach: 'rotation', EvaluatorRole: 'student', SubjectRole: 'site' })
  await place(-3)
  await place(-2)
  await run()
  expect((await rows()).map((row) => row.Date)).toEqual([day(-2)])
  await place(-1)
  await run()
  expect(await rows()).toHaveLength(1)
})

test('evaluations make themselves and are taken back with their shift while nobody has started them; both come back', async () => {
  await create()
  const first = await place(-2)
  const second = await place(-1)
  await run()
  const [open, started] = await rows()
  const caller = await installation.as(supervisor)
  const form = await caller.ok(getAnswers, { params: { evaluationId: started!.Id } })
  await caller.ok(saveAnswers, {
    params: { evaluationId: started!.Id },
    body: { Answers: [{ ItemId: form.Items[0]!.Id, ScoreValueId: form.ScoreTypes[0]!.Values[0]!.Id }] },
  })
  await removeShift(first.id)
  await removeShift(second.id)
  await run()
  expect((await rows()).map(({ Id }) => Id)).toEqual([started!.Id])
  await installation.owner.query('update shift_assignment set removed_at = null where program_id = $1', [
    program.Id,
  ])
  await run()
  expect((await rows()).map(({ Id }) => Id)).toEqual([open!.Id, started!.Id])
})

test('evaluations make themselves and are taken back when the student withdraws; one that staff removed stays removed', async () => {
  await create()
  await place(-2)
  await run()
  await installation.owner.query('update account set deactivated_at = now() where id = $1', [student.Id])
  await run()
  expect(await rows()).toEqual([])
  await installation.owner.query('update account set deactivated_at = null where id = $1', [student.Id])
  await run()
  expect(await rows()).toHaveLength(1)
  await installation.owner.query('update evaluation set deleted_at = now() where program_id = $1', [
    program.Id,
  ])
  await run()
  expect(await rows()).toEqual([])
})

test('evaluations make themselves no longer when the switch is off or the template inactive', async () => {
  const made = await create({ IsAutomatic: false })
  const off = await create({ Title: 'Inactive', IsActive: false })
  await place(-1)
  await run()
  expect(await rows()).toEqual([])
  await coordinator.ok(updateEvaluationTemplate, {
    params: { ...params(), templateId: made.Id },
    body: { ...settingsOf(made), IsAutomatic: true, AutomaticFrom: day(0) },
  })
  await run()
  expect(await rows()).toEqual([])
  await coordinator.ok(updateEvaluationTemplate, {
    params: { ...params(), templateId: off.Id },
    body: { ...settingsOf(off), IsActive: true },
  })
  await run()
  expect((await rows()).map(({ Template }) => Template)).toEqual(['Inactive'])
})

test('evaluations make themselves as the preview says: the same list before and after', async () => {
  const made = await create({ IsAutomatic: false })
  for (const offset of [-2, -1, 4, 29, 31]) await place(offset)
  const before = await preview(made, { pageSize: 2 })
  expect(before).toMatchObject({ Total: 4, Evaluators: 1, Page: 1, PageSize: 2 })
  expect(before.Items).toHaveLength(2)
  expect(before.Items[0]).toMatchObject({ Day: day(0), EndDate: day(5), Site: site.Name })
  const last = await preview(made, { pageSize: 2, page: 2 })
  expect(last.Items.map(({ Day }) => Day)).toEqual([day(4), day(29)])
  expect(await rows()).toEqual([])
  await coordinator.ok(updateEvaluationTemplate, {
    params: { ...params(), templateId: made.Id },
    body: { ...settingsOf(made), IsAutomatic: true },
  })
  await run()
  expect((await rows()).map(({ EndDate }) => EndDate)).toEqual([day(5), day(6)])
  const after = await coordinator.ok(contract.previewAutomatic, {
    ...inProgram(),
    body: { TemplateId: made.Id, Rule: ruleOf(made) },
  })
  expect(after.Total).toBe(2)
})

test('evaluations make themselves only by a rule that is whole', async () => {
  const refuse = async (more: Partial<TemplateInput>) => {
    const { status, body } = await coordinator.call(createEvaluationTemplate, {
      ...inProgram(),
      body: template(more),
    })
    return [status, (body as any).Errors?.[0]?.Field]
  }
  expect(await refuse({ AutomaticFrom: null })).toEqual([400, 'AutomaticFrom'])
  expect(await refuse({ IsAnonymous: true, EvaluatorRole: 'anonymous' })).toEqual([400, 'IsAutomatic'])
  expect(await refuse({ SubjectRole: 'peer' })).toEqual([400, 'IsAutomatic'])
  expect(await refuse({ EvaluatorRole: 'faculty' })).toEqual([400, 'MakePersonIds'])
  expect(await refuse({ MakeOn: 'rotation_end' })).toEqual([400, 'MakeEach'])
  expect(await refuse({ MakeOn: 'fixed', MakeEach: 'site' })).toEqual([400, 'MakeDate'])
  const foreign = await makePerson(installation.owner, Level.Faculty)
  expect(await refuse({ EvaluatorRole: 'faculty', MakePersonIds: [foreign.Id] })).toEqual([
    422,
    'MakePersonIds',
  ])
  const made = await create({ IsAutomatic: false })
  const { status } = await coordinator.call(contract.previewAutomatic, {
    ...inProgram(),
    body: { TemplateId: null, Rule: { ...ruleOf(made), AutomaticFrom: null } },
  })
  expect(status).toBe(422)
})

const emailsTo = async (person: MadePerson) =>
  (
    await installation.owner.query(
      'select label, subject, html from mail where account_id = $1 order by id',
      [person.Id],
    )
  ).rows as { label: string; subject: string; html: string }[]
const remind = () => remindOfEvaluations.work({}, installation.services)
/** The day passes: what was sent today was sent yesterday. */
const nextDay = () =>
  installation.owner.query('update evaluation_digest set day = day - 1 where program_id = $1', [program.Id])
const due = (templateId: number, offset: number) =>
  makeRow(installation.owner, 'evaluation', {
    program_id: program.Id,
    template_id: templateId,
    evaluator_id: supervisor.Id,
    subject_id: student.Id,
    date: day(-90),
    end_date: day(offset),
  })

test('evaluations make themselves heard once a day in one email, on the days that the template says', async () => {
  const early = await create({ IsAutomatic: false, RemindBefore: 5, RemindEvery: 4, RemindMost: 2 })
  const quiet = await create({ IsAutomatic: false, RemindBefore: null, RemindOnDay: false, RemindMost: 0 })
  await due(early.Id, 5)
  await due(early.Id, 6)
  const late = await due(early.Id, -1)
  for (const offset of [0, 2, -3]) await due(quiet.Id, offset)
  await remind()
  await remind()
  const first = await emailsTo(supervisor)
  expect(first.map(({ label, html }) => [label, html.match(/<li>/g)?.length])).toEqual([
    ['EVALUATION_late', 2],
  ])
  const again = async (offset: number) => {
    await installation.owner.query('update evaluation set end_date = $2 where id = $1', [
      late.id,
      day(offset),
    ])
    await installation.owner.query('update evaluation_reminder set end_date = $2 where evaluation_id = $1', [
      late.id,
      day(offset),
    ])
    await nextDay()
    await remind()
    return (await emailsTo(supervisor)).length
  }
  expect(await again(-4)).toBe(1)
  expect(await again(-5)).toBe(2)
  expect(await again(-8)).toBe(2)
  expect(await again(-9)).toBe(2)
})

test('evaluations make themselves known to coordinators after the days of the template, one email and once', async () => {
  const { owner } = installation
  const made = await create({ IsAutomatic: false, EscalateAfter: 3 })
  await due(made.Id, -2)
  await due(made.Id, -3)
  await due(made.Id, -30)
  await remind()
  await nextDay()
  await remind()
  const { rows: lines } = await owner.query('select label, after from email_notice where account_id = $1', [
    boss.Id,
  ])
  expect(lines.map(({ label, after }) => [label, /: 2 evaluations, the oldest due/.test(after)])).toEqual([
    ['EVALUATION_overdue', true],
  ])
  expect((await coordinator.ok(listNotifications)).map(({ Text }) => Text)).toContain(
    'Long overdue: 2 evaluations',
  )
})

test('evaluations make themselves known as new in the next email of the day, together with what is due', async () => {
  await create({ DueDays: 30 })
  await place(-1)
  await run()
  await remind()
  const [first, ...others] = await emailsTo(supervisor)
  expect([first?.label, others]).toEqual(['EVALUATION_due', []])
  expect(first?.html).toContain('new, due')
  await place(-2)
  await run()
  await remind()
  expect(await emailsTo(supervisor)).toHaveLength(1)
  await nextDay()
  await remind()
  await nextDay()
  await remind()
  expect((await emailsTo(supervisor)).map(({ html }) => html.match(/<li>/g)?.length)).toEqual([1, 1])
})

const cohort = (templateId: number, more: object = {}) => ({ TemplateId: templateId, Date: day(0), ...more })

test('evaluations make themselves for a cohort in one step: new, existing and missing are told before, and it can be undone', async () => {
  const { owner } = installation
  const made = await create({ IsAutomatic: false })
  const second = await makeStudent(owner, program, { student_level_id: 2 })
  const homeless = await makeStudent(owner, program)
  await place(-1)
  await place(2, { student_id: second.Id })
  const look = async (more: object = {}) => {
    const { Students, New, Existing, Missing, Items } = await coordinator.ok(contract.previewCohort, {
      ...inProgram(),
      body: cohort(made.Id, more),
    })
    return { Students, New, Existing, Missing, States: Items.map(({ State }) => State) }
  }
  expect(await look()).toMatchObject({ Students: 3, New: 2, Existing: 0, Missing: 1 })
  expect(await look({ StudentLevelIds: [2] })).toMatchObject({ Students: 1, New: 1 })
  expect(await look({ Search: homeless.UserName })).toMatchObject({
    Students: 1,
    New: 0,
    States: ['missing'],
  })
  const { Made, BatchId } = await coordinator.ok(contract.assignCohort, {
    ...inProgram(),
    body: cohort(made.Id, { EndDate: day(9) }),
  })
  expect(Made).toBe(2)
  expect((await rows()).map(({ EndDate }) => EndDate)).toEqual([day(9), day(9)])
  expect(await look()).toMatchObject({ New: 0, Existing: 2 })
  expect((await coordinator.ok(contract.assignCohort, { ...inProgram(), body: cohort(made.Id) })).Made).toBe(
    0,
  )
  const started = (await rows())[0]!
  const caller = await installation.as(supervisor)
  const form = await caller.ok(getAnswers, { params: { evaluationId: started.Id } })
  await caller.ok(saveAnswers, {
    params: { evaluationId: started.Id },
    body: { Answers: [{ ItemId: form.Items[0]!.Id, ScoreValueId: form.ScoreTypes[0]!.Values[0]!.Id }] },
  })
  expect(await coordinator.ok(contract.undoCohort, { ...inProgram(), body: { BatchId } })).toEqual({
    Removed: 1,
    Started: 1,
  })
  expect((await coordinator.ok(contract.assignCohort, { ...inProgram(), body: cohort(made.Id) })).Made).toBe(
    1,
  )
})

test('evaluations make themselves for a cohort only with a template about students, of this program', async () => {
  const anonymous = await create({ IsAutomatic: false, IsAnonymous: true, EvaluatorRole: 'anonymous' })
  const faculty = await create({ IsAutomatic: false, EvaluatorRole: 'faculty' })
  const ask = async (body: ReturnType<typeof cohort>) => {
    const { status, body: answer } = await coordinator.call(contract.assignCohort, { ...inProgram(), body })
    return [status, (answer as any).Errors?.[0]?.Field]
  }
  expect(await ask(cohort(anonymous.Id))).toEqual([422, 'TemplateId'])
  expect(await ask(cohort(faculty.Id))).toEqual([422, 'PersonIds'])
  const foreigner = await makePerson(installation.owner, Level.Faculty)
  await place(-1)
  const { Made } = await coordinator.ok(contract.assignCohort, {
    ...inProgram(),
    body: cohort(faculty.Id, { PersonIds: [foreigner.Id] }),
  })
  expect(Made).toBe(0)
  expect((await ask(cohort(999_999)))[0]).toBe(404)
})

test('evaluations make themselves longer, stop and go on: by ticks or by the whole filter, and never the submitted ones', async () => {
  const made = await create({ IsAutomatic: false })
  const [first, second, dateless] = [await due(made.Id, -2), await due(made.Id, 4), await due(made.Id, 5)]
  await installation.owner.query('update evaluation set end_date = null where id = $1', [dateless.id])
  const extended = await coordinator.ok(contract.extendEvaluations, {
    ...inProgram(),
    body: { Ids: [first.id, second.id, dateless.id], Days: 7 },
  })
  expect(extended).toMatchObject({
    Changed: 2,
    Before: [
      { EndDate: day(-2), Ids: [first.id] },
      { EndDate: day(4), Ids: [second.id] },
    ],
  })
  const filter = { TemplateId: made.Id }
  const dated = await coordinator.ok(contract.extendEvaluations, {
    ...inProgram(),
    body: { Filter: filter as never, EndDate: day(30) },
  })
  expect(dated.Changed).toBe(3)
  const stopped = await coordinator.ok(contract.stopEvaluations, {
    ...inProgram(),
    body: { Filter: { ...filter, SubjectId: student.Id } as never },
  })
  expect(stopped.Changed).toBe(3)
  expect((await rows()).map(({ IsStopped, IsLate }) => [IsStopped, IsLate])).toEqual(
    Array(3).fill([true, false]),
  )
  const count = async (query: object) =>
    (await coordinator.ok(searchEvaluations, { ...inProgram(), query })).Total
  expect([await count({ Status: 0 }), await count({ IsStopped: true }), await count({})]).toEqual([0, 3, 3])
  const caller = await installation.as(supervisor)
  expect((await caller.ok(listOwnEvaluations)).Waiting).toEqual([])
  const at = { params: { evaluationId: first.id } }
  expect(await caller.ok(getAnswers, at)).toMatchObject({ IsStopped: true, MayFill: false })
  const refused = await caller.call(saveAnswers, { ...at, body: { Answers: [] } })
  expect([refused.status, (refused.body as any).Code]).toEqual([409, 'stopped'])
  expect(
    (await coordinator.ok(contract.extendEvaluations, { ...inProgram(), body: { Ids: [first.id], Days: 1 } }))
      .Changed,
  ).toBe(0)
  await remind()
  expect(await emailsTo(supervisor)).toEqual([])
  expect(
    await coordinator.ok(contract.resumeEvaluations, { ...inProgram(), body: { Ids: stopped.Ids } }),
  ).toMatchObject({ Changed: 3 })
  expect((await caller.ok(listOwnEvaluations)).Waiting).toHaveLength(3)
  const { rows: audited } = await installation.owner.query(
    "select detail from audit where program_id = $1 and detail ->> 'Stopped' = '3'",
    [program.Id],
  )
  expect(audited).toHaveLength(1)
})

test('evaluations make themselves longer or stop only in the own program, with one selection', async () => {
  const made = await create({ IsAutomatic: false })
  const mine = await due(made.Id, 1)
  const foreign = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect(
    (await foreign.call(contract.stopEvaluations, { ...inProgram(), body: { Ids: [mine.id] } })).status,
  ).toBe(404)
  for (const body of [{}, { Ids: [mine.id], Filter: {} }, { Ids: [] }])
    expect(
      (await coordinator.call(contract.stopEvaluations, { ...inProgram(), body: body as never })).status,
    ).toBe(400)
  for (const body of [{ Ids: [mine.id] }, { Ids: [mine.id], Days: 1, EndDate: day(1) }])
    expect((await coordinator.call(contract.extendEvaluations, { ...inProgram(), body })).status).toBe(400)
  const other = await makePerson(installation.owner, Level.Coord)
  const theirs = await installation.as(other)
  const { Changed } = await theirs.ok(contract.stopEvaluations, {
    params: { programId: other.ProgramId! },
    body: { Ids: [mine.id] },
  })
  expect(Changed).toBe(0)
})

test('evaluations make themselves at a student’s request: of own supervisors, told at once, one open of each', async () => {
  const { owner } = installation
  const asked = await create({ IsAutomatic: false, MayBeAsked: true, Title: 'On request' })
  await create({ IsAutomatic: false, Title: 'Not on request' })
  const stranger = await makeSupervisor(owner, program, [(await makeSite(owner, program)).Id])
  await place(-3)
  const caller = await installation.as(student)
  const options = await caller.ok(contract.listRequestOptions)
  expect(options.Templates.map(({ Title }) => Title)).toEqual(['On request'])
  expect(options.Evaluators).toMatchObject([{ Id: supervisor.Id, Role: 'supervisor', Sites: [site.Name] }])
  const request = (EvaluatorId: number, TemplateId = asked.Id) =>
    caller.call(contract.requestEvaluation, {
      body: { TemplateId, EvaluatorId, Note: 'About <b>this</b> week' },
    })
  const { status, body } = await request(supervisor.Id)
  expect([status, body.EndDate]).toEqual([200, day(7)])
  expect((await request(stranger.Id)).status).toBe(422)
  expect((await request(supervisor.Id, asked.Id + 1)).status).toBe(422)
  const twice = await Promise.all([request(supervisor.Id), request(supervisor.Id)])
  expect(twice.map((each) => each.status)).toEqual([409, 409])
  const [email] = await emailsTo(supervisor)
  expect(email).toMatchObject({
    label: 'EVALUATION_requested',
    html: expect.stringContaining('About &lt;b&gt;this'),
  })
  const evaluator = await installation.as(supervisor)
  expect((await evaluator.ok(listOwnEvaluations)).Waiting).toMatchObject([
    { SubjectId: student.Id, Site: site.Name },
  ])
  expect((await evaluator.ok(listNotifications))[0]!.Text).toMatch(/asks for an evaluation: On request/)
  const staff = await coordinator.ok(contract.listRequestOptions)
  expect(staff).toEqual({ Templates: [], Evaluators: [] })
})

test('evaluations make themselves at a request no more than ten at a time and twenty a day', async () => {
  const { owner } = installation
  const asked = await create({ IsAutomatic: false, MayBeAsked: true })
  for (let n = 0; n < 10; n++) await makeSupervisor(owner, program, [site.Id])
  await place(-1)
  const caller = await installation.as(student)
  const { Evaluators } = await caller.ok(contract.listRequestOptions)
  const answers: number[] = []
  for (const { Id } of [...Evaluators, ...Evaluators])
    answers.push(
      (await caller.call(contract.requestEvaluation, { body: { TemplateId: asked.Id, EvaluatorId: Id } }))
        .status,
    )
  expect(answers).toEqual([...Array(10).fill(200), ...Array(10).fill(409), 429, 429])
})

test('the day up to which evaluations are made never moves back, as after a change of the program’s time zone', async () => {
  const { owner } = installation
  const { Id: id } = await create()
  await owner.query('update evaluation_template set made_through = $2 where id = $1', [id, day(1)])
  await run()
  const { rows: kept } = await owner.query('select made_through from evaluation_template where id = $1', [id])
  expect(kept[0].made_through).toBe(day(1))
})
