import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import {
  endEvaluationLink,
  listEvaluationLinks,
  makeEvaluationLink,
} from '#contract/evaluations/evaluation-making.ts'
import * as contract from '#contract/evaluations/evaluations.ts'
import { createFormType, updateFormType } from '#contract/evaluations/form-types.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let site: { Id: number; Name: string }
let supervisor: MadePerson
let student: MadePerson

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  site = await makeSite(owner, program)
  supervisor = await makeSupervisor(owner, program, [site.Id])
  student = await makeStudent(owner, program)
})

const params = () => ({ programId: program.Id })
const template = (more: Partial<contract.TemplateInput> = {}): contract.TemplateInput => ({
  Title: 'Student performance',
  EvaluatorRole: 'supervisor',
  SubjectRole: 'student',
  Instructions: '<p>For this shift.</p>',
  ScoreTypes: [
    {
      Title: '1–5',
      Values: [
        ...[1, 2, 3, 4, 5].map((Value) => ({ Label: `Score ${Value}`, Value, NeedsComment: Value < 3 })),
        { Label: 'N/A', Value: null, IsNotApplicable: true },
      ],
    },
  ],
  Groups: [{ Name: 'Core', IsMandatory: true }],
  Categories: [{ Name: 'Competence' }, { Name: 'Remarks' }],
  Items: [
    { Category: 0, Text: 'Verifies the patient', ScoreType: 0, Group: 0 },
    { Category: 0, Text: 'Protects the patient', ScoreType: 0, Group: 0 },
    { Category: 0, Text: 'Positions the patient', ScoreType: 0, IsMandatory: true },
  ],
  FibItems: [{ Category: 1, Text: 'What should be kept?', InputType: 'long' }],
  ...more,
})
const create = (more: Partial<contract.TemplateInput> = {}) =>
  coordinator.ok(contract.createEvaluationTemplate, { params: params(), body: template(more) })
const assign = async (more: object = {}, templateId?: number) => {
  const TemplateId = templateId ?? (await create()).Id
  const body = {
    TemplateId,
    EvaluatorId: supervisor.Id,
    SubjectId: student.Id,
    SiteId: site.Id,
    Date: '2026-11-20',
    ...more,
  }
  return coordinator.ok(contract.assignEvaluation, { params: params(), body })
}
/** The score of a form by its value. */
const scoreOf = (form: contract.FilledForm, value: number): number =>
  form.ScoreTypes[0]!.Values.find(({ Value }) => Value === value)!.Id
const itemsOf = (form: contract.FilledForm): number[] => form.Items.map(({ Id }) => Id)

test('D3-167 D3-274 D3-107 a template with scored items, a required group and fill-in items is made in one call', async () => {
  const made = await create()
  expect(made.Items.map(({ Kind, Text }) => [Kind, Text])).toEqual([
    ['scored', 'Verifies the patient'],
    ['scored', 'Protects the patient'],
    ['scored', 'Positions the patient'],
    ['fib', 'What should be kept?'],
  ])
  expect(made.Groups).toEqual([{ Id: made.Items[0]!.GroupId, Name: 'Core', IsMandatory: true }])
  expect(made.ScoreTypes[0]!.Values.map(({ Value }) => Value)).toEqual([1, 2, 3, 4, 5, null])
  expect(await coordinator.ok(contract.listEvaluationTemplates, { params: params() })).toEqual([
    { Id: made.Id, Title: 'Student performance' },
  ])
})

test('a template whose parts do not fit together is refused by the part', async () => {
  const wrong: [Partial<contract.TemplateInput>, string][] = [
    [{ Items: [{ Category: 9, Text: 'x', ScoreType: 0 }] }, 'Items.0.Category'],
    [{ Items: [{ Category: 0, Text: 'x', ScoreType: 3 }] }, 'Items.0.ScoreType'],
    [{ Items: [{ Category: 0, Text: 'x', ScoreType: 0, Group: 4 }] }, 'Items.0.Group'],
    [{ FibItems: [{ Category: 0, Text: 'x', InputType: 'choice', Choices: ['one'] }] }, 'FibItems.0.Choices'],
    [{ DueRule: 'fixed' }, 'DueDate'],
    [{ Title: ' ' }, 'Title'],
  ]
  for (const [change, field] of wrong) {
    const { status, body } = await coordinator.call(contract.createEvaluationTemplate, {
      params: params(),
      body: template(change),
    })
    expect(status, field).toBe(400)
    expect((body as any).Errors[0].Field).toBe(field)
  }
})

