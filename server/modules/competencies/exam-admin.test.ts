import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import * as contract from '#contract/competencies/exam-admin.ts'
import * as exams from '#contract/competencies/exams.ts'
import * as labs from '#contract/competencies/lab-checks.ts'
import { transaction } from '#server/core/database/pool.ts'
import { redesign } from '#server/test/competency-changes.ts'
import { makeProgram, makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { type Examining, startExams } from '#server/test/procedure-exams.ts'
import { askRechecksOf } from './rechecks.commands.ts'

let installation: Installation
let at: Examining
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  at = await startExams(installation)
})

const list = (query: object = {}, caller = at.faculty) =>
  caller.ok(contract.listExams, { ...at.inProgram, query })
const states = async (query: object = {}) => (await list(query)).Items.map(({ State }) => State)
/** An exam that the supervisor has graded. */
const graded = async (body = at.decision()): Promise<number> => {
  await at.ready()
  const { Id } = await at.asked()
  const { status, body: answer } = await at.grade(at.supervisor, Id, body)
  if (status !== 200) throw new Error(JSON.stringify(answer))
  return Id
}
const suspended = async (): Promise<number> => {
  const id = await graded()
  await installation.owner.query(
    "update exam_attempt set state = 'suspended', ended_at = now() where id = $1",
    [id],
  )
  return id
}
const told = async () => JSON.stringify(await at.ada.ok(listNotifications, {}))

test('staff see the exams of all students with filters, and as a file', async () => {
  const id = await graded(at.failing())
  expect(await list()).toMatchObject({
    Total: 1,
    IsTotalCapped: false,
    Items: [{ Id: id, StudentId: at.student.Id, State: 'failed', Number: 1, Comment: 'Wrong side' }],
  })
  expect(
    await states({ State: 'failed', WithoutNote: true, SiteId: at.site.Id, ProcedureId: at.routine }),
  ).toEqual(['failed'])
  for (const query of [
    { State: 'passed' },
    { SiteId: at.other.Id },
    { Simulated: 'all' },
    { Simulated: 'waiting' },
    { ThroughDate: at.yesterday },
    { Cohort: 'nobody' },
    { StudentId: 1 },
  ])
    expect(await states(query)).toEqual([])
  const file = await at.coordinator.call(contract.exportExams, { ...at.inProgram, query: { Format: 'csv' } })
  expect(String(file.body)).toMatch(/Not approved.*Wrong side/)
  expect((await at.supervisor.call(contract.listExams, at.inProgram)).status).toBe(403)
  const other = await makeProgram(installation.owner)
  expect((await at.faculty.call(contract.listExams, { params: { programId: other.Id } })).status).toBe(404)
})

test('faculty write down what to practice after a failed attempt, and the student is told', async () => {
  const id = await graded(at.failing())
  const note = (Text: string, attemptId = id) =>
    at.faculty.call(contract.saveRemediation, { ...at.ofAttempt(attemptId), body: { Text } })
  expect((await note(' ')).status).toBe(400)
  expect((await note('Call 555-201-3344')).status).toBe(400)
  expect((await note('Practice markers')).body).toMatchObject({ Remediation: 'Practice markers' })
  expect(await told()).toMatch(/what to practice before your next exam in Chest Routine/)
  expect(await states({ WithoutNote: true })).toEqual([])
  expect((await at.exam()).Missing.map(({ Kind }) => Kind)).toEqual(['retry'])
  expect((await note('x', 999_999)).status).toBe(404)
})

test('only failed attempts have a note', async () => {
  const id = await graded()
  expect(
    (await at.faculty.call(contract.saveRemediation, { ...at.ofAttempt(id), body: { Text: 'x' } })).body,
  ).toMatchObject({ Code: 'not_failed' })
})

test('a coordinator approves simulation before the exam, and never beyond the limit', async () => {
  await at.ready()
  await installation.owner.query('update skill set may_be_simulated = true where program_id = $1', [
    at.program.Id,
  ])
  const { Id } = await at.asked({ IsSimulated: true })
  expect((await list({ Simulated: 'waiting' })).Items).toHaveLength(1)
  const approve = (caller = at.coordinator) => caller.call(contract.approveSimulation, at.ofAttempt(Id))
  expect((await approve(at.faculty)).status).toBe(403)
  expect((await approve()).body).toMatchObject({ IsSimulationApproved: true })
  expect(await told()).toMatch(/approved that your exam in Chest Routine is simulated/)
  expect((await at.grade(at.supervisor, Id, at.decision({ IsSimulated: true }))).status).toBe(200)
  expect((await approve()).body).toMatchObject({ Code: 'not_simulated' })
  expect(await at.exam()).toMatchObject({ IsSimulated: true })
  await installation.owner.query('update competency_list set most_simulated = 1 where program_id = $1', [
    at.program.Id,
  ])
  const { Exams } = await at.exams()
  expect(Exams.find(({ ProcedureId }) => ProcedureId === at.ribs)?.NotSimulated).toMatch(/used all/)
})

