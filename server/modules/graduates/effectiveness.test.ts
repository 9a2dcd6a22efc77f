import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { addDays, addMonths } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/graduates/effectiveness.ts'
import { addClass, createGraduate, updateGraduate } from '#contract/graduates/graduates.ts'
import { exportEmployment, listPlacementRates, saveOwnEmployment } from '#contract/people/employment.ts'
import { getOutcomes } from '#contract/reports/outcomes.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow } from '#server/test/factories.ts'
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

const params = () => ({ programId: program.Id })
const get = () => director.ok(contract.getEffectiveness, { params: params() })
const start = (Profile: 'jrcert' | 'jrcdms' | 'coarc' | 'acen' = 'jrcert') =>
  director.ok(contract.startFromProfile, { params: params(), body: { Profile } })
/** A graduate of long ago, so that every window is over. */
const graduate = (year: number, columns: Record<string, unknown> = {}, of: { Id: number } = program) =>
  makeRow(installation.owner, 'graduate', {
    program_id: of.Id,
    first_name: 'A',
    last_name: 'B',
    entered_on: `${year - 2}-08-20`,
    graduated_on: `${year}-05-15`,
    ...columns,
  })
const tested = (year: number, result: 'passed' | 'failed') =>
  graduate(year, {
    first_attempt_on: `${year}-07-01`,
    first_attempt_result: result,
    passed_on: result === 'passed' ? `${year}-07-01` : null,
    placement: 'field',
  })
/** What is saved is what was read, without results. */
const inputOf = ({
  IsPublic,
  Introduction,
  Measures,
}: contract.Effectiveness): contract.EffectivenessInput => ({
  IsPublic,
  Introduction,
  Measures: Measures.map(({ Id: _, Result: _result, ...measure }) => measure),
})
const save = (body: contract.EffectivenessInput) =>
  director.call(contract.saveEffectiveness, { params: params(), body })

test('a program without measures has none, and starts from what its accreditor asks', async () => {
  expect(await get()).toMatchObject({ IsPublic: false, Introduction: '', Measures: [], WithoutExam: 0 })
  expect((await start()).Measures.map(({ Name }) => Name)).toEqual([
    'Credentialing examination pass rate',
    'Job placement rate',
    'Program completion rate',
  ])
  expect((await start('acen')).Measures).toHaveLength(5)
})

test('rates are those of the graduates, with the numbers behind them', async () => {
  await start()
  for (const result of ['passed', 'passed', 'passed', 'failed'] as const) await tested(2021, result)
  await tested(2022, 'failed')
  await graduate(2022, { placement: 'military' })
  await graduate(2022, { deleted_at: 'now()', placement: 'field' })
  const { Measures, WithoutExam, WithoutPlacement } = await get()
  expect(Measures.map(({ Result }) => Result.Pooled)).toEqual([
    { From: 2021, Through: 2022, Numerator: 3, Denominator: 5, Rate: 60 },
    { From: 2021, Through: 2022, Numerator: 5, Denominator: 5, Rate: 100 },
    { From: 2022, Through: 2022, Numerator: 2, Denominator: 2, Rate: 100 },
  ])
  expect(Measures.map(({ Result }) => Result.IsMet)).toEqual([false, true, null])
  expect([WithoutExam, WithoutPlacement]).toEqual([1, 0])
  // The people behind each rate are those who were counted in it, and of the others it is said why not.
  for (const { Id: measureId, Result } of Measures) {
    const people = await director.ok(contract.listMeasurePeople, { params: { ...params(), measureId } })
    const inRate = people.filter(({ IsInRate }) => IsInRate)
    expect([inRate.filter(({ State }) => State === 'success').length, inRate.length]).toEqual([
      Result.Pooled!.Numerator,
      Result.Pooled!.Denominator,
    ])
    for (const { State, Reason } of people)
      expect(Reason === null).toBe(State === 'success' || State === 'counted')
  }
})