test('instructions are cleaned: scripts and handlers never reach another person', async () => {
  const made = await create({
    Instructions: '<p onclick="x()">Read <script>alert(1)</script><a href="javascript:alert(1)">this</a></p>',
  })
  expect(made.Instructions).not.toMatch(/script|onclick|javascript/i)
  expect(made.Instructions).toContain('Read')
})

test('D3-192 D3-304 a template is for the student levels it names: kept, copied, listed, and held when it is asked for', async () => {
  const made = await create({ StudentLevelIds: [2] })
  expect(made.StudentLevelIds).toEqual([2])
  const at = { params: { ...params(), templateId: made.Id } }
  expect((await coordinator.ok(contract.copyEvaluationTemplate, at)).StudentLevelIds).toEqual([2])
  const rows = await coordinator.ok(contract.searchEvaluationTemplates, { params: params() })
  expect(rows.find(({ Id }) => Id === made.Id)?.StudentLevelIds).toEqual([2])

  const ask = (SubjectId: number) =>
    coordinator.call(contract.assignEvaluation, {
      params: params(),
      body: { TemplateId: made.Id, EvaluatorId: supervisor.Id, SubjectId, Date: '2026-11-20' },
    })
  const refused = await ask(student.Id)
  expect(refused.status).toBe(422)
  expect(refused.body).toMatchObject({
    Message: expect.stringMatching(/is not for the level of .*\(Level 1\)/),
    Errors: [{ Field: 'SubjectId' }],
  })
  const second = await makeStudent(installation.owner, program, { student_level_id: 2 })
  expect((await ask(second.Id)).status).toBe(200)
  const without = await makeStudent(installation.owner, program, { student_level_id: null })
  expect((await ask(without.Id)).body).toMatchObject({ Message: expect.stringMatching(/\(none\)/) })

  const levels = (StudentLevelIds: number[]) =>
    coordinator.call(contract.updateEvaluationTemplate, { ...at, body: settings({ StudentLevelIds }) })
  expect((await levels([1, 2])).body).toMatchObject({ StudentLevelIds: [1, 2] })
  expect((await ask(student.Id)).status).toBe(200)
  const unlabelled = await levels([9])
  expect(unlabelled.status).toBe(422)
  expect(unlabelled.body).toMatchObject({ Errors: [{ Field: 'StudentLevelIds' }] })
  expect((await levels([21])).status).toBe(400)
  expect((await levels([])).body).toMatchObject({ StudentLevelIds: [] })
  expect((await ask(without.Id)).status).toBe(200)
})

const settings = (more: Partial<contract.TemplateSettings> = {}) => ({
  Title: 'Student performance',
  EvaluatorRole: 'supervisor' as const,
  SubjectRole: 'student' as const,
  ...more,
})

test('the settings of a template change without its items; once used, who evaluates whom stays', async () => {
  const made = await create()
  const at = { params: { ...params(), templateId: made.Id } }
  const change = (body: ReturnType<typeof settings>) =>
    coordinator.call(contract.updateEvaluationTemplate, { ...at, body })
  const changed = await change(settings({ Title: 'Other', IsAnonymous: true, SubjectRole: 'faculty' }))
  expect(changed.body).toMatchObject({ Title: 'Other', IsAnonymous: true, SubjectRole: 'faculty' })
  expect(changed.body.Items).toEqual(made.Items)
  await change(settings({ IsAnonymous: false }))
  await assign({}, made.Id)
  for (const wrong of [
    { IsAnonymous: true },
    { SubjectRole: 'site' as const },
    { EvaluatorRole: 'faculty' as const },
  ]) {
    const refused = await change(settings(wrong))
    expect(refused.status).toBe(409)
    expect((refused.body as any).Errors[0].Field).toBe(Object.keys(wrong)[0])
    expect((refused.body as any).Message).toMatch(/1 evaluation was made from Student performance/)
  }
  const renamed = await change(settings({ Title: 'Student performance, spring', IsActive: false }))
  expect(renamed.body).toMatchObject({
    Title: 'Student performance, spring',
    IsActive: false,
    EvaluationCount: 1,
  })
})

