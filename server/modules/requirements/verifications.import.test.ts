import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/imports/imports.ts'
import { matchColumns } from '#contract/imports/imports-rules.ts'
import { verificationImport } from '#contract/requirements/verifications-import.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { statusOf } from './verification-status.rules.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let ada: MadePerson

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  ada = await makeStudent(installation.owner, program, {
    first_name: 'Ada',
    last_name: 'Adams',
    student_number: 'A-1',
  })
  await makeStudent(installation.owner, program, {
    first_name: 'Ben',
    last_name: 'Baker',
    student_number: 'B-2',
  })
})

const send = (content: string, query: { DryRun?: boolean } = {}, caller = coordinator) =>
  caller.call(
    contract.importIntoProgram,
    { params: { programId: program.Id }, query: { Kind: 'verifications', ...query } },
    { files: [{ field: 'file', name: 'vendor.csv', content }] },
  )
const kept = async () =>
  (
    await installation.owner.query(
      `select student_id, type, vendor, item, status, result, ordered_on, completed_on, expires_on from verification
        where program_id = $1 and deleted_at is null order by student_id, item`,
      [program.Id],
    )
  ).rows

const immunizations =
  'Student ID,Company,Vaccine,Compliance Status,Date Given,Expiration Date\nA-1,Vaxline,MMR,Compliant,02/03/2026,\nA-1,Vaxline,Influenza,Overdue,,\n"Baker, Ben",Vaxline,MMR,Not Compliant,2026-01-05,01/05/2027\n'

test('a vendor’s columns are found by name', () => {
  expect(
    matchColumns(verificationImport.fields, [
      'Student ID',
      'Company',
      'Vaccine',
      'Compliance Status',
      'Date Given',
      'Expiration Date',
      'Order Date',
      'Disposition',
    ]),
  ).toEqual({
    Student: 'Student ID',
    Vendor: 'Company',
    Requirement: 'Vaccine',
    Status: 'Compliance Status',
    Completed: 'Date Given',
    Expires: 'Expiration Date',
    Ordered: 'Order Date',
    Result: 'Disposition',
  })
})

test.each([
  ['Compliant', 'complete'],
  ['NOT COMPLIANT', 'failed'],
  ['Non-compliant', 'failed'],
  ['Incomplete', 'missing'],
  ['Complete', 'complete'],
  ['Clear', 'complete'],
  ['Not clear', 'failed'],
  ['Consider', 'failed'],
  ['In  Progress', 'pending'],
  ['In review', 'pending'],
  ['Needs review', 'failed'],
  ['Not received', 'missing'],
  ['Waived', 'waived'],
  ['Exemption on file', 'waived'],
  ['Expired', 'complete'],
  ['purple', undefined],
])('%s is %s', (word, status) => {
  expect(statusOf(word)).toBe(status)
})

test('a preview says what would happen and keeps nothing; the import keeps it', async () => {
  const preview = await send(immunizations, { DryRun: true })
  expect(preview.body).toMatchObject({ Rows: 3, Added: 3, Changed: 0, ErrorCount: 0, ImportId: null })
  expect(await kept()).toEqual([])
  const { status, body } = await send(immunizations)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(await kept()).toMatchObject([
    { student_id: ada.Id, type: 2, item: 'Influenza', status: 'missing', completed_on: null },
    { student_id: ada.Id, item: 'MMR', status: 'complete', completed_on: '2026-02-03', expires_on: null },
    { item: 'MMR', status: 'failed', completed_on: '2026-01-05', expires_on: '2027-01-05' },
  ])
})

test('rows with an order date or without a requirement are background checks; a type says otherwise', async () => {
  await send(
    'Student,Vendor,Type,Requirement,Ordered,Completed,Result\nA-1,ClearTrack,,Level 2,01/02/2026,01/09/2026,Clear\nA-1,OtherCheck,,,,,In progress\nB-2,ClearTrack,Immunization,Tdap,01/02/2026,01/09/2026,\nB-2,ClearTrack,background check,Level 1,,,Consider\n',
  )
  expect(await kept()).toMatchObject([
    { type: 1, item: 'Background check', status: 'pending', result: 'In progress' },
    { type: 1, item: 'Level 2', status: 'complete', ordered_on: '2026-01-02', result: 'Clear' },
    { type: 1, item: 'Level 1', status: 'failed', result: 'Consider' },
    { type: 2, item: 'Tdap', status: 'complete' },
  ])
})

