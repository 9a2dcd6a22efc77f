import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as lists from '#contract/competencies/competency-lists.ts'
import { lineOf } from '#contract/competencies/log-line.ts'
import * as verification from '#contract/competencies/log-verification.ts'
import * as contract from '#contract/competencies/procedure-logs.ts'
import { Level } from '#contract/core/levels.ts'
import { makePerson, makeRotation, makeRow, makeShift, makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { type Logging, startLogging } from '#server/test/procedure-logging.ts'

let installation: Installation
let at: Logging
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  at = await startLogging(installation)
})

const standing = async (procedureId: number) =>
  (await at.ada.ok(contract.getOwnStanding)).Procedures.find(({ Id }) => Id === procedureId)!

test("logging begins with today's shift, its site and the supervisor of the last time", async () => {
  const first = await at.ada.ok(contract.getLogContext, {})
  expect(first).toMatchObject({
    Date: at.today,
    Shift: { SiteId: at.site.Id, Site: at.site.Name },
    SupervisorId: null,
    Sites: [{ SiteId: at.site.Id, Supervisors: [{ Id: expect.any(Number) }, { Id: expect.any(Number) }] }],
  })
  await at.log()
  expect((await at.ada.ok(contract.getLogContext, {})).SupervisorId).toBe(at.supervisorId)
  expect(await at.ada.ok(contract.getLogContext, { query: { Date: at.yesterday } })).toMatchObject({
    Date: at.yesterday,
    Shift: null,
  })
})

test('whoever is clocked in begins where they are: at the shift they are in for, or at the site without one', async () => {
  const clockIn = (more: object) =>
    makeRow(installation.owner, 'time_record', {
      program_id: at.program.Id,
      student_id: at.student.Id,
      site_id: at.other.Id,
      kind: 'in',
      occurred_at: new Date(Date.now() - 60_000).toISOString(),
      date: at.today,
      ...more,
    })
  const shift = await makeShift(installation.owner, at.program, { site: at.other })
  const night = await makeRow(installation.owner, 'shift_assignment', {
    program_id: at.program.Id,
    rotation_id: (await makeRotation(installation.owner, at.program, { start_date: '2020-01-01' })).Id,
    site_shift_id: shift.Id,
    site_id: at.other.Id,
    student_id: at.student.Id,
    date: at.today,
    starts_at: `${at.today}T23:59:30Z`,
    ends_at: new Date(Date.parse(at.today) + 30 * 3_600_000).toISOString(),
  })
  const read = () => at.ada.ok(contract.getLogContext, {})
  expect(await read()).toMatchObject({ SiteId: at.site.Id, Shift: { SiteId: at.site.Id } })
  const { id } = await clockIn({ assignment_id: night.id })
  expect(await read()).toMatchObject({ SiteId: at.other.Id, Shift: { AssignmentId: night.id } })

  const person = await makeStudent(installation.owner, at.program)
  const free = await installation.as(person)
  expect(await free.ok(contract.getLogContext, {})).toMatchObject({ SiteId: null, Shift: null, Sites: [] })
  await clockIn({ student_id: person.Id })
  const site = { SiteId: at.other.Id, Name: at.other.Name, Supervisors: [{ Id: expect.any(Number) }] }
  const there = { SiteId: at.other.Id, Shift: null, SupervisorId: site.Supervisors[0]!.Id, Sites: [site] }
  expect(await free.ok(contract.getLogContext, {})).toMatchObject(there)
  // Looking back at the day it is the same, after the clock-out too.
  await installation.owner.query('update time_record set partner_id = $1 where student_id = $2', [
    id,
    person.Id,
  ])
  expect(await free.ok(contract.getLogContext, { query: { Date: at.today } })).toMatchObject(there)
})