test('a copy of a template has the same parts and none of the evaluations', async () => {
  const made = await create()
  await assign({}, made.Id)
  const copy = await coordinator.ok(contract.copyEvaluationTemplate, {
    params: { ...params(), templateId: made.Id },
  })
  expect(copy).toMatchObject({ Title: 'Student performance (copy)', EvaluationCount: 0 })
  const told = ({ Items }: contract.TemplateDetail) =>
    Items.map(({ Kind, Text, IsMandatory }) => [Kind, Text, IsMandatory])
  expect(told(copy)).toEqual(told(made))
  expect(copy.Items.map(({ Id }) => Id)).not.toEqual(made.Items.map(({ Id }) => Id))
  expect(copy.Items[0]!.GroupId).toBe(copy.Groups[0]!.Id)
})

test('what has no items, is not active or is of a hidden form type is not asked for', async () => {
  const empty = await create({ Items: [], FibItems: [] })
  const ask = (TemplateId: number) =>
    coordinator.call(contract.assignEvaluation, {
      params: params(),
      body: { TemplateId, EvaluatorId: supervisor.Id, SubjectId: student.Id, Date: '2026-11-20' },
    })
  const refused = await ask(empty.Id)
  expect(refused.status).toBe(422)
  expect((refused.body as any).Message).toMatch(/has no items yet/)
  const hidden = await coordinator.ok(createFormType, {
    params: params(),
    body: { Name: 'Old forms', ViewOnForm: false },
  })
  const old = await create({ FormTypeId: hidden.Id })
  expect((await ask(old.Id)).status).toBe(422)
  const rows = await coordinator.ok(contract.searchEvaluationTemplates, { params: params() })
  expect(rows.map(({ IsOffered }) => IsOffered)).toEqual([false, false])
  await coordinator.ok(updateFormType, {
    params: { ...params(), formTypeId: hidden.Id },
    body: { Name: 'Old forms', ViewOnForm: true },
  })
  expect((await ask(old.Id)).status).toBe(200)
})

test('a deleted template is gone from the list and comes back', async () => {
  const made = await create()
  const at = { params: { ...params(), templateId: made.Id } }
  await coordinator.ok(contract.deleteEvaluationTemplate, at)
  expect(await coordinator.ok(contract.listEvaluationTemplates, { params: params() })).toEqual([])
  await coordinator.ok(contract.restoreEvaluationTemplate, at)
  expect(await coordinator.ok(contract.listEvaluationTemplates, { params: params() })).toHaveLength(1)
})

test('a supervisor fills the form step by step, comes back, and hands it in once', async () => {
  const { Id } = await assign()
  const caller = await installation.as(supervisor)
  const at = { params: { evaluationId: Id } }
  const form = await caller.ok(contract.getAnswers, at)
  expect(form).toMatchObject({ MayFill: true, Status: 0, Subject: expect.stringContaining('First') })
  expect(form.Missing.map(({ Kind }) => Kind)).toEqual(['answer', 'group'])
  const [first, , third, fib] = itemsOf(form)
  const step = (Answers: object[], more: object = {}) =>
    caller.call(contract.saveAnswers, { ...at, body: { Answers: Answers as never, ...more } })
  await step([{ ItemId: first, ScoreValueId: scoreOf(form, 2) }])
  const again = await caller.ok(contract.getAnswers, at)
  expect(again.Answers).toEqual([
    { ItemId: first, ScoreValueId: scoreOf(form, 2), Text: null, Comment: null },
  ])
  expect(again.Missing.map(({ Kind }) => Kind)).toEqual(['comment', 'answer'])
  const early = await step([], { Submit: true })
  expect(early.status).toBe(422)
  expect((early.body as any).Message).toMatch(
    /2 still missing, first a comment: Verifies the patient. Your answers are kept/,
  )
  await step([
    { ItemId: first, ScoreValueId: scoreOf(form, 2), Comment: 'Forgot the wristband once' },
    { ItemId: third, ScoreValueId: scoreOf(form, 5) },
    { ItemId: fib, Text: 'Calm with patients 🙂' },
  ])
  const done = await step([], { Submit: true, SignedName: 'T. Lindgren' })
  expect(done.body).toMatchObject({
    Status: 1,
    MayFill: false,
    Score: 3.5,
    SignedName: 'T. Lindgren',
    Missing: [],
  })
  const twice = await step([{ ItemId: fib, Text: 'changed' }])
  expect(twice.status).toBe(409)
})

