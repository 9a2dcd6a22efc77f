import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/reports/systematic-plans.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let program: MadeProgram
let director: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  director = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
})

const inProgram = () => ({ params: { programId: program.Id } })
const goalAt = (goalId: number) => ({ params: { programId: program.Id, goalId } })
const outcomeAt = (outcomeId: number) => ({ params: { programId: program.Id, outcomeId } })
const addGoal = (Text = 'Graduates are competent', Year = 2026) =>
  director.ok(contract.addGoal, { ...inProgram(), body: { Year, Text } })
const addOutcome = (goalId: number, Outcome = 'Students position patients') =>
  director.ok(contract.addOutcome, { ...goalAt(goalId), body: { Outcome } })
const plan = (Year?: number, caller = director) =>
  caller.ok(contract.getPlan, { ...inProgram(), query: Year === undefined ? {} : { Year } })
const change = (outcomeId: number, body: Partial<Record<contract.OutcomeField | 'Outcome', string>>) =>
  director.call(contract.changeOutcome, { ...outcomeAt(outcomeId), body })

test('D1-088 a plan has goals with outcomes, each with measure, benchmark, when, who, result and action', async () => {
  const goal = await addGoal()
  const outcome = await addOutcome(goal.Id)
  const texts = {
    Measure: 'Final competency form,\nitems 1 to 8',
    Benchmark: 'Average of 4.0 on a scale of 5',
    When: 'Each May',
    Who: 'Clinical coordinator',
    Result: '4.3',
    Action: 'Benchmark met. Keep on.',
  }
  expect((await change(outcome.Id, texts)).body).toEqual({
    Id: outcome.Id,
    Outcome: 'Students position patients',
    ...texts,
  })
  await addOutcome(goal.Id, 'Students shield patients')
  const read = await plan(2026)
  expect(read.Year).toBe(2026)
  expect(read.Years).toContain(2026)
  expect(read.Goals).toMatchObject([
    {
      Text: 'Graduates are competent',
      Outcomes: [texts, { Outcome: 'Students shield patients', Measure: '', Action: '' }],
    },
  ])
  expect((await plan(2025)).Goals).toEqual([])
})

test('the current year of the program is shown when none is asked for', async () => {
  const year = Number(
    new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', year: 'numeric' }).format(new Date()),
  )
  const read = await plan()
  expect([read.Year, read.Years]).toEqual([year, [year]])
})

test('a text that is not named stays, so that two people can fill different cells', async () => {
  const goal = await addGoal()
  const { Id } = await addOutcome(goal.Id)
  await Promise.all([change(Id, { Measure: 'Exam' }), change(Id, { Who: 'Director' })])
  expect((await plan(2026)).Goals[0]!.Outcomes).toMatchObject([{ Measure: 'Exam', Who: 'Director' }])
  expect((await change(Id, { Measure: '' })).body).toMatchObject({ Measure: '', Who: 'Director' })
})

test('goals and outcomes need a text; years, lengths and unknown names are checked', async () => {
  const goal = await addGoal()
  const { Id } = await addOutcome(goal.Id)
  for (const body of [{ Outcome: '  ' }, { Measure: 'x'.repeat(2001) }, {}, { Cost: '1' }])
    expect((await change(Id, body as never)).status, JSON.stringify(body).slice(0, 20)).toBe(400)
  for (const body of [
    { Year: 2026, Text: '' },
    { Year: 1989, Text: 'Old' },
    { Year: 2026, Text: 'x'.repeat(501) },
  ])
    expect((await director.call(contract.addGoal, { ...inProgram(), body })).status).toBe(400)
  const early = await director.call(contract.addGoal, { ...inProgram(), body: { Year: 1989, Text: 'Old' } })
  expect((early.body as any).Message).toBe('Year must be at least 1990. Nothing was changed.')
  expect((await plan(2026)).Goals).toHaveLength(1)
})

test('a goal is renamed, deleted with its outcomes, and brought back with them; so is an outcome', async () => {
  const goal = await addGoal()
  const { Id } = await addOutcome(goal.Id)
  await director.ok(contract.changeGoal, { ...goalAt(goal.Id), body: { Text: 'Graduates communicate' } })
  await director.ok(contract.removeGoal, goalAt(goal.Id))
  expect((await plan(2026)).Goals).toEqual([])
  expect((await change(Id, { Result: '4' })).status).toBe(404)
  expect((await director.call(contract.removeGoal, goalAt(goal.Id))).status).toBe(404)
  expect((await director.call(contract.restoreOutcome, outcomeAt(Id))).status).toBe(404)
  await director.ok(contract.restoreGoal, goalAt(goal.Id))
  expect((await plan(2026)).Goals).toMatchObject([{ Text: 'Graduates communicate', Outcomes: [{ Id }] }])
  expect((await director.call(contract.restoreGoal, goalAt(goal.Id))).status).toBe(404)
  await director.ok(contract.removeOutcome, outcomeAt(Id))
  expect((await plan(2026)).Goals[0]!.Outcomes).toEqual([])
  await director.ok(contract.restoreOutcome, outcomeAt(Id))
  expect((await plan(2026)).Goals[0]!.Outcomes).toMatchObject([{ Id }])
})