test('a director changes measures and enters totals of a year, which go before what is counted', async () => {
  const before = inputOf(await start())
  await tested(2021, 'failed')
  const [first, ...others] = before.Measures
  const Measures = [
    {
      ...first!,
      Name: 'Pass rate',
      Threshold: 82.5,
      Years: 1,
      Entered: [{ Year: 2021, Numerator: 33, Denominator: 40, Mean: 88.25 }],
    },
    ...others.slice(0, 1),
  ]
  expect(
    (await save({ ...before, Introduction: 'Our results', Measures, Seen: { Measures: before.Measures } }))
      .status,
  ).toBe(200)
  const after = await get()
  expect(after.Introduction).toBe('Our results')
  expect(inputOf(after).Measures).toEqual(Measures)
  expect(after.Measures[0]!.Result).toMatchObject({
    Pooled: { Numerator: 33, Denominator: 40, Rate: 82.5 },
    IsMet: true,
  })
  const { rows } = await installation.owner.query(
    `select detail from audit where program_id = $1 and action = 'POST /programs/:programId/effectiveness'`,
    [program.Id],
  )
  expect(rows[0].detail).toMatchObject({ Before: { Measures: [{ Threshold: 75 }, {}, {}] } })
})

test('measures that mean nothing are refused, and nothing is saved', async () => {
  const before = inputOf(await start())
  const [first] = before.Measures
  const withFirst = (more: object) => ({ ...before, Measures: [{ ...first!, ...more }] })
  const year = { Year: 2021, Numerator: 1, Denominator: 2, Mean: null }
  for (const body of [
    withFirst({ Name: '' }),
    withFirst({ Success: 'field' }),
    withFirst({ Population: 'entered' }),
    withFirst({ Threshold: null }),
    withFirst({ Target: 'none' }),
    withFirst({ Threshold: 101 }),
    withFirst({ Years: 11 }),
    withFirst({ WithinMonths: 0 }),
    withFirst({ Entered: [year, year] }),
    withFirst({ Entered: [{ ...year, Numerator: 3 }] }),
    withFirst({ Entered: [{ ...year, Denominator: null }] }),
    { ...before, Measures: Array.from({ length: 21 }, () => first!) },
  ])
    expect((await save(body as contract.EffectivenessInput)).status, JSON.stringify(body).slice(0, 300)).toBe(
      400,
    )
  expect(inputOf(await get())).toEqual(before)
})

test('a save that started from an older state is refused', async () => {
  const seen = await start()
  await save({ ...inputOf(seen), Introduction: 'Newer' })
  const late = await director.call(
    contract.saveEffectiveness,
    { params: params(), body: { ...inputOf(seen), Introduction: 'Older' } },
    { headers: { 'if-match': fingerprint(seen) } },
  )
  expect(late.body).toMatchObject({ Code: 'stale' })
  expect((await get()).Introduction).toBe('Newer')
})

test('two who start from a profile at once leave the measures of one', async () => {
  await Promise.all([start('jrcert'), start('acen'), start('coarc')])
  expect([3, 5]).toContain((await get()).Measures.length)
})

test('the export has each rate with its years, as a table and as a PDF', async () => {
  await start()
  for (let count = 0; count < 3; count++) await tested(2021, 'passed')
  await tested(2022, 'failed')
  const file = (Format: 'csv' | 'pdf') =>
    director.ok(contract.exportEffectiveness, { params: params(), query: { Format } })
  const csv = String(await file('csv'))
  expect(csv).toContain('Credentialing examination pass rate,2021–2022,3,4,75,75,,Met')
  expect(csv).toContain('Credentialing examination pass rate,2022,0,1,0,,,')
  expect(String(await file('pdf')).slice(0, 5)).toBe('%PDF-')
})

/** As JRCERT defines the rates, person by person: written from its definitions, and knowing nothing of how the product counts. */
const byDefinition = (people: readonly Outcome[], year: number) => {
  const addMonths = (day: string, months: number) => {
    const moved = new Date(`${day}T00:00:00Z`)
    moved.setUTCMonth(moved.getUTCMonth() + months)
    return moved.toISOString().slice(0, 10)
  }
  const percent = (part: number, whole: number) =>
    whole === 0 ? null : Math.round((1000 * part) / whole) / 10
  const today = new Date().toISOString().slice(0, 10)
  let tested = 0
  let passed = 0
  let seeking = 0
  let employed = 0
  let unknown = 0
  for (const { graduated, attempted, result, placement, started } of people) {
    if (Number(graduated.slice(0, 4)) !== year) continue
    if (attempted !== null && attempted <= addMonths(graduated, 6)) {
      tested += 1
      if (result === 'passed') passed += 1
    }
    const isOver = addMonths(graduated, 12) < today
    if (placement === null) unknown += 1
    // Not actively seeking: continuing education, military, no answer to several attempts, not moving, refusing pay or hours.
    if (['education', 'military', 'unreachable', 'notMoving', 'termsRefused'].includes(placement ?? ''))
      continue
    if (placement === null && !isOver) continue
    seeking += 1
    if (placement === 'field' && (started === null || started <= addMonths(graduated, 12))) employed += 1
  }
  return {
    pass: [passed, tested, percent(passed, tested)],
    placement: [employed, seeking, percent(employed, seeking)],
    unknown,
  }
}

