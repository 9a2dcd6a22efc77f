import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { listNotifications } from '#contract/communication/notifications.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import * as contract from '#contract/evaluations/evaluation-results.ts'
import {
  assignEvaluation,
  createEvaluationTemplate,
  getAnonymousForm,
  getAnswers,
  listOwnEvaluations,
  saveAnonymousAnswers,
  saveAnswers,
  type TemplateInput,
} from '#contract/evaluations/evaluations.ts'
import { allEndpoints } from '#contract/index.ts'
import { mergeAccounts, undoAccountMerge } from '#contract/people/merging.ts'
import { matrixLevels } from '#server/test/access-matrix.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeSite,
  makeStudent,
  makeSupervisor,
} from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let site: { Id: number; Name: string }
let supervisor: MadePerson
let student: MadePerson
let other: MadePerson

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
  other = await makeStudent(owner, program)
})

const params = () => ({ programId: program.Id })
const template = (more: Partial<TemplateInput> = {}) =>
  coordinator.ok(createEvaluationTemplate, {
    params: params(),
    body: {
      Title: 'Student performance',
      EvaluatorRole: 'supervisor',
      SubjectRole: 'student',
      ScoreTypes: [
        {
          Title: '1–5',
          Values: [
            ...[1, 2, 3, 4, 5].map((Value) => ({
              Label: `Score ${Value}`,
              Value,
              NeedsComment: Value === 2,
            })),
            { Label: 'N/A', Value: null, IsNotApplicable: true },
          ],
        },
      ],
      Categories: [{ Name: 'Competence' }, { Name: 'Remarks' }],
      Items: [
        { Category: 0, Text: 'Verifies the patient', ScoreType: 0 },
        { Category: 0, Text: 'Positions the patient', ScoreType: 0 },
      ],
      FibItems: [{ Category: 1, Text: 'What should be kept?', InputType: 'long' }],
      ...more,
    },
  })
type Template = Awaited<ReturnType<typeof template>>

const answersOf = (form: Template, scores: (number | null)[], text = '') => [
  ...scores.flatMap((score, index) =>
    score === null
      ? []
      : [
          {
            ItemId: form.Items[index]!.Id,
            ScoreValueId: form.ScoreTypes[0]!.Values.find(({ Value }) => Value === score)!.Id,
            ...(score === 2 && { Comment: 'Left the room' }),
          },
        ],
  ),
  ...(text ? [{ ItemId: form.Items[2]!.Id, Text: text }] : []),
]

/** Asks for an evaluation and hands it in. */
const handIn = async (
  form: Template,
  scores: (number | null)[],
  { subject = student, date = '2026-11-10', text = '' } = {},
): Promise<number> => {
  const made = await coordinator.ok(assignEvaluation, {
    params: params(),
    body: {
      TemplateId: form.Id,
      EvaluatorId: form.IsAnonymous ? null : supervisor.Id,
      SubjectId: subject.Id,
      SiteId: site.Id,
      Date: date,
    },
  })
  const body = { Answers: answersOf(form, scores, text), Submit: true, SignedName: 'S' }
  if (form.IsAnonymous) {
    const token = made.Link.split('/').at(-1)!
    await installation.anonymous.ok(saveAnonymousAnswers, { params: { token }, body })
  } else {
    const caller = await installation.as(supervisor)
    await caller.ok(saveAnswers, { params: { evaluationId: made.Id }, body })
  }
  return made.Id
}
const results = (query: object = {}) =>
  coordinator.ok(contract.getEvaluationResults, { params: params(), query })
const comments = (query: object = {}) =>
  coordinator.ok(contract.listResultComments, { params: params(), query })
const anonymous = () =>
  template({ Title: 'Voice', IsAnonymous: true, EvaluatorRole: 'anonymous', SubjectRole: 'student' })

