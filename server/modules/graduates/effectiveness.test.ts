import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '#contract/core/basis.ts'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/graduates/effectiveness.ts'
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
  expect((await save({ ...before, Introduction: 'Our results', Measures })).status).toBe(200)
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
  expect(csv).toContain('Credentialing examination pass rate,2021–2022,3,4,75,75,Met')
  expect(csv).toContain('Credentialing examination pass rate,2022,0,1,0,,')
  expect(String(await file('pdf')).slice(0, 5)).toBe('%PDF-')
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
