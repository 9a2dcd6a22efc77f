import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as imports from '#contract/imports/imports.ts'
import { getOwnRequirements } from '#contract/requirements/own-requirements.ts'
import type { Rule } from '#contract/requirements/requirement-rules.ts'
import { transaction } from '#server/core/database/pool.ts'
import { type MadeProgram, makePerson, makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { dayFromNow, makeRequirement } from '#server/test/requirement-proofs.ts'
import { countWrongStandings } from './standings.queries.ts'

let installation: Installation
let program: MadeProgram
let director: Caller
let coordinator: Caller
let ada: Caller
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
const series: Rule = {
  Kind: 'series',
  Schedules: [{ Name: '2 doses', MinDays: [28], TotalDays: 0 }],
  Titer: 'instead',
  Parts: ['Measles', 'Mumps', 'Rubella'],
  TiterFromDays: 30,
  TiterThroughDays: 60,
  GraceDays: 30,
  NonResponder: false,
}
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { time_zone: 'UTC' })
  director = await installation.as(await makePerson(owner, Level.Director, { program }))
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  const made = await makeStudent(owner, program, {
    first_name: 'Ada',
    last_name: 'Adams',
    student_number: 'A-1',
  })
  ada = await installation.as(made)
  await makeRequirement(owner, program, { name: 'Background check', rule: { Kind: 'result' } })
  await makeRequirement(owner, program, { name: 'MMR', rule: series })
  await makeRequirement(owner, program, { name: 'Tdap', rule: { Kind: 'months', Months: 120 } })
  await makeRequirement(owner, program, { name: 'Insurance' })
})

const send = (content: string, query: { DryRun?: boolean } = {}, caller = director) =>
  caller.call(
    imports.importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'requirement-results', ...query } },
    { files: [{ field: 'file', name: 'results.csv', content }] },
  )
const header = 'Student ID,Company,Requirement,Test,Status,Result,Ordered,Completed,Expires\n'
const states = async () =>
  Object.fromEntries(
    (await ada.ok(getOwnRequirements)).Items.map(({ Name, Standing }) => [Name, Standing.State]),
  )
const wrong = () =>
  transaction(installation.services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
    countWrongStandings(db, program.Id),
  )
const day = dayFromNow(-40)

test('complete results become accepted proofs; what a vendor has not finished changes nothing', async () => {
  const file = `${header}A-1,Vaxline,MMR,Dose 1,Complete,,,${dayFromNow(-80)},
A-1,Vaxline,mmr,,Compliant,,,${day},
"Adams, Ada",Vaxline,Tdap,,Overdue,,,,
ada-unknown,Vaxline,Tdap,,Complete,,,${day},
A-1,VerifyOne,Background check,Package A,Complete,Clear,${dayFromNow(-50)},${day},${dayFromNow(300)}
`
  const refused = await send(file, { DryRun: true })
  expect(refused.body).toMatchObject({
    Errors: [
      { Row: 5, Column: 'Student ID', Message: '“ada-unknown” is not an active student of this program.' },
    ],
  })
  const reply = await send(file.replace(/^ada-unknown.*\n/m, ''))
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({ Added: 3, Unchanged: 1 })
  expect(await states()).toEqual({
    'Background check': 'accepted',
    MMR: 'accepted',
    Tdap: 'missing',
    Insurance: 'missing',
  })
  expect(await wrong()).toBe(0)
  // The same file again adds nothing.
  expect((await send(file.replace(/^ada-unknown.*\n/m, ''))).body).toMatchObject({ Added: 0, Unchanged: 4 })
})

test('titers cover their parts, and a negative one is no proof', async () => {
  const titer = (part: string, result: string) =>
    `A-1,Vaxline,MMR,${part} IgG titer,Complete,${result},,${day},\n`
  await send(header + titer('Measles', 'Immune') + titer('Mumps', 'Positive') + titer('Rubella', 'Negative'))
  expect(await states()).toMatchObject({ MMR: 'missing' })
  await send(header + titer('Rubella', 'Positive'))
  expect(await states()).toMatchObject({ MMR: 'accepted' })
  expect(await wrong()).toBe(0)
})

test('a finding is put under review and never ends a check by itself; a new result is another proof', async () => {
  const row = (status: string, result: string, completed: string) =>
    `${header}A-1,VerifyOne,Background check,,${status},${result},${dayFromNow(-50)},${completed},\n`
  await send(row('In progress', '', ''))
  expect(await states()).toMatchObject({ 'Background check': 'submitted' })
  await send(row('Complete', 'Consider', day))
  expect(await states()).toMatchObject({ 'Background check': 'submitted' })
  const { rows } = await installation.owner.query(
    `select events -> 0 ->> 'Result' as result, source, vendor from requirement_proof where program_id = $1 order by id`,
    [program.Id],
  )
  expect(rows).toEqual([
    { result: 'ordered', source: 'vendor', vendor: 'VerifyOne' },
    { result: 'underReview', source: 'vendor', vendor: 'VerifyOne' },
  ])
})