test('results are added up by item, category, subject, site and month, each beside what the program reached', async () => {
  const form = await template()
  await handIn(form, [5, 3])
  await handIn(form, [1, 3], { date: '2026-10-05' })
  await handIn(form, [3, null], { subject: other })
  const items = await results({ sort: 'Name' })
  expect(
    items.Items.map(({ Name, Answers, Mean, Percent, Low }) => [Name, Answers, Mean, Percent, Low]),
  ).toEqual([
    ['Positions the patient', 2, 3, 50, 0],
    ['Verifies the patient', 3, 3, 50, 1],
  ])
  expect(items.Totals).toEqual({ Answers: 5, Percent: 50, ProgramPercent: 50, Low: 1 })
  expect(items.Fifths).toEqual([1, 0, 3, 0, 1])
  expect(items.Trend.map(({ Month, Percent }) => [Month, Percent])).toEqual([
    ['2026-10', 25],
    ['2026-11', 66.7],
  ])
  const [category] = (await results({ By: 'category' })).Items
  expect(category).toMatchObject({
    Name: 'Competence',
    Detail: 'Student performance',
    Mean: null,
    Answers: 5,
  })
  expect((await results({ By: 'subject' })).Items.map(({ SubjectId }) => SubjectId).toSorted()).toEqual(
    [student.Id, other.Id].toSorted(),
  )
  // A page has the rows of the whole list, each as it is when only its subject is asked for.
  const whole = await results({ By: 'subject', sort: '-Name' })
  const pages = await Promise.all(
    [1, 2].map((page) => results({ By: 'subject', sort: '-Name', page, pageSize: 1 })),
  )
  expect(pages.flatMap(({ Items }) => Items)).toEqual(whole.Items)
  for (const page of pages) expect(page).toMatchObject({ Total: 2, Totals: whole.Totals })
  for (const row of whole.Items)
    expect((await results({ By: 'subject', SubjectId: row.SubjectId! })).Items).toEqual([row])
  expect((await results({ By: 'site' })).Items).toMatchObject([{ Name: site.Name, SiteId: site.Id }])
  expect((await results({ By: 'period', sort: 'Name' })).Items.map(({ Key }) => Key)).toEqual([
    '2026-10',
    '2026-11',
  ])

  const november = await results({ SubjectId: student.Id, FromDate: '2026-11-01', sort: 'Name' })
  expect(november.Items.map(({ Percent, ProgramPercent }) => [Percent, ProgramPercent])).toEqual([
    [50, 50],
    [100, 75],
  ])
  const first = form.Items[0]!.Id
  expect((await results({ ItemId: first })).Totals.Answers).toBe(3)
  expect((await results({ CategoryId: form.Categories[1]!.Id })).Totals.Answers).toBe(0)
})

test('a score keeps its place on the scale it was given on', async () => {
  const form = await template()
  await handIn(form, [4, null])
  await installation.owner.query(
    `update score_value set value = value * 10 where program_id = ${program.Id} and value > 4`,
  )
  expect((await results()).Items[0]).toMatchObject({ Mean: 4, Percent: 75 })
})

test('comments are read with question, score and date, the low scores by themselves', async () => {
  const form = await template()
  await handIn(form, [2, 5], { text: 'Calm with patients' })
  const all = await comments()
  expect(all.Total).toBe(2)
  expect(all.Items.map((row) => [row.Item, row.Text, row.Score, row.Date]).toSorted()).toEqual([
    ['Verifies the patient', 'Left the room', 'Score 2', '2026-11-10'],
    ['What should be kept?', 'Calm with patients', null, '2026-11-10'],
  ])
  expect((await comments({ LowOnly: true })).Items).toMatchObject([{ Text: 'Left the room', IsLow: true }])
})

test('an anonymous form shows from three answers on, and then in whole threes', async () => {
  const form = await anonymous()
  for (const score of [1, 2]) await handIn(form, [score, null], { text: `said ${score}` })
  expect(await results()).toMatchObject({
    Items: [],
    Totals: { Answers: 0, Percent: null },
    IsHeldBack: true,
  })
  expect((await comments()).Total).toBe(0)
  const heldBack = async (who: MadePerson) =>
    (await (await installation.as(who)).ok(contract.getOwnResults, { query: {} })).IsHeldBack
  expect([await heldBack(student), await heldBack(other)]).toEqual([true, false])
  await handIn(form, [3, null], { text: 'said 3' })
  const three = await results()
  expect(three.Items).toMatchObject([{ Answers: 3, Mean: 2, Percent: 25 }])
  expect(three.IsHeldBack).toBe(false)
  const said = await comments()
  expect(said.Items.filter(({ Item }) => Item === 'What should be kept?')).toHaveLength(3)
  expect(said.Items.every((row) => !row.Date && !row.Score && !row.EvaluationId)).toBe(true)
  await handIn(form, [5, null])
  await handIn(form, [5, null])
  expect(await results()).toMatchObject({ Items: [{ Answers: 3, Mean: 2 }], IsHeldBack: true })
  await handIn(form, [5, null])
  expect((await results()).Items).toMatchObject([{ Answers: 6, Mean: 3.5 }])
})