test('two submissions at once leave one evaluation submitted, and the same one again is no refusal', async () => {
  const { Id } = await assign()
  const caller = await installation.as(supervisor)
  const form = await caller.ok(contract.getAnswers, { params: { evaluationId: Id } })
  const Answers = itemsOf(form)
    .slice(0, 3)
    .map((ItemId) => ({ ItemId, ScoreValueId: scoreOf(form, 4) }))
  const submit = (given: typeof Answers) =>
    caller.call(contract.saveAnswers, {
      params: { evaluationId: Id },
      body: { Answers: given, Submit: true },
    })
  const both = await Promise.all(
    [Answers, Answers.map(({ ItemId }) => ({ ItemId, ScoreValueId: scoreOf(form, 3) }))].map(submit),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const kept = await caller.ok(contract.getAnswers, { params: { evaluationId: Id } })
  const same = kept.Answers.map(({ ItemId, ScoreValueId }) => ({
    ItemId,
    // All of them were scored above.
    ScoreValueId: ScoreValueId!,
  }))
  expect((await submit(same)).body).toMatchObject({ Status: 1, SubmittedAt: kept.SubmittedAt })
})

test('answers that do not fit their question are refused and the earlier ones stay', async () => {
  const { Id } = await assign()
  const other = await assign()
  const caller = await installation.as(supervisor)
  const at = { params: { evaluationId: Id } }
  const form = await caller.ok(contract.getAnswers, at)
  const foreign = await caller.ok(contract.getAnswers, { params: { evaluationId: other.Id } })
  await caller.ok(contract.saveAnswers, {
    ...at,
    body: { Answers: [{ ItemId: itemsOf(form)[0]!, ScoreValueId: scoreOf(form, 4) }] },
  })
  for (const answer of [
    { ItemId: itemsOf(form)[0]!, ScoreValueId: 999_999 },
    { ItemId: itemsOf(foreign)[0]!, ScoreValueId: scoreOf(foreign, 4) },
  ]) {
    expect((await caller.call(contract.saveAnswers, { ...at, body: { Answers: [answer] } })).status).toBe(422)
  }
  const tooLong = { ItemId: itemsOf(form)[3]!, Text: 'x'.repeat(10_001) }
  expect((await caller.call(contract.saveAnswers, { ...at, body: { Answers: [tooLong] } })).status).toBe(400)
  expect((await caller.ok(contract.getAnswers, at)).Answers).toHaveLength(1)
})

const fillAndSubmit = async (evaluationId: number) => {
  const caller = await installation.as(supervisor)
  const form = await caller.ok(contract.getAnswers, { params: { evaluationId } })
  const Answers = itemsOf(form)
    .slice(0, 3)
    .map((ItemId) => ({ ItemId, ScoreValueId: scoreOf(form, 4) }))
  await caller.ok(contract.saveAnswers, { params: { evaluationId }, body: { Answers, Submit: true } })
}

test('the student reads the result once it is submitted, and nobody else’s', async () => {
  const { Id } = await assign()
  const caller = await installation.as(student)
  const stranger = await installation.as(await makeStudent(installation.owner, program))
  const at = { params: { evaluationId: Id } }
  expect((await caller.call(contract.getAnswers, at)).status).toBe(404)
  await fillAndSubmit(Id)
  expect(await caller.ok(contract.getAnswers, at)).toMatchObject({ MayFill: false, Score: 4 })
  expect((await stranger.call(contract.getAnswers, at)).status).toBe(404)
  expect((await caller.call(contract.saveAnswers, { ...at, body: { Answers: [] } })).status).toBe(404)
  const own = await caller.ok(contract.listOwnEvaluations)
  expect(own.AboutMe.map((row) => row.Id)).toEqual([Id])
})

test('what waits for me is first, and moves when it is submitted', async () => {
  const { Id } = await assign()
  const caller = await installation.as(supervisor)
  expect((await caller.ok(contract.listOwnEvaluations)).Waiting.map((row) => row.Id)).toEqual([Id])
  await fillAndSubmit(Id)
  const after = await caller.ok(contract.listOwnEvaluations)
  expect([after.Waiting.length, after.Filled.length]).toEqual([0, 1])
})

test('an evaluation of another program does not exist', async () => {
  const { Id } = await assign()
  const foreign = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await foreign.call(contract.getAnswers, { params: { evaluationId: Id } })).status).toBe(404)
})