test('results of background checks ask for the right to see them; other results do not', async () => {
  const background = await send(
    `${header}A-1,V,Background check,,Complete,,,${day},\n`,
    { DryRun: true },
    coordinator,
  )
  expect(background.body).toMatchObject({
    Errors: [{ Row: 2, Message: 'Results of background checks and drug screens are for directors.' }],
  })
  expect((await send(`${header}A-1,V,Tdap,,Complete,,,${day},\n`, {}, coordinator)).body).toMatchObject({
    Added: 1,
  })
})

test('unknown requirements, missing dates and dates that cannot be are told with their row', async () => {
  const reply = await send(
    `${header}A-1,V,Scurvy,,Complete,,,${day},
A-1,V,Tdap,,Complete,,,,
A-1,V,Tdap,,Complete,,,${dayFromNow(3)},
A-1,V,Tdap,,Complete,,,01/05/1899,
A-1,V,Insurance,,Complete,,,${day},
`,
    { DryRun: true },
  )
  expect(reply.body).toMatchObject({
    Errors: [
      { Row: 2, Column: 'Requirement' },
      { Row: 3, Column: 'Completed', Message: 'Completed is empty: a result needs its date.' },
      { Row: 4, Column: 'Completed', Message: expect.stringContaining('has not come yet') },
      { Row: 5, Column: 'Completed', Message: expect.stringContaining('not a date such as') },
      { Row: 6, Column: 'Expires', Message: 'Enter the last day on the card or document.' },
    ],
  })
})

test('an end long after the usual is asked about and taken, and one before what was done is refused', async () => {
  const file = (until: string) => `${header}A-1,V,Insurance,,Complete,,,${day},${until}\n`
  const asked = await send(file('2099-12-31'), { DryRun: true })
  expect(asked.body).toMatchObject({
    Added: 1,
    Errors: [],
    Warnings: [
      {
        Row: 2,
        Column: 'Expires',
        Message: 'Insurance would be good until 12/31/2099, longer than usual. Check the year.',
      },
    ],
  })
  expect((await send(file(dayFromNow(-60)), { DryRun: true })).body).toMatchObject({
    Errors: [{ Row: 2, Column: 'Expires', Message: expect.stringContaining('It would end on') }],
  })
  expect((await send(file(dayFromNow(300)), { DryRun: true })).body).toMatchObject({ Warnings: [] })
})

test('an import of results is undone, and what it came to with it', async () => {
  const made = await send(`${header}A-1,V,Tdap,,Complete,,,${day},\n`)
  expect(await states()).toMatchObject({ Tdap: 'accepted' })
  const { Items } = await director.ok(imports.listImports, {
    params: { programId: program.Id },
    query: {},
  })
  expect(made.status).toBe(200)
  await director.ok(imports.undoImport, {
    params: { programId: program.Id, importId: Items[0]!.Id },
  })
  expect(await states()).toMatchObject({ Tdap: 'missing' })
  expect(await wrong()).toBe(0)
})

test('what a vendor reports for the verification pages is the proof of its requirement too, once, and goes with the import', async () => {
  const verify = async (content: string) => {
    const answer = await director.call(
      imports.importIntoProgram,
      { params: { programId: program.Id }, query: { Kind: 'verifications' } },
      { files: [{ field: 'file', name: 'vendor.csv', content }] },
    )
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body as imports.ImportResult
  }
  const columns = 'Student ID,Company,Requirement,Status,Result,Ordered,Completed,Expires\n'
  const before = await states()
  await verify(
    `${columns}A-1,Vaxline,tdap,Complete,,,${day},\nA-1,Vaxline,MMR,Complete,Immune,,${day},\nA-1,VerifyOne,County search,Complete,Clear,${day},${day},\nA-1,Vaxline,Insurance,Pending,,,,\n`,
  )
  expect(await states()).toMatchObject({
    Tdap: 'accepted',
    MMR: 'accepted',
    'Background check': 'accepted',
  })
  expect((await states()).Insurance).toBe(before.Insurance)
  expect(await wrong()).toBe(0)
  // The same again, by either import, is no second proof.
  await verify(`${columns}A-1,Vaxline,Tdap,Complete,,,${day},\n`)
  expect((await send(`${header}A-1,Vaxline,Tdap,,Complete,,,${day},\n`)).body).toMatchObject({ Unchanged: 1 })
  // What is finished later is a proof then; a finding is for staff to decide.
  const later = await verify(
    `${columns}A-1,Vaxline,Insurance,Complete,,,${day},${dayFromNow(300)}\nA-1,VerifyOne,County search,Needs review,,${dayFromNow(-2)},${dayFromNow(-1)},\n`,
  )
  expect(await states()).toMatchObject({ Insurance: 'accepted', 'Background check': 'submitted' })
  const undone = { params: { programId: program.Id, importId: later.ImportId! } }
  expect((await director.call(imports.undoImport, undone)).status).toBe(204)
  expect(await states()).toMatchObject({ Insurance: 'missing', 'Background check': 'accepted' })
  expect(await wrong()).toBe(0)
})