test('no combination of filters, and no difference of two, tells about fewer than three anonymous answers', async () => {
  const form = await anonymous()
  const days = ['2026-10-01', '2026-10-20', '2026-11-02', '2026-11-03']
  for (const [index, date] of days.entries()) await handIn(form, [1 + index, index > 1 ? 5 : null], { date })
  await handIn(form, [1, 1], { subject: other, date: '2026-11-04' })
  const filters = [
    {},
    { SubjectId: student.Id },
    { SubjectId: other.Id },
    { SiteId: site.Id },
    { ItemId: form.Items[1]!.Id },
    { CategoryId: form.Categories[0]!.Id },
    ...days.flatMap((day) => [
      { FromDate: day },
      { ThroughDate: day },
      { FromDate: day, ThroughDate: day },
      { SubjectId: student.Id, ThroughDate: day },
      { SiteId: site.Id, SubjectId: student.Id, FromDate: day },
    ]),
  ]
  const counts = new Set<number>()
  for (const filter of filters) {
    for (const By of contract.resultGroups) {
      const found = await results({ ...filter, By })
      for (const row of found.Items) counts.add(row.Answers)
      counts.add(found.Totals.Answers)
      counts.add(found.Fifths.reduce((sum, each) => sum + each, 0))
    }
  }
  expect([...counts].toSorted()).toEqual([0, 3])
  const { body } = await coordinator.call(contract.exportEvaluationResults, {
    params: params(),
    query: { SubjectId: other.Id, Format: 'csv' },
  })
  expect(String(body).trim().split('\n')).toHaveLength(1)
})

test('comments of anonymous forms wait for the scores of their three', async () => {
  const form = await anonymous()
  const said = async () => (await comments()).Items.map(({ Text }) => Text).toSorted()
  for (const text of ['', 'said 2', 'said 3']) await handIn(form, [3, null], { text })
  await handIn(form, [3, null], { text: 'said 4' })
  // Three of them are there, the scores of the fourth form are not.
  expect(await said()).toEqual([])
  await handIn(form, [3, null])
  expect(await said()).toEqual([])
  await handIn(form, [3, null])
  expect(await said()).toEqual(['said 2', 'said 3', 'said 4'])
})

test('attack: two accounts made one, and two again, tell of no single anonymous form about them', async () => {
  const form = await anonymous()
  const admin = await installation.as(await makePerson(installation.owner, Level.Admin, { program }))
  const said = async () => (await comments({ TemplateId: form.Id })).Items.map(({ Text }) => Text).toSorted()
  await handIn(form, [3, 3], { text: 'about the other', subject: other })
  for (const text of ['one', 'two', 'three']) await handIn(form, [3, 3], { text })
  const before = ['one', 'three', 'two']
  expect(await said()).toEqual(before)
  const body = { KeptId: student.Id, MergedId: other.Id }
  const { MergeId } = await admin.ok(mergeAccounts, { params: params(), body })
  expect(await said()).toEqual(before)
  await admin.ok(undoAccountMerge, { params: { ...params(), mergeId: MergeId! } })
  expect(await said()).toEqual(before)
})

/** Shares of the scale that no mean of three of them comes to. */
const unevenValues = [0, 137, 413, 779, 1000]

/** What of a form may be told only together with the two others of its three. */
const tellsOfOne = /"(?:Mean|Score|Percent|TotalScore)":"?(?:1.37|4.13|7.79|13.7|41.3|77.9)\b/

