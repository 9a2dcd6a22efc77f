import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { getEffectiveness, startFromProfile } from '#contract/graduates/effectiveness.ts'
import { listGraduates } from '#contract/graduates/graduates.ts'
import { graduateImport } from '#contract/graduates/graduates-import.ts'
import * as contract from '#contract/imports/imports.ts'
import { matchColumns } from '#contract/imports/imports-rules.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

const columns = [
  'Last name',
  'First name',
  'Student ID',
  'Class',
  'Entry date',
  'Graduation date',
  'Withdrawal date',
  'Reason for withdrawal',
  'Exam',
  'Exam date',
  'Exam result',
  'Pass date',
  'Job placement',
  'Hire date',
]
const head = `${columns.join(',')}\n`

let installation: Installation
let program: MadeProgram
let coordinator: Caller
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Director, { program }))
})

const params = () => ({ programId: program.Id })
const send = (content: string, query: { DryRun?: boolean } = {}) =>
  coordinator.call(
    contract.importIntoProgram,
    { params: params(), query: { Kind: 'graduates', ...query } },
    { files: [{ field: 'file', name: 'graduates.csv', content }] },
  )
const list = async () =>
  (await coordinator.ok(listGraduates, { params: params(), query: { pageSize: 500 } })).Items
const errorsOf = async (...rows: string[]) =>
  ((await send(head + rows.join('\n'))).body as { Errors: { Row: number; Message: string }[] }).Errors.map(
    ({ Row, Message }) => `${Row}: ${Message}`,
  )

test('a row that tells of the future is refused by its field, the day before it is taken', async () => {
  await installation.owner.query("update program set time_zone = 'UTC' where id = $1", [program.Id])
  const today = new Date().toISOString().slice(0, 10)
  const row = (graduated: string, exam = '', result = '', passed = '', hired = '') =>
    `Reyes,Ada,A-1,2024,2020-08-20,${graduated},,,${exam && 'ARRT'},${exam},${result},${passed},${hired && 'Employed in the field'},${hired}`
  const tomorrow = addDays(today, 2)
  const refused = async (...cells: Parameters<typeof row>) => {
    const { body } = await send(head + row(...cells))
    return (body as { Errors: { Row: number; Column: string }[] }).Errors.map(
      (one) => `${one.Row} ${one.Column}`,
    )
  }
  expect(await refused(tomorrow)).toEqual(['2 Graduation date'])
  expect(await refused('2024-05-15', tomorrow, 'passed', tomorrow)).toEqual(['2 Exam date', '2 Pass date'])
  expect(await list()).toEqual([])
  expect((await send(head + row(today, today, 'passed', today))).body).toMatchObject({ Added: 1 })
})

test('the columns of a registrar’s list are found by themselves', () => {
  expect(Object.keys(matchColumns(graduateImport.fields, columns))).toHaveLength(columns.length)
})