test('the same student, vendor and requirement changes the record; the rest stays, and empty cells change nothing', async () => {
  await send(immunizations)
  const again = await send(
    'Student,Vendor,Requirement,Status,Expires\nA-1,VAXLINE,mmr,Complete,03/04/2027\nB-2,Vaxline,MMR,,\n',
  )
  expect(again.body).toMatchObject({ Added: 0, Changed: 1, Unchanged: 1 })
  expect((await kept())[1]).toMatchObject({
    vendor: 'Vaxline',
    item: 'MMR',
    completed_on: '2026-02-03',
    expires_on: '2027-03-04',
  })
})

test('every error is told by row and column, and nothing goes in', async () => {
  const { status, body } = await send(
    [
      'Student,Vendor,Type,Requirement,Status,Ordered,Completed,Expires',
      'Nobody,Vaxline,,MMR,Complete,,,',
      'A-1,,,MMR,Complete,,,',
      'A-1,Vaxline,Blood,MMR,Complete,,,',
      'A-1,Vaxline,2,,Complete,,,',
      'A-1,Vaxline,,MMR,Purple,,,',
      'A-1,Vaxline,,Tdap,Complete,,02/30/2026,',
      'A-1,Vaxline,,MMR,Complete,02/03/2026,01/03/2026,',
      'A-1,Vaxline,,MMR,Complete,,02/03/2026,01/03/2026',
      'B-2,Vaxline,,Flu,Complete,,,',
      'B-2,vaxline,,FLU,Complete,,,',
      'B-2,Vaxline,,Tdap,Complete,,02/03/2099,',
      '',
    ].join('\n'),
  )
  expect(status).toBe(422)
  const { Errors } = body as unknown as contract.ImportResult
  expect(Errors.map(({ Row, Column }) => [Row, Column])).toEqual([
    [2, 'Student'],
    [3, 'Vendor'],
    [4, 'Type'],
    [5, 'Requirement'],
    [6, 'Status'],
    [7, 'Completed'],
    [8, 'Completed'],
    [9, 'Expires'],
    [11, 'Student'],
    [12, 'Completed'],
  ])
  expect(Errors[4]!.Message).toMatch(/“Purple” is not a known status\. Use Complete, Pending/)
  expect(Errors[8]!.Message).toMatch(/Duplicate student, vendor and requirement \(also in row 10\)/)
  expect(await kept()).toEqual([])
})

describe('undo', () => {
  const undo = (importId: number) =>
    coordinator.call(contract.undoImport, { params: { programId: program.Id, importId } })

  test('takes back what was added and changed', async () => {
    const first = await send(immunizations)
    const second = await send(
      'Student,Vendor,Requirement,Status,Expires\nA-1,Vaxline,MMR,Waived,03/04/2027\n',
    )
    expect((await undo(second.body.ImportId!)).status).toBe(204)
    expect((await kept())[1]).toMatchObject({ status: 'complete', expires_on: null })
    expect((await undo(first.body.ImportId!)).status).toBe(204)
    expect(await kept()).toEqual([])
    expect((await send(immunizations)).body).toMatchObject({ Added: 3 })
  })

  test('leaves what was changed since', async () => {
    await send(immunizations)
    const second = await send('Student,Vendor,Requirement,Status\nA-1,Vaxline,MMR,Waived\n')
    await send('Student,Vendor,Requirement,Status\nA-1,Vaxline,MMR,Pending\n')
    const { status, body } = await undo(second.body.ImportId!)
    expect(status).toBe(409)
    expect((body as any).Message).toMatch(/MMR of Ada Adams was changed since/)
  })
})

test('faculty do not import, and a student of another program is not known', async () => {
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await send(immunizations, {}, faculty)).status).toBe(403)
  await makeStudent(installation.owner, await makeProgram(installation.owner), { student_number: 'Z-9' })
  const { body } = await send('Student,Vendor,Requirement\nZ-9,Vaxline,MMR\n', { DryRun: true })
  expect((body as any).Errors[0].Message).toBe('“Z-9” is not an active student of this program.')
})