test('no call of any level opens a single anonymous form', { timeout: 120_000 }, async () => {
  const form = await template({
    Title: 'Voice',
    IsAnonymous: true,
    EvaluatorRole: 'anonymous',
    SubjectRole: 'student',
    ScoreTypes: [
      {
        Title: 'Uneven',
        Values: unevenValues.map((value, index) => ({ Label: `Value ${index}`, Value: value / 100 })),
      },
    ],
  })
  const ask = () =>
    coordinator.ok(assignEvaluation, {
      params: params(),
      body: { TemplateId: form.Id, SubjectId: student.Id, SiteId: site.Id, Date: '2026-11-10' },
    })
  const answer = async (index: number, isSubmitted: boolean) => {
    const { Id, Link } = await ask()
    const at = { params: { token: Link.split('/').at(-1)! } }
    const given = await installation.anonymous.ok(saveAnonymousAnswers, {
      ...at,
      body: {
        Answers: [
          {
            ItemId: form.Items[0]!.Id,
            ScoreValueId: form.ScoreTypes[0]!.Values[index]!.Id,
            Comment: `zzq${index}q`,
          },
          { ItemId: form.Items[1]!.Id, ScoreValueId: form.ScoreTypes[0]!.Values[index]!.Id },
          { ItemId: form.Items[2]!.Id, Text: `zzq${index}q` },
        ],
        Submit: isSubmitted,
      },
    })
    expect(given.Answers).toHaveLength(3)
    return { Id, at }
  }
  const forms: Awaited<ReturnType<typeof answer>>[] = []
  for (const index of unevenValues.keys()) forms.push(await answer(index, index < 4))
  // Whoever passed the link on has it too.
  const open = await installation.anonymous.ok(getAnonymousForm, forms[4]!.at)
  expect(open).toMatchObject({ Answers: [], Score: null, MayFill: true })

  const ids: Record<string, number[]> = {
    programId: [program.Id],
    templateId: [form.Id],
    siteId: [site.Id],
    studentId: [student.Id],
    userId: [student.Id],
    // One that was submitted and one that is open: the others differ in their answers alone.
    evaluationId: [forms[0]!.Id, forms.at(-1)!.Id],
  }
  const queries = (endpoint: AnyEndpoint): object[] => {
    const shape = (endpoint.query as z.ZodObject | undefined)?.shape ?? {}
    const known = {
      search: 'zzq',
      Format: 'csv',
      TemplateId: form.Id,
      SubjectId: student.Id,
      SiteId: site.Id,
      Status: 1,
      pageSize: 100,
    }
    const given = Object.fromEntries(Object.entries(known).filter(([name]) => name in shape))
    return [
      {},
      ...(Object.keys(given).length > 0 ? [given] : []),
      ...('By' in shape ? [...contract.resultGroups, 'comment'].map((By) => ({ ...given, By })) : []),
    ]
  }
  /** They take a tenth of a second each, and know no evaluation. */
  const isLong = new Set(['/openapi.json', '/hours-record/export'])
  const told: string[] = []
  let calls = 0
  for (const name of matrixLevels) {
    const level = Level[name]
    const person = await makePerson(installation.owner, level, { program })
    if (level === Level.Supervisor)
      await installation.owner.query(
        'insert into supervisor_site (program_id, account_id, site_id) values ($1, $2, $3)',
        [program.Id, person.Id, site.Id],
      )
    const callers = [
      await installation.as(person),
      ...(level === Level.Student ? [await installation.as(student)] : []),
    ]
    for (const caller of callers)
      for (const endpoint of allEndpoints) {
        const isRead = endpoint.method === 'GET' && endpoint.answers !== 'stream'
        const isOfForm = endpoint.path.includes(':evaluationId')
        if (endpoint.may === 'everyone' || !(isRead || isOfForm) || isLong.has(endpoint.path)) continue
        if (endpoint.may !== 'signed-in' && !may({ AccessLevel: level, SuperAdminAreas: null }, endpoint.may))
          continue
        const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, each]) => each!)
        const all = names.reduce<Record<string, number>[]>(
          (some, each) =>
            some.flatMap((one) => (ids[each] ?? [forms[0]!.Id]).map((id) => ({ ...one, [each]: id }))),
          [{}],
        )
        for (const one of all)
          for (const query of isRead ? queries(endpoint) : [{}]) {
            const address = addressOf(endpoint, { params: one, query })
            const { status, body } = await caller.send(endpoint.method, address, isRead ? undefined : {})
            calls++
            if (status >= 300) continue
            const text = typeof body === 'string' ? body : JSON.stringify(body)
            const marks = new Set(text.match(/zzq\dq/g))
            if (
              tellsOfOne.test(text) ||
              (marks.size > 0 && [...marks].toSorted().join() !== 'zzq0q,zzq1q,zzq2q')
            )
              told.push(`${name} ${endpoint.method} ${address}: ${[...marks]}`)
          }
      }
  }
  expect(told).toEqual([])
  expect(calls).toBeGreaterThan(1000)
  const shown = await comments({ TemplateId: form.Id, pageSize: 100 })
  expect(shown.Total).toBe(6)
  for (const { Id } of forms)
    expect((await coordinator.call(getAnswers, { params: { evaluationId: Id } })).body).toMatchObject({
      Code: 'anonymous',
    })
  const { rows } = await installation.owner.query(
    `select string_agg(to_jsonb(x)::text, '') as text from (
       select detail from audit where program_id = $1 union all select data from webhook_event where program_id = $1) x`,
    [program.Id],
  )
  expect(rows[0].text).not.toMatch(/zzq\dq/)
})

