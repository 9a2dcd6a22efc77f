import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/imports/imports.ts'
import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import {
  type MadePerson,
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRotation,
  makeRow,
  makeShift,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'

let installation: Installation
let statements = 0
let program: MadeProgram
let coordinator: Caller
let ama: MadePerson
let shift: { Id: number; Code: string; SiteId: number }

beforeAll(async () => {
  installation = await startInstallation(
    {},
    {
      statements: (_endpoint, count) => {
        statements = count
      },
    },
  )
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  const { owner } = installation
  program = await makeProgram(owner, { options: { AgreementRule: 'off' } })
  coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  ama = await makeStudent(owner, program, { first_name: 'Ama', last_name: 'Kwarteng', student_number: 'N-1' })
  await makeRotation(owner, program, { name: 'Fall' })
  shift = await makeShift(owner, program, { code: 'HG-D', capacity: 1 })
})

const send = (
  content: string,
  {
    DryRun = false,
    mapping,
    caller = coordinator,
  }: { DryRun?: boolean; mapping?: Record<string, string>; caller?: Caller } = {},
) =>
  caller.call(
    contract.importIntoProgram,
    {
      params: { programId: program.Id },
      query: { Kind: 'assignments', DryRun },
      ...(mapping && { body: { mapping } }),
    },
    { files: [{ field: 'file', name: 'plan.csv', content }] },
  )
const placed = async () => {
  const { rows } = await installation.owner.query(
    `select student_id::int as student, site_shift_id::int as shift, date::text from shift_assignment
     where program_id = $1 and removed_at is null order by date, id`,
    [program.Id],
  )
  return rows
}
const head = 'Student,Rotation,Shift,Site,Date\n'

test('assignments come in by number, user name, address or name, in dates as people write them, and are undone', async () => {
  const { owner } = installation
  const others = [
    await makeStudent(owner, program, {
      user_name: `jorn${program.Id}`,
      first_name: 'Jörn',
      last_name: 'Østergård',
    }),
    await makeStudent(owner, program, { email: 'mei@example.org' }),
    await makeStudent(owner, program, { first_name: 'Zoë', last_name: 'de la Cruz' }),
  ]
  const file = `${head}n-1,Fall,HG-D,,11/30/2026\njorn${program.Id},fall,hg-d,,12/1/26\nmei@example.org,FALL,HG-D,,2026-12-02\n"de la Cruz, Zoë",Fall,HG-D,,12/03/2026\n`
  const { status: previewed, body: preview } = await send(file, { DryRun: true })
  expect([previewed, preview.Added, preview.ErrorCount, preview.ImportId]).toEqual([200, 4, 0, null])
  expect(await placed()).toEqual([])
  const { body } = await send(file)
  expect(body).toMatchObject({ Rows: 4, Added: 4, Unchanged: 0, ErrorCount: 0 })
  expect(await placed()).toEqual(
    [ama, ...others].map(({ Id }, index) => ({
      student: Id,
      shift: shift.Id,
      date: ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03'][index],
    })),
  )
  expect((await send(file)).body).toMatchObject({ Added: 0, Unchanged: 4 })
  const at = { params: { programId: program.Id, importId: body.ImportId! } }
  expect((await coordinator.call(contract.undoImport, at)).status).toBe(204)
  expect(await placed()).toEqual([])
  const { rows } = await owner.query('select placed from shift_day where program_id = $1', [program.Id])
  expect(rows.every(({ placed: count }) => count === 0)).toBe(true)
  expect((await send(file)).body).toMatchObject({ Added: 4 })
})

test('every row that breaks a rule is told by row and column, in the words of the dialog, and nobody is placed', async () => {
  const { owner } = installation
  const other = await makeStudent(owner, program, {
    first_name: 'Bo',
    last_name: 'Lin',
    student_number: 'N-2',
  })
  await makeShift(owner, program, { code: 'HG-E', start_time: '12:00', end_time: '20:00' })
  await makeRow(owner, 'day_off', {
    program_id: program.Id,
    name: 'Thanksgiving',
    start_date: '2026-11-26',
    end_date: '2026-11-26',
  })
  const { status, body } = await send(
    `${head}N-1,Fall,HG-D,,11/30/2026\nN-2,Fall,HG-D,,11/30/2026\nN-1,Fall,HG-E,,11/30/2026\nN-1,Fall,HG-D,,11/26/2026\nN-1,Fall,HG-D,,08/01/2026\n`,
  )
  expect(status).toBe(422)
  const { Errors, Message } = body as unknown as contract.ImportResult & { Message: string }
  expect(Errors).toEqual([
    { Row: 3, Column: 'Shift', Message: expect.stringMatching(/is full on Mon 11\/30: 1 of 1 places/) },
    { Row: 4, Column: 'Student', Message: expect.stringMatching(/^Ama Kwarteng is already placed on HG-D/) },
    { Row: 5, Column: 'Date', Message: expect.stringMatching(/is a day off: Thanksgiving/) },
    { Row: 6, Column: 'Date', Message: expect.stringMatching(/lies before Fall/) },
  ])
  expect(Message).toMatch(/^Nothing was imported: row 3, Shift: /)
  expect(await placed()).toEqual([])
  expect(other.Id).toBeGreaterThan(0)
})

test('names that fit nobody, or twice, and dates that are none are errors and never guesses', async () => {
  const { owner } = installation
  const twin = { first_name: 'Sam', last_name: 'Lee' }
  await makeStudent(owner, program, twin)
  await makeStudent(owner, program, twin)
  const gone = { first_name: 'Gone', last_name: 'Away', deactivated_at: '2026-01-01' }
  await makeStudent(owner, program, gone)
  const site = await makeSite(owner, program, { code: 'OTHER', name: 'Other Hospital' })
  await makeShift(owner, program, { code: 'OT-D', site })
  const foreign = await makeStudent(owner, undefined, { student_number: 'FOREIGN' })
  expect(foreign.ProgramId).not.toBe(program.Id)
  const { body } = await send(
    `${head}Sam Lee,Fall,OT-D,OTHER,11/30/2026\nGone Away,Fall,OT-D,OTHER,11/30/2026\nFOREIGN,Fall,OT-D,OTHER,11/30/2026\n` +
      `N-1,Winter,OT-D,OTHER,11/30/2026\nN-1,Fall,NONE,,11/30/2026\nN-1,Fall,HG-D,OTHER,11/30/2026\n` +
      `N-1,Fall,OT-D,OTHER,02/31/2026\nN-1,Fall,OT-D,Other Hospital,11/30/2026\nN-1,Fall,OT-D,other,11/30/2026\n,Fall,OT-D,OTHER,11/30/2026\n`,
    { DryRun: true },
  )
  expect(body.Errors.map(({ Row, Column, Message }) => `${Row} ${Column}: ${Message}`)).toEqual([
    expect.stringMatching(/^2 Student: 2 students are named Sam Lee/),
    expect.stringMatching(/^3 Student: “.*” is not an active student/),
    expect.stringMatching(/^4 Student: “.*” is not an active student/),
    expect.stringMatching(/^5 Rotation: “.*” is not a rotation/),
    expect.stringMatching(/^6 Shift: “.*” is not a shift/),
    expect.stringMatching(/^7 Site: HG-D is a shift of Site \d+, not of OTHER/),
    expect.stringMatching(/^8 Date: Date is not a date/),
    expect.stringMatching(/^10 Student: Duplicate student, shift and date \(also in row 9\)/),
    expect.stringMatching(/^11 Student: Student is required/),
  ])
})

test('an undo keeps the placements that have time records, and names them', async () => {
  const { body } = await send(`${head}N-1,Fall,HG-D,,11/19/2026\nN-1,Fall,HG-D,,11/20/2026\n`)
  const { rows } = await installation.owner.query(
    'select id from shift_assignment where program_id = $1 order by date',
    [program.Id],
  )
  await makeRow(installation.owner, 'time_record', {
    program_id: program.Id,
    student_id: ama.Id,
    kind: 'in',
    occurred_at: '2026-11-19T12:00:00Z',
    date: '2026-11-19',
    assignment_id: rows[0].id,
  })
  const at = { params: { programId: program.Id, importId: body.ImportId! } }
  expect((await coordinator.call(contract.undoImport, at)).status).toBe(204)
  expect(await coordinator.ok(contract.getImport, at)).toMatchObject({
    Kept: 1,
    KeptTold: ['Ama Kwarteng on 11/19/2026 has time records'],
  })
  expect(await placed()).toHaveLength(1)
})

test('D3-007 faculty and other programs import no assignments', async () => {
  const faculty = await installation.as(await makePerson(installation.owner, Level.Faculty, { program }))
  expect((await send(`${head}N-1,Fall,HG-D,,11/30/2026\n`, { caller: faculty })).status).toBe(403)
  const elsewhere = await installation.as(await makePerson(installation.owner, Level.Coord))
  expect((await send(`${head}N-1,Fall,HG-D,,11/30/2026\n`, { caller: elsewhere })).status).toBe(404)
  expect(await placed()).toEqual([])
})

test('a thousand rows go in with no more statements than one, and show in the list', async () => {
  const students = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      makeStudent(installation.owner, program, { student_number: `M-${index}` }),
    ),
  )
  await makeShift(installation.owner, program, { code: 'WIDE', capacity: 50 })
  const day = (index: number) => new Date(Date.UTC(2026, 10, 30 + index)).toISOString().slice(0, 10)
  const rowsOf = (days: number, from: number) =>
    students
      .flatMap((_, student) =>
        Array.from({ length: days }, (_each, index) => `M-${student},Fall,WIDE,,${day(from + index * 2)}\n`),
      )
      .join('')
  expect((await send(`${head}M-0,Fall,WIDE,,${day(-7)}\n`)).status).toBe(200)
  const one = statements
  expect((await send(head + rowsOf(40, 0))).body).toMatchObject({ Added: 1000 })
  expect(statements).toBeLessThanOrEqual(one + 2)
  const list = await coordinator.ok(listShiftAssignments, { params: { programId: program.Id }, query: {} })
  expect((list as { Total?: number | null }).Total ?? 0).toBeGreaterThanOrEqual(1000)
})
