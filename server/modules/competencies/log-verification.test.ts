import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import { lineOf } from '#contract/competencies/log-line.ts'
import * as contract from '#contract/competencies/log-verification.ts'
import { changeProcedure, type OwnEntry } from '#contract/competencies/procedure-logs.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { type Logging, startLogging } from '#server/test/procedure-logging.ts'
import { wrongSums } from '#server/test/stored-sums.ts'
import { openStream, type Stream } from '#server/test/stream.ts'
import { procedureSums } from './competency-sums.commands.ts'

let installation: Installation
let at: Logging
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  at = await startLogging(installation)
})

const one = (logId: number) => ({ params: { programId: at.program.Id, logId } })
const repeated = { Repeats: 1, RepeatReason: 'clipped the angle' }

test('a day waits for whom it names; others see that it is there, and its entries once they took it over', async () => {
  const entry = await at.log()
  const mine = await at.waiting(at.supervisor)
  expect(mine).toMatchObject({
    Days: [{ StudentId: at.student.Id, Date: at.today, Entries: [{ Id: entry.Id, Count: 1 }] }],
    Others: [],
    HasMoreOthers: false,
  })
  const theirs = await at.waiting(at.colleague)
  expect(theirs).toMatchObject({
    Days: [],
    Others: [{ StudentId: at.student.Id, Date: at.today, Entries: 1 }],
  })
  expect((await at.verify(at.colleague, [entry])).status).toBe(404)
  expect((await at.giveBack(at.colleague, entry)).status).toBe(404)
  // Not of another site at all.
  expect(await at.waiting(at.stranger)).toMatchObject({ Days: [], Others: [] })
  const take = (caller = at.colleague) =>
    caller.call(contract.takeOverDay, {
      ...at.inProgram,
      body: { StudentId: at.student.Id, Date: at.today },
    })
  expect((await take(at.stranger)).status).toBe(404)
  expect((await take()).body).toEqual({ Entries: 1 })
  expect((await take()).status).toBe(404)
  expect(await at.waiting(at.supervisor)).toMatchObject({ Days: [], Others: [{ Entries: 1 }] })
  // What was seen before it was taken over is not verified by the former one.
  expect((await at.verify(at.supervisor, [entry])).status).toBe(404)
  const [taken] = (await at.waiting(at.colleague)).Days[0]!.Entries
  // It is given back to whom it was taken from, and by nobody else.
  const back = (caller = at.colleague) =>
    caller.call(contract.takeOverDay, {
      ...at.inProgram,
      body: { StudentId: at.student.Id, Date: at.today, IsGivenBack: true },
    })
  expect((await back(at.supervisor)).status).toBe(404)
  expect((await back()).body).toEqual({ Entries: 1 })
  expect((await back()).status).toBe(404)
  expect((await at.verify(at.colleague, [taken!])).status).toBe(404)
  expect((await at.waiting(at.supervisor)).Days[0]!.Entries).toHaveLength(1)
  expect((await take()).body).toEqual({ Entries: 1 })
  const [again] = (await at.waiting(at.colleague)).Days[0]!.Entries
  expect((await at.verify(at.colleague, [again!])).body).toEqual({ Verified: 1 })
  expect((await back()).status).toBe(404)
})

test("a student's day is verified in one call, and several days too, but never with repeats", async () => {
  await at.log()
  await at.log({ Count: 3 })
  await at.save([{ ProcedureId: at.ribs, LevelId: at.performed }], { date: at.yesterday, SiteId: at.site.Id })
  const repeats = await at.log(repeated)
  const { Days } = await at.waiting(at.supervisor)
  expect(Days.map((day) => [day.Date, day.Entries.length])).toEqual([
    [at.yesterday, 1],
    [at.today, 3],
  ])
  const all = Days.flatMap(({ Entries }) => Entries)
  expect((await at.verify(at.supervisor, all)).body).toMatchObject({ Code: 'repeats' })
  const clean = all.filter(({ Id }) => Id !== repeats.Id)
  expect((await at.verify(at.supervisor, clean)).body).toEqual({ Verified: 3 })
  expect((await at.verify(at.supervisor, clean)).body).toMatchObject({ Code: 'decided' })
  expect((await at.waiting(at.supervisor)).Days.flatMap(({ Entries }) => Entries)).toMatchObject([
    { Id: repeats.Id },
  ])
})