test('lines of a day are saved in one call and read back by day; a key sent again is answered and not doubled', async () => {
  const [one, two] = [randomUUID(), randomUUID()]
  const lines = [
    { Key: one, ProcedureId: at.routine, LevelId: at.performed, Count: 4 },
    { Key: two, ProcedureId: at.routine, LevelId: at.observed, Note: 'AP and lateral' },
  ]
  const saved = await at.save(lines)
  expect(saved.status).toBe(200)
  const again = await at.save([...lines, { ProcedureId: at.ribs, LevelId: at.performed }])
  expect(again.body.Saved.slice(0, 2)).toEqual(expect.arrayContaining(saved.body.Saved))
  expect(await at.entries()).toMatchObject([
    {
      Procedure: 'Chest Routine',
      Level: 'Performed',
      Count: 4,
      State: 'submitted',
      HasShift: true,
      Site: at.site.Name,
    },
    { Procedure: 'Chest Routine', Level: 'Observed', Count: 1, Note: 'AP and lateral' },
    { Procedure: 'Ribs' },
  ])
  // Also when both are sent at once, and when the entry is gone by then.
  const key = randomUUID()
  const racing = await Promise.all(
    [1, 2, 3].map(() => at.save([{ Key: key, ProcedureId: at.ribs, LevelId: at.performed }])),
  )
  expect(new Set(racing.map(({ body }) => body.Saved[0]!.Id)).size).toBe(1)
  const entry = (await at.entries()).find(({ Id }) => Id === racing[0]!.body.Saved[0]!.Id)!
  expect((await at.erase(entry)).status).toBe(204)
  expect((await at.save([{ Key: key, ProcedureId: at.ribs, LevelId: at.performed }])).body.Saved).toEqual([
    { Key: key, Id: entry.Id },
  ])
  expect((await at.entries()).map(({ Id }) => Id)).not.toContain(entry.Id)
})

test('a day without a shift is marked, and nothing is logged ahead or more than a year ago', async () => {
  const line = { ProcedureId: at.routine, LevelId: at.performed }
  expect((await at.save([line], { date: at.yesterday, SupervisorId: null })).status).toBe(200)
  expect(await at.entries()).toMatchObject([{ HasShift: false, Site: null, Supervisor: null }])
  expect((await at.save([line], { date: at.yesterday, SiteId: at.site.Id })).status).toBe(200)
  expect((await at.entries())[1]).toMatchObject({ HasShift: false, Site: at.site.Name })
  for (const date of ['2099-01-01', '2020-01-01'])
    expect((await at.save([line], { date })).body).toMatchObject({ Errors: [{ Field: 'Date' }] })
  await installation.owner.query('update program set active_from = current_date where id = $1', [
    at.program.Id,
  ])
  expect((await at.save([line], { date: at.yesterday })).body).toMatchObject({ Errors: [{ Field: 'Date' }] })
})

test('nothing is logged before the student entered the program', async () => {
  await installation.owner.query(
    `insert into graduate (program_id, account_id, first_name, last_name, entered_on)
      values ($1, $2, 'Ada', 'Lee', current_date)`,
    [at.program.Id, at.student.Id],
  )
  const line = { ProcedureId: at.routine, LevelId: at.performed }
  const before = await at.save([line], { date: at.yesterday, SiteId: at.site.Id })
  expect(before.body).toMatchObject({
    Errors: [{ Field: 'Date', Message: expect.stringContaining('You entered the program on') }],
  })
  expect(await at.entries()).toEqual([])
  expect((await at.save([line])).status).toBe(200)
  expect((await at.ada.ok(contract.getLogContext, {})).FirstDate).toBe(at.today)
})

test('a site where the student is not placed and a supervisor of another site do not exist', async () => {
  const line = { ProcedureId: at.routine, LevelId: at.performed }
  expect((await at.save([line], { SiteId: at.other.Id, SupervisorId: null })).status).toBe(404)
  const { rows } = await installation.owner.query(
    'select account_id from supervisor_site where site_id = $1',
    [at.other.Id],
  )
  expect((await at.save([line], { SupervisorId: rows[0].account_id })).status).toBe(404)
})

test.each([
  ['Note', 'MRN 00123456', /record number/],
  ['Note', 'patient 04/12/1951', /date of birth/],
  ['RepeatReason', 'clipped, 508-555-0142', /telephone number/],
  ['OtherPathology', '123-45-6789', /social security number/],
  ['Radiographer', 'Kim 4471882', /record number/],
])('%s refuses "%s" and says why', async (field, text, reason) => {
  const { status, body } = await at.save([
    { ProcedureId: at.routine, LevelId: at.performed, Repeats: 1, RepeatReason: 'clipped', [field]: text },
  ])
  expect(status).toBe(400)
  expect(JSON.stringify(body)).toMatch(reason)
  expect(await at.entries()).toEqual([])
})