interface Outcome {
  graduated: string
  attempted: string | null
  result: 'passed' | 'failed' | null
  placement: string | null
  started: string | null
}

test('every page and file tells the rates that the definitions of the accreditor give, and one for a cohort', async () => {
  const { owner, as } = installation
  await start()
  await owner.query("update program set time_zone = 'UTC' where id = $1", [program.Id])
  const thisYear = new Date().getUTCFullYear()
  const years = [thisYear - 1, thisYear - 2, thisYear - 4]
  const states = [
    'field',
    'field',
    'field',
    'otherField',
    'seeking',
    'education',
    'military',
    'unreachable',
    'notMoving',
    'termsRefused',
    null,
    null,
  ]
  const people = fc.sample(
    fc.record({
      year: fc.constantFrom(...years),
      day: fc.constantFrom('01-15', '05-15', '12-16', '12-30'),
      examDays: fc.option(fc.integer({ min: 1, max: 400 })),
      result: fc.constantFrom('passed' as const, 'failed' as const),
      placement: fc.constantFrom(...states),
      startDays: fc.option(fc.integer({ min: -60, max: 600 })),
    }),
    { numRuns: 60, seed: 20_271 },
  )
  const today = new Date().toISOString().slice(0, 10)
  const outcomes: Outcome[] = []
  for (const { year, day, examDays, result, placement, startDays } of people) {
    const graduated = `${year}-${day}`
    const asked = examDays === null ? null : addDays(graduated, examDays)
    const attempted = asked !== null && asked <= today ? asked : null
    const hasJob = placement === 'field' || placement === 'otherField'
    const started = hasJob && startDays !== null ? addDays(graduated, startDays) : null
    const outcome: Outcome = {
      graduated,
      attempted,
      result: attempted === null ? null : result,
      placement,
      started,
    }
    outcomes.push(outcome)
    await graduate(year, {
      cohort: String(year),
      graduated_on: graduated,
      first_attempt_on: attempted,
      first_attempt_result: outcome.result,
      passed_on: outcome.result === 'passed' ? attempted : null,
      placement,
      started_work_on: started,
    })
  }
  const [pass, placement] = (await get()).Measures
  const { Rows, Totals } = await director.ok(listPlacementRates, { params: params() })
  const home = await director.ok(getOutcomes, { params: params(), query: {} })
  const csv = (text: unknown) =>
    String(text)
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
  const rates = csv(await director.ok(exportEmployment, { params: params(), query: { Format: 'csv' } }))
  const measures = csv(
    await director.ok(contract.exportEffectiveness, { params: params(), query: { Format: 'csv' } }),
  )
  for (const year of years) {
    const expected = byDefinition(outcomes, year)
    const told = (measure: contract.MeasureWithResult) => {
      const found = measure.Result.Years.find(({ Year }) => Year === year)!
      return [found.Numerator, found.Denominator, found.Rate]
    }
    expect([year, told(pass!), told(placement!)]).toEqual([year, expected.pass, expected.placement])
    const row = Rows.find(({ Cohort }) => Cohort === String(year))!
    expect([row.Rate, row.Unknown]).toEqual([expected.placement[2], expected.unknown])
    expect(home.Placement.Cohorts.find(({ Cohort }) => Cohort === String(year))!.Rate).toBe(
      expected.placement[2],
    )
    expect(rates.find(([cohort]) => cohort === String(year))!.at(-1)).toBe(
      String(expected.placement[2] ?? ''),
    )
    const line = measures.find(([name, of]) => name === placement!.Name && of === String(year))!
    expect(line.slice(2, 5)).toEqual(expected.placement.map((figure) => String(figure ?? '')))
    expect(line[6]).toBe(String(expected.unknown))
    expect(placement!.Result.Years.find(({ Year }) => Year === year)!.Unknown).toBe(expected.unknown)
  }
  expect(home.Placement.Rate).toBe(Totals.Rate)
  // What a graduate tells is counted on both pages at once.
  const alumnus = await makePerson(owner, Level.Alumnus, { program, cohort: 'One' })
  await graduate(thisYear - 2, {
    account_id: alumnus.Id,
    cohort: 'One',
    graduated_on: `${thisYear - 2}-05-15`,
    placement: 'seeking',
  })
  const rateOfOne = async () =>
    (await director.ok(listPlacementRates, { params: params() })).Rows.find(({ Cohort }) => Cohort === 'One')
  expect(await rateOfOne()).toMatchObject({ Seeking: 1, Rate: 0 })
  const job = {
    Status: 'field' as const,
    Employer: 'Harbor',
    Position: '',
    StartDate: `${thisYear - 2}-07-01`,
    Credential: '',
    MayContact: false,
  }
  await (await as(alumnus)).ok(saveOwnEmployment, { body: job })
  expect(await rateOfOne()).toMatchObject({ Graduates: 1, Field: 1, Seeking: 0, Rate: 100 })
  const before = placement!.Result.Years.find(({ Year }) => Year === thisYear - 2)!
  const after = (await get()).Measures[1]!.Result.Years.find(({ Year }) => Year === thisYear - 2)!
  expect([after.Numerator, after.Denominator]).toEqual([before.Numerator + 1, before.Denominator + 1])
})