test('a repeat waits for the name of its radiographer', async () => {
  const entry = await at.log(repeated)
  expect((await at.confirm(at.supervisor, entry)).body).toMatchObject({ Errors: [{ Field: 'Radiographer' }] })
  expect((await at.confirm(at.supervisor, entry, { Radiographer: 'Kim Novak' })).body).toMatchObject({
    State: 'verified',
    Radiographer: 'Kim Novak',
    Changes: 0,
  })
  const named = await at.log({ ...repeated, Radiographer: 'Lee Chan' })
  expect((await at.confirm(at.supervisor, named)).body).toMatchObject({
    State: 'verified',
    Radiographer: 'Lee Chan',
  })
})

test('what was verified is taken back within a day by whoever verified it, with the count as it was; all of it or nothing', async () => {
  const [one, two] = [await at.log(), await at.log({ Count: 5 })]
  const undo = (caller: Caller, entries: readonly { Id: number; Revision: number }[]) =>
    caller.call(contract.undoVerifications, {
      ...at.inProgram,
      body: { Entries: entries.map(({ Id, Revision }) => ({ Id, Revision })) },
    })
  expect((await at.verify(at.supervisor, [one])).status).toBe(200)
  expect((await at.confirm(at.supervisor, two, { Count: 2 })).status).toBe(200)
  const verified = (await at.entries()).filter(({ Id }) => Id === one.Id || Id === two.Id)
  // Whoever verified it finds it again, and nobody else.
  const listed = async (caller: Caller) =>
    (await at.waiting(caller)).Verified.flatMap(({ Entries }) => Entries)
  expect(await listed(at.supervisor)).toEqual(
    [...verified].reverse().map(({ Id, Revision, Procedure, Count }) => ({ Id, Revision, Procedure, Count })),
  )
  expect(await listed(at.colleague)).toEqual([])
  expect(await listed(at.faculty)).toEqual([])
  // As they were before they were verified.
  expect((await undo(at.supervisor, [one, two])).body).toMatchObject({ Code: 'stale' })
  expect((await undo(at.colleague, verified)).status).toBe(404)
  expect((await undo(at.ada, verified)).status).toBe(403)
  expect((await undo(at.faculty, verified)).body).toMatchObject({ Code: 'not_verified' })
  expect((await undo(at.supervisor, [])).status).toBe(400)
  expect((await undo(at.supervisor, verified)).body).toEqual({ Undone: 2 })
  expect((await undo(at.supervisor, verified)).status).toBe(409)
  const [day] = (await at.waiting(at.supervisor)).Days
  expect(await listed(at.supervisor)).toEqual([])
  expect(day?.Entries.map(({ Id, Count, State }) => [Id, Count, State])).toEqual([
    [one.Id, 1, 'submitted'],
    [two.Id, 5, 'submitted'],
  ])
  expect((await at.verify(at.supervisor, day!.Entries)).status).toBe(200)
  await installation.owner.query(
    `update procedure_log set decided_at = now() - interval '25 hours' where id = $1`,
    [one.Id],
  )
  const late = (await at.entries()).filter(({ Id }) => Id === one.Id || Id === two.Id)
  expect((await undo(at.supervisor, late)).body).toMatchObject({ Code: 'not_verified' })
  expect((await listed(at.supervisor)).map(({ Id }) => Id)).toEqual([two.Id])
  // Neither was taken back.
  expect((await at.waiting(at.supervisor)).Days).toEqual([])
})

test('a count that is corrected while verifying keeps the old one', async () => {
  const entry = await at.log({ Count: 5 })
  expect((await at.confirm(at.supervisor, entry, { Count: 2 })).body).toMatchObject({
    Count: 2,
    State: 'verified',
    Changes: 1,
  })
  expect(await at.faculty.ok(contract.getProcedureLog, one(entry.Id))).toMatchObject({
    Count: 2,
    History: [{ Count: 5, State: 'submitted', Reason: 'Count corrected' }],
  })
})

test('an entry goes back with a reason, which the student is told in the product and by email', async () => {
  const entry = await at.log({ Count: 5 })
  expect((await at.giveBack(at.supervisor, entry, ' ')).status).toBe(400)
  expect((await at.giveBack(at.supervisor, entry)).body).toMatchObject({
    State: 'returned',
    ReturnReason: 'It was two',
  })
  expect((await at.giveBack(at.supervisor, entry)).body).toMatchObject({ Code: 'decided' })
  const told = await at.ada.ok(listNotifications, {})
  expect(JSON.stringify(told)).toMatch(/Chest Routine: It was two/)
  const { rows } = await installation.owner.query(
    'select label, after from email_notice where program_id = $1 and account_id = $2',
    [at.program.Id, at.student.Id],
  )
  expect(rows).toEqual([{ label: 'PROCEDURES_returned', after: expect.stringContaining('It was two') }])
})