test('a line needs a procedure of the own list, its level, and a reason for repeats', async () => {
  const refusalOf = async (line: Partial<contract.LogLine>) => {
    const { status, body } = await at.save([
      { ProcedureId: at.ribs, LevelId: at.performed },
      { ProcedureId: at.routine, LevelId: at.performed, ...line },
    ])
    return status === 200 ? undefined : (body as unknown as { Errors: { Field: string }[] }).Errors[0]?.Field
  }
  const next = await at.design.list('Next')
  const skull = await at.design.section(next.Id, 'Head', ['Skull'])
  const [foreign] = await at.design.procedures(next.Id)
  expect(skull).toBeGreaterThan(0)
  expect(await refusalOf({ ProcedureId: foreign!.Id, LevelId: null })).toBe('Lines.1.ProcedureId')
  expect(await refusalOf({ ProcedureId: 999_999 })).toBe('Lines.1.ProcedureId')
  expect(await refusalOf({ LevelId: null })).toBe('Lines.1.LevelId')
  expect(await refusalOf({ LevelId: 999_999 })).toBe('Lines.1.LevelId')
  expect(await refusalOf({ Repeats: 1 })).toBe('Lines.1.RepeatReason')
  expect(await refusalOf({ PathologyId: 999_999 })).toBe('Lines.1.PathologyId')
  expect(await at.entries()).toEqual([])
  const many = Array.from({ length: 31 }, () => ({ ProcedureId: at.routine, LevelId: at.performed }))
  expect((await at.save(many)).status).toBe(400)
  expect((await at.save(many.slice(1))).status).toBe(200)
})

test('an entry is changed and deleted until it is verified, and a returned one waits again once it is corrected', async () => {
  const entry = await at.log()
  const changed = await at.change(entry, { Count: 2, ProcedureId: at.ribs })
  expect(changed.body).toMatchObject({ Count: 2, Procedure: 'Ribs', Revision: entry.Revision + 1 })
  expect((await at.change(entry, { Count: 3 })).body).toMatchObject({ Code: 'stale' })
  const returned = await at.giveBack(at.supervisor, changed.body)
  expect(returned.body).toMatchObject({ State: 'returned', ReturnReason: 'It was two' })
  const corrected = await at.change(returned.body, { Count: 1 })
  expect(corrected.body).toMatchObject({ State: 'submitted', ReturnReason: '', DecidedBy: null })
  expect((await at.verify(at.supervisor, [corrected.body])).status).toBe(200)
  const [verified] = await at.entries()
  expect((await at.change(verified!, { Count: 9 })).body).toMatchObject({ Code: 'decided' })
  expect((await at.erase(verified!)).body).toMatchObject({ Code: 'decided' })
  const second = await at.log()
  expect((await at.erase(second)).status).toBe(204)
  expect((await at.erase(second)).status).toBe(404)
})

test('a deleted entry comes back as it was, once, and to its student alone', async () => {
  const entry = await at.log()
  await at.giveBack(at.supervisor, entry)
  const [returned] = await at.entries()
  expect((await at.restore(entry)).status).toBe(404)
  expect((await at.erase(returned!)).status).toBe(204)
  const other = await installation.as(await makeStudent(installation.owner, at.program))
  expect((await at.restore(entry, other)).status).toBe(404)
  expect((await at.restore(entry, at.supervisor)).status).toBe(403)
  const restored = await at.restore(entry)
  expect(restored.body).toEqual({ ...returned!, Revision: returned!.Revision + 2 })
  expect(await at.entries()).toContainEqual(restored.body)
  expect((await at.restore(entry)).status).toBe(404)
  expect((await at.change(returned!, { Count: 2 })).body).toMatchObject({ Code: 'stale' })
})

test("another student's entry does not exist, and nobody but students logs", async () => {
  const entry = await at.log()
  const other = await installation.as(await makeStudent(installation.owner, at.program))
  expect((await at.change(entry, { Count: 2 }, other)).status).toBe(404)
  expect((await at.erase(entry, other)).status).toBe(404)
  expect(
    (await at.save([{ ProcedureId: at.routine, LevelId: at.performed }], { caller: at.supervisor })).status,
  ).toBe(403)
})

test('the card counts verified logs at levels that count, also those of an earlier version of the list', async () => {
  await at.save([
    { ProcedureId: at.routine, LevelId: at.performed, Count: 2 },
    { ProcedureId: at.routine, LevelId: at.observed, Count: 5 },
  ])
  expect(await standing(at.routine)).toMatchObject({
    Counted: 0,
    CountedWaiting: 2,
    Logged: 7,
    LastLevelId: at.observed,
  })
  await at.verify(at.supervisor, await at.entries())
  expect(await standing(at.routine)).toMatchObject({
    LogsNeeded: 3,
    Counted: 2,
    CountedWaiting: 0,
    Logged: 7,
  })
  const entry = await at.log()
  await at.giveBack(at.supervisor, entry)
  expect(await standing(at.routine)).toMatchObject({ Logged: 7, Returned: 1 })
  // The next version has its own rows for the same procedures.
  const next = await at.coordinator.ok(lists.createCompetencyList, {
    ...at.inProgram,
    body: { Name: 'Next', Registry: '', EffectiveOn: '2028-01-01', FromListId: at.listId },
  })
  await installation.owner.query('update account set cohort = $2 where id = $1', [at.student.Id, 'Fall'])
  await installation.owner.query('insert into competency_list_cohort values ($1, $2, $3)', [
    at.program.Id,
    'Fall',
    next.Id,
  ])
  const { List, Procedures } = await at.ada.ok(contract.getOwnStanding)
  expect(List?.Id).toBe(next.Id)
  expect(Procedures.find(({ Name }) => Name === 'Chest Routine')).toMatchObject({
    Counted: 2,
    Logged: 7,
    Returned: 1,
  })
})

