import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Importable } from '#contract/core/import-fields.ts'
import { Level } from '#contract/core/levels.ts'
import { importables, programImportKinds } from '#contract/imports/import-kinds.ts'
import * as contract from '#contract/imports/imports.ts'
import { suggestValue } from '#contract/imports/imports-rules.ts'
import { type MadeProgram, makePerson, makeProgram, makeSite } from '#server/test/factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { readTable } from './parse.rules.ts'

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

type Query = { DryRun?: boolean; SkipErrors?: boolean; Remembered?: boolean }
type Body = { mapping?: Record<string, string>; values?: Record<string, Record<string, string>> }
const send = (content: string, query: Query = {}, body?: Body, who = coordinator) =>
  who.call(
    contract.importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'students', ...query }, ...(body && { body }) },
    { files: [{ field: 'file', name: 'roster.csv', content }] },
  )
const sure = async (...input: Parameters<typeof send>): Promise<contract.ImportResult> => {
  const { status, body } = await send(...input)
  expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
  return body
}
const roster =
  'Number,First,Last,Email,Year\nS1,Ana,Lee,ana@example.org,1st year\nS2,Bo,Ito,bo@example.org,2nd year\n'
const levels = async () =>
  (
    await installation.owner.query(
      'select student_level_id::int as level from account where program_id = $1 and access_level = 39 order by student_number',
      [program.Id],
    )
  ).rows.map(({ level }) => level)

describe('values of columns with a fixed set', () => {
  test('unknown values are told with how many rows have them and what the program knows', async () => {
    const result = await sure(roster, { DryRun: true })
    expect(result.Values).toEqual([
      { Field: 'StudentLevel', Text: '1st year', Rows: 1, To: null },
      { Field: 'StudentLevel', Text: '2nd year', Rows: 1, To: null },
    ])
    expect(result.Choices).toEqual({ StudentLevel: ['Level 1', 'Level 2'] })
    expect(result.Errors[0]!.Message).toBe('“1st year” is not a student level. Use Level 1 or Level 2.')
  })

  test('matched, in any case of letters, they go in, and an empty match leaves the cell empty', async () => {
    const mapping = {
      StudentNumber: 'Number',
      FirstName: 'First',
      LastName: 'Last',
      EmailAddress: 'Email',
      StudentLevel: 'Year',
    }
    const values = { StudentLevel: { '1ST YEAR': 'Level 1', '2nd year': '' } }
    expect(await sure(roster, {}, { mapping, values })).toMatchObject({ Added: 2, ErrorCount: 0 })
    expect(await levels()).toEqual([1, null])
  })

  test('columns and values are remembered by program and kind, and only offered when asked for', async () => {
    const mapping = {
      StudentNumber: 'Number',
      FirstName: 'First',
      LastName: 'Last',
      EmailAddress: 'Email',
      StudentLevel: 'Year',
    }
    await sure(
      roster,
      {},
      { mapping, values: { StudentLevel: { '1st year': 'Level 1', '2nd year': 'Level 2' } } },
    )
    const next = roster.replaceAll('S1', 'S3').replaceAll('S2', 'S4').replaceAll('@', '+next@')
    const again = await sure(next, { DryRun: true, Remembered: true })
    expect(again.Mapping).toEqual(mapping)
    expect(again).toMatchObject({ ErrorCount: 0, Added: 2 })
    expect(again.Values.map(({ Text, To }) => [Text, To])).toEqual([
      ['1st year', 'Level 1'],
      ['2nd year', 'Level 2'],
    ])
    expect((await sure(next, { DryRun: true })).ErrorCount).toBe(2)

    const other = await makeProgram(installation.owner)
    const person = await installation.as(
      await makePerson(installation.owner, Level.Coord, { program: other }),
    )
    const foreign = await person.call(
      contract.importIntoProgram,
      { params: { programId: other.Id }, query: { Kind: 'students', DryRun: true, Remembered: true } },
      { files: [{ field: 'file', name: 'roster.csv', content: next }] },
    )
    expect((foreign.body as contract.ImportResult).ErrorCount).toBe(2)
  })

  test('a column that was left out stays left out, and a level that is gone is asked for again', async () => {
    const file = 'First,Last,Email,Cohort,Year\nAna,Lee,ana@example.org,2028,1st year\n'
    const mapping = { FirstName: 'First', LastName: 'Last', EmailAddress: 'Email', StudentLevel: 'Year' }
    await sure(file, {}, { mapping, values: { StudentLevel: { '1st year': 'Level 2' } } })
    await installation.owner.query('update account set student_level_id = 1 where program_id = $1', [
      program.Id,
    ])
    await installation.owner.query('delete from student_level where program_id = $1 and id = 2', [program.Id])
    const again = await sure(file, { DryRun: true, Remembered: true })
    expect(again.Mapping).toEqual(mapping)
    expect(again.Values).toMatchObject([{ Text: '1st year', To: null }])
  })

  test('what most likely is meant is suggested, and nothing where it is not clear', () => {
    const levels = ['Level 1', 'Level 2', 'Graduating']
    expect(suggestValue('1st year', levels)).toBe('Level 1')
    expect(suggestValue('graduating seniors', levels)).toBe('Graduating')
    expect(suggestValue('LEVEL-2', levels)).toBe('Level 2')
    expect(suggestValue('Sophomore', levels)).toBeUndefined()
    expect(suggestValue('Level', levels)).toBeUndefined()
    expect(suggestValue('', levels)).toBeUndefined()
  })
})