test('staff correct and reopen what is verified, and the old values are kept', async () => {
  const entry = await at.log({ Count: 4 })
  await at.verify(at.supervisor, [entry])
  const [verified] = await at.entries()
  const correct = (caller: typeof at.faculty, part: object, { Id, Revision }: OwnEntry = verified!) =>
    caller.call(contract.correctEntry, {
      ...one(Id),
      body: { ...lineOf(verified!), Revision, Reason: 'Wrong procedure', ...part },
    })
  expect((await correct(at.supervisor, { Count: 1 })).status).toBe(403)
  expect((await correct(at.faculty, { Count: 1 })).status).toBe(403)
  expect((await correct(at.coordinator, { Reason: '' })).status).toBe(400)
  expect((await correct(at.coordinator, repeated)).body).toMatchObject({
    Errors: [{ Field: 'Radiographer' }],
  })
  const corrected = await correct(at.coordinator, { ProcedureId: at.ribs, Count: 1 })
  expect(corrected.body).toMatchObject({ State: 'verified', Procedure: 'Ribs', Count: 1, Changes: 1 })
  expect((await correct(at.coordinator, { Count: 2 })).body).toMatchObject({ Code: 'stale' })
  const reopen = (Revision: number) =>
    at.coordinator.call(contract.reopenEntry, {
      ...one(entry.Id),
      body: { Revision, Reason: 'Wrong student' },
    })
  expect((await reopen(verified!.Revision)).body).toMatchObject({ Code: 'stale' })
  const open = await reopen(corrected.body.Revision)
  expect(open.body).toMatchObject({ State: 'submitted', DecidedBy: null, Changes: 2 })
  expect((await reopen(open.body.Revision)).body).toMatchObject({ Code: 'not_verified' })
  expect((await at.coordinator.ok(contract.getProcedureLog, one(entry.Id))).History).toMatchObject([
    { Procedure: 'Chest Routine', Count: 4, State: 'verified', Reason: 'Wrong procedure' },
    { Procedure: 'Ribs', Count: 1, State: 'verified', Reason: 'Wrong student' },
  ])
})

test('a change of an entry keeps what it leaves out, the student’s and that of staff', async () => {
  const entry = await at.log({ ...repeated, Patient: 'pediatric', Note: 'AP and lateral' })
  const { ProcedureId, LevelId, SupervisorId, Patient, Repeats, RepeatReason, Note } = entry
  const said = { Patient, Repeats, RepeatReason, Note }
  const line = { ProcedureId, LevelId, Count: 3 }
  const own = await at.ada.ok(changeProcedure, {
    params: { logId: entry.Id },
    body: { ...line, SupervisorId, Revision: entry.Revision },
  })
  expect(own).toMatchObject({ ...said, Count: 3 })
  const body = { ...line, Count: 4, Revision: own.Revision, Reason: 'Miscounted' }
  const corrected = await at.coordinator.ok(contract.correctEntry, { ...one(entry.Id), body })
  expect(corrected).toMatchObject({ ...said, Count: 4 })
})

test('the log of all students is filtered, paged and exported', async () => {
  await at.log({ Patient: 'pediatric' })
  await at.log({ ProcedureId: at.ribs, ...repeated })
  await at.save([{ ProcedureId: at.ribs, LevelId: at.observed }], { date: at.yesterday, SupervisorId: null })
  const ask = async (query: Partial<contract.LogFilters> & { pageSize?: number; page?: number } = {}) =>
    at.faculty.ok(contract.listProcedureLogs, { ...at.inProgram, query })
  const found = async (query: Partial<contract.LogFilters>) =>
    (await ask(query)).Items.map(({ Procedure }) => Procedure)
  expect(await ask()).toMatchObject({
    Total: 3,
    IsTotalCapped: false,
    Items: [{ Procedure: 'Ribs' }, {}, { Date: at.yesterday }],
  })
  expect(await ask({ pageSize: 1, page: 2 })).toMatchObject({
    Total: 3,
    Items: [{ Procedure: 'Chest Routine' }],
  })
  expect(await found({ Patient: 'pediatric' })).toEqual(['Chest Routine'])
  expect(await found({ WithRepeats: true })).toEqual(['Ribs'])
  expect(await found({ WithoutShift: true })).toEqual(['Ribs'])
  expect(await found({ ProcedureId: at.ribs })).toEqual(['Ribs', 'Ribs'])
  expect(await found({ SiteId: at.site.Id, FromDate: at.today })).toHaveLength(2)
  expect(await found({ ThroughDate: at.yesterday })).toHaveLength(1)
  expect(await found({ State: 'submitted', StudentId: at.student.Id })).toHaveLength(3)
  expect(await found({ State: 'verified' })).toEqual([])
  expect(await found({ Cohort: 'Fall' })).toEqual([])
  const file = await at.faculty.call(contract.exportProcedureLogs, {
    ...at.inProgram,
    query: { Format: 'csv', Patient: 'pediatric' },
  })
  const lines = String(file.body).trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/Date,Student,Major study,Procedure,Count/)
  expect(lines[1]).toMatch(/Chest Routine,1,Performed,Pediatric/)
  expect((await at.supervisor.call(contract.listProcedureLogs, { ...at.inProgram, query: {} })).status).toBe(
    403,
  )
})