test('staff read the card of a student; of another program there is none', async () => {
  await at.log()
  const card = await at.faculty.ok(contract.getStudentStanding, {
    params: { programId: at.program.Id, studentId: at.student.Id },
  })
  expect(card.Procedures[0]).toMatchObject({ Logged: 1 })
  const foreign = await startLogging(installation)
  for (const [programId, studentId] of [
    [at.program.Id, foreign.student.Id],
    [foreign.program.Id, foreign.student.Id],
  ] as const)
    expect(
      (await at.faculty.call(contract.getStudentStanding, { params: { programId, studentId } })).status,
    ).toBe(404)
  expect(
    (
      await at.supervisor.call(contract.getStudentStanding, {
        params: { programId: at.program.Id, studentId: at.student.Id },
      })
    ).status,
  ).toBe(403)
})

test('pathologies are asked as the program says', async () => {
  await installation.owner.query(
    "insert into pathology_setting (program_id, is_asked, allows_other) values ($1, 'required', false)",
    [at.program.Id],
  )
  const { rows } = await installation.owner.query(
    "insert into pathology (program_id, skill_id, name, position) values ($1, $2, 'Pneumonia', 1) returning id",
    [at.program.Id, at.routine],
  )
  const line = { ProcedureId: at.routine, LevelId: at.performed }
  expect((await at.save([line])).body).toMatchObject({ Errors: [{ Field: 'Lines.0.PathologyId' }] })
  expect((await at.save([{ ...line, OtherPathology: 'Effusion' }])).status).toBe(422)
  expect((await at.save([{ ...line, PathologyId: rows[0].id }])).status).toBe(200)
  expect((await at.save([{ ...line, ProcedureId: at.ribs }])).status).toBe(200)
  expect((await at.entries())[0]).toMatchObject({ Pathology: 'Pneumonia' })
})

test('the own log comes in pages of days and by state', async () => {
  for (const date of [at.today, at.yesterday])
    await at.save([{ ProcedureId: at.routine, LevelId: at.performed }], { date, SupervisorId: null })
  const first = await at.ada.ok(contract.listOwnLog, { query: { days: 1 } })
  expect(first).toMatchObject({
    Days: [{ Date: at.today }],
    NextDate: at.today,
    WaitingCount: 2,
    ReturnedCount: 0,
  })
  const second = await at.ada.ok(contract.listOwnLog, { query: { days: 1, Before: first.NextDate! } })
  expect(second).toMatchObject({ Days: [{ Date: at.yesterday }], NextDate: null })
  expect((await at.ada.ok(contract.listOwnLog, { query: { Show: 'returned' } })).Days).toEqual([])
})

test('deleting a procedure keeps what was logged, which can still be corrected', async () => {
  const entry = await at.log()
  await at.design.remove('procedure', [at.routine])
  expect((await at.save([lineOf(entry)])).status).toBe(422)
  expect((await at.change(entry, { Count: 3 })).status).toBe(200)
  expect(await at.entries()).toMatchObject([{ Procedure: 'Chest Routine', Count: 3 }])
})

test('a program without a list has an empty card', async () => {
  const lonely = await installation.as(await makePerson(installation.owner, Level.Student))
  expect(await lonely.ok(contract.getOwnStanding)).toEqual({
    List: null,
    Studies: [],
    Procedures: [],
    Earlier: [],
  })
  expect(await lonely.ok(contract.getLogContext, {})).toMatchObject({ Shift: null, Sites: [] })
})

test('waiting days are counted for whom they name', async () => {
  await at.log()
  await at.log()
  expect(await at.supervisor.ok(verification.countWaiting, at.inProgram)).toEqual({ Days: 1, Entries: 2 })
  expect(await at.colleague.ok(verification.countWaiting, at.inProgram)).toEqual({ Days: 0, Entries: 0 })
})