test('D1-088 a year is copied into the next without results and actions, once', async () => {
  const first = await addGoal('First')
  await addGoal('Second')
  const { Id } = await addOutcome(first.Id)
  await change(Id, { Measure: 'Exam', When: 'May', Result: '4.3', Action: 'Keep on' })
  const gone = await addOutcome(first.Id, 'Given up')
  await director.ok(contract.removeOutcome, outcomeAt(gone.Id))
  const copy = (FromYear: number, ToYear: number) =>
    director.call(contract.copyPlan, { ...inProgram(), body: { FromYear, ToYear } })
  expect((await copy(2026, 2027)).body).toEqual({ Goals: 2, Outcomes: 1 })
  expect((await plan(2027)).Goals).toMatchObject([
    { Text: 'First', Outcomes: [{ Measure: 'Exam', When: 'May', Result: '', Action: '' }] },
    { Text: 'Second', Outcomes: [] },
  ])
  expect((await plan(2026)).Goals[0]!.Outcomes).toMatchObject([{ Result: '4.3' }])
  expect((await copy(2026, 2027)).status).toBe(409)
  expect((await copy(2030, 2031)).status).toBe(422)
  expect((await copy(2026, 2026)).status).toBe(400)
})

test('two copies at once fill the year once', async () => {
  await addGoal()
  const body = { FromYear: 2026, ToYear: 2027 }
  const answers = await Promise.all(
    [1, 2, 3].map(() => director.call(contract.copyPlan, { ...inProgram(), body })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await plan(2027)).Goals).toHaveLength(1)
})

test('a year takes 50 goals and a goal 50 outcomes', async () => {
  const goal = await addGoal()
  await installation.owner.query(
    `insert into plan_goal (program_id, year, text) select $1, 2026, 'Goal ' || n from generate_series(2, 50) n`,
    [program.Id],
  )
  await installation.owner.query(
    `insert into plan_outcome (program_id, goal_id, outcome) select $1, $2, 'Outcome ' || n from generate_series(1, 50) n`,
    [program.Id, goal.Id],
  )
  const refused = await director.call(contract.addGoal, {
    ...inProgram(),
    body: { Year: 2026, Text: 'More' },
  })
  expect(refused.status).toBe(422)
  expect(
    (await director.call(contract.addOutcome, { ...goalAt(goal.Id), body: { Outcome: 'More' } })).status,
  ).toBe(422)
  await addGoal('Elsewhere', 2027)
})

test('D1-088 the plan is downloaded as a spreadsheet and as a PDF', async () => {
  const goal = await addGoal('Graduates are competent')
  const { Id } = await addOutcome(goal.Id)
  await change(Id, { Measure: '=1+1', Result: '4.3' })
  await addGoal('Graduates are employed')
  const download = (Format: 'xlsx' | 'csv' | 'pdf') =>
    director.call(contract.exportPlan, { ...inProgram(), query: { Year: 2026, Format } })
  const csv = await download('csv')
  expect(String(csv.body).trim().split('\r\n')).toEqual([
    'Goal,Outcome,Measure,Benchmark,When,Who,Result,Action',
    "Graduates are competent,Students position patients,'=1+1,,,,4.3,",
    'Graduates are employed,,,,,,,',
  ])
  const xlsx = await download('xlsx')
  expect(xlsx.headers.get('content-disposition')).toContain('Systematic plan 2026.xlsx')
  expect(String(xlsx.body).startsWith('PK')).toBe(true)
  const pdf = await download('pdf')
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  expect(String(pdf.body).startsWith('%PDF')).toBe(true)
})

test('D1-088 faculty and coordinators read, directors write, others see nothing; another program does not exist', async () => {
  const goal = await addGoal()
  const { Id } = await addOutcome(goal.Id)
  for (const level of [Level.Faculty, Level.Coord]) {
    const reader = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await plan(2026, reader)).Goals).toHaveLength(1)
    const body = { Year: 2026, Text: 'Mine' }
    expect((await reader.call(contract.addGoal, { ...inProgram(), body })).status).toBe(403)
    expect(
      (await reader.call(contract.changeOutcome, { ...outcomeAt(Id), body: { Result: '5' } })).status,
    ).toBe(403)
  }
  const student = await installation.as(await makePerson(installation.owner, Level.Student, { program }))
  expect((await student.call(contract.getPlan, { ...inProgram(), query: {} })).status).toBe(403)
  const other = await makeProgram(installation.owner)
  const stranger = await installation.as(
    await makePerson(installation.owner, Level.Director, { program: other }),
  )
  expect((await stranger.call(contract.getPlan, { ...inProgram(), query: {} })).status).toBe(404)
  const theirs = { programId: other.Id, goalId: goal.Id }
  expect((await stranger.call(contract.changeGoal, { params: theirs, body: { Text: 'Mine' } })).status).toBe(
    404,
  )
  expect(
    (
      await stranger.call(contract.changeOutcome, {
        params: { programId: other.Id, outcomeId: Id },
        body: { Result: '5' },
      })
    ).status,
  ).toBe(404)
})