test('people who do not fit the template are refused with the reason', async () => {
  const { Id: TemplateId } = await create()
  const call = (body: object) =>
    coordinator.call(contract.assignEvaluation, {
      params: params(),
      body: { TemplateId, Date: '2026-11-20', ...body },
    })
  const wrong = await call({ EvaluatorId: student.Id, SubjectId: student.Id })
  expect(wrong.status).toBe(422)
  expect((wrong.body as any).Message).toMatch(/is no supervisor, as this template asks/)
  expect((await call({ EvaluatorId: supervisor.Id })).status).toBe(422)
  const foreign = await makeStudent(installation.owner)
  expect((await call({ EvaluatorId: supervisor.Id, SubjectId: foreign.Id })).status).toBe(422)
})

test('A66 D3-104 anonymous links need no account, live side by side, can be shown again and ended, and work once', async () => {
  const anonymous = await create({ IsAnonymous: true, EvaluatorRole: 'anonymous' })
  const made = await assign({ EvaluatorId: null }, anonymous.Id)
  const tokenOf = (link: string): string => link.split('/e/')[1]!
  const old = { params: { token: tokenOf(made.Link) } }
  const of = { params: { ...params(), evaluationId: made.Id } }
  const { Link, Id: linkId } = await coordinator.ok(makeEvaluationLink, of)
  const third = await coordinator.ok(makeEvaluationLink, of)
  const at = { params: { token: tokenOf(Link) } }
  expect((await installation.anonymous.call(contract.getAnonymousForm, old)).status).toBe(200)
  const links = await coordinator.ok(listEvaluationLinks, of)
  expect(links.map((each) => each.Link)).toEqual([third.Link, Link, made.Link])
  await coordinator.ok(endEvaluationLink, { params: { ...of.params, linkId: third.Id } })
  const ended = { params: { token: tokenOf(third.Link) } }
  expect((await installation.anonymous.call(contract.getAnonymousForm, ended)).status).toBe(404)
  const again = await coordinator.call(endEvaluationLink, { params: { ...of.params, linkId: third.Id } })
  expect(again.status).toBe(404)
  expect(
    (await coordinator.ok(listEvaluationLinks, of)).map((each) => [
      each.Link !== null,
      each.EndedAt !== null,
    ]),
  ).toEqual([
    [false, true],
    [true, false],
    [true, false],
  ])
  expect(linkId).not.toBe(third.Id)
  const form = await installation.anonymous.ok(contract.getAnonymousForm, at)
  expect(form).toMatchObject({ IsAnonymous: true, MayFill: true, Evaluator: 'Anonymous' })
  const Answers = itemsOf(form)
    .slice(0, 3)
    .map((ItemId) => ({ ItemId, ScoreValueId: scoreOf(form, 4) }))
  await installation.anonymous.ok(contract.saveAnonymousAnswers, {
    ...at,
    body: { Answers, Submit: true, SignedName: 'Me' },
  })
  for (const over of [at, old])
    expect((await installation.anonymous.call(contract.getAnonymousForm, over)).status).toBe(404)
  expect((await coordinator.call(makeEvaluationLink, of)).status).toBe(409)
  const { rows } = await installation.owner.query(
    'select evaluator_id, signed_name, submitted_at from evaluation where id = $1',
    [made.Id],
  )
  expect(rows[0]).toMatchObject({ evaluator_id: null, signed_name: '' })
  expect(rows[0].submitted_at).toMatch(/T00:00:00/)
})