test('of an anonymous form the day is kept and never the moment', async () => {
  const form = await anonymous()
  const id = await handIn(form, [3, 4])
  const { rows } = await installation.owner.query(
    `select distinct to_char(at, 'HH24:MI:SS') as at from (
       select answered_at as at from evaluation_answer where program_id = $1 and evaluation_id = $2
       union all select unnest(array[updated_at, submitted_at]) from evaluation where program_id = $1 and id = $2
       union all select made_at from evaluation_form where program_id = $1) as kept`,
    [program.Id, id],
  )
  expect(rows).toEqual([{ at: '00:00:00' }])
})

test('coordinators hear of low scores, but never of those of an anonymous form', async () => {
  await handIn(await anonymous(), [1, 1])
  expect(await coordinator.ok(listNotifications)).toEqual([])
  const id = await handIn(await template(), [2, 1])
  const told = await coordinator.ok(listNotifications)
  const Link = `/new/evaluate/${id}`
  expect(told).toMatchObject([
    { Kind: 'low_score', Link },
    { Kind: 'evaluation_completed', Link },
  ])
  expect(told[0]!.Text).toMatch(/^2 low scores for .+: Student performance$/)
})

test('a student sees the own results where the template lets them, compared with three others at least', async () => {
  const form = await template()
  const hidden = await template({ Title: 'For staff', IsShownToSubject: false })
  await handIn(form, [5, 5], { text: 'Well done' })
  const hiddenId = await handIn(hidden, [1, 1])
  const caller = await installation.as(student)
  const own = () => caller.ok(contract.getOwnResults, { query: {} })
  for (const _each of [1, 2]) await handIn(form, [3, 3], { subject: other })
  const alone = await own()
  expect(alone.Items.map(({ Percent, ProgramPercent }) => [Percent, ProgramPercent])).toEqual([
    [100, null],
    [100, null],
  ])
  expect(alone.Totals.ProgramPercent).toBeNull()
  expect(alone.Comments.map(({ Text }) => Text)).toEqual(['Well done'])
  await handIn(form, [3, 3], { subject: other })
  expect((await own()).Items[0]).toMatchObject({ Percent: 100, ProgramPercent: 62.5 })
  expect((await caller.ok(listOwnEvaluations)).AboutMe.map(({ Template }) => Template)).toEqual([
    'Student performance',
  ])
  expect((await caller.call(getAnswers, { params: { evaluationId: hiddenId } })).status).toBe(404)
})

test('results are for coordinators of the program, and come as a file', async () => {
  const form = await template()
  await handIn(form, [4, 4], { text: '=1+1' })
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await faculty.call(contract.getEvaluationResults, { params: params() })).status).toBe(403)
  const stranger = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await stranger.call(contract.getEvaluationResults, { params: params() })).status).toBe(404)
  const file = await coordinator.call(contract.exportEvaluationResults, {
    params: params(),
    query: { By: 'comment', Format: 'csv' },
  })
  expect(file.status).toBe(200)
  expect(String(file.body)).toContain("'=1+1")
  const wrong = await coordinator.send('GET', `/programs/${program.Id}/evaluation-results?By=weather`)
  expect(wrong.status).toBe(400)
})