test('five classes come in, and the three rates are those computed by hand', async () => {
  /** Of each class: passed at first, failed at first, without a job, in military service, withdrew for grades, for family. */
  const made = { 2020: [9, 1, 1, 0, 1, 0], 2021: [10, 0, 2, 1, 0, 1], 2022: [8, 4, 0, 0, 2, 1] } as const
  const later = { 2023: [12, 0, 1, 2, 0, 0], 2024: [10, 4, 3, 1, 1, 2] } as const
  const rows: string[] = []
  for (const [year, counts] of Object.entries({ ...made, ...later })) {
    const [passed, failed, jobless, serving, academic, family] = counts
    const person = (rest: string) =>
      rows.push(`Last${rows.length},First,${rows.length + 1},${year},08/22/${Number(year) - 2},${rest}`)
    for (let n = 0; n < passed + failed; n++) {
      const result = n < passed ? 'Passed' : 'Failed'
      const work =
        n < jobless
          ? 'Looking for work,'
          : n < jobless + serving
            ? 'Active military duty,'
            : `Employed in the field,07/08/${year}`
      person(`05/16/${year},,,ARRT (R),06/20/${year},${result},,${work}`)
    }
    for (let n = 0; n < academic + family; n++)
      person(`,02/12/${Number(year) - 1},${n < academic ? 'Academic' : 'Family'},,,,,,`)
  }
  expect((await send(head + rows.join('\n'))).body).toMatchObject({ Added: rows.length, Errors: [] })
  await coordinator.ok(startFromProfile, { params: params(), body: { Profile: 'jrcert' } })
  const { Measures } = await coordinator.ok(getEffectiveness, { params: params() })
  expect(Measures.map(({ Result }) => Result.Pooled)).toEqual([
    // 9+10+8+12+10 of 10+10+12+12+14.
    { From: 2020, Through: 2024, Numerator: 49, Denominator: 58, Rate: 84.5 },
    // 58 less 4 in service, of whom 7 had no job.
    { From: 2020, Through: 2024, Numerator: 47, Denominator: 54, Rate: 87 },
    // 14 graduates of 2024 and one who left for grades; two family withdrawals are left out.
    { From: 2024, Through: 2024, Numerator: 14, Denominator: 15, Rate: 93.3 },
  ])
  const file = head + rows.join('\n')
  expect((await send(file)).body).toMatchObject({ Added: 0, Changed: 0, Unchanged: rows.length })
})

test('a known student ID is updated, a first attempt that was passed sets the day of passing, empty cells change nothing', async () => {
  await send(`${head}Okafor,Maya,S1,2024,08/22/2022,05/17/2024,,,ARRT (R),,,,,`)
  const later = `${head}Okafor-Bell,Maya,s1,,,,,,,06/20/2024,passed,,Employed in the field,07/08/2024`
  expect((await send(later)).body).toMatchObject({ Added: 0, Changed: 1, Errors: [] })
  expect(await list()).toMatchObject([
    {
      LastName: 'Okafor-Bell',
      Cohort: '2024',
      Exam: 'ARRT (R)',
      FirstAttemptOn: '2024-06-20',
      PassedOn: '2024-06-20',
      Placement: 'field',
    },
  ])
})

test('a person without a student ID is known by name and day of entry, and may get one', async () => {
  await send(`${head}Okafor,Maya,,2024,08/22/2022,05/17/2024,,,,,,,,`)
  expect((await send(`${head}okafor,MAYA,S1,2024,08/22/2022,,,,,,,,,`)).body).toMatchObject({ Changed: 1 })
  expect(await list()).toMatchObject([{ StudentNumber: 'S1' }])
  expect((await send(`${head}Okafor,Maya,,2026,08/22/2024,,,,,,,,,`)).body).toMatchObject({ Added: 1 })
})

test('rows that do not fit are told by row, and nothing comes in', async () => {
  expect(
    await errorsOf(
      'Abel,Bo,S1,2024,08/22/2022,05/17/2021,,,,,,,,',
      'Cruz,Di,S2,2024,08/22/2022,,02/12/2023,,,,,,,',
      'Cruz,Di,S2,2024,08/22/2022,,,,,,,,,',
      'Eck,Flo,S3,2024,08/22/2022,05/17/2024,,,,,,,Working,',
      'Gil,Hal,S4,2024,08/22/2022,,,,,,,,Looking for work,',
    ),
  ).toEqual([
    '2: Graduated must not be before the day of entry.',
    '3: Reason belongs to a withdrawal.',
    '4: This is the same person as in row 3.',
    expect.stringMatching(/^5: “Working” is not a placement\. Use Employed in the field, /),
    '6: Placement belongs to a graduate.',
  ])
  expect(await list()).toEqual([])
})

test('an import can be undone', async () => {
  await send(`${head}Okafor,Maya,S1,2024,08/22/2022,05/17/2024,,,,,,,,`)
  const { Items } = await coordinator.ok(contract.listImports, { params: params(), query: {} })
  await coordinator.ok(contract.undoImport, { params: { ...params(), importId: Items[0]!.Id } })
  expect(await list()).toEqual([])
})
