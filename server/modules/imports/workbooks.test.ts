import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { importables, programImportKinds } from '#contract/imports/import-kinds.ts'
import * as contract from '#contract/imports/imports.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { importAnswer } from '#server/test/tasks.ts'
import { lyingAboutSize, ownWorkbook, rawWorkbook } from '#server/test/workbook.ts'

const needsPeople = new Set([
  'assignments',
  'verifications',
  'requirement-results',
  'dose-readings',
  'rankings',
])

let installation: Installation
let program: MadeProgram
let coordinator: Caller

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})

type Kind = (typeof programImportKinds)[number]
const send = async (
  Kind: Kind,
  content: Uint8Array,
  query: { DryRun?: boolean; SkipErrors?: boolean } = {},
  body?: { mapping?: Record<string, string> },
) =>
  importAnswer(
    installation,
    coordinator,
    await coordinator.call(
      contract.importIntoProgram,
      { params: { programId: program.Id }, query: { Kind, ...query }, ...(body && { body }) },
      { files: [{ field: 'file', name: 'rows.xlsx', content }] },
    ),
  )
const sure = async (...input: Parameters<typeof send>): Promise<contract.ImportResult> => {
  const { status, body } = await send(...input)
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
  return body as contract.ImportResult
}
const refused = async (content: Uint8Array): Promise<string> => {
  const { Errors, Columns } = await sure('students', content, { DryRun: true })
  expect({ Errors, Columns }).toMatchObject({ Errors: [{ Row: 1, Column: '' }], Columns: [] })
  const { status } = await send('students', content)
  expect(status).toBe(422)
  return Errors[0]!.Message
}
const sampleOf = async (kind: string, caller = coordinator) => {
  const address =
    kind === 'colleges'
      ? addressOf(contract.getCollegeImportSample, { query: { Format: 'xlsx' } })
      : addressOf(contract.getImportSample, {
          params: { programId: program.Id },
          query: { Kind: kind, Format: 'xlsx' },
        })
  const response = await fetch(`${installation.url}/new/api${address}`, { headers: caller.headers })
  return Buffer.from(await response.arrayBuffer())
}
const students = ['Student ID', 'First name', 'Last name', 'Email']
const roster = (...rows: (string | number | null)[][]) => ownWorkbook(students, rows)
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const rowOf = (...cells: string[]) => `<row>${cells.map(text).join('')}</row>`

describe('our own sample', () => {
  test.each(programImportKinds)('D3-043 of %s is read back whole, its notes left out', async (kind) => {
    if (kind === 'employees') await makeSite(installation.owner, program, { name: 'Harbor General' })
    const result = await sure(kind, await sampleOf(kind), { DryRun: true })
    expect(result.Columns).toEqual(importables[kind].fields.map(({ label }) => label))
    expect(Object.keys(result.Mapping)).toHaveLength(importables[kind].fields.length)
    expect(result.Rows).toBe(2)
    // Who is placed or checked by a vendor has to be there first; everything else goes in as it is.
    if (!needsPeople.has(kind)) expect(result).toMatchObject({ ErrorCount: 0, Added: 2, HiddenRows: 0 })
  })

  test('of colleges goes in and out', async () => {
    const admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
    const { status, body } = await admin.call(
      contract.importColleges,
      { query: { Kind: 'colleges' } },
      { files: [{ field: 'file', name: 'sample.xlsx', content: await sampleOf('colleges', admin) }] },
    )
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
    const { ImportId, Added } = body as contract.ImportResult
    expect(Added).toBe(2)
    const undone = await admin.call(contract.undoCollegeImport, { params: { importId: ImportId! } })
    expect(undone.status).toBe(204)
  })

  test('keeps the zeros of what is added below its rows', async () => {
    const bytes = await sampleOf('students')
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
    const result = await sure('students', bytes)
    expect(result.Added).toBe(2)
    const { rows } = await installation.owner.query(
      'select zip from account where program_id = $1 and access_level = 39 order by student_number',
      [program.Id],
    )
    expect(rows.map(({ zip }) => zip)).toEqual(['02740', '02747'])
  })
})