test('a suspended result counts again or is voided, with the reason on record', async () => {
  const id = await suspended()
  expect((await at.ask()).body).toMatchObject({ Code: 'suspended' })
  const reinstate = () =>
    at.coordinator.call(contract.reinstateExam, { ...at.ofAttempt(id), body: { Reason: 'They remember it' } })
  const takeBack = (Reason = 'Somebody else signed') =>
    at.coordinator.call(contract.voidExam, { ...at.ofAttempt(id), body: { Reason } })
  expect((await reinstate()).body).toMatchObject({ State: 'passed', EndedReason: 'They remember it' })
  expect(await at.exam()).toMatchObject({ Supervision: 'indirect' })
  expect((await reinstate()).body).toMatchObject({ Code: 'not_suspended' })
  expect((await takeBack()).body).toMatchObject({ State: 'voided' })
  expect((await takeBack()).body).toMatchObject({ Code: 'over' })
  expect(await told()).toMatch(/voided your exam in Chest Routine: Somebody else signed/)
  expect(await at.exam()).toMatchObject({ IsReady: true, Supervision: 'direct', PassedOn: null })
  // It stays on record.
  const detail = await at.faculty.ok(contract.getExam, at.ofAttempt(id))
  expect(detail).toMatchObject({ State: 'voided', Score: 6, Signature: { How: 'account' } })
})

test('a voided exam is neither graded nor opened by its code any longer', async () => {
  await at.ready()
  const { Id } = await at.asked()
  await at.coordinator.ok(contract.voidExam, { ...at.ofAttempt(Id), body: { Reason: 'Wrong procedure' } })
  expect((await at.grade(at.supervisor, Id, at.decision())).body).toMatchObject({ Code: 'decided' })
})

const recheck = (body: object, caller = at.coordinator) =>
  caller.call(contract.createRechecks, {
    ...at.inProgram,
    body: { Kind: 'continued', DueOn: at.today, StudentIds: [at.student.Id], ...body },
  })
const rechecks = async (Show: 'due' | 'passed' | 'failed' | 'canceled' = 'due') =>
  (await at.faculty.ok(contract.listRechecks, { ...at.inProgram, query: { Show } })).Items

test('a failed recheck returns the procedure to direct supervision, and the first pass stays', async () => {
  await graded()
  expect((await recheck({ Count: 3 })).body).toEqual({ Created: 1, Skipped: 0 })
  expect((await recheck({ Count: 3 })).body).toEqual({ Created: 0, Skipped: 1 })
  expect(await told()).toMatch(/Continued competency: Chest Routine/)
  expect(await rechecks()).toMatchObject([
    { Kind: 'continued', Procedure: 'Chest Routine', PassedOn: at.today, State: 'open', AttemptId: null },
  ])
  // Without new logs.
  const first = await at.asked()
  expect(first).toMatchObject({ RecheckKind: 'continued', Number: 2 })
  await at.grade(at.supervisor, first.Id, at.failing({ Remediation: 'Practice' }))
  expect(await at.exam()).toMatchObject({ PassedOn: at.today, Supervision: 'direct' })
  expect(await rechecks()).toMatchObject([{ State: 'failed', AttemptId: first.Id }])
  await installation.owner.query('update exam_attempt set retry_from = null where id = $1', [first.Id])
  const second = await at.asked()
  await at.grade(at.supervisor, second.Id, at.decision())
  expect(await at.exam()).toMatchObject({ PassedOn: at.today, Supervision: 'indirect' })
  expect(await rechecks('passed')).toMatchObject([{ AttemptId: second.Id }])
  // Voiding the second one lets the failed one count again.
  await at.coordinator.ok(contract.voidExam, { ...at.ofAttempt(second.Id), body: { Reason: 'x' } })
  expect(await rechecks()).toMatchObject([{ State: 'failed' }])
  expect(await at.exam()).toMatchObject({ Supervision: 'direct' })
})