test('graduations and exam results of days to come are refused, one by one, by class and by import', async () => {
  const tomorrow = addDays(new Date().toISOString().slice(0, 10), 2)
  const nobody = {
    FirstName: 'Ida',
    LastName: 'Field',
    EnteredOn: '2020-08-20',
    GraduatedOn: null,
    WithdrewOn: null,
    WithdrawalReason: null,
    FirstAttemptOn: null,
    FirstAttemptResult: null,
    PassedOn: null,
    HighCutOn: null,
    Placement: null,
    StartedWorkOn: null,
  }
  const add = (more: object) =>
    director.call(createGraduate, { params: params(), body: { ...nobody, ...more } })
  for (const more of [
    { GraduatedOn: tomorrow },
    { WithdrewOn: tomorrow, WithdrawalReason: 'medical' },
    { FirstAttemptOn: tomorrow, FirstAttemptResult: 'failed' },
    { FirstAttemptOn: '2024-01-01', FirstAttemptResult: 'failed', PassedOn: tomorrow },
  ]) {
    const refused = await add(more)
    expect([refused.status, (refused.body as { Code?: string }).Code]).toEqual([422, 'in_future'])
  }
  const known = await add({ GraduatedOn: '2022-05-15', Placement: 'field', StartedWorkOn: tomorrow })
  expect(known.status).toBe(200)
  const changed = await director.call(updateGraduate, {
    params: { ...params(), graduateId: known.body.Id },
    body: { ...nobody, GraduatedOn: tomorrow },
  })
  expect(changed.status).toBe(422)
  const whole = await director.call(addClass, {
    params: params(),
    body: { Cohort: '2027', EnteredOn: '2020-08-20', GraduatedOn: tomorrow },
  })
  expect([whole.status, (whole.body as { Code?: string }).Code]).toEqual([422, 'in_future'])
})

interface Entrant {
  entered: string
  graduated: string | null
  withdrew: string | null
  reason: string | null
}

/**
 * Completion as JRCERT defines it: of the students who began, without those who left for reasons that are not academic, those who
 * graduated within the stated length of the program; in the year in which they were to be done.
 */
const completionByDefinition = (people: readonly Entrant[], year: number, length: number) => {
  let completed = 0
  let began = 0
  for (const { entered, graduated, withdrew, reason } of people) {
    const due = new Date(`${entered}T00:00:00Z`)
    due.setUTCMonth(due.getUTCMonth() + length)
    if (due.getUTCFullYear() !== year) continue
    if (withdrew !== null && reason !== 'academic') continue
    began += 1
    if (graduated !== null && new Date(`${graduated}T00:00:00Z`) <= due) completed += 1
  }
  return [completed, began, began === 0 ? null : Math.round((1000 * completed) / began) / 10]
}