test('entries of another program do not exist', async () => {
  const foreign = await startLogging(installation)
  const entry = await foreign.log()
  expect((await at.verify(at.faculty, [entry])).status).toBe(404)
  expect((await at.confirm(at.faculty, entry)).status).toBe(404)
  expect((await at.giveBack(at.faculty, entry)).status).toBe(404)
  expect((await at.faculty.call(contract.getProcedureLog, one(entry.Id))).status).toBe(404)
  const body = { Revision: 1, Reason: 'x' }
  expect((await at.coordinator.call(contract.reopenEntry, { ...one(entry.Id), body })).status).toBe(404)
  expect(
    (
      await at.coordinator.call(contract.correctEntry, {
        ...one(entry.Id),
        body: { ...lineOf(entry), ...body },
      })
    ).status,
  ).toBe(404)
})

/** Sends two changes of one entry at once, many times, and says how often each went through. */
const race = async (
  first: (entry: OwnEntry) => Promise<{ status: number }>,
  second: (entry: OwnEntry) => Promise<{ status: number }>,
): Promise<void> => {
  for (let round = 0; round < 8; round++) {
    const entry = await at.log()
    const answers = await Promise.all(
      round % 2 ? [first(entry), second(entry)] : [second(entry), first(entry)],
    )
    const done = answers.filter(({ status }) => status < 300)
    expect(done).toHaveLength(1)
    expect([404, 409]).toContain(answers.find(({ status }) => status >= 300)?.status)
  }
  expect(await wrongSums(installation.owner, procedureSums, at.program.Id)).toEqual([])
}

test('of an edit and a verification sent together exactly one happens', () =>
  race(
    (entry) => at.change(entry, { Count: 2 }),
    (entry) => at.verify(at.supervisor, [entry]),
  ))

test('of two who verify, one does', () =>
  race(
    (entry) => at.verify(at.supervisor, [entry]),
    (entry) => at.verify(at.faculty, [entry]),
  ))

test('of deleting and verifying exactly one happens', () =>
  race(
    (entry) => at.erase(entry),
    (entry) => at.verify(at.supervisor, [entry]),
  ))

test('of returning and verifying exactly one happens', () =>
  race(
    (entry) => at.giveBack(at.supervisor, entry),
    (entry) => at.confirm(at.faculty, entry),
  ))

test('whoever verifies is told at once of what is logged, and the student of what is decided', async () => {
  const at = await startLogging(installation)
  const other = await startLogging(installation)
  const open = ({ headers }: Caller) => openStream(`${installation.url}/new/api/live`, headers)
  const count = ({ events }: Stream, event: string) => events.filter((each) => each === event).length
  const patiently = { timeout: 8_000 }
  /** Without what a stream is told of everything, tasks too, whenever the server begins to listen. */
  const changes = (stream: Stream) => count(stream, 'procedure-logs') - count(stream, 'tasks')
  const supervisor = await open(at.supervisor)
  await supervisor.told('tasks')
  const [student, stranger] = await Promise.all([open(at.ada), open(other.supervisor)])
  try {
    const entry = await at.log()
    await expect.poll(() => changes(supervisor), patiently).toBe(1)
    await at.verify(at.supervisor, [entry])
    await expect.poll(() => changes(student), patiently).toBe(2)
    expect(changes(stranger)).toBe(0)
    await other.log()
    await expect.poll(() => changes(stranger), patiently).toBe(1)
  } finally {
    for (const stream of [supervisor, student, stranger]) stream.close()
  }
})