describe('rows with errors', () => {
  const file =
    'Student ID,First,Last,Email\nS1,Ana,Lee,ana@example.org\nS2,,,bo@example.org\nS3,Cy,Fox,nobody\nS4,Di,Ray,di@example.org,extra\n'

  test('the counts are about the rows without errors, and the others come back as they are', async () => {
    const result = await sure(file, { DryRun: true })
    expect(result).toMatchObject({ Added: 1, ErrorRows: 3, ErrorCount: 3 })
    expect(result.Refused.map(({ Row, Cells }) => [Row, Cells[0]])).toEqual([
      [3, 'S2'],
      [4, 'S3'],
      [5, 'S4'],
    ])
  })

  test('by default nothing is imported; left out on request, the sound rows go in', async () => {
    expect((await send(file)).status).toBe(422)
    expect(await levels()).toEqual([])
    const result = await sure(file, { SkipErrors: true })
    expect(result).toMatchObject({ Added: 1, ErrorRows: 3 })
    expect(result.ImportId).not.toBeNull()
    expect(await levels()).toEqual([null])
  })

  test('a file in which every row is wrong is refused also then', async () => {
    const { status } = await send('Student ID,First,Last,Email\nS1,Ana,,x\n', { SkipErrors: true })
    expect(status).toBe(422)
  })
})

describe('samples', () => {
  const sample = (kind: string, format: string) =>
    coordinator.send(
      'GET',
      addressOf(contract.getImportSample, {
        params: { programId: program.Id },
        query: { Kind: kind, Format: format },
      }),
    )

  test.each(programImportKinds)(
    'the sample of %s has every column under its label and is read back',
    async (kind) => {
      if (kind === 'employees') await makeSite(installation.owner, program, { name: 'Harbor General' })
      const { body } = await sample(kind, 'csv')
      const table = await readTable(String(body))
      expect(table.errors).toEqual([])
      expect(table.columns).toEqual(importables[kind].fields.map(({ label }) => label))
      expect(table.rows).toHaveLength(2)
      const { status, body: result } = await coordinator.call(
        contract.importIntoProgram,
        { params: { programId: program.Id }, query: { Kind: kind, DryRun: true } },
        { files: [{ field: 'file', name: 'sample.csv', content: String(body) }] },
      )
      expect(status).toBe(200)
      const told = result as contract.ImportResult
      expect(Object.keys(told.Mapping)).toHaveLength(importables[kind].fields.length)
      // Who is placed or checked by a vendor has to be there first; everything else goes in as it is.
      if (!needsPeople.has(kind)) expect(told).toMatchObject({ ErrorCount: 0, Added: 2 })
    },
  )

  test('the workbook has the rows and a sheet of notes with the values that the program knows', async () => {
    const response = await fetch(
      `${installation.url}/new/api${addressOf(contract.getImportSample, {
        params: { programId: program.Id },
        query: { Kind: 'students', Format: 'xlsx' },
      })}`,
      { headers: coordinator.headers },
    )
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const text = (name: string) => new TextDecoder().decode(files[name])
    expect(text('xl/workbook.xml')).toContain('name="Notes"')
    expect(text('xl/sharedStrings.xml')).toContain('maya.okafor@example.edu')
    expect(text('xl/worksheets/sheet2.xml').match(/<row /g)!.length).toBeGreaterThan(1)
    expect(text('xl/sharedStrings.xml')).toContain('One of: Level 1, Level 2.')
  })
})

test('notes of samples have no placeholders: nobody fills them there', () => {
  const notes = Object.values(importables).flatMap((kind: Importable) =>
    kind.fields.map(({ note }) => note ?? ''),
  )
  expect(notes.filter((note) => note !== '').length).toBeGreaterThan(10)
  expect(notes.filter((note) => /[{}]/.test(note))).toEqual([])
})