describe('a sheet of a person’s own', () => {
  test('has titles above its header, merged cells, one column of names and zeros that are lost: all of it is read, told and imported', async () => {
    const rows = [
      rowOf('Roster, Fall 2026'),
      rowOf('Made by', 'the office'),
      rowOf('Student ID', 'Name', 'Email', 'ZIP code', 'Phone', 'Cohort'),
      rowOf('S1', 'Gómez, Ana María', 'ana@example.edu', '2115', 'none', '2027'),
      rowOf('S2', 'Jan Lee', 'jan@example.edu', '02740', '(508) 555-0142'),
      rowOf('S3', 'Cher', 'cher@example.edu', '2115-1234', ''),
    ].join('')
    const merged =
      '</sheetData><mergeCells><mergeCell ref="A1:F1"/><mergeCell ref="F4:F6"/></mergeCells><sheetData>'
    const { Added, Warnings } = await sure('students', rawWorkbook([{ name: 'Roster', rows: rows + merged }]))
    expect(Added).toBe(3)
    expect(Warnings.map(({ Row, Message }) => [Row, Message])).toEqual([
      [1, 'Rows 1 to 2 are above the names of the columns and are left out.'],
      [1, 'Name is split into last and first names. Check them in the preview.'],
      [4, '2027 is merged over rows 4 to 6 and counts for each.'],
      [4, '2115 is read as 02115: ZIP codes have five digits.'],
      [6, '2115-1234 is read as 02115-1234: ZIP codes have five digits.'],
    ])
    const { rows: kept } = await installation.owner.query(
      'select first_name, last_name, zip, cohort from account where program_id = $1 and access_level = 39 order by student_number',
      [program.Id],
    )
    expect(kept).toEqual([
      { first_name: 'Ana María', last_name: 'Gómez', zip: '02115', cohort: '2027' },
      { first_name: 'Jan', last_name: 'Lee', zip: '02740', cohort: '2027' },
      { first_name: '', last_name: 'Cher', zip: '02115-1234', cohort: '2027' },
    ])
  })

  test('numbers have no decimals, days are read as Excel keeps them, formulas give their value', async () => {
    await makeSite(installation.owner, program, { name: 'Harbor General' })
    const bytes = rawWorkbook(
      [
        {
          name: 'Team',
          rows: `${rowOf('Site', 'First name', 'Last name', 'Email', 'Date of birth', 'Registry number')}<row>${['Harbor General', 'Ana', 'Lee', 'ana@example.org'].map(text).join('')}<c s="1"><v>32250</v></c><c><f>40000+8213</f><v>48213</v></c></row>`,
        },
      ],
      { styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>' },
    )
    expect(await sure('employees', bytes)).toMatchObject({ Added: 1, ErrorCount: 0 })
    const { rows } = await installation.owner.query(
      'select dob::text as dob, registry_number from employee where program_id = $1',
      [program.Id],
    )
    expect(rows).toEqual([{ dob: '1988-04-17', registry_number: '48213' }])
  })

  test('errors, refused rows and the preview name the sheet’s own rows', async () => {
    const bytes = rawWorkbook([
      { name: 'Cover', rows: rowOf('Fall roster') },
      {
        name: 'Roster',
        rows: [
          `<row r="3">${students.map(text).join('')}</row>`,
          `<row r="4" hidden="1">${['S1', 'Ana', 'Lee', 'ana@example.org'].map(text).join('')}</row>`,
          `<row r="6">${['S2', 'Bo', 'Ito', 'bo@example.org'].map(text).join('')}</row>`,
          `<row r="9">${['S3', '', '', 'cy@example.org'].map(text).join('')}${text('call her')}</row>`,
          `<row r="10">${['S4', 'Di'].map(text).join('')}<c t="e"><f>x</f><v>#N/A</v></c>${text('di@example.org')}</row>`,
        ].join(''),
      },
    ])
    const result = await sure('students', bytes, { DryRun: true })
    expect(result).toMatchObject({ Rows: 3, Added: 1, ErrorRows: 2, HiddenRows: 1 })
    expect(result.Columns).toEqual([...students, 'Column E'])
    expect(result.Errors).toEqual([
      { Row: 9, Column: 'Last name', Message: 'Last name is required and empty.' },
      { Row: 10, Column: 'Last name', Message: 'Last name is a formula that failed: #N/A.' },
    ])
    expect(result.Refused).toEqual([
      { Row: 9, Cells: ['S3', '', '', 'cy@example.org', 'call her'] },
      { Row: 10, Cells: ['S4', 'Di', '#N/A', 'di@example.org', ''] },
    ])
    expect(await sure('students', bytes, { SkipErrors: true })).toMatchObject({ Added: 1 })
  })

  test('columns under any name go where the mapping says', async () => {
    const bytes = await ownWorkbook(['Nr', 'Vorname', 'Name', 'Post'], [[7, 'Ana', 'Lee', 'ana@example.org']])
    const mapping = { StudentNumber: 'Nr', FirstName: 'Vorname', LastName: 'Name', EmailAddress: 'Post' }
    expect(await sure('students', bytes, {}, { mapping })).toMatchObject({ Added: 1 })
    const { rows } = await installation.owner.query(
      'select student_number from account where program_id = $1 and access_level = 39',
      [program.Id],
    )
    expect(rows).toEqual([{ student_number: '7' }])
  })

  test('50,000 rows are checked; more than fit are refused with their number', async () => {
    const people = Array.from({ length: 50_000 }, (_, at) => [`S${at}`, 'Ana', 'Lee', `ana${at}@example.org`])
    expect(await sure('students', await roster(...people), { DryRun: true })).toMatchObject({
      Rows: 50_000,
      Added: 50_000,
      ErrorCount: 0,
    })
    const many = rawWorkbook([
      { name: 'Roster', rows: rowOf(...students) + rowOf('S1').repeat(contract.maxImportRows + 1) },
    ])
    const { Errors } = await sure('students', many, { DryRun: true })
    expect(Errors).toEqual([
      { Row: 1, Column: '', Message: 'The file has 200,001 rows; at most 200,000 fit. Split it.' },
    ])
  }, 120_000)
})

describe('what cannot be read is refused in a sentence, and nothing is imported', () => {
  const compound = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(name, 'utf16le')])

  test('an old workbook, one with a password, an empty one, an archive', async () => {
    expect(await refused(compound('Workbook'))).toMatch(/old Excel workbook \(\.xls\)/)
    expect(await refused(compound('EncryptedPackage'))).toMatch(/has a password/)
    expect(await refused(rawWorkbook([{ name: 'Rows', rows: '' }]))).toMatch(/The workbook is empty/)
    expect(await refused(Buffer.from('504b0304140000', 'hex'))).toMatch(/damaged or incomplete/)
    const headerOnly = await sure('students', await roster(), { DryRun: true })
    expect(headerOnly.Errors).toEqual([{ Row: 1, Column: '', Message: 'The file has a header and no rows.' }])
  })

  test('a workbook that unfolds to far more than it is', async () => {
    const bomb = rawWorkbook([{ name: 'Rows', rows: rowOf(...students) + '<row></row>'.repeat(2_000_000) }])
    expect(bomb.length).toBeLessThan(2_000_000)
    expect(await refused(lyingAboutSize(bomb, 300 * 1024 * 1024))).toMatch(/too large to read/)
    expect(await refused(lyingAboutSize(bomb, 1_000))).toMatch(/damaged/)
  })
})