test('an anonymous form opens for nobody, however many there are', async () => {
  const anonymous = await create({ IsAnonymous: true, EvaluatorRole: 'anonymous' })
  let last = 0
  for (let round = 1; round <= 3; round++) {
    const made = await assign({ EvaluatorId: null }, anonymous.Id)
    last = made.Id
    const at = { params: { token: made.Link.split('/e/')[1]! } }
    const form = await installation.anonymous.ok(contract.getAnonymousForm, at)
    const Answers = itemsOf(form)
      .slice(0, 3)
      .map((ItemId) => ({ ItemId, ScoreValueId: scoreOf(form, 4) }))
    await installation.anonymous.ok(contract.saveAnonymousAnswers, { ...at, body: { Answers, Submit: true } })
    const { status } = await coordinator.call(contract.getAnswers, { params: { evaluationId: last } })
    expect(status).toBe(409)
  }
})

test('D3-098 D3-099 D3-103 D3-187 the status page filters by everything it names', async () => {
  const made = await assign({ EndDate: '2026-11-21' })
  const later = await assign({ Date: '2026-11-21', EndDate: '2099-01-01' })
  await fillAndSubmit(later.Id)
  const ids = async (query: object) =>
    (await coordinator.ok(contract.searchEvaluations, { params: params(), query })).Items.map(({ Id }) => Id)
  expect(await ids({})).toEqual([later.Id, made.Id])
  expect(await ids({ Status: 0 })).toEqual([made.Id])
  expect(await ids({ Status: 1 })).toEqual([later.Id])
  expect(await ids({ TemplateId: made.TemplateId })).toEqual([made.Id])
  expect(
    await ids({ EvaluatorId: supervisor.Id, SubjectId: student.Id, SiteId: site.Id, sort: 'Id' }),
  ).toEqual([made.Id, later.Id])
  expect(await ids({ FromDate: '2026-11-21' })).toEqual([later.Id])
  expect(await ids({ ThroughDate: '2026-11-20' })).toEqual([made.Id])
  expect(await ids({ StudentLevelIds: [2] })).toEqual([])
  expect(await ids({ AlumniOnly: true })).toEqual([])
  const row = (await coordinator.ok(contract.searchEvaluations, { params: params(), query: { Status: 0 } }))
    .Items[0]
  expect(row).toMatchObject({
    Date: '2026-11-20',
    EndDate: '2026-11-21',
    Site: site.Name,
    Status: 0,
    HasLink: false,
  })
})

test('a supervisor sees the evaluations of their sites and those asked of them, nothing else', async () => {
  const elsewhere = await makeSite(installation.owner, program)
  const other = await makeSupervisor(installation.owner, program, [elsewhere.Id])
  const mine = await assign()
  const theirs = await assign({ EvaluatorId: other.Id, SiteId: elsewhere.Id })
  const caller = await installation.as(supervisor)
  const { Items } = await caller.ok(contract.searchEvaluations, { params: params(), query: {} })
  expect(Items.map(({ Id }) => Id)).toEqual([mine.Id])
  expect((await caller.call(contract.getAnswers, { params: { evaluationId: theirs.Id } })).status).toBe(404)
})

test('reminders are one email to each person, however many wait', async () => {
  const first = await assign()
  const second = await assign()
  const { Emails } = await coordinator.ok(contract.remindEvaluators, {
    params: params(),
    body: { Ids: [first.Id, second.Id] },
  })
  expect(Emails).toBe(1)
  const { rows } = await installation.owner.query('select subject from mail where account_id = $1', [
    supervisor.Id,
  ])
  expect(rows).toEqual([{ subject: 'Evaluations to complete: 2' }])
})

test('only what nobody has submitted is removed', async () => {
  const open = await assign()
  const done = await assign()
  await fillAndSubmit(done.Id)
  const { Removed } = await coordinator.ok(contract.deleteEvaluations, {
    params: params(),
    body: { Ids: [open.Id, done.Id] },
  })
  expect(Removed).toBe(1)
})

test('a due date follows the rule of the template', async () => {
  const { Id } = await create({ DueRule: 'after_shift', DueDays: 5 })
  expect((await assign({}, Id)).EndDate).toBe('2026-11-25')
  const fixed = await create({ DueRule: 'fixed', DueDate: '2026-12-18' })
  expect((await assign({}, fixed.Id)).EndDate).toBe('2026-12-18')
})