test('completion is what the definition of the accreditor gives, class by class, on the page and in the file', async () => {
  const [, , usual] = inputOf(await start()).Measures
  const length = usual!.WithinMonths!
  await installation.owner.query("update program set time_zone = 'UTC' where id = $1", [program.Id])
  const thisYear = new Date().getUTCFullYear()
  const today = new Date().toISOString().slice(0, 10)
  const drawn = fc.sample(
    fc.record({
      year: fc.integer({ min: thisYear - 7, max: thisYear - 1 }),
      day: fc.constantFrom('01-10', '05-31', '08-20', '12-31'),
      // On the day the program should end, one after it, and otherwise around it; or never.
      after: fc.option(fc.constantFrom(-90, -1, 0, 1, 200)),
      reason: fc.option(
        fc.constantFrom('academic', 'medical', 'family', 'financial', 'military', 'otherReason'),
      ),
    }),
    { numRuns: 80, seed: 20_272 },
  )
  const people: Entrant[] = []
  for (const { year, day, after, reason } of drawn) {
    const entered = `${year}-${day}`
    const due = addMonths(entered, length)
    const graduated = reason === null && after !== null ? addDays(due, after) : null
    const withdrew = reason === null ? null : addDays(entered, 100)
    if ((graduated ?? '') > today || (withdrew ?? '') > today) continue
    people.push({ entered, graduated, withdrew, reason })
    await graduate(year, {
      entered_on: entered,
      graduated_on: graduated,
      withdrew_on: withdrew,
      withdrawal_reason: reason,
    })
  }
  const { Result, Name } = (await get()).Measures[2]!
  const lines = String(
    await director.ok(contract.exportEffectiveness, { params: params(), query: { Format: 'csv' } }),
  )
    .split('\r\n')
    .map((line) => line.split(','))
  const years = Result.Years.filter(({ Denominator }) => Denominator > 0)
  expect(years.length).toBeGreaterThan(5)
  for (const { Year, Numerator, Denominator, Rate } of years) {
    const expected = completionByDefinition(people, Year, length)
    expect([Year, Numerator, Denominator, Rate]).toEqual([Year, ...expected])
    if (Result.Pooled && Year !== Result.Pooled.From)
      expect(lines.find(([name, of]) => name === Name && of === String(Year))!.slice(2, 5)).toEqual(
        expected.map(String),
      )
  }
  const classes = new Set(people.map(({ entered }) => Number(addMonths(entered, length).slice(0, 4))))
  for (const year of classes)
    if (!years.some(({ Year }) => Year === year))
      expect(completionByDefinition(people, year, length)[1]).toBe(0)
  // The class that counts is the last of whom everybody should be done.
  const closed = [...classes].filter(
    (year) => year < thisYear && completionByDefinition(people, year, length)[1] !== 0,
  )
  expect(Result.Pooled).toMatchObject({ From: Math.max(...closed), Through: Math.max(...closed) })
})

test('what is published is open to everybody once it is switched on, without anybody of few', async () => {
  const guest = installation.anonymous
  const published = () => guest.call(contract.getPublishedOutcomes, { params: { program: program.Id } })
  const before = inputOf(await start())
  for (let count = 0; count < 6; count++) await tested(2021, 'passed')
  await tested(2022, 'failed')
  await tested(2023, 'passed')
  expect((await published()).status).toBe(404)
  const [first, second] = before.Measures
  await save({
    IsPublic: true,
    Introduction: 'Our results',
    Seen: { Measures: before.Measures },
    Measures: [
      { ...first!, FewestShown: 5 },
      { ...second!, IsPublished: false },
    ],
  })
  const { status, body } = await published()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    Introduction: 'Our results',
    Measures: [
      {
        Name: first!.Name,
        Pooled: { Numerator: 7, Denominator: 8, Rate: 87.5 },
        Years: [
          { Year: 2023, Numerator: null, Denominator: null, Rate: null },
          { Year: 2022, Numerator: null, Denominator: null, Rate: null },
          { Year: 2021, Numerator: 6, Denominator: 6, Rate: 100 },
        ],
      },
    ],
  })
  expect((body as contract.PublishedOutcomes).Measures).toHaveLength(1)
  expect(
    (await guest.call(contract.getPublishedOutcomes, { params: { program: program.Id + 9999 } })).status,
  ).toBe(404)
})

test('coordinators and faculty read, directors change, students and other programs get nothing', async () => {
  const { owner } = installation
  await start()
  for (const level of [Level.Coord, Level.Faculty]) {
    const person = await installation.as(await makePerson(owner, level, { program }))
    const seen = await person.ok(contract.getEffectiveness, { params: params() })
    expect(seen.Measures).toHaveLength(3)
    const change = { params: params(), body: inputOf(seen) }
    expect((await person.call(contract.saveEffectiveness, change)).status).toBe(403)
  }
  const student = await installation.as(await makePerson(owner, Level.Student, { program }))
  expect((await student.call(contract.getEffectiveness, { params: params() })).status).toBe(403)
  const other = await makeProgram(owner)
  expect((await director.call(contract.getEffectiveness, { params: { programId: other.Id } })).status).toBe(
    404,
  )
  await graduate(2021, {}, other)
  expect((await get()).Measures.every(({ Result }) => Result.Pooled === null)).toBe(true)
})