test('a list asks for rechecks by itself after its months, once, and counts from the last pass', async () => {
  const id = await graded()
  const run = () =>
    transaction(installation.services.transactions, { accountId: null, programIds: [at.program.Id] }, (db) =>
      askRechecksOf(db, at.program.Id),
    )
  const passedAgo = (months: number) =>
    installation.owner.query(
      'update exam_attempt set date = (current_date - make_interval(months => $2))::date where id = $1',
      [id, months],
    )
  await passedAgo(12)
  expect(await run()).toBe(0)
  await installation.owner.query('update competency_list set recheck_months = 6 where program_id = $1', [
    at.program.Id,
  ])
  await passedAgo(5)
  expect(await run()).toBe(0)
  await passedAgo(6)
  expect(await run()).toBe(1)
  expect(await run()).toBe(0)
  expect(await rechecks()).toMatchObject([{ Kind: 'continued', State: 'open' }])
  expect(await told()).toMatch(/Continued competency: Chest Routine/)
  const second = await at.asked()
  await at.grade(at.supervisor, second.Id, at.decision())
  expect(await run()).toBe(0)
})

test('rechecks are of one named procedure or drawn, for a cohort or students, and can be canceled', async () => {
  await graded()
  await installation.owner.query("update account set cohort = '2027' where id = $1", [at.student.Id])
  expect((await recheck({ ProcedureId: at.ribs })).body).toEqual({ Created: 0, Skipped: 1 })
  expect((await recheck({ Cohort: '2027', StudentIds: [], ProcedureId: at.routine })).body).toMatchObject({
    Created: 1,
  })
  expect((await recheck({ StudentIds: [] })).status).toBe(400)
  expect((await recheck({ StudentIds: [999_999] })).status).toBe(404)
  expect((await recheck({}, at.faculty)).status).toBe(403)
  const [one] = await rechecks()
  const cancel = () =>
    at.coordinator.call(contract.cancelRechecks, { ...at.inProgram, body: { Ids: [one!.Id] } })
  expect((await cancel()).body).toEqual({ Canceled: 1 })
  expect((await cancel()).status).toBe(404)
  expect(await rechecks('canceled')).toHaveLength(1)
  expect((await at.exam()).Missing).toMatchObject([{ Kind: 'passed' }])
})

test('a class is checked in the lab at once; who is checked stays so, and exams open', async () => {
  await at.ready()
  await redesign(installation, at.program.Id, 'update skill set needs_lab_check = true where id = $1', [
    at.routine,
  ])
  const second = await makeStudent(installation.owner, at.program)
  const params = { programId: at.program.Id, procedureId: at.routine }
  const check = (StudentIds: number[], day = at.today, caller = at.faculty) =>
    caller.call(labs.checkInLab, { params, body: { Date: day, StudentIds } })
  expect((await check([at.student.Id], '2099-01-01')).body).toMatchObject({ Code: 'Date' })
  expect((await check([999_999])).status).toBe(404)
  expect((await check([at.student.Id], at.today, at.supervisor)).status).toBe(403)
  const { body } = await check([at.student.Id, second.Id])
  expect(body.Ids).toHaveLength(2)
  expect((await check([at.student.Id])).body.Ids).toEqual([])
  const { Students, IsNeeded } = await at.faculty.ok(labs.listLabChecks, { params })
  expect(IsNeeded).toBe(true)
  expect(Students.filter(({ CheckedOn }) => CheckedOn === at.today)).toHaveLength(2)
  expect((await at.exam()).IsReady).toBe(true)
  const remove = () => at.faculty.call(labs.removeLabChecks, { ...at.inProgram, body: { Ids: body.Ids } })
  expect((await remove()).body).toEqual({ Removed: 2 })
  expect((await remove()).status).toBe(404)
  expect((await at.exam()).Missing.map(({ Kind }) => Kind)).toEqual(['lab'])
})

test('of two who check the same class at once each student is checked once', async () => {
  const params = { programId: at.program.Id, procedureId: at.routine }
  const body = { Date: at.today, StudentIds: [at.student.Id] }
  const replies = await Promise.all([1, 2, 3].map(() => at.faculty.call(labs.checkInLab, { params, body })))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(replies.flatMap(({ body: { Ids } }) => Ids)).toHaveLength(1)
})

test('of a coordinator who voids and an examiner who grades at the same moment one is first', async () => {
  await at.ready()
  const { Id } = await at.asked()
  const [voiding, grading] = await Promise.all([
    at.coordinator.call(contract.voidExam, { ...at.ofAttempt(Id), body: { Reason: 'x' } }),
    at.grade(at.supervisor, Id, at.decision()),
  ])
  expect(voiding.status).toBe(200)
  expect([200, 409]).toContain(grading.status)
  expect((await at.ada.ok(exams.getOwnExam, { params: { attemptId: Id } })).State).toBe('voided')
})
